"""Predicates, senses and roles: what the paper and its spec say, and the component on a toy language."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import plait
from plait import InputError, Sentence, _core
from plait.components.roles import RoleLabeler, templates
from plait.components.roles.encoding import Proposed
from plait.components.roles.frame_list import FrameList
from plait.components.roles.model import Model, Setup
from plait.components.roles.options import ORDERS, RoleOptions
from plait.components.roles.senses import Senses
from plait.errors import FormatError
from plait.evaluation import evaluate
from plait.layers import Argument, Frame, Frames
from plait.learning.weights import PackedWeights
from toy import framed, written

SMALL = {"bits": 14, "small_bits": 12, "epochs": 4, "folds": 2, "fold_epochs": 2, "margin": 1.0, "rerank": 4}
TRAIN, DEV = framed(written(120)), framed(written(40, seed=2))
HOUSE = np.array([2, 0, 4, 2], np.int32)  # She bought a house
FAMILY = ("self", "parent", "child", "ancestor", "descendant", "other")


@pytest.fixture(scope="module")
def labeler() -> RoleLabeler:
    return RoleLabeler(**SMALL).fit(TRAIN, dev=DEV)


@pytest.mark.parametrize(("between", "bin"), [(0, 0), (1, 1), (5, 5), (6, 6), (10, 6), (11, 11), (40, 11)])
def test_distances_are_binned_as_in_the_paper(between: int, bin: int) -> None:
    heads = np.zeros(50, np.int32)
    assert _core.role_sights(heads, 1, between + 2)[3] == bin


@pytest.mark.parametrize(
    ("argument", "length", "family", "direction"),
    [(1, 1, "child", -1), (3, 2, "descendant", 1), (2, 0, "self", 0)],
)
def test_paths_of_the_paper(argument: int, length: int, family: str, direction: int) -> None:
    found = _core.role_sights(HOUSE, 2, argument)
    assert (found[0], FAMILY[found[1]], found[2]) == (length, family, direction)


def test_paths_run_through_the_lowest_common_ancestor() -> None:
    # 1 <- 2 -> 3, 3 -> 4: from 1 to 4 three steps, neither above nor below.
    assert _core.role_sights(np.array([2, 0, 2, 3], np.int32), 4, 1)[:2] == (3, FAMILY.index("other"))
    assert _core.role_sights(np.array([2, 0, 2, 3], np.int32), 4, 2)[1] == FAMILY.index("ancestor")


def test_macro_f1_of_the_papers_table() -> None:
    from plait.evaluation.roles import macro_f1

    table = {
        "ca": (86.35, 74.53, 80.44),
        "zh": (76.51, 75.29, 75.91),
        "cs": (80.11, 79.02, 79.57),
        "en": (89.88, 80.39, 85.14),
        "de": (87.48, 75.72, 81.60),
        "ja": (92.21, 72.76, 82.51),
        "es": (87.19, 74.31, 80.75),
    }
    for las, semantic, macro in table.values():
        assert macro_f1(las, semantic, semantic) == pytest.approx(macro, abs=0.2)


def small_search(beam: int, words: int, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All sets of roles of a predicate with so many words, by a beam."""
    options = RoleOptions(bits=10, small_bits=10, beam=beam, margin=1.0)
    setup = Setup(options, templates.load("default"), ["A0", "A1", "AM"], [0, 1], Senses({}, 1))
    model = Model(setup, {"roles": PackedWeights.exact(weights)})
    sentence = Sentence(
        forms=list("pabcd")[: words + 1], heads=[0, *[1] * words], deprels=["root", *["x"] * words]
    )
    proposed = Proposed(
        np.array([0, 1]),
        np.array([1], np.int32),
        np.zeros(1, np.uint32),
        np.array([0, words]),
        np.arange(2, words + 2, dtype=np.int32),
        np.zeros(words, np.int32),
    )
    batch = proposed.batch(setup.encode([sentence]), setup.label)
    bounds, roles, scores = _core.find_roles(model._core["roles"], setup.model, batch, 10_000)
    assert bounds.tolist() == [0, len(scores)]
    return roles.reshape(-1, words), scores


