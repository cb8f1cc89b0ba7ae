"""How labels are given anew: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.learning.options import LearningOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class RelabelOptions(LearningOptions):
    """`labels` are those that a head may have once, with commas between them; without any, those that at least `least`
    heads of the treebank have, and at most the share `doubles` of these more than once. `trust` is what the label that
    the parser gave is worth beside the scores of the labeller, whose margin is 1; a label may stand twice after all
    for the `price`, and with 0 it may not (the paper's way). `features` is a list of templates
    that comes with plait, or a file; `step` is the longest of the learner.
    """

    epochs: int = 6
    labels: str = ""
    least: int = 20
    doubles: float = 0.001
    trust: float = 0.5
    price: float = 0.5
    features: str = "default"
    bits: int = 20
    step: float = 0.05

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._range("least", 1, 2**31 - 1)
        self._range("doubles", 0, 1)
        self._range("trust", 0, 1e9)
        self._range("price", 0, 1e9)
        self._range("bits", 10, 30)
        self._range("step", 1e-6, 1000)

    @property
    def named(self) -> list[str]:
        return [name.strip() for name in self.labels.split(",") if name.strip()]
