"""Aspects of reviews: files, scores, recipes, the command line. All reviews here are our own."""

from __future__ import annotations

import json
import lzma
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import plait
from plait import FormatError, InputError, Pipeline, Sentence
from plait.cli.aspects import aspects
from plait.cli.evaluate import evaluate
from plait.components.aspects import AspectFinder
from plait.components.aspects.lexicon import Lexicon, from_folder, packaged
from plait.components.aspects.paper import candidates, clause_opinion
from plait.components.aspects.sight import Sight
from plait.components.aspects.wordnet import WordNet, prominent
from plait.drawing.aspects import lines_of
from plait.errors import OutputError
from plait.evaluation.aspects import score_aspects
from plait.formats.semeval import Review, Span, aspects_of, read_reviews, review_of, write_reviews
from plait.layers import AspectCategory, Aspects, AspectTerm
from plait.learning.request import Request
from plait.pipeline.reviews import find_aspects, lessons_of
from plait.sentence import find_places

CAFE = Path(__file__).resolve().parents[2] / "docs" / "reviews" / "cafe.xml"


@pytest.fixture(scope="module")
def english() -> Pipeline:
    return plait.load("en")


@pytest.fixture(scope="module")
def reviews() -> list[Review]:
    return read_reviews(CAFE)


@pytest.fixture(scope="module")
def lessons(english: Pipeline, reviews: list[Review]) -> list[Sentence]:
    return lessons_of(english, reviews)


@pytest.fixture(scope="module", params=["learned", "paper", "baseline"])
def pipeline(request: pytest.FixtureRequest, english: Pipeline, lessons: list[Sentence]) -> Pipeline:
    finder = AspectFinder(recipe=request.param).fit(lessons)
    below = {name: english[name] for name in ("tokenizer", "neural")}
    return Pipeline({**below, "aspects": finder}, english.model)


def seen(english: Pipeline, text: str, *, trees: bool = True) -> Sight:
    return Sight(english(text)[0], packaged(), trees=trees)


# Files


