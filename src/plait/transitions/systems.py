"""The transition systems, one table each: what a transition permits and what it does.

`swap` and `standard` follow Nivre (2009), Figure 2; `eager` is Nivre's arc-eager system (2003, 2008) with the
root behind the last word (Ballesteros and Nivre 2013); `spine` is Sartorio, Satta and Nivre (2013), section
3.3. But for `eager`, node 0 is an ordinary head: several words may hang from it, as in old treebanks. With
`single_root` exactly one does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plait.errors import InputError
from plait.transitions.kinds import Kind, Transition

if TYPE_CHECKING:
    from plait.transitions.state import State


class UnknownNameError(InputError):
    """No system or oracle of this name."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a system's table: as text, in the papers' notation, and as functions on a state."""

    before: str
    after: str
    condition: str
    permits: Callable[[State], bool]
    effect: Callable[[State, Transition], None]


@dataclass(frozen=True, slots=True)
class System:
    """A transition system. `rules` are in the order in which oracles prefer them; `projective` systems derive
    projective trees only; in those with spines arcs may come from deeper down a tree.
    """

    name: str
    title: str
    description: str
    initial: str
    final: str
    root_last: bool
    rules: Mapping[Kind, Rule]
    terminal: Callable[[State], bool]
    projective: bool = True
    has_spines: bool = False


def find_system(system: str | System) -> System:
    if isinstance(system, System):
        return system
    if system not in SYSTEMS:
        raise UnknownNameError(f"No transition system '{system}'. Available: {', '.join(SYSTEMS)}.")
    return SYSTEMS[system]


# Arc-standard, and with SWAP the swap system.


def _may_left_arc(state: State) -> bool:
    return len(state.stack) >= 2 and state.stack[-2] != 0


def _left_arc(state: State, transition: Transition) -> None:
    dependent = state.stack.pop(-2)
    state.attach(state.stack[-1], dependent, transition.label)


def _may_right_arc(state: State) -> bool:
    if len(state.stack) < 2:
        return False
    last_arc = not state.buffer and len(state.stack) == 2
    return last_arc or not (state.single_root and state.stack[-2] == 0)


def _right_arc(state: State, transition: Transition) -> None:
    dependent = state.stack.pop()
    state.attach(state.stack[-1], dependent, transition.label)


def _may_shift(state: State) -> bool:
    return bool(state.buffer)


def _shift(state: State, _transition: Transition) -> None:
    state.stack.append(state.buffer.popleft())


def _may_swap(state: State) -> bool:
    return len(state.stack) >= 2 and 0 < state.stack[-2] < state.stack[-1]


def _swap(state: State, _transition: Transition) -> None:
    state.buffer.appendleft(state.stack.pop(-2))


def _only_root_left(state: State) -> bool:
    return state.stack == [0] and not state.buffer


STANDARD_RULES = {
    Kind.LEFT_ARC: Rule("[σ|i, j], B", "[σ|j], B, arc j → i", "i ≠ 0", _may_left_arc, _left_arc),
    Kind.RIGHT_ARC: Rule(
        "[σ|i, j], B", "[σ|i], B, arc i → j", "with `single_root`: i ≠ 0 or this is the last arc",
        _may_right_arc, _right_arc,
    ),
    Kind.SHIFT: Rule("σ, [i|β]", "[σ|i], β", "–", _may_shift, _shift),
}  # fmt: skip

SWAP_RULES = {
    Kind.LEFT_ARC: STANDARD_RULES[Kind.LEFT_ARC],
    Kind.RIGHT_ARC: STANDARD_RULES[Kind.RIGHT_ARC],
    Kind.SWAP: Rule("[σ|i, j], β", "[σ|j], [i|β]", "0 < i < j", _may_swap, _swap),
    Kind.SHIFT: STANDARD_RULES[Kind.SHIFT],
}

# Arcs from spines.


def _attach_to_spine(state: State, transition: Transition) -> None:
    """σ2 below the k-th node of σ1's left spine, or σ1 below the k-th node of σ2's right spine."""
    k = transition.depth
    (left1, right1), (left2, right2) = (state.spines[state.stack[i]] for i in (-1, -2))
    if transition.kind is Kind.LEFT_ARC:
        dependent = state.stack.pop(-2)
        state.attach(left1[k - 1], dependent, transition.label)
        state.spines[state.stack[-1]] = (left1[:k] + left2, right1)
    else:
        dependent = state.stack.pop()
        state.attach(right2[k - 1], dependent, transition.label)
        state.spines[state.stack[-1]] = (left2, right2[:k] + right1)


SPINE_RULES = {
    Kind.LEFT_ARC: Rule(
        "[σ|i, j], B", "[σ|j], B, arc u → i", "i ≠ 0; u is the k-th node of j's left spine",
        _may_left_arc, _attach_to_spine,
    ),
    Kind.RIGHT_ARC: Rule(
        "[σ|i, j], B", "[σ|i], B, arc v → j",
        "v is the k-th node of i's right spine; with `single_root`: i ≠ 0 or this is the last arc",
        _may_right_arc, _attach_to_spine,
    ),
    Kind.SHIFT: STANDARD_RULES[Kind.SHIFT],
}  # fmt: skip

