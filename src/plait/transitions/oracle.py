"""What every oracle is: for a tree, a teacher that says which transitions are correct in a state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from plait.errors import InputError, PlaitError
from plait.transitions.kinds import Kind, Transition
from plait.transitions.state import State
from plait.transitions.target import Target


class NotDerivableError(InputError):
    """The system cannot derive this tree."""


class OffThePathError(PlaitError):
    """An oracle was asked about a state that is on none of its derivations."""


class Oracle(ABC):
    """Made for one tree; static if there is always exactly one correct transition."""

    static: ClassVar[bool] = True

    def __init__(self, target: Target) -> None:
        self.target = target

    @abstractmethod
    def correct(self, state: State) -> list[Kind]:
        """The kinds that are correct in a state of a correct derivation, the preferred one first."""

    def transitions(self, state: State) -> list[Transition]:
        """The correct transitions with their labels, the preferred one first."""
        return [self.labelled(kind, state) for kind in self.correct(state)]

    def next(self, state: State) -> Transition:
        """The correct transition; where there is a choice, the first in the order of the system's table."""
        return self.transitions(state)[0]

    def labelled(self, kind: Kind, state: State, depth: int = 1) -> Transition:
        """The kind with the label the gold tree has for the arc it builds."""
        dependent = state.dependent(kind)
        return Transition(kind, None if dependent is None else self.target.labels[dependent], depth)


def require_projective(target: Target, system: str) -> None:
    if not target.projective:
        raise NotDerivableError(
            f"the tree is not projective, and the system '{system}' derives projective trees only: "
            "use the system 'swap', or projectivize the tree"
        )
