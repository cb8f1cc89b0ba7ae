"""Derivations: the transitions that lead to a tree, and the tree that transitions lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from plait.cancel import Cancel, Watching, check_cancelled
from plait.sentence import Sentence
from plait.transitions.kinds import Kind, Transition, read_letters
from plait.transitions.minimal import BUDGET, Minimal
from plait.transitions.oracle import NotDerivableError, Oracle
from plait.transitions.registry import find_oracle, oracle_name
from plait.transitions.state import State
from plait.transitions.target import Target


@dataclass(frozen=True, slots=True)
class Step:
    """A state, the transition taken in it, and the kinds of all that would have been correct."""

    state: State
    transition: Transition
    correct: tuple[Kind, ...]

    def __str__(self) -> str:
        return f"{self.state} {self.transition}"


class Derivation(Sequence[Step]):
    """The steps that lead to a tree, and the state at the end. In Jupyter it shows itself as a player."""

    def __init__(self, steps: Sequence[Step], end: State, *, oracle: str, tags: Sequence[str] = ()) -> None:
        """`tags` are those of the words, if there are any: a picture of the tree shows them."""
        self.steps = list(steps)
        self.end = end
        self.oracle = oracle
        self.tags = list(tags)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        return self.steps[index]

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        return f"<Derivation {self.end.system.name} {self.oracle}: {spell(self)}>"

    def _repr_html_(self) -> str:
        """The player that Jupyter shows."""
        from plait.drawing.player import player_frame, track_of_derivation

        return player_frame([track_of_derivation(self)])


def derive(
    tree: Sentence | Sequence[int],
    *,
    system: str = "swap",
    oracle: str | None = None,
    single_root: bool = False,
    budget: int = BUDGET,
    cancel: Cancel | None = None,
) -> Derivation:
    """The derivation an oracle has for a tree, step by step; `step.state` is the state before the transition.

    The tree is a sentence or a list of heads. Without a name the oracle is `lazy` for `swap` and `static` for
    the other systems. A non-deterministic oracle follows the first of its correct transitions, in the order
    LEFT-ARC, RIGHT-ARC, SWAP or REDUCE, SHIFT. `budget` bounds the search of MINIMAL (see there).
    """
    make_oracle = find_oracle(system, oracle)
    target = Target(tree)
    if single_root and len(target.dependents[0]) > 1:
        words = ", ".join(map(str, target.dependents[0]))
        raise NotDerivableError(f"several words hang from the root ({words}): not with single_root")
    state = State(
        tree.forms if isinstance(tree, Sentence) else len(tree), system=system, single_root=single_root
    )
    with Watching(cancel):
        teacher = Minimal(target, budget) if make_oracle is Minimal else make_oracle(target)
        steps = list(_steps(state, teacher))
    tags = tree.upos if isinstance(tree, Sentence) else ()
    return Derivation(steps, state, oracle=oracle_name(system, oracle), tags=tags)


def _steps(state: State, teacher: Oracle) -> Iterator[Step]:
    while not state.terminal:
        check_cancelled()
        before = state.copy()
        correct = teacher.transitions(before)
        state.apply(correct[0])
        yield Step(before, correct[0], tuple(transition.kind for transition in correct))


def spell(steps: Iterable[Step]) -> str:
    """The letters of a derivation: S, L, R, W for SWAP, D for REDUCE; behind L and R the depth if it is not 1."""
    return "".join(step.transition.letters for step in steps)


def replay(
    letters: str, words: int | Sequence[str], *, system: str = "swap", single_root: bool = False
) -> State:
    """The state that a derivation, given by its letters, leads to from the start."""
    state = State(words, system=system, single_root=single_root)
    for transition in read_letters(letters):
        state.apply(transition)
    return state
