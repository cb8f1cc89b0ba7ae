"""One trial: a component learns with some of the templates, and is held against the dev part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait import formats
from plait.components.transition.cached import CachedParser, can_cache
from plait.components.transition.model import Model
from plait.components.transition.options import TransitionOptions
from plait.errors import InputError
from plait.experiments.selection.lines import Lines
from plait.experiments.selection.race import Rights, Trial
from plait.experiments.selection.scores import GoldWords
from plait.experiments.selection.subjects import Subject, find_subject
from plait.experiments.selection.worth import MARGIN, RIVALS, Worth
from plait.features import templates
from plait.features.encoding import silent_columns
from plait.formats.folder import find_sections
from plait.learning.arcs import EncodedWords, LabelledTrees
from plait.learning.component import Component
from plait.learning.jackknife import assign
from plait.learning.lessons import Lessons
from plait.learning.options import Options
from plait.learning.registry import find

FOLDS = 5  # one of which is the dev part
_AT_ONCE = 500  # sentences whose states are weighed, so that memory has a bound


@dataclass(frozen=True)
class Plan:
    """All that decides what a trial gives."""

    treebanks: tuple[str, ...]
    subject: str
    texts: Mapping[str, str]  # of all that may be chosen
    options: Mapping[str, Any]  # of the component
    passes: int
    score: str

    @property
    def kind(self) -> Subject:
        return find_subject(self.subject)

    @cached_property
    def lines(self) -> Lines:
        return Lines.of(self.texts)

    def component_options(self, **more: Any) -> Options:
        return find(self.kind.kind).Options.from_dict({**self.options, **more})

    @property
    def cached(self) -> bool:
        """Whether states are kept, so that trials are fast."""
        options = self.component_options()
        return (
            self.kind.option == "features" and isinstance(options, TransitionOptions) and can_cache(options)
        )

    @property
    def weighable(self) -> bool:
        """Whether a template's share of a decision can be told: those of greedy parsers, which see states only."""
        options = self.component_options()
        return (
            self.kind.option == "features"
            and isinstance(options, TransitionOptions)
            and options.beam == 1
            and not options.guided
        )

    def files(self, treebank: int) -> list[Path]:
        path = Path(self.treebanks[treebank])
        return find_sections(path)["train"] if path.is_dir() else [path]


