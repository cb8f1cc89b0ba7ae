"""Numbers that name something in the core are checked where they come in: none is taken for another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plait import _core
from plait.transitions.kinds import Kind
from plait.transitions.repertoire import Repertoire
from plait.transitions.table import SYSTEM_FACTS

FAR = (-1, 99, 256, 2**31 - 1)  # 256 is 0 in a byte
EMPTY = np.zeros(0, np.int32)


def heads() -> Any:
    return np.array([0, 1], np.int32), np.array([0, 2], np.int64)


def model(system: int = 0, completion: int = 0, labels: int = 1) -> _core.ParserModel:
    return _core.ParserModel(
        system,
        False,
        Repertoire([str(label) for label in range(labels)]).core,
        features(),
        features(),
        parts(),
        completion,
    )


def features(place: int = 0, sight: int = 1) -> _core.FeatureProgram:
    return _core.FeatureProgram(
        np.array([[place, 0]], np.int32),
        np.array([[sight, 0, 0]], np.int32),
        np.zeros(1, np.int32),
        np.ones(1, np.int32),
        0,
        1,
    )


def parts(sight: int = 0) -> _core.PartProgram:
    one = np.ones(1, np.int32)
    lists = np.ones(4, np.int32)
    return _core.PartProgram(np.array([[sight, 0, 0, 0, 0, 1]], np.int32), one - 1, one, lists, 1)


def trainer(system: str, oracle: int, bits: int = 10) -> _core.Trainer:
    return _core.Trainer(
        model(SYSTEM_FACTS[system].code), bits, oracle, True, 0.1, 1, 0, 0, False, 0.0, False, 0
    )


def frontier(system: int = 0, place: int = 0) -> _core.Frontier:
    addresses = np.array([[place, 0]], np.int32)
    return _core.Frontier(
        Repertoire(["x"]).core, heads()[1], system, False, 1, 1, addresses, np.zeros(1, np.int32), None
    )


def state() -> _core.State:
    return _core.State(2, 0, False)


CODES: dict[str, Callable[[int], object]] = {
    "system of a parser": lambda code: model(code),
    "system of a state": lambda code: _core.State(2, code, False),
    "system of a derivation": lambda code: _core.derive(*heads(), code, 0, False, 0),
    "system of a replay": lambda code: _core.replay(
        np.zeros(0, np.uint8), EMPTY, np.zeros(1, np.int64), np.zeros(1, np.int64), code, False
    ),
    "oracle of a trainer": lambda code: trainer("swap", code),
    "oracle of a derivation": lambda code: _core.derive(*heads(), 0, code, False, 0),
    "oracle of a teacher": lambda code: _core.Teacher(heads()[0]).correct(state(), code),
    "kind that is permitted": lambda code: state().permits(code),
    "kind that is applied": lambda code: state().apply(code),
    "kind of an arc": lambda code: _core.completed_parts(state(), code, 0, 1),
    "kinds of parts": lambda code: _core.built_parts(state(), 1 << 9 if code < 0 else code | 1 << 9),
    "kinds of completed parts": lambda code: model(0, 1 << 9 if code < 0 else code | 1 << 9),
    "kind of a part": lambda code: parts().extract(code, np.ones(2, np.int32), np.ones((2, 1), np.uint32)),
    "system of a frontier": lambda code: frontier(system=code),
    "oracle of a frontier": lambda code: frontier().teach(heads()[0], None, code, 0),
    "place": lambda code: features(place=code),
    "place of a slot": lambda code: frontier(place=code),
    "sight": lambda code: features(sight=code),
    "sight of a part": lambda code: parts(sight=code),
    "bits of a table": lambda code: trainer("swap", 0, bits=code),
}


@pytest.mark.parametrize("code", FAR)
@pytest.mark.parametrize("what", CODES)
def test_an_unknown_code_is_refused(what: str, code: int) -> None:
    with pytest.raises((ValueError, TypeError)):
        CODES[what](code)


def test_codes_that_are_known_are_taken() -> None:
    for system in (facts.code for facts in SYSTEM_FACTS.values()):
        model(system)
    assert [state().permits(code) for code in range(len(Kind))] == [True, False, False, False, False]
    trainer("swap", 0)
    parts(0), features(0, 1)


@pytest.mark.parametrize("oracle", [5, 6])
def test_an_oracle_of_another_system_is_refused(oracle: int) -> None:
    with pytest.raises(ValueError, match="oracle"):
        trainer("swap", oracle)


def test_weights_of_other_transitions_are_refused() -> None:
    small = _core.Weights(10, 3, np.zeros(1024 + 3, np.float32))
    words = np.zeros((2, 1), np.uint32), np.array([0, 2], np.int64)
    with pytest.raises(ValueError, match="other transitions"):
        _core.parse_by_transitions(small, model(labels=40), *words)
    with pytest.raises(ValueError, match="other transitions"):
        _core.trace(small, model(labels=40), *words, None, 1, 0, 0, 1)