def write(tmp_path: Path, inner: str) -> Path:
    path = tmp_path / "reviews.xml"
    path.write_text(f"<sentences>\n{inner}\n</sentences>", encoding="utf-8")
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    text = 'Tea & "cake" <cold>,\n\ttoo'
    made = [
        Review(
            "a&b",
            text,
            (Span(0, 3, "positive"), Span(6, 18, "")),
            (AspectCategory("food & more", "conflict"),),
        ),
        Review("2", ""),
    ]
    write_reviews(made, tmp_path / "x.xml")
    read = read_reviews(tmp_path / "x.xml")
    assert [(r.id, r.text, r.terms, r.categories) for r in read] == [
        (r.id, r.text, r.terms, r.categories) for r in made
    ]


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        ("<sentence><text>A</text></sentence>", r"reviews.xml:2: this sentence has no id"),
        ('<sentence id="1"></sentence>', r"reviews.xml:2 \(.*1\): this sentence has no <text>"),
        ('<sentence id="1"><text>Tea</text>\n<aspectTerm from="1" to="9"/></sentence>', ":3 .*no piece of a text"),
        ('<sentence id="1"><text>Tea</text><aspectTerm from="x" to="2"/></sentence>', "whole numbers"),
        ('<sentence id="1"><text>Tea</text><aspectTerm term="Te" from="1" to="3"/></sentence>', "the text has 'ea'"),
        ('<sentence id="1"><text>Tea</text><aspectTerm from="0" to="3" polarity="so so"/></sentence>', "is none of"),
        ('<sentence id="1"><text>Tea</text><aspectCategory category=" "/></sentence>', "no name"),
        ('<sentence id="1"><text>A</text></sentence><sentence id="1"><text>B</text></sentence>', "a second sentence"),
        ("<sentence id='1'><text>A</sentence>", "not XML"),
        ("", "no element <sentence>"),
    ],
)  # fmt: skip
def test_bad_files_are_errors_that_name_the_place(tmp_path: Path, inner: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_reviews(write(tmp_path, inner))


def test_aspects_that_are_not_looked_at_may_be_bad(tmp_path: Path) -> None:
    path = write(tmp_path, '<sentence id="1"><text>Tea</text><aspectTerm from="1" to="9"/></sentence>')
    (found,) = read_reviews(path, aspects=False)
    assert (found.text, found.terms) == ("Tea", ())


def test_words_and_characters(english: Pipeline) -> None:
    text = "  I don't  like the (wine-list)."
    (sentence,) = english.tokenizer.tokenize(text, lines=True)
    assert [text[start:end] for start, end in find_places(sentence, text, lenient=True)] == sentence.forms
    review = Review("1", text, (Span(text.index("wine"), text.index(")"), "negative"),))
    sentence.put(aspects_of(review, sentence))
    assert review_of(sentence, text, "1") == review


def test_a_layer_survives_json_lines(tmp_path: Path) -> None:
    sentence = Sentence(forms=["Nice", "tea"])
    sentence.put(Aspects((AspectTerm(2, 2, "positive"),), (AspectCategory("drinks", ""),)))
    plait.write([sentence], tmp_path / "x.jsonl")
    assert plait.read(tmp_path / "x.jsonl")[0].find(Aspects) == sentence.find(Aspects)
    assert not Aspects((AspectTerm(2, 3),)).fits(2)
    assert not Aspects((AspectTerm(1, 1, "so so"),)).fits(2)


# Opinion words


def test_words_have_scores_that_a_negation_turns(english: Pipeline) -> None:
    scores = seen(english, "The tea is excellent, the cake is not excellent.").scores
    first, second = (scores[word] for word in (3, 9))
    assert first > 1 > 0 > second
    lexicon = Lexicon({("bad", ""): "negative"}, {"bad": -1.0, "!bad": 0.2, "odd": -0.4})
    told = [
        lexicon.score("x", lemma, negated=negated) for lemma in ("bad", "odd") for negated in (False, True)
    ]
    assert told == [-1.0, 0.2, -0.4, 0.2]
    again = Lexicon.read(lexicon.write())
    assert (again.words, again.scores) == (lexicon.words, lexicon.scores)
    with pytest.raises(ValueError, match="no score"):
        Lexicon.read("=nan\tbad\n")


# Scores


def test_scores_by_hand() -> None:
    a, b = AspectCategory("a", "positive"), AspectCategory("b", "neutral")
    tea, cake = Span(5, 8, "positive"), Span(13, 17, "neutral")
    bad = Span(4, 7, "negative")
    gold = [
        Review("1", "Good tea and cake", (tea, cake), (a,)),
        Review("2", "Bad tea", (bad,), (a._replace(polarity="negative"), b)),
    ]
    system = [
        Review("2", "Bad tea", (bad._replace(polarity="positive"), Span(0, 3, "negative")), (b,)),
        Review("1", "Good tea and cake", (tea, tea), (AspectCategory("c"),)),
    ]
    scores = score_aspects(gold, system)
    assert scores.terms_precision == pytest.approx(200 / 3)  # a span that is there twice counts once
    assert scores.terms_recall == pytest.approx(200 / 3)
    assert scores.terms_f1 == pytest.approx(200 / 3)
    assert (scores.categories_precision, scores.categories_recall) == (50, pytest.approx(100 / 3))
    assert scores.term_polarity == pytest.approx(100 / 3)
    assert scores.category_polarity == pytest.approx(100 / 3)
    with pytest.raises(InputError, match="'2' is missing in the system"):
        score_aspects(gold, system[1:])
    with pytest.raises(InputError, match="'2' is missing in the gold"):
        score_aspects(gold[:1], system)


# What is seen of a sentence


def test_clauses_and_negation_come_from_the_tree(english: Pipeline) -> None:
    sight = seen(english, "The soup was not good, but the waiter smiled.")
    soup, good, waiter = (sight.forms.index(form) for form in ("soup", "good", "waiter"))
    assert sight.clauses[soup] == sight.clauses[good] != sight.clauses[waiter]
    assert sight.negated(good)
    assert (sight.plain[good], sight.polarities[good]) == ("positive", "negative")
    assert (
        clause_opinion(sight, [w for w in range(sight.size) if sight.clauses[w] == sight.clauses[soup]])
        == "negative"
    )
    assert not seen(english, "Not only was the soup good.").negated(5)
    flat = seen(english, "The soup was not good, but the waiter smiled.", trees=False)
    assert flat.clauses[soup] != flat.clauses[waiter]
    assert flat.negated(good)


def test_a_negation_at_the_start_turns_the_whole_sentence(english: Pipeline) -> None:
    sight = seen(english, "Never had such a good soup or such a nice waiter here.")
    assert clause_opinion(sight, range(sight.size)) == "negative"


def test_candidates_and_what_is_excluded(english: Pipeline) -> None:
    sight = seen(english, "We liked the wine list of the restaurant near IBM, but not the horrible noise.")
    found = {" ".join(sight.forms[word] for word in words) for words in candidates(sight)}
    assert {"list", "wine list"} <= found
    assert found.isdisjoint({"restaurant", "ibm", "horrible noise", "liked", "the wine list"})


def test_wordnet_classes_of_a_category(tmp_path: Path) -> None:
    """A ladder of nine nodes with food on its side: the class below the seventh node is found, higher ones are not."""
    chain = [
        f"n{number}\tnoun.Tops\tnode{number}#1\t{f'hypernym:n{number - 1}' if number else ''}"
        for number in range(8)
    ]
    leaves = [
        "n8\tnoun.food\tcake#1\thypernym:n7",
        "n9\tnoun.food\tpie#1\thypernym:n8",
        "n10\tnoun.food\tsweet_tart#1\thypernym:n8 part_meronym:n11",
        "n11\tnoun.food\tcrust#1\t",
        "n12\tnoun.person\twaiter#1\thypernym:n6",
    ]
    with lzma.open(tmp_path / "wordnet-3.0.tsv.xz", "wt") as sink:
        sink.write("\n".join([*chain, *leaves]) + "\n")
    wordnet = WordNet(str(tmp_path))
    assert wordnet.depth("n8") == 8
    assert wordnet.kinds["pie"] == "noun.food"
    shares = wordnet.shares(["pie", "sweet tart", "waiter", "waiter"])
    assert (shares["n8"], shares["n6"]) == (0.5, 1.0)
    assert prominent(wordnet, ["pie", "sweet tart"], shares)[:2] == ["n7", "n8"]
    lessons = [Sentence(forms=["pie"], lemmas=["pie"], upos=["NOUN"], heads=[0], deprels=["root"])]
    lessons[0].put(Aspects((AspectTerm(1, 1, "positive"),), (AspectCategory("food", "positive"),)))
    finder = AspectFinder(recipe="paper", lexicons=str(tmp_path)).fit(lessons)
    assert {"pie", "cake"} <= finder.state.model.lexicon.terms  # type: ignore[attr-defined]


def test_lexicons_of_a_folder(tmp_path: Path) -> None:
    with lzma.open(tmp_path / "sentiwordnet-3.0.tsv.xz", "wt") as sink:
        sink.write(
            "a1\t0.75\t0\tzorby#1\n"
            + "".join(f"n{n}\t0\t1\tset#{n}\n" for n in range(2, 6))
            + "a7\t0.1\t0\tgrey#1\n"
        )
    (tmp_path / "general-inquirer.tsv").write_text(
        "ABLE#1\tH4\tPositiv\t\t\nABLE#2\tH4\tPositiv\t\t\nFIRE#1\tH4\tNegativ\t\t\nFIRE#2\tH4\tNoun\t\t\n"
    )
    lexicon = from_folder(str(tmp_path))
    assert lexicon.polarity("zorby", "zorby", "ADJ") == "positive"
    assert lexicon.polarity("zorby", "zorby", "NOUN") == ""
    assert lexicon.polarity("set", "set", "NOUN") == ""  # in too many synsets
    assert lexicon.polarity("grey", "grey", "ADJ") == ""
    assert lexicon.polarity("able", "able", "ADJ") == "positive"
    assert lexicon.polarity("fire", "fire", "NOUN") == ""  # its senses disagree
    assert lexicon.polarity("horrible", "horrible", "ADJ") == "negative"
    assert Lexicon.read(lexicon.write()).words == lexicon.words
    with pytest.raises(InputError, match="no such folder"):
        from_folder(str(tmp_path / "nowhere"))


# Recipes


def test_every_recipe_knows_what_it_learned(pipeline: Pipeline, reviews: list[Review]) -> None:
    free = [review for review, _ in find_aspects(pipeline, reviews)]
    given = [review for review, _ in find_aspects(pipeline, reviews, Request(keep_aspects=True))]
    recipe = pipeline["aspects"].options.recipe
    least = {"learned": (95, 85, 95, 90), "paper": (70, 70, 60, 60), "baseline": (95, 60, 80, 55)}[recipe]
    scores, polar = score_aspects(reviews, free), score_aspects(reviews, given)
    assert (polar.terms_f1, polar.categories_f1) == (100, 100)
    found = (scores.terms_f1, scores.categories_f1, polar.term_polarity, polar.category_polarity)
    assert all(one >= other for one, other in zip(found, least, strict=True)), found


def test_texts_without_words_have_no_aspects(pipeline: Pipeline) -> None:
    given = [Review("1", "  "), Review("2", "The tea was good."), Review("3", "")]
    found = [review for review, _ in find_aspects(pipeline, given)]
    assert [review.id for review in found] == ["1", "2", "3"]
    assert found[0].terms == found[2].categories == ()


@pytest.mark.parametrize("recipe", ["learned", "paper", "baseline"])
def test_terms_without_categories_and_the_other_way_round(
    recipe: str, english: Pipeline, reviews: list[Review]
) -> None:
    """As of laptops, whose sentences have no categories."""
    for bare in (
        [replace(review, categories=()) for review in reviews],
        [replace(review, terms=()) for review in reviews],
    ):
        finder = AspectFinder(recipe=recipe).fit(lessons_of(english, bare))
        below = {name: english[name] for name in ("tokenizer", "neural")}
        found = [review for review, _ in find_aspects(Pipeline({**below, "aspects": finder}), bare)]
        assert any(review.terms for review in found) == any(review.terms for review in bare)
        assert any(review.categories for review in found) == any(review.categories for review in bare)
        assert pickle.loads(pickle.dumps(finder)).state.model.recipe == recipe


def test_a_pipeline_carries_aspects(pipeline: Pipeline) -> None:
    (sentence,) = pipeline("The coffee was strong and hot.")
    aspects = sentence.find(Aspects)
    assert aspects is not None
    assert [sentence.forms[term.first - 1] for term in aspects.terms] == ["coffee"]


def test_without_aspects_there_is_nothing_to_learn() -> None:
    with pytest.raises(InputError, match="no aspects to learn from"):
        AspectFinder().fit([Sentence(forms=["tea"], heads=[0])])


# The command line


def call(*arguments: str) -> Any:
    return CliRunner().invoke(aspects, arguments, catch_exceptions=False)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("model") / "cafe")
    call("train", str(CAFE), "-o", folder, "--licence", "CC0-1.0")
    return folder