class Bench:
    """Where the trials of one treebank are made. Of its training set four fifths are learned from and the others are
    the dev part, as in the paper; every shuffle has another fifth, so that five of them see the whole treebank. A
    document is in one of the two.
    """

    def __init__(self, plan: Plan, treebank: int) -> None:
        self._plan = plan
        path = plan.treebanks[treebank]
        sentences = [each for file in plan.files(treebank) for each in formats.read(file)]
        folds = np.array(assign(sentences, FOLDS))
        self._of_fold = [np.flatnonzero(folds == fold).tolist() for fold in range(FOLDS)]
        if not all(self._of_fold):
            raise InputError(f"{path}: there are too few sentences to choose templates by.")
        self._lessons = replace(Lessons.of(sentences), path=path)
        self._kept: CachedParser | None = None
        self._golds = [GoldWords([sentences[i] for i in numbers]) for numbers in self._of_fold]
        self._encoded: dict[int, EncodedWords] = {}

    def words(self, shuffle: int) -> NDArray[np.float64]:
        """How many every sentence of the dev part has."""
        return self._golds[shuffle % FOLDS].lengths.astype(np.float64)

    @cached_property
    def seen_lines(self) -> Sequence[int]:
        """For every line, the first one that sees the same on this treebank, or -1 if it sees nothing: columns that
        say nothing are left out.
        """
        plan = self._plan
        if plan.kind.kind != "transition" or plan.kind.option != "features":
            return range(len(plan.lines))
        system = str(plan.options.get("system", "swap"))
        joint = bool(plan.options.get("joint", False))
        parsed = [templates.parse(line.text, system=system, joint=joint) for line in plan.lines.every]
        columns = list(dict.fromkeys(name for each in parsed for name in each.columns))
        silent = silent_columns(self._lessons, columns)
        first: dict[tuple[templates.Atom, ...], int] = {}
        seen = []
        for number, each in enumerate(parsed):
            rest = each.without(silent).lines
            seen.append(first.setdefault(rest[0], number) if rest else -1)
        return seen

    def measure(self, chosen: Sequence[int], shuffle: int) -> Rights:
        """`chosen` are numbers of lines as `seen_lines` has them."""
        plan, fold = self._plan, shuffle % FOLDS
        if plan.cached:
            places = sorted(self._places[number] for number in chosen)
            weights = self._parser.learn(places, self._others(fold), shuffle, plan.passes)
            heads, labels = self._parser.parse(places, weights, self._encode(fold))
            return self._golds[fold].rights_of_trees(heads, labels, plan.score)
        component = self._learn(chosen, shuffle)
        found = component.apply([self._lessons[i] for i in self._of_fold[fold]])
        return self._golds[fold].rights(found, plan.score)

    def weigh(self, chosen: Sequence[int], shuffle: int) -> tuple[Rights, Worth]:
        """How much is right, and what every one of these lines is worth, by word of the dev part."""
        fold = shuffle % FOLDS
        parser = self._learn(chosen, shuffle, precision="float32")
        model: Model = parser.state
        sentences = [self._lessons[i] for i in self._of_fold[fold]]
        found = parser.apply(sentences)
        worth = Worth.none(len(chosen))
        for first in range(0, len(sentences), _AT_ONCE):
            some = sentences[first : first + _AT_ONCE]
            trees = LabelledTrees.of(some, self._lessons.path, model.setup.options.projectivize)
            gold = trees.encode(model.setup.encode_words(some), model.setup.labels)
            worth += Worth.of_shares(*model.shares(gold, RIVALS, MARGIN))
        return self._golds[fold].rights(found, self._plan.score), worth / self.words(shuffle).sum()

    def _learn(self, chosen: Sequence[int], shuffle: int, **more: Any) -> Component[Any]:
        """A component with these lines, from all but the dev part."""
        plan = self._plan
        with TemporaryDirectory(prefix="plait-") as folder:
            names = _write(Path(folder), plan.lines.texts(frozenset(chosen)))
            component = find(plan.kind.kind)()
            component.options = plan.component_options(
                **{plan.kind.option: names, "seed": shuffle, "epochs": plan.passes, **more}
            )
            train = self._others(shuffle % FOLDS)
            return component.fit(replace(self._lessons, sentences=[self._lessons[i] for i in train]))

    def rank(self, shuffle: int) -> list[float]:
        """For every line, the share of right transitions that are lost without it in the dev part, though all were
        learned; of lines that see what another one sees, or nothing, less than of any.
        """
        fold = shuffle % FOLDS
        weights = self._parser.learn(range(len(self._places)), self._others(fold), shuffle, self._plan.passes)
        lost = self._parser.rank(weights, self._of_fold[fold])
        words = self.words(shuffle).sum()
        return [
            lost[self._places[number]] / words if number in self._places else -1.0
            for number in range(len(self._plan.lines))
        ]

    def _others(self, fold: int) -> list[int]:
        return sorted(number for other in range(FOLDS) if other != fold for number in self._of_fold[other])

    @property
    def _parser(self) -> CachedParser:
        if self._kept is None:
            with TemporaryDirectory(prefix="plait-") as folder:
                lines = self._plan.lines
                options = self._plan.component_options(
                    features=_write(Path(folder), lines.texts(frozenset(range(len(lines)))))
                )
                assert isinstance(options, TransitionOptions)
                self._kept = CachedParser(options, self._lessons)
        return self._kept

    def _encode(self, fold: int) -> EncodedWords:
        if fold not in self._encoded:
            self._encoded[fold] = self._parser.encode([self._lessons[i] for i in self._of_fold[fold]])
        return self._encoded[fold]

    @cached_property
    def _places(self) -> dict[int, int]:
        """Of the lines that differ, the places in the list of the parser."""
        differing = [number for number, seen in enumerate(self.seen_lines) if seen == number]
        assert len(differing) == len(self._parser.lines)
        return {number: place for place, number in enumerate(differing)}


def _write(folder: Path, texts: Mapping[str, str]) -> str:
    for name, text in texts.items():
        (folder / f"{name or 'templates'}.txt").write_text(text, encoding="utf-8")
    return str(folder / "templates.txt" if "" in texts else folder)


class Benches:
    """Those of all treebanks, made when they are needed."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._made: dict[int, Bench] = {}

    def __getitem__(self, treebank: int) -> Bench:
        if treebank not in self._made:
            self._made[treebank] = Bench(self._plan, treebank)
        return self._made[treebank]

    def measure(self, trial: Trial) -> Rights:
        return self[trial.treebank].measure(trial.chosen, trial.shuffle)

    def weigh(self, trial: Trial) -> tuple[Rights, Worth]:
        return self[trial.treebank].weigh(trial.chosen, trial.shuffle)
