"""What an arc from a spine sees: contexts C(c, t) of Sartorio, Satta and Nivre (2013), Table 1."""

from __future__ import annotations

import numpy as np
import pytest

from plait import _core
from plait.features.compiler import compile_templates
from plait.features.templates import parse
from plait.transitions import Kind, State
from plait.transitions.kinds import Transition, read_letters
from plait.transitions.table import SYSTEM_FACTS

SIZE = 14
VALUES = np.arange(100, 100 + SIZE, dtype=np.uint32).reshape(-1, 1)
ROOT = 0


def node_at(address: str, state: _core.State, transition: Transition) -> int | None:
    """The node that an address means to a transition, found by the hash of its word."""
    program = compile_templates(parse(f"{address}.form", system="spine"))
    hashes = program.extract(state, VALUES, transition.kind.code, transition.depth).tolist()
    return KNOWN[hashes[0]] if hashes else None


def known() -> dict[int, int]:
    """The nodes by their hashes: as the front of the buffer, and the root as the bottom of the stack."""
    state = _core.State(SIZE, SYSTEM_FACTS["spine"].code, False)
    front, top = (compile_templates(parse(f"{place}.form")) for place in ("B0", "S0"))
    found = {int(top.extract(state, VALUES)[0]): ROOT}
    for word in range(1, SIZE + 1):
        found[int(front.extract(state, VALUES)[0])] = word
        state.apply(Kind.SHIFT.code)
    return found


KNOWN = known()

# Two trees on top of words 1 and 2, and the rest of the sentence in the buffer. The right spine of the lower
# tree is 3 4 5 6, the left spine of the upper one 10 9 8 7.
PATH = "SS" + "SSSSRRR" + "SSLSLSL"


def both() -> tuple[State, _core.State]:
    slow, fast = State(SIZE, system="spine"), _core.State(SIZE, SYSTEM_FACTS["spine"].code, False)
    for transition in read_letters(PATH):
        slow.apply(transition)
        fast.apply(transition.kind.code, depth=transition.depth)
    return slow, fast


def test_the_state_of_these_tests() -> None:
    slow, fast = both()
    assert (fast.stack, fast.buffer) == ([0, 1, 2, 3, 10], [11, 12, 13, 14])
    assert slow.spines[3][1] == (3, 4, 5, 6)
    assert slow.spines[10][0] == (10, 9, 8, 7)


@pytest.mark.parametrize(
    ("letters", "s1", "s2", "s3", "q1", "q2", "gp", "gg"),
    [
        ("S", 10, 3, 2, 11, 12, None, None),
        ("L", 10, 3, 2, 11, 12, None, None),
        ("L2", 9, 3, 2, 10, 11, 10, None),
        ("L3", 8, 3, 2, 9, 10, 9, 10),
        ("L4", 7, 3, 2, 8, 9, 8, 9),
        ("R", 10, 3, 2, 11, 12, None, None),
        ("R2", 10, 4, 3, 11, 12, 3, None),
        ("R3", 10, 5, 4, 11, 12, 4, 3),
        ("R4", 10, 6, 5, 11, 12, 5, 4),
    ],
)
def test_table_1(
    letters: str, s1: int, s2: int, s3: int, q1: int, q2: int, gp: int | None, gg: int | None
) -> None:
    _, fast = both()
    (transition,) = read_letters(letters)
    found = [node_at(address, fast, transition) for address in ("S0", "S1", "S2", "B0", "B1", "GP", "GG")]
    assert found == [s1, s2, s3, q1, q2, gp, gg]


@pytest.mark.parametrize(
    ("letters", "address", "node"),
    [
        ("L3", "B2", 11),
        ("L3", "S3", 1),
        ("R3", "S3", 3),
        ("R3", "S4", 2),
        ("R3", "S5", 1),
        ("R3", "S6", ROOT),
        ("R3", "S7", None),
        ("R4", "B3", 14),
        ("R3", "S1.right1", 6),
        ("L3", "S0.head.head", 10),
    ],
)
def test_places_beyond_the_table(letters: str, address: str, node: int | None) -> None:
    _, fast = both()
    (transition,) = read_letters(letters)
    assert node_at(address, fast, transition) == node


def test_depth_and_what_is_not_permitted() -> None:
    _, fast = both()
    program = compile_templates(parse("depth", system="spine"))
    seen = {
        letters: int(program.extract(fast, VALUES, one.kind.code, one.depth)[0])
        for letters in ("S", "L", "L2", "R2", "L3")
        for one in read_letters(letters)
    }
    assert seen["S"] == seen["L"] != seen["L2"] == seen["R2"] != seen["L3"]
    with pytest.raises(ValueError, match="not permitted"):
        program.extract(fast, VALUES, Kind.LEFT_ARC.code, 5)
    with pytest.raises(ValueError, match="one row per word"):
        program.extract(fast, VALUES[:3], Kind.LEFT_ARC.code, 1)
