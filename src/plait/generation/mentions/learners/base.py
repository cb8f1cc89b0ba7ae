"""What the learners of types have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from plait.errors import InputError
from plait.formats.grec import TYPES
from plait.generation.mentions.five import Categories, Rows
from plait.learning.tensors import Tensors

Codes = NDArray[np.int64]
Shares = NDArray[np.float64]


class TypeLearner(ABC):
    """Learns which of `TYPES` a reference has from rows of `five`; what it learned is arrays."""

    title = ""

    def __init__(self, categories: Categories) -> None:
        self.categories = categories

    @abstractmethod
    def fit(self, rows: Rows, types: Codes, seed: int) -> Self: ...

    @abstractmethod
    def shares(self, rows: Rows) -> Shares:
        """How likely each type is, a row per row."""

    @abstractmethod
    def pack(self) -> Tensors: ...

    @abstractmethod
    def unpack(self, tensors: Tensors) -> Self:
        """What `pack` gave; ValueError or KeyError if it does not fit together."""

    def text(self) -> str:
        """What was learned, to read; empty if there is nothing one could read."""
        return ""


def array(tensors: Tensors, name: str, kind: type[np.generic], *shape: int | None) -> NDArray[Any]:
    """A tensor of this type and shape, where none stands for any size; its numbers are finite."""
    found = tensors[name]
    fits = found.ndim == len(shape) and all(
        wanted in (None, size) for wanted, size in zip(shape, found.shape, strict=True)
    )
    if found.dtype != kind or not fits:
        raise ValueError(f"{name}: another type or number of numbers")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        raise ValueError(f"{name}: one of the numbers is none, or infinite")
    return found


def share_rows(counts: NDArray[np.floating[Any]]) -> Shares:
    """Rows that sum to 1."""
    found: Shares = counts / counts.sum(axis=1, keepdims=True)
    return found


def scikit() -> Any:
    """The library that teaches trees and perceptrons; what they learned runs without it."""
    try:
        import sklearn.neural_network
        import sklearn.tree
    except ImportError:
        raise InputError("This learner needs scikit-learn: pip install 'plait[research]'.") from None
    return sklearn


COUNT = len(TYPES)
