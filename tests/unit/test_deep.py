"""Deep-syntactic trees: governors, learning, rules, scores, files."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plait
from conftest import Result
from plait import InputError
from plait.components.deep import Deep, rules
from plait.components.deep.governors import Governors, learn_leading
from plait.errors import FormatError
from plait.evaluation.deep import score_deep
from plait.formats.deep import to_sentence, to_tree, with_deep_trees
from plait.layers import DeepNode, DeepTree
from strategies import trees
from toy_deep import save_pairs, spanish

Command = Callable[..., Result]
LEADING = ("analyt_perf", "prepos")


def deep_trees(sentences: plait.Treebank) -> list[DeepTree]:
    return [tree for sentence in sentences if (tree := sentence.find(DeepTree))]


def test_what_hangs_from_an_auxiliary_goes_to_its_verb() -> None:
    """Juan ha comido en casa: `ha` is the root, and `en` a preposition that goes."""
    relations = ["subj", "ROOT", "analyt_perf", "adv", "prepos"]
    found = Governors([2, 0, 2, 3, 4], relations, {1, 3, 5}, LEADING)
    assert [found.of(word) for word in (1, 3, 5)] == [3, 0, 3]
    assert (found.owner(2), found.owner(4)) == (3, 5)
    assert found.passed(5) == [4]


def test_without_such_relations_governors_are_the_nearest_ancestors_that_are_left() -> None:
    found = Governors([2, 0, 2, 3, 4], ["x"] * 5, {1, 3, 5}, ())
    assert [found.of(word) for word in (1, 3, 5)] == [0, 0, 3]


@given(trees(), st.data())
def test_governors_always_make_a_tree(heads: list[int], data: st.DataObject) -> None:
    size = len(heads)
    kept = data.draw(st.sets(st.integers(1, size), min_size=1)) if size else set()
    relations = data.draw(st.lists(st.sampled_from("abc"), min_size=size, max_size=size))
    found = Governors(heads, relations, kept, data.draw(st.sets(st.sampled_from("abc"))))
    for start in kept:
        word, steps = start, 0
        while word:
            word, steps = found.of(word), steps + 1
            assert word == 0 or word in kept
            assert steps <= size


def test_which_relations_lead_down_is_learned() -> None:
    sentences = spanish(60)
    pairs = zip(sentences, deep_trees(sentences), strict=True)
    found = learn_leading(([head or 0 for head in s.heads], s.deprels, tree) for s, tree in pairs)
    assert "analyt_perf" in found
    assert "subj" not in found


def test_it_learns_the_little_treebank() -> None:
    train, dev = spanish(80), spanish(40, seed=2)
    component = Deep(rules="spanish", bits=14, epochs=4).fit(train, dev=dev)
    found = component.apply(dev)
    assert deep_trees(found) == deep_trees(dev)
    assert component.scores_["lap"] == 100


def test_grammemes_are_learned_where_rules_do_not_know_them() -> None:
    train, dev = spanish(200), spanish(40, seed=2)
    # These rules are for other treebanks.
    told = [
        Deep(rules="ud", bits=14, epochs=6, grammemes=how).fit(train, dev=dev) for how in ("rules", "learned")
    ]
    assert told[0].scores_["grammemes"] < 50
    assert told[1].scores_["grammemes"] > 99
    loaded = copy.deepcopy(told[1])
    assert deep_trees(loaded.apply(dev)) == deep_trees(told[1].apply(dev))


def test_the_baseline_learns_nothing_but_what_takes_the_place_of_what() -> None:
    component = Deep(method="rules", rules="spanish").fit(spanish(40))
    found = component.apply(spanish(5, seed=3))
    kept = {node.lemma for tree in deep_trees(found) for node in tree}
    assert "en" in kept  # prepositions that may be governed are kept
    assert "." not in kept
    assert "haber" not in kept


def test_scores_by_hand() -> None:
    gold = DeepTree(
        (
            DeepNode(1, (1,), "a", "N", "_", 2, "I"),
            DeepNode(2, (2,), "b", "V", "x=1", 0, "ROOT"),
            DeepNode(4, (3, 4), "c", "N", "_", 2, "II"),
            DeepNode(0, (), "d", "N", "_", 3, "I", 4),
        )
    )
    found = DeepTree(
        (
            DeepNode(1, (1,), "a", "N", "_", 2, "II"),  # governor right, relation wrong
            DeepNode(2, (2,), "b", "V", "x=2", 0, "ROOT"),
            DeepNode(3, (3,), "e", "N", "_", 2, "II"),  # no node
        )
    )
    scores = score_deep([gold], [found]).as_dict()
    assert scores["hypernode_f1"] == pytest.approx(100 * 2 / 3)
    assert (scores["uap"], scores["uar"]) == (pytest.approx(200 / 3), pytest.approx(200 / 3))
    assert (scores["lap"], scores["la_r"]) == (pytest.approx(100 / 3), pytest.approx(100 / 3))
    assert (scores["added_recall"], scores["grammeme_f1"]) == (0, 0)
    with pytest.raises(InputError, match="1 gold deep trees, but 2"):
        score_deep([gold], [found, found])


def test_files_keep_everything(tmp_path: Path) -> None:
    sentences = spanish(20)
    before = deep_trees(sentences)
    assert [to_tree(to_sentence(tree)) for tree in before] == before
    for name in ("a.jsonl", "a.deep"):
        plait.write(sentences, tmp_path / name)
    again = plait.read(tmp_path / "a.jsonl")
    assert deep_trees(again) == before
    assert [to_tree(sentence) for sentence in plait.read(tmp_path / "a.deep", format="deep")] == before
    with pytest.raises(InputError, match="has no deep tree"):
        plait.write([plait.Sentence(forms=["x"])], tmp_path / "b.deep")


def test_dropped_subjects_of_the_shared_tasks_are_named_after_their_heads() -> None:
    nodes = plait.Sentence(
        forms=["read", "_"],
        feats=["id1=7|original_id=3", "id1=557616600|Person=3"],
        heads=[0, 1],
        deprels=["ROOT", "A1"],
    )
    verb, subject = to_tree(nodes)
    assert (verb.word, verb.words, subject.word, subject.host) == (3, (3,), 0, 3)
    assert (subject.grammemes, subject.relation) == ("Person=3", "A1")


def test_pairs_that_do_not_go_together() -> None:
    sentences = spanish(2)
    deep = [to_sentence(tree) for tree in deep_trees(sentences)]
    with pytest.raises(FormatError, match=r"d.conll: there are 1 deep trees for 2 sentences"):
        list(with_deep_trees(sentences, deep[:1], "d.conll"))
    deep[1].feats[0] = "id0=99"
    with pytest.raises(FormatError, match="sentence 2: this is no deep tree of a sentence of"):
        list(with_deep_trees(sentences, deep, "d.conll"))
    deep[1].feats[0] = "_"
    with pytest.raises(FormatError, match="node 1 has no id0"):
        list(with_deep_trees(sentences, deep, "d.conll"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules = 1", "unknown entry 'rules'"),
        ("[[rule]]\nnode = 'I'", "without saying what it is called"),
        ("[[rule]]\nlemma = '{lemma.__class__}'", "no pattern"),
        ("[[rule]]\nlemma = '{'", "no pattern"),
        ("copied = 3", "copied is 3"),
        ("copied = [", "Invalid"),
    ],
)
def test_rule_files_that_are_none(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        rules.load(str(tmp_path / "r.toml"))


def test_the_command_line(plait_command: Command, tmp_path: Path) -> None:
    save_pairs(tmp_path, {"train": 60, "dev": 30})
    done = plait_command(
        "train", tmp_path, "-o", tmp_path / "m", "--components", "deep", "--set", "deep.bits=14"
    )
    assert done.status == 0, done.err
    done = plait_command(
        "deep", "-m", tmp_path / "m", tmp_path / "ssynt-dev.conll", "-o", tmp_path / "out.conll"
    )
    assert done.status == 0, done.err
    done = plait_command("evaluate", "--deep", "--json", tmp_path / "dsynt-dev.conll", tmp_path / "out.conll")
    scores = json.loads(done.out)
    assert {"hypernode_f1", "uap", "uar", "lap", "lar", "la_p", "la_r"} <= scores.keys()
    assert scores["lap"] == 100
    done = plait_command("evaluate", "--deep", tmp_path / "ssynt-dev.conll", tmp_path / "out.conll")
    assert done.status == 2
    assert "ssynt-dev.conll:1" in done.err
    assert "has no id0" in done.err


def test_a_folder_of_pairs_gives_the_whole_way_from_words(plait_command: Command, tmp_path: Path) -> None:
    save_pairs(tmp_path, {"train": 60, "dev": 20})
    few = [part for each in ("tagger.epochs=2", "epochs=2", "bits=14", "beam=1") for part in ("--set", each)]
    done = plait_command(
        "train", tmp_path, "-o", tmp_path / "m", "--set", "deep.bits=14", "--folds", "2", *few
    )
    assert done.status == 0, done.err
    assert list(plait.load(tmp_path / "m").components)[-1] == "deep"
    words = tmp_path / "words.txt"
    words.write_text("el perro ha comido en la casa .\n")
    done = plait_command("parse", "-m", tmp_path / "m", "--tokenized", "--deep", words)
    assert done.status == 0, done.err
    assert [line.split("\t")[2] for line in done.out.splitlines() if line] == ["perro", "comer", "casa"]
    drawn = ("parse", "-m", tmp_path / "m", "--tokenized", "--deep", words)
    assert "ha comido" in plait_command(*drawn, "--to", "tree").out
    done = plait_command(*drawn, "-o", tmp_path / "tree.svg")
    assert done.out == f"{tmp_path / 'tree.svg'}: 3 nodes\n"
    assert "deep-syntactic tree" in (tmp_path / "tree.svg").read_text()


def test_models_without_deep_trees_say_so(plait_command: Command, tmp_path: Path) -> None:
    save_pairs(tmp_path, {"train": 2})
    done = plait_command("deep", "-m", "en", tmp_path / "ssynt-train.conll")
    assert done.status == 2
    assert "makes no deep trees" in done.err
