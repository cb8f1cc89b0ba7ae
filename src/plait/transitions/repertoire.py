"""The transitions a parser has, by number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.transitions.kinds import Kind, Transition
from plait.transitions.systems import find_system


class Repertoire:
    """The transitions that a scorer tells apart: SHIFT is 0, SWAP or REDUCE 1, then come LEFT-ARC and then RIGHT-ARC
    with the labels they may have. `repertoire[number]` is a transition.

    `left` and `right` are the labels of either arc, by their place in `labels`; `of_root` and `of_words` those of arcs
    from the root and from words. By default all labels may stand everywhere. With `classes` of words, `filtered` has
    the labels that are permitted between two of them: rows of 0 for LEFT-ARC or 1 for RIGHT-ARC, class of the head,
    class of the dependent, label; class 0 is the root, and pairs without a row have all labels.
    """

    def __init__(
        self,
        labels: Sequence[str],
        *,
        system: str = "swap",
        left: Sequence[int] | None = None,
        right: Sequence[int] | None = None,
        of_root: Sequence[int] | None = None,
        of_words: Sequence[int] | None = None,
        classes: int = 0,
        filtered: NDArray[np.int32] | None = None,
    ) -> None:
        everywhere = range(len(labels))
        left = everywhere if left is None else left
        right = everywhere if right is None else right
        self.labels = tuple(labels)
        self.system = find_system(system).name
        self.core = _core.Repertoire(
            np.array(left, np.int32),
            np.array(right, np.int32),
            _flags(everywhere if of_root is None else of_root, len(labels)),
            _flags(everywhere if of_words is None else of_words, len(labels)),
            classes,
            np.zeros((0, 4), np.int32) if filtered is None else filtered,
        )
        extra = Kind.REDUCE if system == "eager" else Kind.SWAP
        arcs = [(Kind.LEFT_ARC, label) for label in left] + [(Kind.RIGHT_ARC, label) for label in right]
        self._transitions = [
            Transition(Kind.SHIFT),
            Transition(extra),
            *(Transition(kind, labels[label]) for kind, label in arcs),
        ]

    def __len__(self) -> int:
        return len(self._transitions)

    def __getitem__(self, number: int) -> Transition:
        return self._transitions[number]


def _flags(numbers: Sequence[int], size: int) -> NDArray[np.uint8]:
    result = np.zeros(size, np.uint8)
    result[list(numbers)] = 1
    return result
