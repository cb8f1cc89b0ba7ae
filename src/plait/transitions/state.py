"""A state: stack, buffer and the arcs built so far (Nivre 2009, section 2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from plait.errors import PlaitError
from plait.transitions.kinds import SUBSCRIPTS, Kind, Transition
from plait.transitions.systems import System, find_system

Spine = tuple[int, ...]


class IllegalTransitionError(PlaitError):
    """A transition that the system does not permit in this state."""

    def __init__(self, transition: Transition, state: State) -> None:
        permitted = ", ".join(map(str, state.transitions())) or "nothing: the derivation is at its end"
        wanted = Transition(transition.kind, depth=transition.depth)
        super().__init__(f"{wanted} is not permitted in {state}. Permitted: {permitted}.")
        self.kind = transition.kind
        self.state = state.copy()


class State:
    """Stack, buffer and heads of a sentence, to be moved on by `apply`.

    `State(["A", "likes", "B"])` or, without forms, `State(3)`. Nodes are positions in the sentence, the root
    is 0. `stack[-1]` is its top, stack(0) in the papers' terms; `buffer[0]` is its front. `heads[word]` and
    `labels[word]` hold the arc above a word, `None` as long as there is none: the only store of arcs.
    In systems with spines `spines[node]` holds the left and the right spine of the tree with this root, from
    the root down; elsewhere it is empty.
    """

    __slots__ = ("buffer", "forms", "heads", "labels", "single_root", "spines", "stack", "system")

    def __init__(
        self, words: int | Sequence[str], *, system: str | System = "swap", single_root: bool = False
    ) -> None:
        self.system = find_system(system)
        self.single_root = single_root
        self.forms = None if isinstance(words, int) else tuple(words)
        size = words if isinstance(words, int) else len(words)
        numbers = range(1, size + 1)
        self.stack: list[int] = [] if self.system.root_last else [0]
        self.buffer = deque([*numbers, 0] if self.system.root_last else numbers)
        self.heads: list[int | None] = [None] * (size + 1)
        self.labels: list[str | None] = [None] * (size + 1)
        self.spines: dict[int, tuple[Spine, Spine]] = {}
        if self.system.has_spines:
            self.spines = {node: ((node,), (node,)) for node in range(size + 1)}

    def copy(self) -> State:
        """A state of its own: applying transitions to it leaves this one as it is."""
        twin = object.__new__(State)
        twin.system, twin.single_root, twin.forms = self.system, self.single_root, self.forms
        twin.stack, twin.buffer = self.stack.copy(), self.buffer.copy()
        twin.heads, twin.labels = self.heads.copy(), self.labels.copy()
        twin.spines = self.spines.copy()
        return twin

    def permits(self, kind: Kind, depth: int = 1) -> bool:
        rule = self.system.rules.get(kind)
        return rule is not None and rule.permits(self) and 1 <= depth <= self._deepest(kind)

    def permitted(self) -> list[Kind]:
        """The kinds that may come next."""
        return [kind for kind, rule in self.system.rules.items() if rule.permits(self)]

    def transitions(self) -> list[Transition]:
        """All that may come next, without labels: the kinds, and arcs at every depth."""
        return [
            Transition(kind, depth=depth)
            for kind in self.permitted()
            for depth in range(1, self._deepest(kind) + 1)
        ]

    def _deepest(self, kind: Kind) -> int:
        return len(self.heads_of(kind)) if self.spines and kind.builds_arc else 1

    def heads_of(self, kind: Kind) -> Spine:
        """In systems with spines: the nodes that an arc of this kind may come from, by depth."""
        return self.spines[self.stack[-1]][0] if kind is Kind.LEFT_ARC else self.spines[self.stack[-2]][1]

    def apply(self, transition: Transition | Kind) -> None:
        """Change this state by one transition; `IllegalTransitionError` if the system does not permit it."""
        if isinstance(transition, Kind):
            transition = Transition(transition)
        if not self.permits(transition.kind, transition.depth):
            raise IllegalTransitionError(transition, self)
        self.system.rules[transition.kind].effect(self, transition)

    def attach(self, head: int, dependent: int, label: str | None) -> None:
        self.heads[dependent] = head
        self.labels[dependent] = label

    def dependent(self, kind: Kind) -> int | None:
        """The word that gets a head by a transition of this kind; None for kinds that build no arc."""
        if not kind.builds_arc:
            return None
        if self.system.root_last:
            return self.stack[-1] if kind is Kind.LEFT_ARC else self.buffer[0]
        return self.stack[-2] if kind is Kind.LEFT_ARC else self.stack[-1]

    @property
    def terminal(self) -> bool:
        return self.system.terminal(self)

    @property
    def arcs(self) -> Iterator[tuple[int, str | None, int]]:
        """Head, label and dependent, by the position of the dependent."""
        for dependent, (head, label) in enumerate(zip(self.heads, self.labels, strict=True)):
            if head is not None:
                yield head, label, dependent

    def key(self) -> tuple[object, ...]:
        """Equal for two states exactly if stack, buffer, arcs and spines are equal."""
        spines = tuple(self.spines[node] for node in (*self.stack, *self.buffer)) if self.spines else ()
        return tuple(self.stack), tuple(self.buffer), tuple(self.heads), spines

    def name(self, node: int) -> str:
        """A node as the papers print it: the form and the position."""
        form = "ROOT" if node == 0 else self.forms[node - 1] if self.forms else ""
        return f"{form}{str(node).translate(SUBSCRIPTS)}" if form else str(node)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.system is other.system and self.key() == other.key()

    __hash__ = None  # type: ignore[assignment]  # states change

    def stack_text(self) -> str:
        return f"[{' '.join(_shorten([self.name(node) for node in self.stack], first=1, last=4))}]"

    def buffer_text(self) -> str:
        return f"[{' '.join(_shorten([self.name(node) for node in self.buffer], first=4, last=1))}]"

    def __str__(self) -> str:
        arcs = _shorten([f"{head}→{dependent}" for head, _, dependent in self.arcs], first=0, last=6)
        return f"{self.stack_text()} {self.buffer_text()} {{{', '.join(arcs)}}}"

    def __repr__(self) -> str:
        return f"<State {self.system.name} {self}>"


def _shorten(items: list[str], first: int, last: int) -> list[str]:
    """The items with the middle of a long list left out."""
    if len(items) <= first + last + 1:
        return items
    return [*items[:first], "…", *items[len(items) - last :]]
