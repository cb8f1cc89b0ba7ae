"""Options of the role labeler: frozen, checked, written to TOML and read back strictly."""

from __future__ import annotations

from dataclasses import dataclass

from plait.errors import InputError
from plait.learning.options import LearningOptions
from plait.learning.weights import PRECISIONS

ORDERS = ("predicates,arguments,roles,senses", "predicates,senses,arguments,roles")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleOptions(LearningOptions):
    """The `order` of the steps: senses last as in Bohnet (2009), or second as in Björkelund et al. (2010). `features`
    is a list that comes with plait or a file (see `plait.components.roles.templates`). `frames` is a file with rolesets
    and what their roles mean; what it says goes into the model.

    Words that score at least -`margin` as arguments are given to the choice of roles, which may refuse them; with 0
    they are those that score 0 or more, and none is refused, as in the paper. Words more steps away in the tree than
    `reach` are not looked at: in English 0.2 % of the arguments are. `beam` is how many sets of roles of a
    predicate are kept, `rerank` among how many of them whole sets are compared (0: none). Where others' output is
    learned from, it is made by models of `folds` that have not seen the sentence, after `fold_epochs` passes. Weights
    of fewer int8 steps than `least` are left out: 2 makes a model half as large.
    """

    epochs: int = 10
    patience: int = 3
    order: str = ORDERS[1]
    features: str = "default"
    frames: str = ""
    beam: int = 16
    margin: float = 0.0
    reach: int = 3
    rerank: int = 0
    folds: int = 4
    fold_epochs: int = 3
    step: float = 0.05
    bits: int = 23
    small_bits: int = 21  # of the tables for predicates, senses and sets
    precision: str = "int8"
    least: int = 1
    hash_seed: int = 1

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._choose("order", ORDERS)
        self._choose("precision", PRECISIONS)
        if not self.features:
            raise InputError("features is empty: default, roles-2009, or a file of templates.")
        self._range("beam", 1, 4096)
        self._range("margin", 0, 1000)
        self._range("reach", 1, 250)
        self._range("rerank", 0, 4096)
        self._range("folds", 2, 100)
        self._range("fold_epochs", 1, 1000)
        self._range("step", 1e-6, 1000)
        self._range("bits", 10, 28)
        self._range("small_bits", 10, 28)
        self._range("least", 1, 127)
        self._range("hash_seed", 0, 2**15 - 1)

    @property
    def senses_first(self) -> bool:
        return self.order == ORDERS[1]
