"""Which format a file has, and what survives a conversion."""

from pathlib import Path

import pytest

import plait
from memory import InMemory, parse, render
from plait.formats import FORMATS, format_of_suffix, sentences_of
from plait.formats.detection import detect
from plait.formats.losses import losses

CONLLU = (
    "# text = a b\n1\ta\ta\tNOUN\tNN\tCase=Nom\t2\tnsubj\t2:nsubj\tX=1\n"
    "2\tb\tb\tVERB\tVB\t_\t0\troot\t0:root\t_\n\n"
)
CONLLX = "1\ta\ta\tN\tNN\tcase=nom\t2\tSBJ\t_\t_\n2\tb\tb\tV\tVB\t_\t0\tROOT\t_\t_\n\n"
CONLL09 = (
    "1\ta\ta\ta\tNN\tNN\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\n"
    "2\tb\tb\tb\tVB\tVB\t_\t_\t0\t0\tROOT\tROOT\tY\tb.01\t_\n\n"
)
WITHOUT_ARGUMENTS = "\n".join("\t".join(line.split("\t")[:14]) for line in CONLL09.split("\n"))


@pytest.mark.parametrize(
    ("content", "path", "format"),
    [
        (CONLLU, "x", "conllu"),
        (CONLLX, "x.conll", "conllx"),
        (CONLLX, "x.conllu", "conllu"),
        (CONLL09, "x", "conll09"),
        (WITHOUT_ARGUMENTS, "x", "conll09"),
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
    (frame,) = sentence.frames
    assert (frame.predicate.form, frame.sense) == ("b", "b.01")
    assert [(each.role, each.word.form, each.span) for each in frame.arguments] == [("A0", "a", (1,))]
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
    sentence.multiword_tokens = [plait.MultiwordToken(1, 2, "ab")]
    sentence.empty_nodes = [plait.EmptyNode(1, 1, "c"), plait.EmptyNode(1, 2, "d")]
    assert losses(sentence, "conllx")["multiword tokens"] == 1
    assert losses(sentence, "conllx")["empty nodes"] == 2
    assert losses(sentence, "conllu") == {}
    path.write_text(CONLL09)
    (sentence,) = plait.read(path, format="conll09")
    assert losses(sentence, "conll09") == {}
    assert losses(sentence, "conllu")["PHEAD"] == 2
    assert losses(sentence, "conllx")["frames"] == 1


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


@pytest.mark.parametrize("comment", ["#\t", "# a\t\tb", "# a\t", "#"])
def test_tabs_in_comments_are_ordinary_characters(tmp_path: Path, comment: str) -> None:
    content = f"{comment}\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "a.conllu").write_text(content)
    plait.write(plait.read(tmp_path / "a.conllu"), tmp_path / "b.conllu")
    assert (tmp_path / "b.conllu").read_text() == content


VERTICAL = "Who\tWP\r\ndid  \nyou\n \n\n\ngive up\nit\n"


def test_words_can_stand_one_per_line() -> None:
    first, second = parse(VERTICAL.encode(), format="vertical")
    assert (first.forms, first.line) == (["Who", "did", "you"], 1)
    assert (second.forms, second.line) == (["give up", "it"], 7)
    assert render([first, second], "horizontal") == "Who did you\ngive\u00a0up it\n".encode()


def test_words_can_stand_one_sentence_per_line() -> None:
    first, second = parse("a\tb  c\n\n \u00a0 \nd\u00a0e \u00a0 f\u00a0".encode(), format="horizontal")
    assert (first.forms, first.line) == (["a", "b", "c"], 1)
    assert (second.forms, second.line) == (["d e", "f"], 4)
    assert render([first, second], "vertical") == b"a\nb\nc\n\nd e\nf\n\n"


def test_a_word_of_white_space_does_not_end_its_sentence() -> None:
    sentence = plait.Sentence(forms=["a", "\u00a0", "b"])
    for format in ("horizontal", "vertical"):
        (again,) = parse(render([sentence], format), format=format)
        assert again.forms == ["a", "_", "b"]


@pytest.mark.parametrize(
    ("data", "format", "line"),
    [
        (b"a\nb\n\n\tc\nd\n\ne\n", "vertical", 4),
        (b"a\nb\n\nc\n\0\n\ne\n", "vertical", 5),
        (b"a\nb\n\nc\rd\n\ne\n", "vertical", 4),
        (b"a b\n\xff\ne\n", "horizontal", 2),
    ],
)
def test_what_is_no_word_is_refused_with_its_line(data: bytes, format: str, line: int) -> None:
    bad: list[list[plait.Problem]] = []
    read = list(sentences_of(InMemory(data), FORMATS[format], bad.append))
    assert [problem.line for problems in bad for problem in problems] == [line]
    assert [word for sentence in read for word in sentence.forms] == ["a", "b", "e"]


def test_nothing_but_white_space_has_no_sentence() -> None:
    for format in ("horizontal", "vertical"):
        with pytest.raises(plait.FormatError, match="no sentence"):
            parse(b" \n\n\t\n", format=format)
