"""A parser that sees the tree of another one: what its templates tell apart, and what it asks for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plait import FormatError, GraphParser, InputError, Sentence, TransitionParser, Treebank, evaluate
from plait.features.compiler import compile_templates
from plait.features.templates import Atom, load, parse
from plait.layers import GuideTree
from toy import guided_by, quick_parser, toy


def sentence(heads: list[int], labels: str) -> Sentence:
    size = len(heads)
    return Sentence(forms=["w"] * size, upos=list("XYZ"[:size]), heads=list(heads), deprels=labels.split())


def learn(
    features: str, gold: list[Sentence], guides: list[Sentence], folder: Path, **options: object
) -> bool:
    """Whether a parser with these templates comes to tell the sentences apart."""
    path = folder / "features.txt"
    path.write_text(features)
    known = {"oracle": "eager", "explore": 0.0, "epochs": 30, "patience": 30, "guided": True}
    parser = quick_parser(features=str(path), **(known | options))
    lessons = guided_by(guides, Treebank(gold))
    parsed = parser.fit(lessons, dev=lessons).apply(guided_by(guides))
    return [(found.heads, found.deprels) for found in parsed] == [(each.heads, each.deprels) for each in gold]


# All words look the same: only the guide's tree tells which one is the head, or what the label is.
RIGHT, LEFT = sentence([0, 1], "root x"), sentence([2, 0], "x root")
OTHER = sentence([0, 1], "root y")


@pytest.mark.parametrize(
    ("features", "tells"),
    [
        ("S1~S0.guided", True),
        ("S0.guide.side S1.guide.side", True),
        ("S0.guide.deprel", True),
        ("S0.guide.upos", True),  # of the root, or of a word
        ("S1~S0.distance S0~B0.guided", False),
    ],
)
def test_what_tells_the_direction_of_an_arc(features: str, tells: bool, tmp_path: Path) -> None:
    assert learn(f"{features}\nbias\n", [RIGHT, LEFT], [RIGHT, LEFT], tmp_path) is tells


@pytest.mark.parametrize(
    ("features", "tells"),
    [
        ("S0.guide.deprel", True),
        ("S1.guide.deprel", False),
        ("S1~S0.guided", False),
        ("S0.guide.side", False),
    ],
)
def test_what_tells_a_label(features: str, tells: bool, tmp_path: Path) -> None:
    assert learn(f"{features}\nB0.form\nbias\n", [RIGHT, OTHER], [RIGHT, OTHER], tmp_path) is tells


def test_dependents_in_the_buffer_can_be_waited_for(tmp_path: Path) -> None:
    """Whether the second word goes to the first at once, or first gets the third as its own."""
    flat, deep = sentence([0, 1, 1], "root x x"), sentence([0, 1, 2], "root x x")
    known = "S1~S0.distance S0~B0.distance\nbias\n"
    for features, tells in ("S0.guide.waiting", True), ("S0~B0.guided", True), ("S1~S0.guided", False):
        assert learn(known + features, [flat, deep], [flat, deep], tmp_path) is tells


def test_the_gold_tree_is_not_seen(tmp_path: Path) -> None:
    """The guide says the same of both, so they cannot be told apart."""
    assert not learn("S1~S0.guided\nS0.guide.deprel\nbias\n", [RIGHT, LEFT], [RIGHT, RIGHT], tmp_path)
    # What the guide gets wrong in one way can be put right.
    assert learn("S1~S0.guided\nbias\n", [RIGHT, LEFT], [LEFT, RIGHT], tmp_path)


def test_templates_of_a_guide() -> None:
    found = parse("S0.guide.upos S0.guide.deprel\nS1~S0.guided\nB0.guide.side S0.guide.waiting")
    assert found.lines[0] == (Atom("S0.guide", "upos"), Atom("S0", "guide.deprel"))
    assert found.lines[1] == (Atom("S1", "guided", "S0"),)
    assert found.lines[2] == (Atom("B0", "guide.side"), Atom("S0", "guide.waiting"))
    assert found.columns == ["guide.head", "upos", "guide.deprel"]
    assert found.is_guided
    assert not parse("S0.upos S1.deprel").is_guided
    with pytest.raises(FormatError, match=r"no attribute 'guided'"):
        parse("S0.guided")


@pytest.mark.parametrize("system", ["swap", "standard", "eager", "spine", "spine-swap"])
def test_templates_are_added_for_a_guided_parser(system: str) -> None:
    name = {"eager": "eager", "spine": "spine", "spine-swap": "spine"}.get(system, "swap")
    plain, more = load(name, system=system), load(name, system=system, guided=True)
    assert more.lines[: len(plain.lines)] == plain.lines
    assert more.is_guided
    assert len(compile_templates(more)) == len(more.lines)


@pytest.mark.parametrize("system", ["swap", "eager", "spine"])
@pytest.mark.parametrize("beam", [1, 4])
def test_a_parser_learns_from_its_guide(system: str, beam: int, tmp_path: Path) -> None:
    crossing = system == "swap"
    train, dev = (guided_by(toy(size, seed, crossing=crossing)) for size, seed in ((40, 1), (20, 2)))
    parser = quick_parser(system=system, beam=beam, guided=True, epochs=3)
    parser.fit(train, dev=dev)
    parsed = parser.apply(dev)
    parser.save(tmp_path / "model")
    again = TransitionParser.load(tmp_path / "model")
    assert again.options.guided
    assert list(again.apply(dev, threads=2)) == list(parsed)
    assert list(again.trace(dev[0]).state.heads[1:]) == parsed[0].heads
    assert "guide.deprel" in again.columns_
    assert parser.compact(dev) <= 0.1


def test_a_graph_based_parser_learns_from_its_guide(tmp_path: Path) -> None:
    train, dev = toy(40), toy(20, seed=2)
    for sentence in [*train, *dev]:
        sentence.upos = sentence.xpos = ["X"] * len(sentence)
        sentence.forms = ["word"] * len(sentence)
    train, dev = guided_by(train), guided_by(dev)
    plain = GraphParser(epochs=3, bits=16).fit(train, dev=dev)
    guided = GraphParser(epochs=3, bits=16, guided=True).fit(train, dev=dev)
    assert guided.scores_["las"] == 100 > plain.scores_["las"]
    guided.save(tmp_path / "model")
    again = GraphParser.load(tmp_path / "model")
    assert list(again.apply(dev, threads=2)) == list(guided.apply(dev))
    with pytest.raises(FormatError, match="looks at the tree of a guide, and there is none"):
        again.apply([Sentence(forms=["word"])])


@pytest.mark.parametrize("kind", [quick_parser, GraphParser], ids=["transition", "graph"])
def test_the_dev_set_is_judged_by_what_its_guide_says(
    kind: Callable[..., TransitionParser | GraphParser],
) -> None:
    """Whoever follows a guide is wrong where the guide is wrong; the gold trees of the dev set help nobody."""
    train, dev = toy(40), toy(20, seed=2)
    for each in (*train, *dev):
        each.forms, each.upos, each.xpos = (["w"] * len(each) for _ in range(3))
    misled = [each.copy() for each in dev]
    for each in misled:
        each.heads = [2, 0, *[2] * (len(each) - 2)]
    parser = kind(bits=16, epochs=3, guided=True).fit(guided_by(train), dev=guided_by(misled, dev))
    assert parser.scores_["las"] == pytest.approx(evaluate(dev, parser.apply(guided_by(misled))).las)
    assert parser.scores_["las"] < evaluate(dev, parser.apply(guided_by(dev))).las


def test_what_a_guided_parser_needs() -> None:
    train = toy(10)
    parser = quick_parser(guided=True, epochs=1)
    none = "the parser looks at the tree of a guide, and there is none"
    with pytest.raises(FormatError, match=rf"toy1.conllu.* \(sent_id toy-1\): {none}"):
        parser.fit(train)
    with pytest.raises(FormatError, match=rf"toy2.conllu.* \(sent_id toy-1\): {none}"):
        parser.fit(guided_by(train), dev=toy(3, seed=2))
    wrong = guided_by(train)
    wrong[3].put(GuideTree([0], ["root"]))
    for graph_too in parser, GraphParser(guided=True):
        with pytest.raises(
            FormatError, match=r"sent_id toy-4\): the tree of the guide is not one of this sentence"
        ):
            graph_too.fit(wrong)
    with pytest.raises(InputError, match="guided must be true or false, not 'maybe'"):
        quick_parser(guided="maybe")
    parser.fit(guided_by(train))
    bare = Sentence(forms=["dog"], comments=["# sent_id = 7"], line=3)
    with pytest.raises(FormatError, match=rf"3 \(sent_id 7\): {none}"):
        parser.apply([bare])
    with pytest.raises(InputError, match="cannot keep given heads: it is guided"):
        parser.apply(train, keep_heads=True)


def test_templates_that_look_at_a_guide_need_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("S0.guide.side\n")
    with pytest.raises(InputError, match=r"mine.txt: the templates look at a guide's tree"):
        quick_parser(features=str(path)).fit(Treebank([RIGHT]))
