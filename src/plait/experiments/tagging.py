"""A treebank with predicted tags: the training set by jackknifing, all else by a tagger that has learned from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from plait import formats
from plait.experiments.document import TreebankFiles
from plait.experiments.shelf import Shelf
from plait.learning import registry
from plait.learning.component import Component
from plait.learning.lessons import Lessons
from plait.learning.workshop import Workshop
from plait.pipeline import Pipeline, Recipe
from plait.pipeline.train import Training
from plait.sentence import EMPTY, Sentence, Treebank


@dataclass(frozen=True, slots=True)
class Tagging:
    """Tagger and lemmatizer of a treebank, and its training set with jackknifed tags: one for all parsers that see the
    same. Which tags a word may have, where a parser chooses among several, is the parser's part of the recipe.
    """

    treebank: TreebankFiles
    recipe: Recipe

    @property
    def name(self) -> str:
        # Parsers may have taggers of their own.
        key = sha256(repr(sorted(self.origin().items())).encode()).hexdigest()[:8]
        return f"{self.treebank.name}.tags.{key}"

    @property
    def leaves(self) -> tuple[str, ...]:
        return f"models/{self.name}", self.workshop

    @property
    def workshop(self) -> str:
        """The training set, fold by fold."""
        return f"tagged/{self.name}"

    @property
    def folds(self) -> int:
        return self.recipe.model.folds

    def origin(self) -> dict[str, Any]:
        choice = self.parser().choice()
        return {
            "tagger": asdict(self.recipe.plan("tagger").options),
            "lemmatizer": asdict(self.recipe.plan("lemmatizer").options),
            "folds": self.folds,
            "choice": asdict(choice) if choice else None,
        }

    def __str__(self) -> str:
        return f"{self.treebank.name}, jackknifed tags"

    def parser(self) -> Component[Any]:
        """What looks at the tags; it has learned nothing."""
        plan = self.recipe.plan("parser")
        return registry.find(plan.kind).from_plan(plan)

    def training(self, folder: Path, later: Sequence[str] = (), *, anew: bool = False) -> Training:
        """A training that looks at the folds that are there, or keeps those that it makes anew; with what is to work
        after the parser.
        """
        names = ["tagger", "lemmatizer", "parser", *later]
        place = Workshop(folder / self.workshop, resume=not anew)
        return start_training(self.treebank, self.recipe, names, place)

    def tagger(self, folder: Path) -> Pipeline:
        """Tagger and lemmatizer, when they have learned."""
        return Pipeline.load(folder / "models" / self.name)

    def lessons(self, folder: Path) -> tuple[Lessons, Lessons]:
        """The training and the dev set as the parser sees them: gold trees with predicted tags."""
        training = self.training(folder)
        training.run(self.tagger(folder), until="parser")
        train, dev = training.lessons_of(self.parser())
        assert dev is not None
        return train, dev

    def tag(self, folder: Path, sentences: Sequence[Sentence]) -> Treebank:
        """Copies of other sentences, tagged."""
        return Treebank(list(self.tagger(folder).annotate(sentence.copy() for sentence in sentences)))


def usual_tagging(treebank: TreebankFiles, folds: int) -> Tagging:
    """Tags by the usual tagger and lemmatizer, for parsers that choose none."""
    return Tagging(treebank, Recipe().updated({"model": {"folds": folds, "tags": "predicted"}}))


def predict_tags(task: Tagging, shelf: Shelf) -> dict[str, Any]:
    """The work of a `Tagging`."""
    training = task.training(shelf.folder, anew=True)  # what is there may be of another treebank or release
    pipeline = training.run(until="parser")
    training.lessons_of(task.parser())
    pipeline.save(shelf.model(task), force=True)
    return {}


def start_training(
    treebank: TreebankFiles, recipe: Recipe, names: Sequence[str], folds: Workshop | None = None
) -> Training:
    """A training of the components with these names; of no lemmatizer where there are no lemmas."""
    gold = Lessons.of(formats.read(treebank.train)[: treebank.sentences])
    dev = Lessons.of(formats.read(treebank.dev))
    has_lemmas = any(lemma != EMPTY for sentence in gold for lemma in sentence.lemmas)
    learned = [name for name in names if has_lemmas or recipe.plan(name).kind != "lemmatizer"]
    return Training(gold, dev, recipe.only(*learned), folds=folds)
