"""From deep trees to surface trees and to text, on the toy language and on a little one whose function words govern."""

from __future__ import annotations

import copy
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

import plait
from components.quick import PLANS
from plait import InputError, Realizer, Recipe, Sentence
from plait.cli import plait as command
from plait.components.function_words import FunctionWords, templates
from plait.components.function_words.analysis import SILENT, Piece, analyse, read, write
from plait.components.function_words.building import build
from plait.components.function_words.learner import score_decisions
from plait.errors import FormatError
from plait.formats.deep import nodes_alone, to_sentence
from plait.formats.folder import with_deep
from plait.formats.shallow import answered, hide_order, holds_answers
from plait.layers import DeepNode, DeepTree
from toy import written
from toy_deep import spanish, with_content

TRAIN, DEV = with_content(written(200)), with_content(written(40, seed=2))
PARTS = ("function_words", "lifter", "order", "inflector")


def tree_of(sentence: Sentence) -> DeepTree:
    found = sentence.find(DeepTree)
    assert found is not None
    return found


def shape(sentence: Sentence) -> Counter[tuple[str, ...]]:
    """Words, each with what it hangs from, in no order."""
    lemmas = ["", *sentence.lemmas]
    rows = zip(
        sentence.lemmas,
        sentence.upos,
        sentence.xpos,
        sentence.feats,
        sentence.deprels,
        sentence.heads,
        strict=True,
    )
    return Counter((*cells, lemmas[head or 0]) for *cells, head in rows)


@pytest.fixture(scope="module")
def realizer() -> Realizer:
    recipe = Recipe().only(*PARTS).updated({name: PLANS[name] for name in PARTS})
    return Realizer(plait.train(TRAIN, dev=DEV, recipe=recipe))


@pytest.mark.parametrize("sentences", [DEV, spanish(60)])
def test_what_was_taken_apart_is_put_together_again(sentences: list[Sentence]) -> None:
    for sentence in sentences:
        tree = tree_of(sentence)
        found = sentence.copy()
        build(found, tree, analyse(sentence, tree))
        assert shape(found) == shape(sentence)


def test_auxiliaries_and_prepositions_that_govern_stand_above() -> None:
    sentence = next(each for each in spanish(60) if "haber" in each.lemmas and len(each) == 8)
    subject, verb, place = analyse(sentence, tree_of(sentence))
    assert [piece.lemma for piece in read(verb["above"])] == ["haber"]
    assert (verb["relation"], verb["site"]) == ("analyt_perf", "0")
    assert subject["site"] == "1"
    assert [piece.lemma for piece in read(place["above"])] == ["en"]
    assert place["relation"] == "prepos"
    assert [piece.parent for piece in read(verb["+punc"])] == [-1]


def test_a_node_without_a_word_is_not_said() -> None:
    sentence = next(
        each for each in spanish(60) if len(tree_of(each)) > sum(1 for n in tree_of(each) if n.word)
    )
    assert analyse(sentence, tree_of(sentence))[-1] == {"above": SILENT}


def test_function_words_are_learned() -> None:
    component = FunctionWords(bits=14, epochs=8).fit(spanish(200), dev=spanish(60, seed=5))
    assert component.scores_["f1"] > 95
    assert component.scores_["relations"] > 95
    everything = [analyse(sentence, tree_of(sentence)) for sentence in spanish(20)]
    nothing = [[{} for _ in own] for own in everything]
    assert score_decisions(everything, everything)["f1"] == pytest.approx(100)
    assert score_decisions(everything, nothing)["recall"] == 0


def test_deep_trees_are_said(realizer: Realizer) -> None:
    texts = [sentence.text for sentence in realizer.realize(DEV, start="deep")]
    known = {sentence.detokenized() for sentence in TRAIN}
    assert sum(text[0].isupper() and text.endswith(".") for text in texts) >= 0.9 * len(DEV)
    right = [text == sentence.detokenized() for text, sentence in zip(texts, DEV, strict=True)]
    assert sum(right) >= 0.5 * len(DEV)
    assert any(one and text not in known for one, text in zip(right, texts, strict=True))


def test_how_nodes_are_numbered_and_what_words_there_were_makes_no_difference(realizer: Realizer) -> None:
    expected = [sentence.text for sentence in realizer.realize(DEV, start="deep")]
    bare = [to_sentence(tree_of(sentence)) for sentence in DEV]
    for sentence in bare:  # as the tasks give them: no numbers of words
        sentence.feats = [nodes_alone(sentence).nodes[i].grammemes for i in range(len(sentence))]
        sentence.reorder(list(range(len(sentence), 0, -1)))
    assert [sentence.text for sentence in realizer.realize(bare, start="deep")] == expected


def test_a_stage_that_there_is_not_is_named(realizer: Realizer) -> None:
    with pytest.raises(InputError, match="No 'trees' to go by"):
        list(realizer.realize(DEV, start="deep", gold=("trees",)))


