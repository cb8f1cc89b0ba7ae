"""Choosing attributes: the algorithms on scenes small enough to be worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import numpy as np
import pytest

from plait.errors import InputError
from plait.evaluation.attributes import dice, masi, score_attributes
from plait.generation.refer import made
from plait.generation.refer.choosing import fbn, full_brevity, incremental, is_fp
from plait.generation.refer.memory import Memory, learn_memories
from plait.generation.refer.neighbours import Neighbours, context_of
from plait.generation.refer.options import METHODS, ReferOptions
from plait.generation.refer.scene import Scene, identifying
from plait.generation.refer.selector import AttributeSelector
from plait.generation.refer.trials import Trial

CHAIR = {"type": "chair", "colour": "red", "size": "large", "x-dimension": "1"}
SCENE = Scene(
    CHAIR,
    [
        {"type": "chair", "colour": "blue", "size": "large", "x-dimension": "2"},
        {"type": "desk", "colour": "red", "size": "small", "x-dimension": "3"},
    ],
)


def memory(**expressions: list[str]) -> Memory:
    return Memory(
        "d", {name: [frozenset(each.split()) for each in own] for name, own in expressions.items()}, ()
    )


def chosen(scene: Scene, mask: int) -> set[str]:
    return set(scene.named(mask))


def test_all_identifying_sets_are_enumerated() -> None:
    found = {frozenset(SCENE.named(int(mask))) for mask in identifying(SCENE)}
    assert frozenset({"x-dimension"}) in found
    assert frozenset({"type", "colour"}) in found
    assert frozenset({"type", "size"}) not in found  # the blue one is a large chair too
    assert frozenset(CHAIR) in found
    assert all(SCENE.identifies(sorted(each)) for each in found)
    assert len(found) == 8 + 3  # with the place, and without it: type or size beside the colour, or both


def test_where_a_twin_is_in_the_way_as_few_as_possible_are_left() -> None:
    scene = Scene({"type": "chair", "colour": "red"}, [{"type": "chair", "colour": "red"}, {"type": "desk"}])
    assert {frozenset(scene.named(int(mask))) for mask in identifying(scene)} == {
        frozenset({"type"}),
        frozenset({"colour"}),
        frozenset({"type", "colour"}),
    }
    assert not scene.identifies(["type", "colour"])


def test_more_distractors_than_bits_of_a_number() -> None:
    others = [{"type": "chair", "colour": "blue"}] * 70 + [{"type": "desk", "colour": "red"}] * 70
    scene = Scene({"type": "chair", "colour": "red"}, others)
    assert scene.left().tolist() == [140, 70, 70, 0]


def test_the_incremental_algorithm_goes_by_preference() -> None:
    """Dale and Reiter: colour does not tell the desk apart, so that the type is kept; the size is not needed."""
    known = memory(
        s=["colour type", "colour size"], t=["x-dimension type", "x-dimension", "x-dimension type"]
    )
    by_speaker = ReferOptions(method="incremental")
    assert chosen(SCENE, incremental(SCENE, known, "s", by_speaker)) == {"colour", "type"}
    assert chosen(SCENE, incremental(SCENE, known, "t", by_speaker)) == {"x-dimension", "type"}
    by_corpus = ReferOptions(method="incremental", order="corpus")
    for speaker in "st":  # the corpus has x-dimension 3, type 3, colour 2
        assert chosen(SCENE, incremental(SCENE, known, speaker, by_corpus)) == {"type", "x-dimension"}


def test_full_brevity_is_as_short_as_can_be() -> None:
    assert chosen(SCENE, full_brevity(SCENE, memory(s=["type"]), "s", ReferOptions())) == {"x-dimension"}


def test_fbn_draws_among_the_nearest_and_the_seed_decides() -> None:
    """Nearest to `colour type` with DICE 4/5 are the sets with one more; there is no equal one among those that do."""
    scene = Scene(CHAIR, [{"type": "chair", "colour": "red", "size": "small", "x-dimension": "2"}])
    known = memory(s=["colour type"])
    drawn = {frozenset(chosen(scene, fbn(scene, known, "s", ReferOptions(seed=seed)))) for seed in range(30)}
    assert drawn == {frozenset({"colour", "type", "size"}), frozenset({"colour", "type", "x-dimension"})}
    assert fbn(scene, known, "s", ReferOptions(seed=3)) == fbn(scene, known, "s", ReferOptions(seed=3))


def test_is_fp_takes_the_speakers_own_way() -> None:
    known = memory(s=["colour type", "colour type"], t=["x-dimension type"])
    alone = ReferOptions(method="is-fp", other=False)
    assert chosen(SCENE, is_fp(SCENE, known, "s", alone)) == {"colour", "type"}
    assert chosen(SCENE, is_fp(SCENE, known, "t", alone)) == {"x-dimension", "type"}


def test_is_fp_breaks_ties_by_length() -> None:
    """Equally near are `a b` to the first and `a b c` to the second expression."""
    scene = Scene({"a": 1, "b": 1, "c": 1}, [{"a": 1, "b": 2, "c": 1}])
    known = memory(s=["a b", "a b c"])
    assert chosen(scene, is_fp(scene, known, "s", ReferOptions(other=False))) == {"a", "b"}


def test_is_fp_breaks_ties_by_what_is_typical() -> None:
    """`a` and `b` are both said, and both short; `a` more often by the speaker, whatever the corpus has."""
    scene = Scene({"a": 1, "b": 1}, [{"a": 2, "b": 2}])
    known = memory(s=["a", "b", "a"], t=["b", "b", "b"])
    assert chosen(scene, is_fp(scene, known, "s", ReferOptions(other=False))) == {"a"}


def test_is_fp_breaks_ties_by_frequency_in_the_corpus() -> None:
    scene = Scene({"a": 1, "b": 1}, [{"a": 2, "b": 2}])
    known = memory(s=["a", "b"], t=["b c", "b c d"])
    assert chosen(scene, is_fp(scene, known, "s", ReferOptions(other=False))) == {"b"}


def test_the_most_similar_other_speaker_is_a_neighbour_too() -> None:
    scene = Scene({"a": 1, "b": 1, "c": 1}, [{"a": 1, "b": 2, "c": 2}])
    known = memory(s=["a d"], t=["a b", "a d"], u=["c", "c"])
    assert known.nearest("s") == "t"
    assert chosen(scene, is_fp(scene, known, "s", ReferOptions(other=False))) == {"a", "c"}  # by frequency
    assert chosen(scene, is_fp(scene, known, "s", ReferOptions(other=True))) == {"a", "b"}


def test_truths_are_compared_with_their_values() -> None:
    """Who tells that there are glasses does not tell that there are none (2008 sheet)."""
    memories = learn_memories(
        [("p", "s", {"type": "person", "hasGlasses": "1"}), ("p", "s", {"type": "person", "age": "old"})],
        {"p": ["hasGlasses"]},
    )
    bare = Scene(
        {"type": "person", "hasGlasses": False, "age": "old"},
        [{"type": "person", "hasGlasses": True, "age": "young"}],
    )
    assert chosen(bare, is_fp(bare, memories["p"], "s", ReferOptions(other=False))) == {"type", "age"}
    glasses = Scene(
        {"type": "person", "hasGlasses": True, "age": "old"}, [{"hasGlasses": False, "age": "young"}]
    )
    own = learn_memories([("p", "s", {"type": "person", "hasGlasses": "1"})], {"p": ["hasGlasses"]})["p"]
    assert chosen(glasses, is_fp(glasses, own, "s", ReferOptions(other=False))) == {"type", "hasGlasses"}


def test_the_central_speaker_is_most_like_all_others() -> None:
    known = memory(a=["x y"], b=["x y z"], c=["z"])
    # DICE: a-b 4/5, a-c 0, b-c 1/2.
    assert known.similarity("a", "b") == pytest.approx(0.8)
    assert known.similarity("b", "c") == pytest.approx(0.5)
    assert known.central == "b"


@pytest.mark.parametrize("method", METHODS)
def test_every_method_identifies_and_knows_strangers(method: str) -> None:
    trials = made.make_trials(count=6)
    selector = AttributeSelector.fit(trials, ReferOptions(method=method, epochs=20))
    for trial in made.make_trials(seed=9, count=3):
        assert trial.scene.identifies(list(selector.select(trial.scene, trial.speaker)))
        central = selector.central_speaker(made.DOMAIN)
        assert selector.select(trial.scene) == selector.select(trial.scene, central)
        assert selector.select(trial.scene, "nobody") == selector.select(trial.scene)


def test_neighbours_count_by_speaker_and_scene() -> None:
    """Of such a scene the speaker tells the colour, of others the size; so does somebody who speaks alike."""
    plain = Scene({"colour": "red", "size": "large"}, [{"colour": "blue", "size": "small"}], "d")
    other = Scene({"colour": "green", "size": "small"}, [{"colour": "green", "size": "large"}], "d")
    colour, size = frozenset({"colour"}), frozenset({"size"})
    known = Memory("d", {"s": [colour, size], "t": [size]}, ())
    masks = np.array([plain.mask(["colour"]), plain.mask(["size"])])
    rows = [
        ("d", "s", colour, context_of(plain)),
        ("d", "s", size, context_of(other)),
        ("d", "t", size, context_of(plain)),
    ]
    found = Neighbours(rows).expected(plain, known, "s", masks)
    assert found.sum() == pytest.approx(1)
    far, strange = (
        exp(-0.7 * 3),
        exp(-10 * (1 - known.similarity("s", "t"))),
    )  # two other values, and one useless
    assert found[0] == pytest.approx(1 / (1 + far + strange))
    assert not Neighbours(rows).expected(plain, known, "nobody", masks).any()


def test_habits_go_with_a_speaker_into_another_domain() -> None:
    """Ben tells places; he was never heard in the other domain, where everybody else tells colours."""
    moved = [
        replace(each, scene=Scene(each.scene.target, each.scene.distractors, "moons", each.scene.truths))
        for each in made.make_trials(seed=2, count=12)
        if each.speaker in ("Ada", "Dan")
    ]
    selector = AttributeSelector.fit([*made.make_trials(count=12), *moved])
    scene = moved[0].scene
    assert "x-dimension" in selector.select(scene, "Ben")
    assert "x-dimension" not in selector.select(scene, "Ada")


def test_a_stranger_may_speak_like_everyone() -> None:
    trials = made.make_trials(count=12)
    alike = AttributeSelector.fit(trials, ReferOptions(stranger="everyone"))
    central = AttributeSelector.fit(trials)
    judged = made.make_trials(seed=5, count=8)
    found = [(alike.select(each.scene), central.select(each.scene), each) for each in judged]
    assert any(one != other for one, other, _ in found)
    assert all(each.scene.identifies(list(one)) for one, _, each in found)
    assert alike.select(judged[0].scene, "Ben") == central.select(judged[0].scene, "Ben")


def test_the_log_linear_model_learns_habits_and_scenes() -> None:
    trials = made.make_trials(count=24)
    judged: list[Trial] = made.make_trials(seed=5, count=10)

    def mean(selector: AttributeSelector) -> float:
        return sum(
            dice(set(each.said), set(selector.select(each.scene, each.speaker))) for each in judged
        ) / len(judged)

    learned = mean(AttributeSelector.fit(trials))
    assert learned > 0.95
    assert (
        learned
        > mean(AttributeSelector.fit(trials, ReferOptions(method="incremental", order="corpus"))) + 0.1
    )


def test_a_domain_is_known_by_its_attributes() -> None:
    trial = made.make_trials(count=2)[0]
    selector = AttributeSelector.fit([trial], ReferOptions(method="is-fp"))
    bare = Scene(trial.scene.target, trial.scene.distractors)
    assert selector.domain(bare) == made.DOMAIN
    with pytest.raises(InputError, match=r"No domain 'moons' was learned. Available: shapes."):
        selector.select(Scene(trial.scene.target, (), "moons"))


def test_scores_of_sets() -> None:
    """METRICS: DICE 2·2/5, MASI 2/3·2/3 where one holds the other."""
    a, b, c = {("x", "1"), ("y", "1")}, {("x", "1"), ("y", "1"), ("z", "1")}, {("x", "2")}
    assert dice(a, b) == pytest.approx(0.8)
    assert masi(a, b) == pytest.approx(4 / 9)
    assert masi(a, a) == 1
    assert masi(a, c) == dice(a, c) == 0  # a name with another value is something else
    assert masi({1, 2}, {2, 3}) == pytest.approx(1 / 9)
    scores = score_attributes([(a, b), (a, a)], [True, False], [False, False])
    assert (scores.dice, scores.accuracy, scores.unique, scores.length) == (pytest.approx(0.9), 0.5, 0.5, 2.5)
