"""Questions of those who correct trees: what is given stays, errors are found, examples are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from nets import model_of, neural_of
from plait import Pipeline, Sentence
from plait.drawing.comparison import draw_comparison
from plait.drawing.tikz import draw_tikz
from plait.formats import FORMATS
from plait.server.examples import EXAMPLES
from plait.trees import find_fault, is_projective, tree_of
from serving import TEXT, ask, serving, toy_pipeline

DATA = Path(__file__).parents[1] / "data"
WORDS = ["The", "dog", "saw", "a", "cat", "today", "that", "slept", "."]


def conllu(forms: list[str], heads: dict[int, tuple[int, str]]) -> str:
    rows = [
        f"{number}\t{form}\t_\t_\t_\t_\t{heads[number][0] if number in heads else '_'}"
        f"\t{heads[number][1] if number in heads else '_'}\t_\t_\n"
        for number, form in enumerate(forms, 1)
    ]
    return "".join(rows) + "\n"


def test_given_heads_and_labels_stay_and_the_rest_is_found(server: str) -> None:
    answer = ask(server, "complete", conllu=conllu(WORDS, {6: (5, "mine"), 8: (2, "acl")}), draw=True).json()
    (sentence,) = answer["sentences"]
    heads = [word["head"] for word in sentence["words"]]
    assert (heads[5], heads[7]) == (5, 2)
    assert (sentence["words"][5]["deprel"], sentence["words"][7]["deprel"]) == ("mine", "acl")
    assert find_fault(heads) is None
    assert None not in heads
    assert heads.count(0) == 1
    assert ElementTree.fromstring(sentence["svg"]).tag.endswith("svg")
    free = ask(server, "complete", conllu=conllu(WORDS, {})).json()["sentences"][0]
    assert [word["head"] for word in free["words"]] != heads
    assert free["svg"] is None


def test_it_is_what_the_command_line_keeps(server: str) -> None:
    given_arcs = conllu(WORDS, {6: (5, "nmod")})
    sentence = Sentence(forms=WORDS)
    sentence[6].head, sentence[6].deprel = 5, "nmod"
    (expected,) = toy_pipeline().parse([sentence], keep_heads=True, keep_tags=True)
    (found,) = ask(server, "complete", conllu=given_arcs).json()["sentences"]
    assert [word["head"] for word in found["words"]] == expected.heads
    assert [word["deprel"] for word in found["words"]] == expected.deprels


def test_given_tags_stay(server: str) -> None:
    tagged = conllu(WORDS, {}).replace("2\tdog\t_\t_", "2\tdog\tDOG\tX", 1)
    (found,) = ask(server, "complete", conllu=tagged).json()["sentences"]
    assert (found["words"][1]["upos"], found["words"][1]["lemma"]) == ("X", "DOG")
    assert found["words"][0]["upos"] == "DET"


def test_nets_keep_heads_too() -> None:
    nlp = Pipeline({"tokenizer": toy_pipeline()["tokenizer"], "neural": neural_of(model_of())})
    with serving({"net": nlp}) as url:
        assert httpx2.get(f"{url}/api/about").json()["models"][0]["keeps_heads"]
        answer = ask(url, "complete", conllu=conllu(WORDS, {6: (5, "mine")})).json()
        word = answer["sentences"][0]["words"][5]
        assert (word["head"], word["deprel"]) == (5, "mine")


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (
            {"conllu": conllu(WORDS, {1: (2, "a"), 2: (1, "b")})},
            "data:1: the given heads: the heads form a cycle",
        ),
        ({"conllu": conllu(WORDS, {1: (12, "a")})}, "data:1"),
        ({"conllu": "1\ta\n\n"}, "data:1"),
        ({"conllu": ""}, "conllu"),
        ({"conllu": conllu(["w"] * 1001, {})}, "1,000 words"),
        ({"conllu": conllu(WORDS, {}), "model": "no"}, "No model 'no'"),
    ],
)
def test_what_cannot_be_completed(server: str, question: Any, message: str) -> None:
    answer = ask(server, "complete", **question)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


@settings(max_examples=60)
@given(st.dictionaries(st.integers(1, 9), st.integers(0, 9), max_size=9))
def test_any_given_heads_are_kept_or_refused(server: str, heads: dict[int, int]) -> None:
    answer = ask(
        server, "complete", conllu=conllu(WORDS, {word: (head, "x") for word, head in heads.items()})
    )
    if find_fault([heads.get(word, 0) for word in range(1, 10)]):
        assert answer.status_code == 400
        return
    words = answer.json()["sentences"][0]["words"]
    assert all(words[word - 1]["head"] == head for word, head in heads.items())
    assert find_fault([word["head"] for word in words]) is None


def test_errors_of_a_model_beside_gold_trees(server: str) -> None:
    parsed = toy_pipeline()(TEXT)
    same = ask(server, "compare", conllu=parsed.conllu, draw=True).json()
    assert same["model"] == "toy-written-1.0"
    assert same["words"] == same["heads_right"] == same["labels_right"] == sum(map(len, parsed))
    gold = parsed[0].copy()
    gold[1].head, gold[4].deprel = 3, "mine"
    found = ask(server, "compare", conllu=FORMATS["conllu"].render(gold), draw=True, width=700).json()
    (sentence,) = found["sentences"]
    assert [each for each in sentence["verdicts"] if each != "same"] == ["other head", "other label"]
    assert (found["words"], found["heads_right"], found["labels_right"]) == (7, 6, 5)
    assert sentence["svg"] == draw_comparison(gold, parsed[0], width=700)
    assert sentence["conllu"] == FORMATS["conllu"].render(parsed[0])


def test_two_trees_beside_each_other_without_a_model(server: str) -> None:
    gold, system = (
        conllu(["a", "b"], {1: (0, "root"), 2: (1, "x")}),
        conllu(["a", "b"], {1: (2, "x"), 2: (0, "root")}),
    )
    found = ask(server, "compare", conllu=gold, system=system).json()
    assert (found["model"], found["heads_right"], found["sentences"][0]["svg"]) == ("", 0, None)
    more = ask(server, "compare", conllu=gold, system=system + system)
    assert "have 1 sentences and the system's 2" in more.json()["error"]
    other = ask(server, "compare", conllu=gold, system=system.replace("\tb\t", "\tc\t"))
    assert other.status_code == 400
    assert "sentence 1: word 2 is 'b'" in other.json()["error"]


def test_gold_heads_that_are_no_tree_are_compared_and_not_drawn(server: str) -> None:
    gold = conllu(WORDS, {1: (1, "x")})
    found = ask(server, "compare", conllu=gold, draw=True).json()
    assert found["sentences"][0]["svg"] is None
    assert (found["words"], found["heads_right"]) == (1, 0)


def test_a_tree_for_latex(server: str) -> None:
    parsed = toy_pipeline()(TEXT)
    one, two = (FORMATS["conllu"].render(each) for each in parsed)
    assert ask(server, "tikz", conllu=one).json() == {"tikz": draw_tikz(parsed[0])}
    assert ask(server, "tikz", conllu=one, against=one).json() == {
        "tikz": draw_tikz(parsed[0], against=parsed[0])
    }
    assert "one sentence" in ask(server, "tikz", conllu=one + two).json()["error"]
    assert "different words" in ask(server, "tikz", conllu=one, against=two).json()["error"]
    long = conllu(["w"] * 251, {1: (0, "root")})
    assert "up to 250 can be shown" in ask(server, "tikz", conllu=long).json()["error"]


def test_all_words_in_one_row(server: str) -> None:
    text = "The dog saw a cat that heard a bird that saw a fish that slept."

    def width(asked: int) -> int:
        svg = ask(server, "parse", text=text, draw=True, width=asked).json()["sentences"][0]["svg"]
        return int(ElementTree.fromstring(svg).attrib["width"])

    assert width(300) <= 400
    assert width(0) > 600


def test_the_model_gets_the_examples_right() -> None:
    nlp = plait.load("en")
    gold = list(plait.read(DATA / "page-examples.conllu"))
    assert [each.text for each in gold] == list(EXAMPLES)
    crossing = 0
    for tree in gold:
        (found,) = nlp(tree.text)
        assert (found.forms, found.heads, found.deprels) == (tree.forms, tree.heads, tree.deprels)
        crossing += not is_projective(tree_of(tree))
    assert crossing == sum(shows != "no arcs cross" for shows in EXAMPLES.values()) == 8