@pytest.mark.parametrize("words", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_a_wide_beam_is_exhaustive_and_no_core_role_stands_twice(words: int, seed: int) -> None:
    weights = np.random.default_rng(seed).normal(size=(1 << 10) + 4).astype(np.float32)
    roles, scores = small_search(4096, words, weights)
    allowed = {
        each for each in product(range(4), repeat=words) if all(each.count(core) <= 1 for core in (1, 2))
    }
    assert set(map(tuple, roles.tolist())) == allowed
    assert len(roles) == len(allowed)
    assert (np.diff(scores) <= 0).all()
    narrow, narrow_scores = small_search(64, words, weights)
    assert narrow_scores[0] <= scores[0]
    if len(allowed) <= 64:
        assert narrow[0].tolist() == roles[0].tolist()


def test_it_learns_the_toy_language(labeler: RoleLabeler) -> None:
    scores = evaluate(DEV, labeler.apply(DEV)).roles
    assert scores is not None
    assert scores.semantic_f1 > 99
    assert scores.predicate_f1 == 100
    bare = [sentence.copy() for sentence in DEV]
    for sentence in bare:
        sentence.take(Frames)
    assert [s.frames[0].sense for s in labeler.apply(bare)] == [s.frames[0].sense for s in labeler.apply(DEV)]


@pytest.mark.parametrize(
    "options",
    [
        {"order": ORDERS[0]},
        {"order": ORDERS[0], "features": "roles-2009", "margin": 0.0, "rerank": 0},
        {"margin": 0.0},
    ],
)
def test_other_recipes_learn_too(options: dict[str, object], tmp_path: Path) -> None:
    labeler = RoleLabeler(**(SMALL | options)).fit(TRAIN)
    scores = evaluate(DEV, labeler.apply(DEV)).roles
    assert scores is not None
    assert scores.semantic_f1 > 95
    labeler.save(tmp_path / "m")
    again = RoleLabeler.load(tmp_path / "m").apply(DEV)
    assert [s.find(Frames) for s in again] == [s.find(Frames) for s in labeler.apply(DEV)]


def test_given_predicates_stay(labeler: RoleLabeler) -> None:
    sentence = DEV[0].copy()
    sentence.put(Frames((Frame(2, "_"),)))
    (found,) = labeler.apply([sentence], keep_predicates=True)
    assert [frame.predicate.id for frame in found.frames] == [2]
    assert found.frames[0].sense.endswith(".01")


def test_frame_lists_tell_what_roles_mean(tmp_path: Path) -> None:
    path = tmp_path / "frames.tsv"
    path.write_text(
        "roleset\tname\taliases\troles\nsee.01\tview\tv:see\tA0=viewer | A1=thing viewed\n"
        "chirp.07\tsing\tv:dog,n:dog\tA0=singer\n"
    )
    labeler = RoleLabeler(**SMALL, frames=str(path)).fit(TRAIN)
    labeler.save(tmp_path / "m")
    loaded = RoleLabeler.load(tmp_path / "m")
    found = [frame for sentence in loaded.apply(DEV) for frame in sentence.frames if frame.sense == "see.01"]
    assert found[0].meaning == "view"
    assert {each.meaning for each in found[0].arguments if each.role == "A0"} == {"viewer"}
    # A lemma that was never a predicate has the sense that the list has for it.
    sentence = next(each for each in DEV if "dog" in each.lemmas).copy()
    word = sentence.lemmas.index("dog") + 1
    sentence.put(Frames((Frame(word, "_"),)))
    (found_sentence,) = loaded.apply([sentence], keep_predicates=True)
    assert found_sentence.frames[0].sense == "chirp.07"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n", "1.*four columns"),
        ("a.01\tb\tv:a\tA0=x\na.01\tb\tv:a\tA0=x\n", "2.*twice"),
        ("", "no frames"),
    ],
)
def test_bad_frame_lists(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "frames.tsv").write_text(text)
    with pytest.raises(FormatError, match=message):
        FrameList.read(str(tmp_path / "frames.tsv"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p.lemma\n", "1.*brackets"),
        ("[argument]\np.lemma\n", "1.*Did you mean 'arguments'"),
        ("[arguments]\np.lema\n", "2.*lema.*'lemma'"),
        ("[predicates]\na.lemma\n", "2.*no 'a' in the step 'predicates'"),
        ("[arguments]\nprevious\n", "2.*nothing is known"),
        ("[arguments]\np.uncle.lemma\n", "2.*no relative 'uncle'"),
        ("[arguments]\np.lmc.lmc.lmc.lmc.lemma\n", "2.*most"),
        ("[arguments]\np.lemma\n", "no templates for the step 'predicates'"),
    ],
)
def test_bad_templates_name_their_line(text: str, message: str) -> None:
    whole = (
        text
        if "no templates" in message
        else text + "".join(f"[{step}]\np.lemma\n" for step in templates.STEPS)
    )
    with pytest.raises(FormatError, match=message):
        templates.parse(whole)


