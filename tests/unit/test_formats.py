"""Which format a file has, and what survives a conversion."""

from pathlib import Path

import pytest

import plait
from plait.formats import FORMATS, format_of_suffix
from plait.formats.detection import detect
from plait.formats.losses import losses

CONLLU = (
    "# text = a b\n1\ta\ta\tNOUN\tNN\tCase=Nom\t2\tnsubj\t2:nsubj\tX=1\n"
    "2\tb\tb\tVERB\tVB\t_\t0\troot\t0:root\t_\n\n"
)
CONLLX = "1\ta\ta\tN\tNN\tcase=nom\t2\tSBJ\t_\t_\n2\tb\tb\tV\tVB\t_\t0\tROOT\t_\t_\n\n"
CONLL09 = (
    "1\ta\ta\ta\tNN\tNN\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\t_\n"
    "2\tb\tb\tb\tVB\tVB\t_\t_\t0\t0\tROOT\tROOT\tY\tb.01\t_\t_\n\n"
)


@pytest.mark.parametrize(
    ("content", "path", "format"),
    [
        (CONLLU, "x", "conllu"),
        (CONLLX, "x.conll", "conllx"),
        (CONLLX, "x.conllu", "conllu"),
        (CONLL09, "x", "conll09"),
        ('{"words": []}\n', "x", "jsonl"),
        ("Who did you send the letter to ?\n", "x", "text"),
        (CONLLX.replace("\tN\t", "\tNOUN\t").replace("\tV\t", "\tVERB\t"), "x", "conllu"),
        (CONLLX.replace("\tN\t", "\tNOUN\t").replace("\tV\t", "\tVERB\t"), "x.conllx.gz", "conllx"),
        (CONLLX.replace("SBJ\t_", "SBJ\t2").replace("\tN\t", "\t_\t"), "x", "conllx"),
        ("1-2\tab" + "\t_" * 8 + "\n1\ta" + "\t_" * 8 + "\n2\tb" + "\t_" * 8 + "\n\n", "x", "conllu"),
        ("", "x", "conllu"),
    ],
)
def test_the_format_is_seen_from_the_content(content: str, path: str, format: str) -> None:
    assert detect(content.encode(), path) == format


def test_the_suffix_says_what_to_write() -> None:
    names = ["a", "a.conllu", "a.conll.gz", "a.conll09", "a.jsonl.xz", "a.txt", "a.b.conllu"]
    expected = ["conllu", "conllu", "conllx", "conll09", "jsonl", "text", "conllu"]
    assert [format_of_suffix(name) for name in names] == expected


def test_conll09_keeps_predicted_columns_predicates_and_arguments(tmp_path: Path) -> None:
    path = tmp_path / "a.conll09"
    path.write_text(CONLL09)
    (sentence,) = plait.read(path)
    assert sentence.xpos == ["NN", "VB"]
    assert sentence.extra["phead"] == ["2", "0"]
    assert sentence.extra["pred"] == ["_", "b.01"]
    assert sentence.extra["apred1"] == ["A0", "_"]
    for name in ("b.conll09", "b.jsonl"):
        plait.write([sentence], tmp_path / name)
        (again,) = plait.read(tmp_path / name)
        assert FORMATS["conll09"].render(again) == CONLL09


def test_a_conversion_says_what_it_loses(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU)
    (sentence,) = plait.read(path)
    assert losses(sentence, "conllu") == {}
    assert losses(sentence, "jsonl") == {}
    assert losses(sentence, "conllx") == {"comments": 1, "DEPS": 2, "MISC": 1}
    assert losses(sentence, "conll09") == {"comments": 1, "DEPS": 2, "MISC": 1, "UPOS": 2}
    assert losses(sentence, "text")["HEAD"] == 2
    path.write_text(CONLL09)
    (sentence,) = plait.read(path, format="conll09")
    assert losses(sentence, "conll09") == {}
    assert losses(sentence, "conllu")["PHEAD"] == 2
    assert losses(sentence, "conllu")["APRED1"] == 1


def test_a_format_with_one_tag_takes_the_coarse_one_for_want_of_a_fine_one() -> None:
    sentence = plait.Sentence(forms=["a"], upos=["NOUN"], heads=[0], deprels=["root"])
    assert "\tNOUN\t" in FORMATS["conll09"].render(sentence)
    assert losses(sentence, "conll09") == {}


def test_text_takes_words_between_spaces_and_gives_the_text_back(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Who did  you\n\nsend\n")
    treebank = plait.read(path)
    assert [sentence.forms for sentence in treebank] == [["Who", "did", "you"], ["send"]]
    plait.write(treebank, tmp_path / "b.txt")
    assert (tmp_path / "b.txt").read_text() == "Who did you\nsend\n"


def test_line_separators_of_unicode_are_ordinary_characters(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("1\ta\u2028b\x85c\x0bd\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    (sentence,) = plait.read(path)
    assert sentence.forms == ["a\u2028b\x85c\x0bd"]


def test_a_sentence_knows_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("\n" + CONLLU + "\n" + CONLLU)
    assert [sentence.line for sentence in plait.stream(path)] == [2, 7]