SPINE_SWAP_RULES = {
    Kind.LEFT_ARC: SPINE_RULES[Kind.LEFT_ARC],
    Kind.RIGHT_ARC: SPINE_RULES[Kind.RIGHT_ARC],
    Kind.SWAP: SWAP_RULES[Kind.SWAP],
    Kind.SHIFT: STANDARD_RULES[Kind.SHIFT],
}

# Arc-eager.


def _last_word(state: State) -> bool:
    """With `single_root`: after the word at the front only the root is left to give heads."""
    return state.single_root and len(state.buffer) == 2


def _may_attach_front(state: State) -> bool:
    if not state.stack or state.buffer[0] == 0:
        return False
    return not _last_word(state) or [state.heads[node] for node in state.stack].count(None) == 1


def _attach_front(state: State, transition: Transition) -> None:
    state.attach(state.stack[-1], state.buffer[0], transition.label)
    state.stack.append(state.buffer.popleft())


def _may_attach_top(state: State) -> bool:
    return bool(state.stack) and state.heads[state.stack[-1]] is None


def _attach_top(state: State, transition: Transition) -> None:
    state.attach(state.buffer[0], state.stack.pop(), transition.label)


def _may_reduce(state: State) -> bool:
    return bool(state.stack) and state.heads[state.stack[-1]] is not None


def _reduce(state: State, _transition: Transition) -> None:
    state.stack.pop()


def _may_push(state: State) -> bool:
    return state.buffer[0] != 0 and not (_last_word(state) and state.stack)


def _only_root_in_buffer(state: State) -> bool:
    return not state.stack and len(state.buffer) == 1


EAGER_RULES = {
    Kind.LEFT_ARC: Rule(
        "[σ|i], [j|β]", "σ, [j|β], arc j → i", "i has no head", _may_attach_top, _attach_top
    ),
    Kind.RIGHT_ARC: Rule(
        "[σ|i], [j|β]", "[σ|i, j], β, arc i → j",
        "j ≠ 0; with `single_root`: if j is the last word, only one word of the stack is without a head",
        _may_attach_front, _attach_front,
    ),
    Kind.REDUCE: Rule("[σ|i], B", "σ, B", "i has a head", _may_reduce, _reduce),
    Kind.SHIFT: Rule(
        "σ, [i|β]", "[σ|i], β", "i ≠ 0; with `single_root`: if i is the last word, σ is empty",
        _may_push, _shift,
    ),
}  # fmt: skip

SYSTEMS = {
    "swap": System(
        name="swap",
        title="Arc-standard with SWAP",
        description="Derives every tree. Nivre (2009), section 3.2; SwapStandard in Björkelund and Nivre "
        "(2015). A derivation with k swaps has 2n + 2k transitions.",
        initial="[0], [1, …, n]",
        final="[0], [ ]",
        root_last=False,
        rules=SWAP_RULES,
        terminal=_only_root_left,
        projective=False,
    ),
    "standard": System(
        name="standard",
        title="Arc-standard",
        description="Derives the projective trees. Nivre (2009), section 3.1. A derivation has 2n "
        "transitions.",
        initial="[0], [1, …, n]",
        final="[0], [ ]",
        root_last=False,
        rules=STANDARD_RULES,
        terminal=_only_root_left,
    ),
    "eager": System(
        name="eager",
        title="Arc-eager",
        description="Derives the projective trees. Nivre (2003, 2008), with the root behind the last word "
        "(Ballesteros and Nivre 2013): a word that has found no head hangs from it, so that every derivation "
        "ends in a tree. A derivation has 2n transitions.",
        initial="[ ], [1, …, n, 0]",
        final="[ ], [0]",
        root_last=True,
        rules=EAGER_RULES,
        terminal=_only_root_in_buffer,
    ),
    "spine": System(
        name="spine",
        title="Left and right spines",
        description="Derives the projective trees. Sartorio, Satta and Nivre (2013), section 3.3: arc-standard "
        "whose arcs may come from deeper down. The left spine of a tree is its root, the root's leftmost left "
        "dependent, that one's leftmost left dependent and so on; the right spine likewise. k = 1 is the root; a "
        "deeper k follows the letter (`R2`). A derivation has 2n transitions.",
        initial="[0], [1, …, n]",
        final="[0], [ ]",
        root_last=False,
        rules=SPINE_RULES,
        terminal=_only_root_left,
        has_spines=True,
    ),
    "spine-swap": System(
        name="spine-swap",
        title="Spines with SWAP",
        description="Derives every tree. The transitions of `spine`, and SWAP, which moves a whole tree back to the "
        "buffer; words are then out of order, and where spines go on the dependent attached last stands for the "
        "outermost one. A derivation with k swaps has 2n + 2k transitions.",
        initial="[0], [1, …, n]",
        final="[0], [ ]",
        root_last=False,
        rules=SPINE_SWAP_RULES,
        terminal=_only_root_left,
        projective=False,
        has_spines=True,
    ),
}
