"""All correct derivations of a tree as a lattice (Björkelund and Nivre 2015, Figures 2 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plait.cancel import check_cancelled
from plait.errors import InputError
from plait.sentence import Sentence
from plait.transitions.kinds import Transition
from plait.transitions.oracle import NotDerivableError
from plait.transitions.registry import find_oracle
from plait.transitions.state import State
from plait.transitions.target import Target

LIMIT = 20_000


class LatticeTooLargeError(InputError):
    """More states than the caller was ready to keep."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A transition between two states, given by their numbers."""

    source: int
    target: int
    transition: Transition


@dataclass(frozen=True, slots=True)
class Lattice:
    """States, each once, and the transitions between them. Every path from first to last is a derivation.

    The states are numbered so that every transition leads to a higher number; `states[0]` is initial and
    `states[-1]` terminal. States are merged only if stack, buffer and arcs are all the same.
    """

    states: list[State]
    edges: list[Edge]

    @property
    def derivations(self) -> int:
        """How many there are."""
        ways = [1] + [0] * (len(self.states) - 1)
        for edge in self.edges:
            ways[edge.target] += ways[edge.source]
        return ways[-1]

    @property
    def columns(self) -> list[int]:
        """For every state the length of the longest way to it."""
        longest = [0] * len(self.states)
        for edge in self.edges:
            longest[edge.target] = max(longest[edge.target], longest[edge.source] + 1)
        return longest


def build_lattice(
    tree: Sentence | Sequence[int],
    *,
    system: str = "swap",
    oracle: str | None = None,
    single_root: bool = False,
    limit: int = LIMIT,
) -> Lattice:
    """The lattice of what an oracle permits: by default all correct derivations of the tree.

    A lattice can be huge; one with more than `limit` states raises `LatticeTooLargeError`.
    """
    default = "dynamic" if system == "eager" else "nd-all"
    teacher = find_oracle(system, oracle or default)(target := Target(tree))
    if single_root and len(target.dependents[0]) > 1:
        raise NotDerivableError("several words hang from the root: not with single_root")
    words = tree.forms if isinstance(tree, Sentence) else len(tree)
    start = State(words, system=system, single_root=single_root)
    numbers = {start.key(): 0}
    states = [start]
    found: list[Edge] = []
    for source, state in enumerate(states):  # grows while we walk
        check_cancelled()
        if state.terminal:
            continue
        for transition in teacher.transitions(state):
            after = state.copy()
            after.apply(transition)
            number = numbers.setdefault(after.key(), len(states))
            if number == len(states):
                if number >= limit:
                    raise LatticeTooLargeError(f"the lattice has more than {limit:,} states")
                states.append(after)
            found.append(Edge(source, number, transition))
    return _sorted(states, found)


def _sorted(states: list[State], edges: list[Edge]) -> Lattice:
    """The same lattice with its states in topological order and the edges in the order of their sources."""
    entering = [0] * len(states)
    leaving: list[list[Edge]] = [[] for _ in states]
    for edge in edges:
        entering[edge.target] += 1
        leaving[edge.source].append(edge)
    order = [0]
    for number in order:  # grows while we walk
        for edge in leaving[number]:
            entering[edge.target] -= 1
            if entering[edge.target] == 0:
                order.append(edge.target)
    place = {number: new for new, number in enumerate(order)}
    return Lattice(
        [states[number] for number in order],
        [
            Edge(place[edge.source], place[edge.target], edge.transition)
            for number in order
            for edge in leaving[number]
        ],
    )
