"""A treebank with predicted tags: the training set by jackknifing, all else by a tagger that has learned from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plait import formats
from plait.experiments.document import TreebankFiles
from plait.experiments.shelf import Shelf
from plait.learning import registry
from plait.learning.lessons import Lessons
from plait.pipeline import Pipeline, Recipe
from plait.pipeline.train import Training
from plait.sentence import EMPTY, Sentence, Treebank


@dataclass(frozen=True, slots=True)
class Tagging:
    """Tags and lemmas of a treebank, predicted: one for all parsers that learn from it."""

    treebank: TreebankFiles
    folds: int

    @property
    def name(self) -> str:
        return f"{self.treebank.name}.tags{self.folds}"

    @property
    def leaves(self) -> tuple[str, ...]:
        return f"models/{self.name}", self._file("train"), self._file("dev")

    def origin(self) -> dict[str, Any]:
        return {"folds": self.folds}

    def __str__(self) -> str:
        return f"{self.treebank.name}, tags by {self.folds} taggers"

    def _file(self, part: str) -> str:
        return f"tagged/{self.name}.{part}.jsonl"

    def read(self, folder: Path) -> tuple[Treebank, Treebank]:
        """The training and the dev set, gold trees with predicted tags."""
        train, dev = (formats.read(folder / self._file(part)) for part in ("train", "dev"))
        return train, dev

    def tag(self, folder: Path, sentences: Sequence[Sentence]) -> Treebank:
        """Copies of other sentences, tagged."""
        tagger = Pipeline.load(folder / "models" / self.name)
        return Treebank(list(tagger.annotate(sentence.copy() for sentence in sentences)))


def predict_tags(task: Tagging, shelf: Shelf) -> dict[str, Any]:
    """The work of a `Tagging`."""
    gold, dev = (Lessons.of(formats.read(file)) for file in (task.treebank.train, task.treebank.dev))
    lemmas = any(lemma != EMPTY for sentence in gold for lemma in sentence.lemmas)
    parts = ["tagger", *(["lemmatizer"] if lemmas else []), "parser"]
    recipe = Recipe().only(*parts).updated({"model": {"folds": task.folds, "tags": "predicted"}})
    training = Training(gold, dev, recipe)
    pipeline = training.run(until="parser")
    plan = recipe.plan("parser")
    train, tagged = training.lessons_of(registry.find(plan.kind).from_plan(plan))
    assert tagged is not None
    (shelf.folder / "tagged").mkdir(exist_ok=True)
    for part, sentences in ("train", train), ("dev", tagged):
        formats.write(sentences, shelf.folder / task._file(part))
    pipeline.save(shelf.model(task), force=True)
    return {}