def test_a_text_is_shown_with_marks_and_as_an_object(model: str) -> None:
    text = "The service was slow, but the pancakes were delicious."
    shown = call(text, "-m", model).output
    assert shown.startswith("The [service-] was slow, but the [pancakes+] were delicious.\n")
    assert "category  staff  negative" in shown
    told = json.loads(call(text, "-m", model, "--to", "jsonl").output)
    assert told["terms"][1] == {"term": "pancakes", "from": 30, "to": 38, "polarity": "positive"}
    assert {"category": "food", "polarity": "positive"} in told["categories"]


def test_colours_say_what_marks_say() -> None:
    review = Review("1", "Good tea.", (Span(5, 8, "positive"),), (AspectCategory("drinks", "conflict"),))
    first, term, category = lines_of(review, colour=True)
    assert first == "Good \033[32m[tea+]\033[0m."
    assert term.endswith("\033[32mpositive\033[0m")
    assert category.endswith("\033[33mconflict\033[0m")


def test_the_contract_of_the_task(model: str, tmp_path: Path) -> None:
    out = tmp_path / "out.xml"
    bare = tmp_path / "bare.xml"
    write_reviews([Review(r.id, r.text) for r in read_reviews(CAFE)], bare)
    scores = []
    for source, more in ((str(CAFE), ()), (str(bare), ()), (str(CAFE), ("--given-terms",))):
        call(source, "-m", model, "--to", "semeval", "-o", str(out), *more)
        told = CliRunner().invoke(
            evaluate, ["--aspects", "--json", str(CAFE), str(out)], catch_exceptions=False
        )
        scores.append(json.loads(told.output))
    assert scores[0] == scores[1]  # aspects of the input are not looked at
    assert scores[0]["terms_f1"] > 90
    assert scores[0]["categories_f1"] > 80
    assert scores[2]["terms_f1"] == 100
    assert min(scores[2]["term_polarity"], scores[2]["category_polarity"]) > 80
    table = CliRunner().invoke(evaluate, ["--aspects", str(CAFE), str(out)]).output
    assert "right polarity" in table


