"""One word or several? The context decides, by a linear model on the hash kernel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.features.encoding import hash_text
from plait.learning.weights import PackedWeights

BITS = 14
CHOICES = 2
_EPOCHS = 10
_STEP = 0.1


class ContextModel:
    """Decides for tokens in the context of their neighbours."""

    def __init__(self, weights: PackedWeights) -> None:
        self.weights = weights
        self._core = weights.to_core(BITS, CHOICES)

    @classmethod
    def learn(cls, examples: Sequence[tuple[Sequence[str], int, bool]], seed: int) -> ContextModel:
        """From tokens, the place of one, and whether it is several words."""
        rows = np.array([_features(forms, place) for forms, place, _ in examples], np.uint32)
        right = np.array([several for _, _, several in examples], np.uint8)
        chance = np.random.default_rng([seed, len(examples)])
        order = np.concatenate([chance.permutation(len(examples)) for _ in range(_EPOCHS)]).astype(np.int64)
        return cls(PackedWeights.rounded(_core.learn_choices(rows, right, order, BITS, CHOICES, _STEP)))

    def decide(self, places: Sequence[tuple[Sequence[str], int]]) -> list[bool]:
        """Is the token at this place several words?"""
        rows = np.array([_features(forms, place) for forms, place in places], np.uint32)
        answers: NDArray[np.uint8] = _core.choose_in_rows(self._core, rows)
        return [bool(answer) for answer in answers]


def _features(forms: Sequence[str], place: int) -> list[int]:
    form = forms[place]
    lower = form.lower()
    before, after = _form(forms, place - 1), _form(forms, place + 1)
    second_before, second_after = _form(forms, place - 2), _form(forms, place + 2)
    seen = (
        lower,
        form,
        f"{lower} {before}",
        f"{lower} {after}",
        f"{lower} {before[-3:]}",
        f"{lower} {after[-3:]}",
        f"{lower} {after[-2:]}",
        f"{lower} {after[:1].isalpha()} {before[:1].isalpha()} {form[:1].isupper()}",
        f"{lower} {before} {after}",
        f"{lower} {second_before} {before}",
        f"{lower} {after} {second_after}",
        lower[-2:],
        f"{lower[-2:]} {before}",
        f"{lower[-2:]} {after}",
        f"{lower[-2:]} {after[-3:]}",
    )
    return [hash_text(text) for text in seen]


def _form(forms: Sequence[str], place: int) -> str:
    return forms[place].lower() if 0 <= place < len(forms) else ""
