"""How trees are grown over semantic graphs: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.errors import InputError
from plait.learning.options import LearningOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphToTreeOptions(LearningOptions):
    """`features` are templates by name or path. `best` is how many edges are looked at together with what could follow
    them; 1 looks at none. An edge joins nodes that are at most `reach` apart in the graph. Where sentences come with
    predicates and no graphs, these are made, and with `completion` completed. `step` is the longest step of the
    learner, and `mix` how many tables are learned side by side, whose mean is kept.
    """

    epochs: int = 8
    features: str = "default"
    best: int = 20
    reach: int = 5
    completion: bool = True
    bits: int = 22
    step: float = 0.1
    mix: int = 1

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._range("best", 1, 4096)
        self._range("reach", 2, 9)
        self._range("bits", 10, 28)
        self._range("step", 0.000001, 1000)
        self._range("mix", 1, 64)
        if not self.features:
            raise InputError("features must be the name of a list or of a file.")
