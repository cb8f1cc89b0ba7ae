"""What holds for all scenes: bit sets against plain sets, and every choice identifies where something can."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some

from plait.errors import InputError
from plait.evaluation.attributes import dice, masi
from plait.generation.refer import made
from plait.generation.refer.memory import Comparison, Memory
from plait.generation.refer.options import METHODS, ReferOptions
from plait.generation.refer.scene import Scene, identifying
from plait.generation.refer.selector import AttributeSelector

NAMES = ("type", "colour", "size", "hasBorder", "x-dimension")
THINGS = some.fixed_dictionaries({name: some.sampled_from("012") for name in NAMES})
SCENES = some.builds(
    lambda first, others: Scene(first, others, made.DOMAIN), THINGS, some.lists(THINGS, max_size=6)
)
SETS = some.frozensets(some.sampled_from("abcdef"))


@given(SCENES)
def test_identifying_sets_are_those_that_hold_of_nothing_else(scene: Scene) -> None:
    found = {frozenset(scene.named(int(mask))) for mask in identifying(scene)}
    every = [set_ for size in range(1, len(NAMES) + 1) for set_ in combinations(NAMES, size)]

    def left(names: tuple[str, ...]) -> int:
        return sum(all(each[name] == scene.target[name] for name in names) for each in scene.distractors)

    fewest = min(map(left, every))
    assert found == {frozenset(names) for names in every if left(names) == fewest}


@given(SCENES, some.frozensets(some.sampled_from((*NAMES, "other"))))
def test_dice_by_bits_is_dice_of_sets(scene: Scene, expression: frozenset[str]) -> None:
    memory = Memory("d", {"s": [expression]}, ())
    masks = np.arange(1, 1 << len(NAMES))
    found = Comparison(scene, memory).dice(masks, expression)
    for mask, value in zip(masks.tolist(), found.tolist(), strict=True):
        assert abs(value - dice(frozenset(scene.named(mask)), expression)) < 1e-12


@settings(max_examples=30)
@given(SCENES, some.sampled_from(METHODS), some.sampled_from([*made.PEOPLE, None, "nobody"]))
def test_what_is_chosen_identifies_if_anything_does(scene: Scene, method: str, speaker: str | None) -> None:
    selector = _SELECTORS[method]
    chosen = selector.select(scene, speaker)
    assert chosen
    assert chosen.items() <= scene.target.items()
    assert scene.identifies(list(chosen)) == scene.identifies(list(NAMES))


@given(SETS, SETS)
def test_masi_is_never_more_than_dice(one: frozenset[str], other: frozenset[str]) -> None:
    assert 0 <= masi(one, other) <= dice(one, other) <= 1
    assert (masi(one, other) == 1) == (one == other)
    assert masi(one, other) == masi(other, one)


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=5),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
ENTRIES = some.dictionaries(some.sampled_from(["target", "distractors", "domain", "x"]), JSON)


@given(JSON | ENTRIES)
def test_whatever_json_there_is_becomes_a_scene_or_a_message(value: object) -> None:
    try:
        scene = Scene.from_json(value)
    except InputError as error:
        assert str(error).endswith(".")  # noqa: PT017
    else:
        assert Scene.from_json(scene.to_json()).target == scene.target


_TRIALS = made.make_trials(count=3)
_SELECTORS = {
    method: AttributeSelector.fit(_TRIALS, ReferOptions(method=method, epochs=5)) for method in METHODS
}
