"""Texts with slots in the XML of the GREC tasks."""

from pathlib import Path

import pytest

from mention_texts import grec
from plait.errors import FormatError, InputError
from plait.formats.grec import read_mentions, write_mentions

NEG = """<GREC-NEG><GREC-ITEM FILE="a.xml"><TEXT ID="9"><TITLE>Ann &amp; Bo</TITLE><PARAGRAPH>
<REF ENTITY="0" MENTION="1" SEMCAT="person" SYNCAT="np" SYNFUNC="subj"><REFEX ENTITY="0" REG08-TYPE="name" CASE="plain">Ann</REFEX></REF> met
<REF ENTITY="1" MENTION="1" SEMCAT="person" SYNCAT="np" SYNFUNC="obj"><REFEX ENTITY="1" REG08-TYPE="common" CASE="plain"><REF ENTITY="0" MENTION="2" SEMCAT="person" SYNCAT="np" SYNFUNC="subj-det"><REFEX ENTITY="0" REG08-TYPE="pronoun" CASE="genitive">her</REFEX></REF> father</REFEX></REF>.
</PARAGRAPH></TEXT><ALT-REFEX>
<REFEX ENTITY="0" REG08-TYPE="name" CASE="plain">Ann</REFEX>
<REFEX ENTITY="0" REG08-TYPE="pronoun" CASE="genitive">her</REFEX>
<REFEX ENTITY="1" REG08-TYPE="common" CASE="plain"><REF ENTITY="0" MENTION="?" SYNFUNC="subj-det"></REF>father</REFEX>
</ALT-REFEX></GREC-ITEM></GREC-NEG>
"""  # noqa: E501


def written(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "texts.xml"
    path.write_text(content, encoding="utf-8")
    return path


def test_texts_of_one_subject(tmp_path: Path) -> None:
    first, second = read_mentions(written(tmp_path, grec(2)))
    assert not first.has_entities
    assert second.name == "t1.xml"
    assert [reference.get("SYNCAT") for reference in first.references] == [
        *("np-subj", "np-subj", "np-subj", "np-subj"),
        *("subj-det", "np-subj", "np-obj"),
    ]
    assert [reference.chosen.type for reference in first.references if reference.chosen][:3] == [
        *("name", "empty", "pronoun"),
    ]
    assert {each.type for each in first.references[0].alternatives} == {"name", "empty", "pronoun", "common"}
    # What is empty is not read.
    assert " and is old." in first.text.replace("  ", " ")


def test_no_space_before_a_comma(tmp_path: Path) -> None:
    (text,) = read_mentions(written(tmp_path, NEG.replace("</REF> met", "</REF>\n , who is tall, met")))
    assert text.text.endswith("Ann, who is tall, met her father.")


def test_references_inside_others(tmp_path: Path) -> None:
    (text,) = read_mentions(written(tmp_path, NEG))
    assert text.has_entities
    assert [reference.entity for reference in text.references] == ["0", "1"]
    ann, father = text.references
    assert father.chosen is not None
    assert father.chosen.text == "her father"
    assert [inner.entity for inner in father.chosen.inner] == ["0"]
    assert [each.text for each in ann.alternatives] == ["Ann", "her"]
    assert [each.text for each in father.alternatives] == ["father"]  # nothing is chosen inside it yet
    assert text.text == "Ann & Bo\nAnn met her father."


@pytest.mark.parametrize("content", [grec(4), NEG])
def test_what_is_written_is_read_again(tmp_path: Path, content: str) -> None:
    texts = read_mentions(written(tmp_path, content))
    write_mentions(texts, tmp_path / "again.xml.xz")
    again = read_mentions(tmp_path / "again.xml.xz")
    assert [text.text for text in again] == [text.text for text in texts]
    write_mentions(again, tmp_path / "third.xml")
    write_mentions(texts, tmp_path / "first.xml")
    assert (tmp_path / "third.xml").read_bytes() == (tmp_path / "first.xml").read_bytes()


def test_a_folder_is_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "b.xml").write_text(grec(2), encoding="utf-8")
    (tmp_path / "a.xml").write_text(NEG, encoding="utf-8")
    assert [text.has_entities for text in read_mentions(tmp_path)] == [True, False, False]
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="no XML file"):
        read_mentions(tmp_path / "none")


def around(reference: str) -> str:
    return f"<GREC>\n<TEXT><PARAGRAPH><REF>\n{reference}</REF></PARAGRAPH></TEXT></GREC>"


DEEP = '<REF><REFEX REG08-TYPE="name">' * 12 + "x" + "</REFEX></REF>" * 12


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("<GREC>\n</GREC>", 1, "there is no TEXT"),
        ("<GREC>\n<TEXT>", 2, "not XML"),
        (around('<REFEX REG08-TYPE="noun">x</REFEX>'), 3, "'noun'"),
        (
            "<GREC><TEXT><PARAGRAPH>\n<REF><ALT-REFEX/></REF></PARAGRAPH></TEXT></GREC>",
            2,
            "nothing is in the list",
        ),
        (around('<REFEX REG08-TYPE="name"><B/></REFEX>'), 3, "REF only"),
        (f"<GREC><TEXT>\n<PARAGRAPH>{DEEP}</PARAGRAPH></TEXT></GREC>", 2, "inside each other"),
        (NEG.replace('<REF ENTITY="1"', '<REF ENTITY="7"'), 3, "nothing may be said of the entity '7'"),
        ("<GREC>\n<GREC-ITEM/></GREC>", 2, "one TEXT and one ALT-REFEX"),
        (around(f'<REFEX REG08-TYPE="name">{"x" * 20_000}</REFEX>'), 3, "10,000"),
        ('<!DOCTYPE a [<!ENTITY b "c">]>\n<GREC/>', 1, "declares the entity"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, content: str, line: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as error:
        read_mentions(written(tmp_path, content))
    assert error.value.problem.line == line
