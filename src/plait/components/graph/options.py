"""Options of the graph-based parser: frozen, checked, written to TOML and read back strictly."""

from __future__ import annotations

from dataclasses import dataclass

from plait.errors import InputError
from plait.features.morphology import split_names
from plait.features.parts import BUILT_IN, USUAL
from plait.learning.options import LearningOptions
from plait.learning.weights import PRECISIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOptions(LearningOptions):
    """Every word keeps its best `heads` (0: all); sentences of more words than `longest` are parsed arc by arc;
    `threshold` is what it must be worth to leave the best projective tree; `step` is the longest of the learner;
    `features` are `crossed`, `context`, which has no products of features, `plain`, which does not look at neighbouring
    words either, `agreement`, which compares features too, or template files of the user's own
    (see `plait.features.parts`), in a folder or one alone; `mix` is how many sets of weights are learned, whose
    mean is kept. Features that stand in wrong trees only have weights too, unless `negative` is false (the positive
    features of Bohnet 2010). A `guided` parser also looks at the tree of another one
    (see `plait.components.stack`). Of the features of words only those in `keep_feats` are seen, if it names any, such
    as `Case,Number`; with a `lexicon` (a file, or `treebank`), words that bear case have the readings that it knows.
    """

    features: str = USUAL
    bits: int = 24
    precision: str = "int8"
    hash_seed: int = 1
    step: float = 0.05
    cost: float = 1.0
    heads: int = 12
    longest: int = 200
    threshold: float = 0.4
    single_root: str = "auto"
    mix: int = 1
    guided: bool = False
    negative: bool = True
    keep_feats: str = ""
    lexicon: str = ""

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        if not self.features:
            raise InputError(f"features is empty: {', '.join(BUILT_IN)}, or files of templates.")
        self._choose("precision", PRECISIONS)
        self._choose("single_root", ("auto", "yes", "no"))
        self._range("bits", 10, 30)
        self._range("mix", 1, 64)
        self._range("step", 0, 1000)
        self._range("cost", 0, 1000)
        self._range("heads", 0, 10_000)
        self._range("longest", 0, 10_000)
        self._range("threshold", 0, 1e9)
        self._range("hash_seed", 0, 2**31 - 1)
        split_names(self.keep_feats, "keep_feats")
