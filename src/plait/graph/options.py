"""Options of the graph-based parser: frozen, checked, written to TOML and read back strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypedDict

from plait.options import Options
from plait.parser.options import PRECISIONS

FEATURES = ("context", "plain")


class Settings(TypedDict, total=False):
    """The options by name, for what takes them as keywords; their meaning and defaults: `GraphOptions`."""

    epochs: int
    patience: int
    seed: int
    features: str
    bits: int
    precision: str
    hash_seed: int
    step: float
    cost: float
    heads: int
    longest: int
    threshold: float
    single_root: str
    mix: int
    guided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOptions(Options):
    """Every word keeps its best `heads` (0: all); sentences of more words than `longest` are parsed arc by arc;
    `threshold` is what it must be worth to leave the best projective tree; `step` is the longest of the learner;
    `features` without context do not look at neighbouring words; `mix` is how many sets of weights are learned, whose
    mean is kept. A `guided` parser also looks at the tree that another one has put into the sentence.
    """

    table: ClassVar[str] = "graph"

    epochs: int = 10
    patience: int = 3
    seed: int = 1
    features: str = "context"
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

    def __post_init__(self) -> None:
        self._choose("features", FEATURES)
        self._choose("precision", PRECISIONS)
        self._choose("single_root", ("auto", "yes", "no"))
        self._range("epochs", 1, 10_000)
        self._range("patience", 1, 10_000)
        self._range("bits", 10, 30)
        self._range("mix", 1, 64)
        self._range("step", 0, 1000)
        self._range("cost", 0, 1000)
        self._range("heads", 0, 10_000)
        self._range("longest", 0, 10_000)
        self._range("threshold", 0, 1e9)
        self._range("seed", 0, 2**31 - 1)
        self._range("hash_seed", 0, 2**31 - 1)
