"""Derivations of a swap head in words. The head knows kinds of transitions; labels come from the net."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from plait.cancel import Cancel, Watching
from plait.components.neural.model import Model
from plait.components.neural.swap import LABELS
from plait.sentence import Sentence
from plait.transitions.kinds import Kind, Transition
from plait.transitions.state import State
from plait.transitions.trace import Alternative, Hypothesis, Trace, TraceStep, read_trace

_ARCS = (Kind.LEFT_ARC, Kind.RIGHT_ARC)
_SYSTEM = "swap"


def trace_of(
    model: Model,
    sentence: Sentence,
    tree: Sequence[int] | None,
    beam: int,
    alternatives: int,
    cancel: Cancel | None,
) -> Trace:
    """How the head comes to its own tree, or to a given one."""
    assert model.swap is not None
    start = State(sentence.forms, system=_SYSTEM, single_root=True)
    if not sentence.forms:
        return Trace(sentence, start, [], [])
    vectors, arcs = model.read([sentence])
    arrays = model.swap.core.trace(
        vectors,
        arcs.reshape(len(sentence), -1),
        None if tree is None else np.array(tree, np.int32),
        beam,
        cancel,
    )
    with Watching(cancel):
        bare = read_trace(sentence, _SYSTEM, True, LABELS, arrays)
        beams = _states(start, bare.beam)
        seen = [step.state for step in bare.steps] + [state for states in beams for state in states]
        labels = _Labels(model, sentence, seen, cancel)
        steps = []
        state = start
        for step in bare.steps:
            steps.append(labels.step(state.copy(), step, alternatives))
            state.apply(steps[-1].transition)
        rounds = [
            [labels.hypothesis(hypothesis, before) for hypothesis in hypotheses]
            for hypotheses, before in zip(bare.beam, beams, strict=False)
        ]
        return Trace(sentence, state, steps, rounds)


def _states(start: State, rounds: Iterable[Sequence[Hypothesis]]) -> list[list[State]]:
    """Of every round the states before it."""
    beams = [[start]]
    for hypotheses in rounds:
        after = []
        for hypothesis in hypotheses:
            state = beams[-1][hypothesis.parent].copy()
            if hypothesis.transition is not None:
                state.apply(hypothesis.transition)
            after.append(state)
        beams.append(after)
    return beams


def _arc(state: State, kind: Kind) -> tuple[int, int]:
    """The word that gets a head, and the head."""
    below, top = state.stack[-2:]
    return (below, top) if kind is Kind.LEFT_ARC else (top, below)


class _Labels:
    """What the net thinks of the labels of all arcs that some states permit."""

    def __init__(
        self, model: Model, sentence: Sentence, states: Iterable[State], cancel: Cancel | None
    ) -> None:
        self._names = model.classes.label
        heads: dict[int, dict[int, int]] = {}  # by word, with the number of the head among them
        for state in states:
            for kind in _ARCS:
                if state.permits(kind):
                    word, head = _arc(state, kind)
                    above = heads.setdefault(word, {})
                    above.setdefault(head, len(above))
        table = np.zeros((max(map(len, heads.values()), default=1), len(sentence)), np.int32)
        for word, above in heads.items():
            table[: len(above), word - 1] = list(above)
        self._heads = heads
        self._shares = model.label(sentence, table, cancel)

    def step(self, state: State, step: TraceStep, most: int) -> TraceStep:
        """The best so many transitions with labels, the best of every kind, and the one taken. A label that is not the
        best one scores less by as much as it is less probable.
        """
        found = [each for alternative in step.alternatives for each in self._labelled(state, alternative)]
        found.sort(key=lambda each: -each.score)
        taken = next(each for each in found if each.transition.kind is step.transition.kind)
        seen: set[Kind] = set()
        kept = []
        for place, each in enumerate(found):
            if place < most or each.transition.kind not in seen:
                kept.append(each)
            seen.add(each.transition.kind)
        return TraceStep(state, taken.transition, taken.score, tuple(kept))

    def hypothesis(self, hypothesis: Hypothesis, before: Sequence[State]) -> Hypothesis:
        if hypothesis.transition is None:
            return hypothesis
        bare = Alternative(hypothesis.transition, hypothesis.score)
        best = max(self._labelled(before[hypothesis.parent], bare), key=lambda each: each.score)
        return Hypothesis(hypothesis.parent, best.transition, best.score)

    def _labelled(self, state: State, alternative: Alternative) -> list[Alternative]:
        kind = alternative.transition.kind
        if kind not in _ARCS:
            return [alternative]
        word, head = _arc(state, kind)
        shares = self._shares[self._heads[word][head], word - 1]
        less = (shares - shares.max()).tolist()
        return [
            Alternative(Transition(kind, name), alternative.score + share)
            for name, share in zip(self._names, less, strict=True)
        ]
