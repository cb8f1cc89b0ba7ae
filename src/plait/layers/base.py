"""What all layers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

from plait.checks import is_cell


class Layer(ABC):
    """What all layers share. A layer is not changed once it is made: a sentence and its copies share it."""

    name: ClassVar[str]

    @abstractmethod
    def to_json(self) -> Any: ...

    @classmethod
    @abstractmethod
    def from_json(cls, stored: Any) -> Self:
        """What `to_json` gave; KeyError, TypeError or ValueError if it is something else."""

    @abstractmethod
    def fits(self, words: int) -> bool:
        """Whether it can be of a sentence of so many words."""


def is_text(value: object) -> bool:
    """Whether it can stand in a cell of a treebank."""
    return isinstance(value, str) and is_cell(value)
