"""How deep trees are learned: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.learning.options import LearningOptions

METHODS = ("learned", "rules")
GRAMMEMES = ("rules", "learned")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepOptions(LearningOptions):
    """`nodes` and `relations` are template lists of the two classifiers, `rules` a rule file for what is not learned:
    names of those that come with plait, or paths. With the method `rules` nothing is learned but which words take the
    place of others (the baseline of the paper). `grammemes` come from the rules, or, `learned`, from a classifier whose
    template list is `values`. `step` is the longest step of the learner.
    """

    epochs: int = 10
    method: str = "learned"
    nodes: str = "nodes"
    relations: str = "relations"
    rules: str = "auto"
    grammemes: str = "rules"
    values: str = "values"
    bits: int = 20
    step: float = 0.05

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._choose("method", METHODS)
        self._choose("grammemes", GRAMMEMES)
        self._range("bits", 10, 30)
        self._range("step", 0.000001, 1000)
