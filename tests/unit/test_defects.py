"""The user's most common day: bad input. Every defect has its message, with file, line and sentence."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

import plait

GOOD = """\
# sent_id = s1
# text = She saw stars
1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tsaw\t_\tVERB\t_\t_\t0\troot\t_\t_
3\tstars\t_\tNOUN\t_\t_\t2\tobj\t_\t_

"""


def sentence(*rows: str, comments: str = "# sent_id = s1\n# text = a b\n") -> str:
    """A CoNLL-U sentence from rows written with spaces for tabs, short ones filled up with `_`."""
    lines = []
    for row in rows:
        cells = row.split(" ")
        lines.append("\t".join(cells + ["_"] * (10 - len(cells))))
    return comments + "\n".join(lines) + "\n\n"


A, B = "1 a _ X _ _ 2 dep", "2 b _ X _ _ 0 root"

# What keeps a sentence from being read: reading stops with the first message, validating lists them all.
UNREADABLE: dict[str, tuple[str | bytes, str]] = {
    "nine columns": (GOOD.replace("\tobj\t_\t_", "\tobj\t_"), "5 (sent_id s1): 10 columns expected, 9 found"),
    "eleven columns": (
        GOOD.replace("obj\t_\t_", "obj\t_\t_\t_"),
        "5 (sent_id s1): 10 columns expected, 11 found",
    ),
    "spaces for tabs": (
        GOOD.replace("\t", " "),
        "3 (sent_id s1): 10 columns expected, 1 found: '1 She _ PRON _ _ 2 nsubj _ _'. "
        "Are the columns separated by spaces instead of tabs?",
    ),
    "an empty cell": (GOOD.replace("1\tShe\t_", "1\tShe\t"), "3 (sent_id s1): LEMMA is empty; write _"),
    "an empty last cell": (GOOD.replace("obj\t_\t_\n", "obj\t_\t\n"), "5 (sent_id s1): MISC is empty"),
    "an empty ID": (sentence(" a", B), "3 (sent_id s1): ID is empty; write _"),
    "an ID that is no number": (sentence("one a", B), "3 (sent_id s1): ID is 'one' but 1 is next."),
    "IDs from 0": (sentence("0 a", "1 b"), "3 (sent_id s1): ID is '0' but 1 is next."),
    "a missing ID": (sentence(A, "3 b"), "4 (sent_id s1): ID is '3' but 2 is next."),
    "a duplicate ID": (sentence(A, "1 b"), "4 (sent_id s1): ID 1 stands twice in the sentence."),
    "a decreasing ID": (sentence(A, B, "3 c", "2 d"), "6 (sent_id s1): ID 2 stands twice"),
    "an ID with a leading zero": (sentence("01 a", B), "3 (sent_id s1): ID is '01' but 1 is next."),
    "an ID with other digits": (sentence("１ a", B), "3 (sent_id s1): ID is '１' but 1 is next."),
    "a backward range": (sentence("2-1 ab", A, B), "3 (sent_id s1): '2-1' is not a range of words."),
    "a range beyond the end": (
        sentence("1-3 ab", A, B),
        "3 (sent_id s1): the multiword token 1-3 goes beyond the last word, 2.",
    ),
    "overlapping ranges": (
        sentence("1-2 ab", A, "2-3 bc", B, "3 c _ X _ _ 2 dep"),
        "5 (sent_id s1): the multiword token 2-3 overlaps the one before it.",
    ),
    "a range in the wrong place": (
        sentence(A, "1-2 ab", B),
        "4 (sent_id s1): the multiword token 1-2 must stand just before word 1.",
    ),
    "a range at the end": (sentence(A, B, "3-4 c"), "5 (sent_id s1): the multiword token 3-4 goes beyond"),
    "two ranges in a row": (
        sentence("1-2 ab", "1-3 ab", A, B, "3 c"),
        "4 (sent_id s1): ID is 1-3 but the multiword token before it needs word 1 next.",
    ),
    "an empty node out of order": (
        sentence(A, "1.2 x", B),
        "4 (sent_id s1): ID of the empty node is '1.2' but 1.1 is next.",
    ),
    "an empty node after the wrong word": (
        sentence(A, "2.1 x", B),
        "4 (sent_id s1): ID of the empty node is '2.1' but 1.1 is next.",
    ),
    "only an empty node": (sentence("0.1 x"), "3 (sent_id s1): the sentence has no words."),
    "only comments": ("# sent_id = s1\n# text = a\n\n", "1 (sent_id s1): there are comments but no words."),
    "a comment among the words": (
        sentence(A, B).replace("\n2\t", "\n# note\n2\t"),
        "4 (sent_id s1): a comment stands after the first word: '# note'.",
    ),
    "a head out of range": (
        sentence("1 a _ X _ _ 17 dep", B),
        "3 (sent_id s1): HEAD is 17 but the sentence has 2 words.",
    ),
    "a negative head": (sentence("1 a _ X _ _ -1 dep", B), "3 (sent_id s1): HEAD is '-1', which is neither"),
    "a head that is no number": (
        sentence("1 a _ X _ _ x dep", B),
        "3 (sent_id s1): HEAD is 'x', which is neither",
    ),
    "a head with a decimal": (
        sentence("1 a _ X _ _ 2.0 dep", B),
        "3 (sent_id s1): HEAD is '2.0', which is neither",
    ),
    "a huge head": (sentence(f"1 a _ X _ _ {'9' * 30} dep", B), "3 (sent_id s1): HEAD is '999"),
    "a line of spaces": (
        sentence(A, B).replace("\n2\t", "\n  \n2\t"),
        "4 (sent_id s1): the line has only white space",
    ),
    "bytes that are not UTF-8": (
        GOOD.encode().replace(b"stars", b"st\xe4rs"),
        "2 (sent_id s1): the bytes e4 are not UTF-8 (column 20 of the line).",
    ),
    "a NUL": (GOOD.replace("2\tsaw", "2\tsa\0w"), "4 (sent_id s1): the line holds a NUL character."),
    "a lone CR": (
        GOOD.replace("2\tsaw", "2\tsa\rw"),
        "4 (sent_id s1): the line holds a carriage return (CR)",
    ),
    "old Mac line ends": (GOOD.replace("\n", "\r"), "1 (sent_id s1"),
    "CR LF among LF": (
        GOOD.replace("_\n2\t", "_\r\n2\t"),
        "3 (sent_id s1): the line ends with CR LF, unlike others of its sentence ('\\n').",
    ),
    "a byte order mark": ("\ufeff" + GOOD, "1: the file starts with a byte order mark (U+FEFF)"),
    "UTF-16": (GOOD.encode("utf-16"), "1: the file looks like UTF-16; plait reads UTF-8."),
    "an empty file": ("", ": there is no sentence in it; the file is empty."),
    "only blank lines": ("\n\n\n", ": there is no sentence in it; the file is empty."),
    "a sentence cut off in a line": (
        GOOD[:-20],
        "5 (sent_id s1): the file ends in the middle of this line: '3\\tstars\\t_\\t'.",
    ),
    "a line of 10 MB": (
        sentence(A, B).replace("\tb\t", "\t" + "b" * 10_000_000),
        "4 (sent_id s1): 10 columns expected, 9 found: '2\\tbbbbb",
    ),
    "binary data": (bytes(range(256)) * 40, "1: "),
}

# What can be read but is no tree, or breaks a rule of CoNLL-U: found by validating.
INVALID: dict[str, tuple[str, str]] = {
    "a cycle": (
        sentence("1 a _ X _ _ 2 dep", "2 b _ X _ _ 1 dep", "3 c _ X _ _ 0 root"),
        "3 (sent_id s1): the heads form a cycle: 1 → 2 → 1.",
    ),
    "a word that is its own head": (
        sentence("1 a _ X _ _ 1 dep", B),
        "3 (sent_id s1): word 1 is its own head.",
    ),
    "two roots": (
        sentence("1 a _ X _ _ 0 root", B),
        "4 (sent_id s1): 2 words hang from the root: 1, 2.",
    ),
    "no root": (
        sentence("1 a _ X _ _ 2 dep", "2 b _ X _ _ 1 dep"),
        "1 (sent_id s1): no word hangs from the root (HEAD 0).",
    ),
    "a head missing": (sentence("1 a", B), "3 (sent_id s1): HEAD is _ though other words of the sentence"),
    "a label missing": (sentence("1 a _ X _ _ 2", B), "3 (sent_id s1): HEAD is given but DEPREL is _."),
    "root without HEAD 0": (
        sentence("1 a _ X _ _ 2 root", B),
        "3 (sent_id s1): warning: HEAD is 2 but DEPREL is 'root': root and 0 go together.",
    ),
    "an unknown UPOS": (
        sentence("1 a _ NN _ _ 2 dep", B),
        "3 (sent_id s1): warning: UPOS 'NN' is not one of the 17 universal tags.",
    ),
    "white space in a label": (
        sentence(A, B).replace("\tdep\t", "\tde p\t"),
        "3 (sent_id s1): DEPREL holds white space: 'de p'.",
    ),
    "broken FEATS": (
        sentence("1 a _ X _ Case 2 dep", B),
        "3 (sent_id s1): FEATS holds 'Case', which is not Name=Value.",
    ),
    "a feature twice": (
        sentence("1 a _ X _ Case=Acc|Case=Nom 2 dep", B),
        "3 (sent_id s1): FEATS names Case twice.",
    ),
    "FEATS out of order": (
        sentence("1 a _ X _ Number=Sing|Case=Nom 2 dep", B),
        "3 (sent_id s1): warning: FEATS are not in alphabetical order.",
    ),
    "broken DEPS": (
        sentence("1 a _ X _ _ 2 dep 2", B),
        "3 (sent_id s1): DEPS holds '2', which is not head:label.",
    ),
    "DEPS beyond the sentence": (
        sentence("1 a _ X _ _ 2 dep 2.1:dep", B),
        "3 (sent_id s1): DEPS has head 2.1, which is not in the sentence.",
    ),
    "DEPS out of order": (
        sentence("1 a _ X _ _ 2 dep 2:dep|0:root", B),
        "3 (sent_id s1): warning: DEPS are not ordered by their heads.",
    ),
    "an annotated multiword token": (
        sentence("1-2 ab a", A, B),
        "4 (sent_id s1): warning: the multiword token 1-2 is annotated; its words should be.",
    ),
    "an empty node with a head": (
        sentence(A, "1.1 x _ _ _ _ 2 dep", B),
        "3 (sent_id s1): warning: the empty node 1.1 has HEAD or DEPREL; it may have DEPS only.",
    ),
    "a sent_id twice": (GOOD + GOOD, "7 (sent_id s1): sent_id 's1' was used before, in line 1."),
    "no sent_id": (sentence(A, B, comments="# text = a b\n"), "1: warning: the sentence has no sent_id."),
    "no text": (
        sentence(A, B, comments="# sent_id = s1\n"),
        "1 (sent_id s1): warning: the sentence has no text.",
    ),
    "another text": (
        sentence(A, B, comments="# sent_id = s1\n# text = a  b\n"),
        "1 (sent_id s1): warning: the text differs from the words from 'a  b' on.",
    ),
    "CR LF throughout": (GOOD.replace("\n", "\r\n"), "1 (sent_id s1): warning: the lines end with CR LF"),
    "two blank lines": (GOOD + "\n", "1 (sent_id s1): warning: there is more than one empty line"),
    "no blank line at the end": (GOOD[:-1], "5 (sent_id s1): warning: the file ends without an empty line"),
}


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("name", UNREADABLE)
def test_reading_stops_with_the_first_fault(tmp_path: Path, name: str) -> None:
    content, expected = UNREADABLE[name]
    path = write(tmp_path / "bad.conllu", content)
    with pytest.raises(plait.FormatError) as caught:
        plait.read(path)
    assert str(caught.value).startswith(str(path))
    assert str(caught.value).removeprefix(str(path)).removeprefix(":").startswith(expected.removeprefix(":"))
    assert len(str(caught.value)) < len(str(path)) + 200


@pytest.mark.parametrize("name", UNREADABLE)
def test_validating_lists_the_fault_and_never_stops_at_it(tmp_path: Path, name: str) -> None:
    content, expected = UNREADABLE[name]
    path = write(tmp_path / "bad.conllu", content)
    assert any(expected in str(problem) for problem in plait.validate(path))


@pytest.mark.parametrize("name", INVALID)
def test_validating_finds_what_reading_lets_pass(tmp_path: Path, name: str) -> None:
    content, expected = INVALID[name]
    path = write(tmp_path / "bad.conllu", content)
    assert plait.read(path)
    assert any(str(problem).startswith(f"{path}:{expected}") for problem in plait.validate(path))


def test_a_good_file_has_no_problem(tmp_path: Path) -> None:
    assert list(plait.validate(write(tmp_path / "good.conllu", GOOD))) == []


def test_every_fault_of_a_file_is_listed_with_its_line(tmp_path: Path) -> None:
    content = GOOD.replace("2\tsaw\t_", "2\tsaw") + sentence("1 a _ X _ _ 5 dep", "3 b") + sentence(A, A)
    lines = [problem.line for problem in plait.validate(write(tmp_path / "bad.conllu", content))]
    assert lines == [4, 9, 10, 15]


def test_bad_sentences_can_be_left_out(tmp_path: Path) -> None:
    bad = GOOD.replace("\t2\tobj", "\t9\tobj").encode()
    path = write(tmp_path / "mixed.conllu", GOOD.encode() + bad + b"\xff\n\n" + GOOD.encode())
    left_out: list[list[plait.Problem]] = []
    treebank = plait.read(path, on_bad_sentence=left_out.append)
    assert len(treebank) == 2
    assert [problems[0].line for problems in left_out] == [11, 13]


def test_old_formats_may_have_several_roots_and_no_comments(tmp_path: Path) -> None:
    rows = sentence("1 a x NN NN _ 0 ROOT", "2 b x NN NN _ 0 ROOT", comments="")
    assert list(plait.validate(write(tmp_path / "old.conll", rows))) == []
    path = write(tmp_path / "commented.conll", "# note\n" + rows)
    (problem,) = plait.validate(path, format="conllx")
    assert problem.message == "CoNLL-X has no comments, but the line is '# note'."


def test_conll09_needs_one_number_of_columns_in_a_sentence(tmp_path: Path) -> None:
    row = "\t".join(["1", "a", *["_"] * 6, "0", "_", "root", *["_"] * 3])
    path = write(tmp_path / "a.conll09", f"{row}\tA0\n{row.replace('1', '2', 1)}\n\n")
    messages = [problem.message for problem in plait.validate(path, format="conll09")]
    assert messages == ["the lines of the sentence differ in their number of columns."]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1, 2]", 'each line must be a JSON object with a list "words" that is not empty.'),
        ('{"words": []}', 'each line must be a JSON object with a list "words" that is not empty.'),
        ('{"words": [{"id": 1}]}', 'word 1 must be an object with "id": 1 and a "form".'),
        ('{"words": [{"id": 2, "form": "a"}]}', 'word 1 must be an object with "id": 1 and a "form".'),
        (
            '{"words": [{"id": 1, "form": "a", "head": 2}]}',
            "head of word 1 must be a number from 0 to 1, not '2'.",
        ),
        ('{"words": [{"id": 1, "form": "a", "head": true}]}', "head of word 1 must be a number from 0 to 1"),
        ('{"words": [{"id": 1, "form": "a\\tb"}]}', "form of word 1 must be text without tabs"),
        ('{"words": [{"id": 1, "form": "a", "lemma": ""}]}', "lemma of word 1 must be text without tabs"),
        ('{"words": [{"id": 1, "form": "\\ud800"}]}', "form of word 1 holds half of a surrogate pair."),
        ('{"words": [{"id": 1, "form": "a"}], "text": "a"}', "unknown key 'text'; known are alternatives"),
        ('{"words": [{"id": 1, "form": "a"}], "comments": ["a"]}', "a comment must start with #, not 'a'."),
        ('{"words": [{"id": 1, "form": "a"}], "comments": 1}', '"comments" must be a list.'),
        (
            '{"words": [{"id": 1, "form": "a"}], "multiword_tokens": [{"id": "1-2", "form": "a"}]}',
            "the multiword token",
        ),
        (
            '{"words": [{"id": 1, "form": "a"}], "empty_nodes": [{"id": "1.2"}]}',
            "the empty node 1.2 is out of order",
        ),
        ('{"words": [{"id": 1, "form": "a"}], "empty_nodes": [{"id": "x"}]}', "'x' is not an \"id\" for"),
        ('{"words": [{"id": 1, "form": "a"}', "not a JSON object: "),
        ('{"words": ' + "[" * 100_000, "not a JSON object: "),
    ],
)
def test_faults_of_json_lines(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path / "bad.jsonl", line + "\n")
    with pytest.raises(plait.FormatError, match=r"bad\.jsonl:1: ") as caught:
        plait.read(path)
    assert caught.value.problem.message.startswith(message)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(plait.InputError, match="there is no such file"):
        plait.read(tmp_path / "missing.conllu")
    with pytest.raises(plait.InputError, match="this is a directory"):
        plait.read(tmp_path)
    with pytest.raises(plait.InputError, match="cannot be opened"):
        plait.read("a\0b")
    cut = write(tmp_path / "cut.conllu.gz", gzip.compress(GOOD.encode() * 1000)[:-20])
    with pytest.raises(plait.InputError, match="the compressed data are damaged or cut off"):
        plait.read(cut)


def test_a_file_without_permission(tmp_path: Path) -> None:
    path = write(tmp_path / "secret.conllu", GOOD)
    path.chmod(0)
    user = os.geteuid()
    try:
        if user == 0:  # the administrator may read everything: be somebody else for a moment
            os.seteuid(65534)
        with pytest.raises(plait.InputError, match="there is no permission to read this file"):
            plait.read(path)
    finally:
        os.seteuid(user)


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    treebank = plait.read(write(tmp_path / "good.conllu", GOOD))
    with pytest.raises(plait.OutputError, match="its folder does not exist"):
        plait.write(treebank, tmp_path / "no" / "where.conllu")
    with pytest.raises(plait.OutputError, match="this is a directory"):
        plait.write(treebank, tmp_path)
    if Path("/dev/full").exists():
        with pytest.raises(plait.OutputError, match="no space is left"):
            plait.write(list(treebank) * 10_000, "/dev/full")


def test_a_cell_that_would_break_the_file_is_refused(tmp_path: Path) -> None:
    for bad in ("a\tb", "a\nb"):
        with pytest.raises(ValueError, match="holds a tab or a line end"):
            plait.write([plait.Sentence(forms=[bad])], tmp_path / "x.conllu")


def test_unknown_formats_are_named_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(plait.InputError, match=r"No format 'malt'. Available: conllu, conllx"):
        plait.read(write(tmp_path / "good.conllu", GOOD), format="malt")
