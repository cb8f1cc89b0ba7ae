"""Lexicons from outside: what a file says, what a treebank says, and through a model file."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait import FormatError, InputError, Sentence
from plait.features.lexicon import Entry, Lexicon, word_class

TEXT = (
    "# a comment\n\nHaus\tNN\tCase=Nom|Number=Sing\tCase=Acc|Number=Sing\nsie\tPPER,PDS\r\n"
    "Haus\tNE\tCase=Dat|Number=Sing\n#\tSYM\nund\t_\n"
)

NAMES = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=4)
READINGS = st.dictionaries(NAMES, NAMES, min_size=1, max_size=3).map(
    lambda pairs: "|".join(f"{name}={value}" for name, value in pairs.items())
)
ENTRIES = st.builds(
    lambda tags, readings: Entry(tuple(sorted(tags)), tuple(sorted(readings))),
    st.sets(NAMES, max_size=3),
    st.sets(READINGS, max_size=3),
)
LEXICONS = st.dictionaries(NAMES, ENTRIES, min_size=1).map(lambda found: Lexicon(dict(sorted(found.items()))))


def test_lines_of_the_same_form_are_joined(tmp_path: Path) -> None:
    file = tmp_path / "lexicon.tsv"
    file.write_text(TEXT, encoding="utf-8")
    lexicon = Lexicon.read(file)
    readings = tuple(f"Case={case}|Number=Sing" for case in ("Acc", "Dat", "Nom"))
    assert lexicon.find("Haus") == Entry(("NE", "NN"), readings)
    assert lexicon.find("Sie") == Entry(("PDS", "PPER"))
    assert lexicon.find("und") == Entry()
    assert lexicon.find("#") == Entry(("SYM",))
    assert lexicon.find("nichts") is None
    assert lexicon.possible_tags() == {"#": "SYM", "Haus": "NE,NN", "sie": "PDS,PPER"}


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("Haus NN\n", "no tab", 1),
        ("a\tX\n\tNN\n", "a word is expected", 2),
        ("a\tX\t\n", "no cell", 1),
        ("a\tX,,Y\n", "no tags", 1),
        ("a\tX, Y\n", "no tags", 1),
        ("a\tX\t_\tCase\n", "no features", 1),
        ("1\ta\ta\tX\t_\tCase\t0\troot\t_\t_\n", "no features", 1),
        ("a\t \tV;PST\n", "a word is expected", 1),
        ("\n\na\tX\tCase\n", "no features", 3),
        ("a\tX\tCase=\n", "no features", 1),
        ("# nothing\n", "no words", None),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, message: str, line: int | None) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        Lexicon.parse(text, "my.tsv")
    assert str(caught.value).startswith(f"my.tsv:{line}" if line else "my.tsv")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"nowhere.tsv: there is no such file"):
        Lexicon.read("nowhere.tsv")


FORMATS = {
    "plain.tsv": "dog\tNOUN VERB\n",
    "unimorph.tsv": "go\twent\tV;PST\ndo\tdoing\tV;{1,2}\tdo|ing\ncat\tcat\tN\n",
    "ud.tsv": "cats\tcat\tNOUN\tNumber=Plur\nthose\tthat\tDET\t_\n",
    "some.conllu": "# text = a\tb\n1-2\tdunno\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tran\trun\tVERB\tVBD\tTense=Past\t0\troot\t_\t_\n1.1\tran\trun\tX\t_\t_\t_\t_\t_\t_\n",
}


def test_every_format_is_told_by_its_columns(tmp_path: Path) -> None:
    for name, text in FORMATS.items():
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
    with lzma.open(tmp_path / "more.tsv.xz", "wt", encoding="utf-8") as file:
        file.write("ran\tVERB|Tense=Past,NOUN\n")
    found = Lexicon.read(",".join(str(tmp_path / name) for name in [*FORMATS, "more.tsv.xz"]))
    assert found.entries == {
        "cat": Entry(("N",)),
        "cats": Entry(("NOUN|Number=Plur",), ("Number=Plur",)),
        "dog": Entry(("NOUN", "VERB")),
        "doing": Entry(("V;{1/2}",)),
        "ran": Entry(("NOUN", "VERB|Tense=Past"), ("Tense=Past",)),
        "those": Entry(("DET",)),
        "went": Entry(("V;PST",)),
    }
    assert Lexicon.parse(found.to_text()) == found


def test_closed_classes_are_known_from_the_treebank() -> None:
    lexicon = Lexicon.parse("in\tNOUN\nthat\tADV\nDog\tNOUN,VERB\n")
    seen = [Sentence(forms=["In", "that", "That"], upos=["ADP", "PRON", "ADV"])]
    assert lexicon.possible_tags(seen) == {"Dog": "NOUN,VERB", "that": "ADV"}


@pytest.mark.parametrize(
    ("tag", "first"),
    [
        ("NN", "NN"),
        ("VERB|Tense=Past", "VERB"),
        ("V;PST", "V"),
        ("subst:sg:nom:m", "subst"),
        ("po:noun+is:ACC", "po:noun"),
        (">en", ">en"),
        ("+x", "+x"),
        (":", ":"),
    ],
)
def test_the_class_of_a_tag(tag: str, first: str) -> None:
    assert word_class(tag) == first


def test_classes_instead_of_tags() -> None:
    lexicon = Lexicon.parse("cats\tcat\tNOUN\tNumber=Plur\ncats\tcat\tNOUN\tCase=Gen\ncats\tcat\tVERB\t_\n")
    assert lexicon.possible_tags(seen=word_class) == {"cats": "NOUN,VERB"}


def test_the_words_of_a_treebank() -> None:
    sentence = Sentence(
        forms=["sie", "sie", ",", "x y"],
        upos=["PRON", "DET", "PUNCT", "X"],
        xpos=["PPER", "PDS", ",", "_"],
        feats=["Case=Nom", "Case=Acc", "_", "_"],
    )
    assert Lexicon.of([sentence]).find("sie") == Entry(("DET", "PRON"), ("Case=Acc", "Case=Nom"))
    assert Lexicon.of([sentence], "xpos").find(",") == Entry()


@given(LEXICONS)
def test_through_a_model_file_and_a_text(lexicon: Lexicon) -> None:
    assert Lexicon.from_tensors(lexicon.tensors()) == lexicon
    assert Lexicon.parse(lexicon.to_text()) == lexicon


@given(LEXICONS, LEXICONS)
def test_two_together_know_what_either_knows(one: Lexicon, other: Lexicon) -> None:
    both = one.joined(other)
    assert both == other.joined(one)
    for lexicon in one, other:
        for form, entry in lexicon.entries.items():
            assert set(entry.tags) <= set(both.entries[form].tags)
            assert set(entry.readings) <= set(both.entries[form].readings)


def test_pieces_that_do_not_fit_are_refused() -> None:
    tensors = Lexicon({"a": Entry(("X",)), "b": Entry()}).tensors()
    tensors["words.tags"] = tensors["words.tags"][:2]
    with pytest.raises(ValueError, match="fit"):
        Lexicon.from_tensors(tensors)


@given(st.text(alphabet="a1A#,;=|_ \t\n\r\x00é", max_size=40))
def test_any_text_is_a_lexicon_or_a_named_fault(text: str) -> None:
    fault = ""
    try:
        lexicon = Lexicon.parse(text, "fuzz.tsv")
    except FormatError as error:
        fault = str(error)
    if fault:
        assert fault.startswith("fuzz.tsv")
        return
    assert Lexicon.parse(lexicon.to_text()) == lexicon
    assert Lexicon.from_tensors(lexicon.tensors()) == lexicon