def test_a_treebank_without_frames_is_refused() -> None:
    with pytest.raises(InputError, match="no predicates with arguments"):
        RoleLabeler(**SMALL).fit(written(5))
    marked = [DEV[0].copy()]
    marked[0].put(Frames((Frame(1, "_", (Argument(2, "A0"),)),)))
    with pytest.raises(InputError, match="no sense to learn"):
        RoleLabeler(**SMALL).fit(marked)


def test_a_sentence_without_a_tree_is_not_learned_from_but_annotated(labeler: RoleLabeler) -> None:
    bare = Sentence(forms=["a", "saw"], comments=["# sent_id = s7"])
    bare.put(Frames((Frame(2, "see.01", (Argument(1, "A0"),)),)))
    with pytest.raises(FormatError, match=r"s7.*roles are learned from trees"):
        RoleLabeler(**SMALL).fit([bare])
    assert labeler.apply([bare])[0].find(Frames) is not None
    circle = Sentence(forms=["a", "b"], heads=[2, 1], deprels=["x", "x"])
    assert labeler.apply([circle])[0].find(Frames) is not None


def test_frames_in_the_sentence() -> None:
    sentence = Sentence(
        forms=["A", "hearing", "is", "scheduled", "on", "the", "issue", "today"],
        heads=[2, 4, 4, 0, 7, 7, 2, 4],
        deprels=["det", "nsubj:pass", "aux", "root", "case", "det", "nmod", "obl"],
    )
    sentence.put(Frames((Frame(4, "schedule.01", (Argument(2, "A1", "event"), Argument(8, "AM-TMP"))),)))
    (frame,) = sentence.frames
    assert frame.predicate.form == "scheduled"
    first = frame.arguments[0]
    assert (first.role, first.word.form, first.span) == ("A1", "hearing", (1, 2, 5, 6, 7))
    assert first.segments == [(1, 2), (5, 7)]
    assert first.text == "A hearing … on the issue"
    assert first.meaning == "event"
    drawing = sentence.draw()
    assert "schedule.01  [A1 A hearing] is [V scheduled] […A1 on the issue] [AM-TMP today]" in str(drawing)
    assert drawing.svg.count('class="ink role-1"') == 2


def test_scores_count_senses_and_arguments() -> None:
    def made(*frames: Frame) -> list[Sentence]:
        sentence = Sentence(forms=["a", "b", "c"], heads=[2, 0, 2], deprels=["x", "root", "aux"])
        sentence.put(Frames(frames))
        return [sentence]

    gold = made(Frame(2, "see.01", (Argument(1, "A0"), Argument(3, "A1"))), Frame(3, "be.03"))
    system = made(Frame(1, "x.01"), Frame(2, "look.01", (Argument(1, "A0"), Argument(3, "A2"))))
    scores = evaluate(gold, system).roles
    assert scores is not None
    # Right: the sense by its number, and one argument; of 4 gold and 4 system ones.
    assert (scores.semantic_f1, scores.semantic_unlabeled_f1) == (50, 75)
    assert scores.predicate_f1 == 50
    assert (scores.sense_accuracy, scores.roleset_accuracy) == (100, 0)
    assert scores.metrics["semantic_content"].gold == 3
    assert scores.macro_f1 == 75
    assert scores.confusions()[("A1", "A2")] == 1
    assert scores.by_role()["A0"].f1 == 100


def test_compare_by_roles() -> None:
    pytest.importorskip("scipy")
    worse = [sentence.copy() for sentence in DEV]
    for sentence in worse:
        sentence.put(Frames(tuple(Frame(f.predicate, f.sense) for f in sentence.find(Frames) or ())))
    result = plait.compare(DEV, worse, DEV, metric="semantic", samples=200)
    assert result.b == 100
    assert result.a < 60
    assert result.bootstrap.p < 0.05
    assert result.mcnemar.only_a == 0
