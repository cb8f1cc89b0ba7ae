"""What a swap head computes, in plain Python over the readable states: the referee of the core."""

from typing import Any

import numpy as np

from plait.transitions.kinds import Kind
from plait.transitions.state import State

Array = np.ndarray[Any, Any]
LEAST = -10.0
ORDER = (Kind.SHIFT, Kind.SWAP, Kind.LEFT_ARC, Kind.RIGHT_ARC)


class View:
    """The probabilities of arcs: `scores[word - 1, head]`."""

    def __init__(self, scores: Array) -> None:
        logarithms = scores - np.log(np.exp(scores - scores.max(1, keepdims=True)).sum(1, keepdims=True))
        self._logarithms = np.maximum(logarithms - scores.max(1, keepdims=True), LEAST)
        self._shares = np.exp(self._logarithms)
        words = np.arange(len(scores))
        self._shares[words, words + 1] = 0

    def share(self, word: int | None, head: int | None) -> float:
        return float(self._shares[word - 1, head]) if word and head is not None else 0.0

    def logarithm(self, word: int | None, head: int | None) -> float:
        return float(self._logarithms[word - 1, head]) if word and head is not None else LEAST

    def features(self, state: State) -> list[float]:
        places = [
            _at(state.stack, 0),
            _at(state.stack, 1),
            _at(state.stack, 2),
            next(iter(state.buffer), None),
        ]
        found = []
        for word in range(4):
            for head in range(4):
                if word != head:
                    found.append(self.share(places[word], places[head]))
                    found.append(self.logarithm(places[word], places[head]) / 5)
        stack, buffer = places[:3], list(state.buffer)
        found += [sum(self.share(word, head) for word in buffer) for head in stack]
        found += [sum(self.share(word, head) for head in buffer) for word in stack]
        for head in stack[:2]:
            none = sum(np.log1p(-min(self.share(word, head), 0.9999)) for word in buffer)
            found.append(max(none, LEAST) / 5)
        deep = state.stack[:-2]
        found += [sum(self.share(word, head) for word in deep) for head in stack[:2]]
        found += [sum(self.share(word, head) for head in deep) for word in stack[:2]]
        return found


def _at(stack: list[int], depth: int) -> int | None:
    return stack[-1 - depth] if depth < len(stack) else None


def slots(state: State) -> list[int | None]:
    """S0, S1, S2, B0, B1, and the outermost dependents of S0 and of S1."""
    buffer = list(state.buffer)
    found = [_at(state.stack, depth) for depth in range(3)]
    found += [buffer[0] if buffer else None, buffer[1] if len(buffer) > 1 else None]
    for node in found[:2]:
        below = [word for word, head in enumerate(state.heads) if word and head == node and node is not None]
        left, right = [word for word in below if word < node], [word for word in below if word > node]
        found += [min(left, default=None), max(right, default=None)]
    return found


def scores(state: State, view: View, vectors: Array, head: dict[str, Array]) -> dict[Kind, float]:
    """Logarithms of the probabilities of what is permitted."""
    size = len(head["swap.b"])
    table, scales = head["swap.slots"].astype(np.float64), head["swap.slots.scale"]
    hidden = head["swap.b"] + np.array(view.features(state)) @ head["swap.arcs"]
    for slot, node in enumerate(slots(state)):
        if node:
            rows = slice(slot * size, (slot + 1) * size)
            vector = vectors[node - 1]
            unit = np.abs(vector).max() / 127
            hidden = hidden + (table[rows] @ np.rint(vector / unit)) * unit * scales[rows]
        else:
            hidden = hidden + head["swap.outside"][2 * slot + (node == 0)]
    hidden = np.where(hidden > 0, hidden, 0.1 * hidden)
    found = head["swap.out_w"] @ hidden + head["swap.out_b"]
    permitted = {kind: float(score) for kind, score in zip(ORDER, found, strict=True) if state.permits(kind)}
    total = np.logaddexp.reduce(list(permitted.values()))
    return {kind: score - total for kind, score in permitted.items()}
