"""How a parser came to a tree: its derivation with the scores of what it might have done instead, and its beam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.cancel import check_cancelled
from plait.sentence import Sentence
from plait.transitions.kinds import Kind, Transition
from plait.transitions.state import State

_KINDS = list(Kind)  # in the order in which the core numbers them


@dataclass(frozen=True, slots=True)
class Alternative:
    """A transition and what the parser thinks of it. Scores compare transitions in one state only."""

    transition: Transition
    score: float


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A state, the transition taken in it, its score, and the best that could have been taken, best first.

    With a beam the transition taken need not be the best one of its state: what counts is the sum of a derivation.
    """

    state: State
    transition: Transition
    score: float
    alternatives: tuple[Alternative, ...]

    def __str__(self) -> str:
        return f"{self.state} {self.transition} {self.score:.2f}"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A derivation in the making: it goes on from number `parent` of the round before.

    One that has come to its end waits for the others: its transition is None.
    """

    parent: int
    transition: Transition | None
    score: float


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps to the tree of a sentence. `beam` has one list of hypotheses per round, the best first; the last
    round's first is the derivation; greedy search has no rounds.
    """

    sentence: Sentence
    state: State  # at the end
    steps: list[TraceStep]
    beam: list[list[Hypothesis]]

    def deciding(self, word: int) -> TraceStep:
        """The step in which a word got its head."""
        for step in self.steps:
            if step.state.dependent(step.transition.kind) == word:
                return step
        raise IndexError(f"no word {word}: the words are numbered 1 to {len(self.sentence)}")

    @property
    def path(self) -> list[int]:
        """For every round of the beam, the number of the hypothesis that became the derivation."""
        numbers = [0] * len(self.beam)
        for number in range(len(self.beam) - 1, 0, -1):
            numbers[number - 1] = self.beam[number][numbers[number]].parent
        return numbers

    def tree(self) -> Sentence:
        """The sentence with the tree the derivation leads to: lifted arcs of a pseudo-projective parser stay so."""
        sentence = self.sentence.copy()
        sentence.heads = list(self.state.heads[1:])
        sentence.deprels = [label or "_" for label in self.state.labels[1:]]
        return sentence


def read_trace(
    sentence: Sentence, system: str, single_root: bool, names: Sequence[str], arrays: Sequence[Any]
) -> Trace:
    """What the core tells, in words."""
    taken, ranked, rounds, parents = arrays
    state = State(sentence.forms, system=system, single_root=single_root)
    steps = []
    derivation = [_transition(*each, names) for group in _groups(*taken) for each, _ in group]
    for transition, group in zip(derivation, _groups(*ranked), strict=True):
        check_cancelled()
        scores = {_transition(*each, names): score for each, score in group}
        alternatives = tuple(Alternative(each, score) for each, score in scores.items())
        steps.append(TraceStep(state.copy(), transition, scores[transition], alternatives))
        state.apply(transition)
    above = iter(parents.tolist())
    beam = [
        [
            Hypothesis(next(above), None if each[0] == len(_KINDS) else _transition(*each, names), score)
            for each, score in group
        ]
        for group in _groups(*rounds)
    ]
    return Trace(sentence, state, steps, beam)


def _transition(kind: int, label: int, depth: int, names: Sequence[str]) -> Transition:
    return Transition(_KINDS[kind], None if label < 0 else names[label], depth)


def _groups(
    kinds: NDArray[np.uint8],
    labels: NDArray[np.int32],
    depths: NDArray[np.int32],
    scores: NDArray[np.float64],
    bounds: NDArray[np.int64],
) -> Iterator[list[tuple[tuple[int, int, int], float]]]:
    """Kind, label and depth with a score, group by group."""
    transitions = zip(kinds.tolist(), labels.tolist(), depths.tolist(), strict=True)
    entries = list(zip(transitions, scores.tolist(), strict=True))
    for begin, end in pairwise(bounds.tolist()):
        yield entries[begin:end]
