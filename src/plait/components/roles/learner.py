"""All steps pass by pass, each from the gold output of those before it; what must be learned from predicted output is
predicted beforehand, by models that have not seen the sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.roles.encoding import NONE, Proposed, Words, gold_frames
from plait.components.roles.model import Model, Setup
from plait.components.roles.senses import key_of
from plait.evaluation.roles import number as sense_number
from plait.layers import Frames
from plait.learning.flow import batches
from plait.learning.jackknife import assign
from plait.learning.learner import Order, TableLearner, Weights, epoch_order
from plait.learning.lessons import Lessons
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence

_AT_ONCE = 8  # as a beam, to decide how large batches are
_THRESHOLDS = (-0.2, -0.4, -0.6, -0.9, 0.2, 0.4)
_LEANINGS = {"predicate": _THRESHOLDS, "refusal": _THRESHOLDS, "sets": (0.5, 0.25, 0.1, 0.0)}
Learn = Callable[[_core.RoleTrainer, Order], int]


@dataclass(frozen=True, slots=True)
class Examples:
    """Sentences with the right frames, as arrays."""

    words: Words
    gold: Proposed
    is_predicate: NDArray[np.uint8]
    keys: NDArray[np.uint32]
    sizes: NDArray[np.int32]
    right: NDArray[np.int32]  # senses

    @classmethod
    def of(cls, sentences: Sequence[Sentence], setup: Setup) -> Examples:
        words = setup.encode(sentences)
        gold = gold_frames(sentences, setup.role_number.__getitem__, with_senses=setup.options.senses_first)
        every = np.zeros(len(words.heads), np.uint8)
        sentence_of = np.repeat(np.arange(len(sentences)), np.diff(gold.firsts))
        every[words.offsets[:-1][sentence_of] + gold.predicates - 1] = 1
        pairs = [(sentence, frame) for sentence in sentences for frame in sentence.find(Frames) or ()]
        keys = [key_of(sentence, frame.predicate) for sentence, frame in pairs]
        right = []
        for key, (_, frame) in zip(keys, pairs, strict=True):
            known = setup.senses.find(key)[1]
            right.append(known.index(frame.sense) if frame.sense in known else -1)
        return cls(words, gold, every, *setup.sense_lists(keys), np.array(right, np.int32))


class RoleLearner(TableLearner[_core.RoleTrainer, Model]):
    """A table of weights for every step."""

    metric = "semantic_f1"
    counted = ("updates",)
    chunk = 512

    def __init__(self, setup: Setup, lessons: Lessons, dev: Lessons | None) -> None:
        options = setup.options
        self._setup = setup
        self._examples = Examples.of(lessons, setup)
        self._dev = dev or ()
        self.judged = dev is not None
        folds = lessons.folds or assign(lessons, options.folds)
        self._teach = self._teachers([fold % options.folds for fold in folds])
        cores = [self._trainer(step) for step in setup.shapes]
        super().__init__(cores, len(lessons), options.seed)

    def _trainer(self, step: str) -> _core.RoleTrainer:
        return _core.RoleTrainer(*self._setup.shapes[step], self._setup.options.step)

    def _teachers(self, folds: Sequence[int]) -> dict[str, Learn]:
        """By step what one chunk of a pass does."""
        setup, examples = self._setup, self._examples
        words, gold = examples.words, examples.gold
        batch = gold.batch(words, setup.label)
        programs = setup.programs
        teach: dict[str, Learn] = {
            "predicates": lambda core, order: core.learn_predicates(
                programs["predicates"], batch, examples.is_predicate, order
            ),
            "arguments": lambda core, order: core.learn_arguments(
                programs["arguments"], batch, setup.options.reach, order
            ),
        }
        offered = self._offered(folds, teach["arguments"]) if setup.options.margin else gold
        offered_batch = offered.batch(words, setup.label)
        teach["roles"] = lambda core, order: core.learn_roles(
            setup.model, offered_batch, offered.roles, order
        )
        # Of senses that come first, nobody knows the roles.
        roles = np.zeros_like(gold.roles) if setup.options.senses_first else gold.roles
        teach["senses"] = lambda core, order: core.learn_senses(
            programs["senses"], batch, roles, setup.core, examples.keys, examples.sizes, examples.right, order
        )
        self._shown: list[NDArray[np.generic]] = [offered.bounds, offered.words, offered.roles]
        if setup.options.rerank:
            sets = self._sets(offered, folds, teach["roles"])
            teach["sets"] = lambda core, order: core.learn_sets(setup.model, offered_batch, *sets, order)
            self._shown += sets
        return teach

    def _by_fold(self, step: str, folds: Sequence[int], learn: Learn) -> list[tuple[Order, Model]]:
        """For every fold its sentences, and a model of one step that has learned from the others."""
        options = self._setup.options
        own = np.array(folds)
        found = []
        for fold in range(options.folds):
            core = self._trainer(step)
            for epoch in range(1, options.fold_epochs + 1):
                order = epoch_order(options.seed, epoch, len(own))
                order = order[own[order] != fold]
                for chunk in np.array_split(
                    order, len(order) // self.chunk + 1
                ):  # Ctrl-C is heard between two
                    learn(core, chunk)
            model = Model(self._setup, {step: PackedWeights.of(core.averaged(), options.precision)})
            found.append((np.flatnonzero(own == fold), model))
        return found

    def _offered(self, folds: Sequence[int], learn: Learn) -> Proposed:
        """For every predicate the words that would be found, and the arguments that would not."""
        gold, words = self._examples.gold, self._examples.words
        counts: list[list[int]] = [[] for _ in gold.predicates]
        for sentences, model in self._by_fold("arguments", folds, learn):
            part, part_words, numbers = _select(gold, words, sentences)
            found = model.arguments(part, part_words)
            chosen, bounds = found.words.tolist(), found.bounds.tolist()
            for number, first, last in zip(numbers.tolist(), bounds, bounds[1:], strict=False):
                counts[number] = chosen[first:last]
        bounds, right, roles = gold.bounds.tolist(), gold.words.tolist(), gold.roles.tolist()
        all_words: list[int] = []
        all_roles: list[int] = []
        sizes = [0]
        for number, found_words in enumerate(counts):
            known = {right[at]: roles[at] for at in range(bounds[number], bounds[number + 1])}
            every = sorted({*found_words, *known})
            all_words += every
            all_roles += [known.get(word, NONE) for word in every]
            sizes.append(len(every))
        return gold.with_words(
            np.cumsum(sizes, dtype=np.int64), np.array(all_words, np.int32), np.array(all_roles, np.int32)
        )

    def _sets(
        self, offered: Proposed, folds: Sequence[int], learn: Learn
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
        """The best sets of roles of every predicate, what they score, and how many errors they have."""
        words = self._examples.words
        kept: list[tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]] = [
            (np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int32)) for _ in offered.predicates
        ]
        for sentences, model in self._by_fold("roles", folds, learn):
            part, part_words, numbers = _select(offered, words, sentences)
            bounds, roles, scores = model.best_sets(part, part_words)
            at = 0
            for i, number in enumerate(numbers.tolist()):
                size = int(part.bounds[i + 1] - part.bounds[i])
                count = int(bounds[i + 1] - bounds[i])
                found = roles[at : at + count * size].reshape(count, size)
                gold = part.roles[part.bounds[i] : part.bounds[i + 1]]
                wrong = (found != gold) * ((found != NONE).astype(np.int32) + (gold != NONE))
                kept[number] = (
                    found.ravel(),
                    scores[bounds[i] : bounds[i + 1]],
                    wrong.sum(axis=1).astype(np.int32),
                )
                at += count * size
        return (
            np.cumsum([0, *(len(scores) for _, scores, _ in kept)], dtype=np.int64),
            np.concatenate([roles for roles, _, _ in kept]),
            np.concatenate([scores for _, scores, _ in kept]),
            np.concatenate([errors for _, _, errors in kept]),
        )

    def learn(self, core: _core.RoleTrainer, order: Order, epoch: int) -> tuple[int]:  # noqa: ARG002
        step = list(self._setup.shapes)[self.cores.index(core)]
        return (self._teach[step](core, order),)

    def weights(self) -> Weights:
        return np.concatenate([core.averaged() for core in self.cores])

    def build(self, weights: Weights) -> Model:
        return Model(self._setup, split(self._setup, weights))

    def score(self, state: Model) -> dict[str, float]:
        """As CoNLL 2009, with own predicates, and with those of the treebank."""
        found = {}
        for name, keep in (("semantic_f1", False), ("semantic_f1_given", True)):
            right = total = 0
            for batch in batches(self._dev, _AT_ONCE):
                for sentence, frames in zip(batch, state.annotate(batch, keep_predicates=keep), strict=True):
                    gold, own = _items(sentence.find(Frames)), _items(frames)
                    right += len(gold & own)
                    total += len(gold) + len(own)
            found[name] = 200 * right / total if total else 0.0
        return found

    def finish(self, state: Model, scores: dict[str, float]) -> tuple[Model, dict[str, float]]:
        """On the dev set, where predicates and arguments begin: linear classifiers say yes too seldom or too often."""
        if not self.judged:
            return state, scores
        for name, values in _LEANINGS.items():
            for value in values:
                other = state.leaning_to(replace(state.leaning, **{name: value}))
                found = self.score(other)
                if found[self.metric] > scores[self.metric]:
                    state, scores = other, found
        return state, scores

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        examples = self._examples
        yield self._setup.templates.source
        yield from (
            examples.words.values,
            examples.words.heads,
            examples.gold.predicates,
            examples.gold.roles,
        )
        yield from (examples.keys, examples.right, *self._shown)
        for sentence in self._dev:
            yield from (*sentence.forms, *sentence.lemmas, *sentence.xpos, *sentence.deprels)


def split(setup: Setup, weights: Weights) -> Mapping[str, PackedWeights]:
    """The tables of all steps, which stand one after the other."""
    ends = np.cumsum([setup.cells(step) for step in setup.shapes])[:-1]
    tables = np.split(weights, ends)
    options = setup.options
    packed = {
        step: PackedWeights.of(table, options.precision)
        for step, table in zip(setup.shapes, tables, strict=True)
    }
    if options.least == 1 or options.precision != "int8":
        return packed
    return {step: each.pruned(options.least) for step, each in packed.items()}


def _items(frames: Frames | None) -> set[tuple[int, int, str]]:
    """Semantic dependencies (`plait.evaluation.roles`)."""
    found = set()
    for frame in frames or ():
        found.add((frame.predicate, 0, sense_number(frame.sense)))
        found |= {(frame.predicate, argument.word, argument.role) for argument in frame.arguments}
    return found


def _select(frames: Proposed, words: Words, sentences: Order) -> tuple[Proposed, Words, Order]:
    """Some sentences alone, and which predicates these have."""
    rows = _ranges(words.offsets, sentences)
    numbers = _ranges(frames.firsts, sentences)
    inner = _ranges(frames.bounds, numbers)
    own = Words(words.values[rows], _sums(words.offsets, sentences), words.heads[rows])
    part = replace(
        frames,
        firsts=_sums(frames.firsts, sentences),
        predicates=frames.predicates[numbers],
        senses=frames.senses[numbers],
        bounds=_sums(frames.bounds, numbers),
        words=frames.words[inner],
        roles=frames.roles[inner],
    )
    return part, own, numbers


def _sums(bounds: NDArray[np.int64], chosen: Order) -> NDArray[np.int64]:
    return np.cumsum([0, *np.diff(bounds)[chosen].tolist()], dtype=np.int64)


def _ranges(bounds: NDArray[np.int64], chosen: Order) -> Order:
    """What lies within these bounds, one after the other."""
    pieces = [np.arange(bounds[i], bounds[i + 1]) for i in chosen.tolist()]
    return np.concatenate(pieces) if pieces else np.zeros(0, np.int64)