def test_xml_comes_through_a_pipe(model: str, tmp_path: Path, plait_command: Callable[..., Any]) -> None:
    out = tmp_path / "out.xml"
    assert call(str(CAFE), "-m", model, "--given-terms", "--to", "semeval", "-o", str(out)).exit_code == 0
    piped = plait_command(
        *("aspects", "-", "-m", Path(model).absolute(), "--given-terms", "--to", "semeval"),
        stdin=CAFE.read_bytes(),
    )
    assert (piped.status, piped.out) == (0, out.read_text(encoding="utf-8"))


def test_bytes_that_are_no_text_are_replaced_if_one_wants(
    model: str, tmp_path: Path, plait_command: Callable[..., Any]
) -> None:
    (tmp_path / "a.txt").write_bytes(b"The coffee \xff was strong.\n")
    arguments = ("aspects", "a.txt", "-m", Path(model).absolute())
    refused = plait_command(*arguments)
    assert (refused.status, "a.txt:1: " in refused.err) == (2, True)
    assert plait_command(*arguments, "--lenient").status == 0


def test_mistakes_on_the_command_line(model: str, tmp_path: Path) -> None:
    assert "needs XML" in call("Good tea.", "-m", model, "--given-terms").output
    with pytest.raises(InputError, match="finds no aspects; plait aspects train"):
        call("Good tea.", "-m", "en")
    with pytest.raises(InputError, match="finds aspects already"):
        call("train", str(CAFE), "-o", str(tmp_path / "m"), "--on", model)
    with pytest.raises(InputError, match="Did you mean 'cost'"):
        call("train", str(CAFE), "-o", str(tmp_path / "m"), "--set", "costs=1")
    with pytest.raises(OutputError, match="there is a model already"):
        call("train", str(CAFE), "-o", model)