def test_a_surface_tree_is_taken_where_there_is_one(realizer: Realizer) -> None:
    taken = [each.text for each in realizer.realize(DEV, start="deep", gold=("tree",))]
    assert taken == [realizer(sentence) for sentence in DEV]
    bare = [to_sentence(tree_of(sentence)) for sentence in DEV]
    with pytest.raises(FormatError, match="no surface tree"):
        list(realizer.realize(bare, start="deep", gold=("tree",)))
    with pytest.raises(InputError, match="taken with the tree"):
        list(realizer.realize(DEV, start="deep", gold=("order",)))


def test_from_the_command_line(realizer: Realizer, tmp_path: Path) -> None:
    realizer.pipeline.save(tmp_path / "m.plait")
    nodes = [to_sentence(tree_of(sentence)) for sentence in DEV]
    plait.write(nodes, tmp_path / "dev.t2.conllu")
    arguments = [
        "realize",
        str(tmp_path / "dev.t2.conllu"),
        "-m",
        str(tmp_path / "m.plait"),
        "--from",
        "deep",
    ]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0
    assert result.output.splitlines() == [each.text for each in realizer.realize(DEV, start="deep")]


def test_it_is_trained_by_its_name_with_a_hyphen(tmp_path: Path) -> None:
    plait.write(
        [to_sentence(tree_of(each)) for each in spanish(40)], tmp_path / "dsynt-train.conll", format="conll09"
    )
    plain = copy.deepcopy(spanish(40))
    for sentence in plain:
        sentence.layers.clear()
    plait.write(plain, tmp_path / "ssynt-train.conll", format="conll09")
    arguments = ["train", str(tmp_path), "-o", str(tmp_path / "m"), "--parts", "function-words,order"]
    arguments += ["--set", "function_words.bits=12", "--set", "order.epochs=1", "--set", "order.bits=12"]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    assert list(plait.load(tmp_path / "m").components) == ["function_words", "order"]


def test_a_root_that_is_not_said_leaves_its_place() -> None:
    tree = DeepTree(
        tuple(DeepNode(0, (), lemma, "X", "_", head, "I") for lemma, head in (("a", 0), ("b", 1), ("c", 1)))
    )
    found = Sentence(forms=[])
    build(found, tree, [{"above": SILENT}, {"relation": "x"}, {"relation": "y"}])
    assert (found.lemmas, found.heads) == (["b", "c"], [0, 1])
    build(found, tree, [{"above": SILENT}] * 3)
    assert found.lemmas == ["a"]


def test_without_deep_trees_there_is_nothing_to_learn() -> None:
    with pytest.raises(InputError, match="no deep trees"):
        FunctionWords().fit(written(5))


@pytest.mark.parametrize(
    "text", ['[["a"]]', '[["a","b","c","d","e",2]]', '[["a","b","c","d","",0]]', "[[1,2,3,4,5,0]]"]
)
def test_damaged_classes_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a function word"):
        read(text)


def test_pieces_as_text() -> None:
    pieces = [Piece("in", "ADP", "IN", "_", "case", 0), Piece("spite", "NOUN", "NN", "_", "fixed", 1)]
    assert read(write(pieces)) == pieces


@pytest.mark.parametrize(
    ("line", "told"), [("N.lema", "lemma"), ("X.lemma", "nobody"), ("felows", "fellows")]
)
def test_faults_of_templates_are_named(line: str, told: str) -> None:
    with pytest.raises(InputError, match=f"2.*{told}"):
        templates.parse(f"bias\n{line}\n", "file")


def test_training_files_of_the_tasks_hold_the_sentence() -> None:
    sentence = written(3)[0]
    hidden = next(hide_order([sentence], seed=5))
    assert not holds_answers(hidden)
    order = list(range(1, len(sentence) + 1))
    shuffled = [2, 1, *order[2:]]
    task = sentence.copy()
    task.forms, task.lemmas = list(sentence.lemmas), list(sentence.forms)
    task.feats = [
        f"original_id={number}" if cell == "_" else f"{cell}|original_id={number}"
        for number, cell in enumerate(sentence.feats, 1)
    ]
    task.reorder(shuffled)
    assert holds_answers(task)
    found = answered(task)
    assert (found.forms, found.lemmas, found.feats) == (sentence.forms, sentence.lemmas, sentence.feats)
    assert (found.heads, found.deprels) == (sentence.heads, sentence.deprels)


def test_t1_is_the_surface_of_t2_where_nothing_else_is() -> None:
    files = [
        Path(name)
        for name in ("a-train.t1.conllu", "a-train.t2.conllu", "b.t1.conllu", "b.t2.conllu", "b.ud.conllu")
    ]
    assert with_deep(files) == [
        (Path("a-train.t1.conllu"), Path("a-train.t2.conllu")),
        (Path("b.ud.conllu"), Path("b.t2.conllu")),
    ]
