"""What decides how mentions are learned."""

from __future__ import annotations

from dataclasses import dataclass

from plait.catalogue import DEFAULT
from plait.generation.mentions.labels import LABELLERS
from plait.generation.mentions.learners import LEARNERS
from plait.learning.options import Options

MSR, NEG = "msr", "neg"  # one subject; all people of a text
CHAIN = "chain"


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionOptions(Options):
    """`task`: msr (the main subject) or neg (all entities). `learner`: chain, or one of IS-G's, for types only.

    Of chains: the kind of `labels`, `templates` (a list that comes with plait, or a file), the penalty `l2`, and how
    often a feature must occur (`min_count`). Of IS-G: whether the domain (SEMCAT) is a sixth feature. `parser`: the
    model that finds words, tags and trees around slots.
    """

    task: str = MSR
    learner: str = CHAIN
    labels: str = ""
    templates: str = ""
    l2: float = 0.0
    min_count: int = 0
    domains: bool = True
    parser: str = DEFAULT
    seed: int = 1

    def __post_init__(self) -> None:
        self._choose("task", (MSR, NEG))
        self._choose("learner", (CHAIN, *LEARNERS))
        self._choose("labels", ("", *LABELLERS))
        self._range("l2", 0, 1e9)
        self._range("min_count", 0, 10**9)
        self._range("seed", 0, 2**31 - 1)

    def resolved(self) -> MentionOptions:
        """With the defaults of the task, which were chosen on dev sets, for what was left open."""
        usual = _USUAL[self.task]
        open_ones = {name: value for name, value in usual.items() if not getattr(self, name)}
        return self.updated(open_ones)


_USUAL: dict[str, dict[str, str | float | int]] = {
    MSR: {"labels": "refined", "templates": MSR, "l2": 4.0, "min_count": 2},
    NEG: {"labels": "umus", "templates": NEG, "l2": 4.0, "min_count": 2},
}