def test_the_card_tells_where_opinion_words_come_from(model: str) -> None:
    card = (Path(model) / "aspects" / "README.md").read_text(encoding="utf-8")
    assert "Hu and Liu (2004), CC BY 4.0" in card


@pytest.mark.parametrize("row", ["a1\t0.5\t0", "a1\tx\t0\tgood#1", "a1\tnan\t0\tgood#1", "\t1\t0\tgood#1"])
def test_lexicons_with_something_else_in_them_are_refused(tmp_path: Path, row: str) -> None:
    (tmp_path / "sentiwordnet-3.0.tsv.xz").write_bytes(lzma.compress(f"{row}\n".encode()))
    with pytest.raises(InputError, match="expected"):
        from_folder(str(tmp_path))


def test_a_circle_of_hypernyms_ends(tmp_path: Path) -> None:
    rows = (
        "n1\tx\tdog#1\thypernym:n2/\nn2\tx\tcat#1\thypernym:n1/\nn3\tx\tbird#1\thypernym:n4/\nn4\tx\tfish#1\n"
    )
    (tmp_path / "wordnet-3.0.tsv.xz").write_bytes(lzma.compress(rows.encode()))
    found = WordNet(str(tmp_path))
    assert found.depth("n1") > 0
    assert (found.depth("n3"), found.depth("n4")) == (1, 0)
