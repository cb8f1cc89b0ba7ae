"""The swap head of a net: how it learns from what the net, which stays as it is, gives in the core.

States are collected on ways through the transition system that the head itself chooses in part, so that it sees its own
errors; all transitions count as right that the non-deterministic oracle calls so (the marginal likelihood of
Goldberg and Nivre 2013, section 5.2, in the form of a softmax). Two layers and AdamW: numpy is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.neural.model import MOST_WORDS, Model
from plait.components.neural.swap import FEATURES, KINDS, LABELS, SLOTS, tensors_of
from plait.learning.watch import SILENT, Watch
from plait.sentence import Sentence
from plait.transitions.frontier import Arcs, Frontier
from plait.transitions.repertoire import Repertoire

Floats = NDArray[np.float32]
Tensors = dict[str, NDArray[Any]]
_SMALL = (
    FEATURES + 2 * SLOTS + 1
)  # what is added to the hidden units beside vectors: arcs, empty slots, a bias
_SLOPE = np.float32(0.1)
_ENOUGH = 1_000_000  # words to learn from


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapTraining:
    """How a head learns: in an epoch `sentences` that are drawn anew, `group` of them walk side by side; a share of
    `explore` of all steps is the head's own choice, right or wrong.
    """

    hidden: int = 128
    epochs: int = 3
    rate: float = 1e-3
    decay: float = 0.01
    dropout: float = 0.2
    explore: float = 0.3
    group: int = 500
    batch: int = 512
    seed: int = 1


@dataclass(frozen=True, slots=True)
class _States:
    """Rows of vectors in the slots (the last two stand for nothing and for the root), small features, and masks."""

    slots: NDArray[np.int64]
    small: Floats
    permitted: NDArray[np.bool_]
    correct: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.slots)

    def __getitem__(self, rows: NDArray[np.int64]) -> _States:
        return _States(self.slots[rows], self.small[rows], self.permitted[rows], self.correct[rows])


class _Head:
    """Weights while they learn, with AdamW (Loshchilov and Hutter 2019)."""

    def __init__(self, width: int, options: SwapTraining, chance: np.random.Generator) -> None:
        hidden = options.hidden
        self._options = options
        self._chance = chance

        def normal(rows: int, scale: float) -> Floats:
            return (chance.normal(size=(rows, hidden)) * scale).astype(np.float32)

        self.weights = {
            "slots": normal(SLOTS * width, (SLOTS * width) ** -0.5),
            "small": normal(_SMALL, 0.1),
            "out": (chance.normal(size=(hidden, KINDS)) * hidden**-0.5).astype(np.float32),
            "bias": np.zeros((1, KINDS), np.float32),
        }
        self._means = {name: np.zeros_like(array) for name, array in self.weights.items()}
        self._squares = {name: np.zeros_like(array) for name, array in self.weights.items()}
        self._steps = 0

    def project(self, vectors: Floats) -> Floats:
        """Of every word what it adds to the hidden units, by slot; of nothing and the root, nothing."""
        width = vectors.shape[1]
        by_slot = self.weights["slots"].reshape(SLOTS, width, -1)
        found = np.empty((SLOTS, len(vectors), by_slot.shape[2]), np.float32)
        for matrix, out in zip(by_slot, found, strict=True):
            np.matmul(vectors, matrix, out=out)
        return found

    def score(self, projected: Floats, states: _States) -> Floats:
        hidden = states.small @ self.weights["small"]
        for slot in range(SLOTS):
            hidden += projected[slot, states.slots[:, slot]]
        return self._out(np.where(hidden > 0, hidden, hidden * _SLOPE), states)

    def _out(self, hidden: Floats, states: _States) -> Floats:
        scores = hidden @ self.weights["out"] + self.weights["bias"]
        return np.where(states.permitted, scores, -np.inf).astype(np.float32)

    def learn(self, vectors: Floats, states: _States, rate: float) -> None:
        """One step upwards in the logarithm of the probability of all that is correct."""
        x = vectors[states.slots].reshape(len(states), -1)
        if self._options.dropout:
            kept = np.float32(1 - self._options.dropout)
            # The same columns for a whole batch: numbers by chance for all of it take longer than the products.
            x = x * ((self._chance.random(x.shape[1], np.float32) < kept) / kept).astype(np.float32)
        before = x @ self.weights["slots"] + states.small @ self.weights["small"]
        hidden = np.where(before > 0, before, before * _SLOPE)
        scores = self._out(hidden, states)
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        right = np.where(states.correct, shares, 0)
        sums = np.maximum(right.sum(1, keepdims=True), np.float32(1e-30))
        wrong = (shares - right / sums) / len(states)
        below = wrong @ self.weights["out"].T * np.where(before > 0, np.float32(1), _SLOPE)
        self._step(
            {
                "slots": x.T @ below,
                "small": states.small.T @ below,
                "out": hidden.T @ wrong,
                "bias": wrong.sum(0, keepdims=True),
            },
            rate,
        )

    def _step(self, gradients: dict[str, Floats], rate: float) -> None:
        self._steps += 1
        norm = float(np.sqrt(sum(float((each**2).sum()) for each in gradients.values())))
        clip = np.float32(min(1.0, 1.0 / max(norm, 1e-12)))
        first, second = 1 - 0.9**self._steps, 1 - 0.98**self._steps
        for name, gradient in gradients.items():
            gradient *= clip
            mean, square, weights = self._means[name], self._squares[name], self.weights[name]
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.02) * (gradient * gradient - square)
            change = mean / np.float32(first) / (np.sqrt(square / np.float32(second)) + np.float32(1e-8))
            weights -= np.float32(rate) * (change + np.float32(self._options.decay) * weights)

    def tensors(self) -> Tensors:
        small = self.weights["small"]
        return tensors_of(
            slots=self.weights["slots"].reshape(SLOTS, -1, small.shape[1]),
            arcs=small[:FEATURES],
            outside=small[FEATURES:-1],
            bias=small[-1],
            out=self.weights["out"].T,
            out_bias=self.weights["bias"][0],
        )


def fit_swap_head(
    model: Model,
    lessons: Sequence[Sentence],
    options: SwapTraining | None = None,
    *,
    watch: Watch = SILENT,
    threads: int = 1,
) -> Tensors:
    """The arrays of a head for a net, by name; those of the net itself are as they were."""
    options = options or SwapTraining()
    chance = np.random.default_rng(options.seed)
    watch.on_component("swap head", None)
    kept = list(_read(model, _chosen(lessons, chance), options.group, threads))
    head = _Head(model.width, options, chance)
    total = options.epochs * -(-len(kept) // options.group)
    done = 0
    for epoch in range(1, options.epochs + 1):
        order = chance.permutation(len(kept))
        for start in range(0, len(kept), options.group):
            group = [kept[number] for number in order[start : start + options.group]]
            vectors, states = _collect(head, group, options, chance, first=done == 0)
            rows = chance.permutation(len(states))
            for begin in range(0, len(rows), options.batch):
                rate = options.rate * (0.02 + 0.98 * (1 + np.cos(np.pi * done / total)) / 2)
                head.learn(vectors, states[rows[begin : begin + options.batch]], rate)
            done += 1
            watch.on_progress(epoch, min(start + options.group, len(kept)), len(kept))
    return head.tensors()


@dataclass(frozen=True, slots=True)
class _Lesson:
    """The tree of a sentence, and what the nets give: vectors, in 16 bits to save memory, and scores of arcs."""

    heads: Sequence[int | None]
    vectors: NDArray[np.float16]
    arcs: Floats


def _chosen(lessons: Sequence[Sentence], chance: np.random.Generator) -> list[Sentence]:
    """Sentences that can be learned from, by chance if there are more words than are needed."""
    found, words = [], 0
    for number in chance.permutation(len(lessons)):
        sentence = lessons[int(number)]
        if words < _ENOUGH and 0 < len(sentence) <= MOST_WORDS and sentence.heads.count(0) == 1:
            found.append(sentence)
            words += len(sentence)
    return found


def _read(model: Model, sentences: Sequence[Sentence], group: int, threads: int) -> Iterator[_Lesson]:
    for start in range(0, len(sentences), group):
        part = sentences[start : start + group]
        vectors, arcs = model.read(part, threads=threads)
        word = arc = 0
        for sentence in part:
            size = len(sentence)
            own = arcs[arc : arc + size * (size + 1)].copy()
            yield _Lesson(sentence.heads, vectors[word : word + size].astype(np.float16), own)
            word, arc = word + size, arc + len(own)


def _collect(
    head: _Head,
    lessons: Sequence[_Lesson],
    options: SwapTraining,
    chance: np.random.Generator,
    *,
    first: bool,
) -> tuple[Floats, _States]:
    """All states on one way through every sentence."""
    outside = np.zeros((2, lessons[0].vectors.shape[1]), np.float32)
    vectors = np.concatenate([*(lesson.vectors for lesson in lessons), outside], dtype=np.float32)
    arcs = np.concatenate([lesson.arcs for lesson in lessons])
    projected = head.project(vectors)
    gold = np.array([each for lesson in lessons for each in lesson.heads], np.int32)
    lengths = [len(lesson.heads) for lesson in lessons]
    frontier = Frontier(lengths, Repertoire(LABELS), single_root=True, gold=Arcs(gold))
    views = _core.ArcViews(arcs, frontier.offsets)
    found: list[_States] = []
    while len(frontier):
        states = _states_of(frontier, views)
        scores = chance.random(states.permitted.shape, np.float32) if first else head.score(projected, states)
        own = np.where(states.permitted, scores, -np.inf).argmax(1)
        told = np.where(states.correct, scores, -np.inf).argmax(1)
        free = (chance.random(len(states)) < options.explore) & (not first)
        frontier.follow(np.where(free | ~states.correct.any(1), own, told))
        found.append(states)
    return vectors, _joined(found)


def _states_of(frontier: Frontier, views: _core.ArcViews) -> _States:
    slots = frontier.slots
    starts = frontier.offsets[frontier.sentences][:, None]
    outside = np.stack([slots == -1, slots == 0], 2).reshape(len(slots), -1)
    features = views.features(frontier.core)
    small = np.hstack([features, outside, np.ones((len(slots), 1))]).astype(np.float32)
    # Words count from 1; nothing and the root are rows behind all words.
    rows = np.where(slots > 0, slots + starts - 1, frontier.offsets[-1] + slots + 1)
    return _States(rows, small, frontier.permitted, frontier.correct())


def _joined(parts: Sequence[_States]) -> _States:
    return _States(
        np.concatenate([part.slots for part in parts]),
        np.concatenate([part.small for part in parts]),
        np.concatenate([part.permitted for part in parts]),
        np.concatenate([part.correct for part in parts]),
    )
