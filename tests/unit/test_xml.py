"""XML files: read with their lines, and nothing in them does harm."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait import FormatError
from plait.formats.xml import attributes_of, line_of, read_xml


def saved(folder: Path, text: str) -> Path:
    path = folder / "x.xml"
    path.write_text(text)
    return path


def test_elements_know_their_lines(tmp_path: Path) -> None:
    root = read_xml(saved(tmp_path, '<?xml version="1.0"?>\n<a>\n  <b n="1">x &amp; y</b>\n  tail\n</a>\n'))
    [inner] = root
    assert (root.tag, line_of(root), inner.text, line_of(inner)) == ("a", 2, "x & y", 3)
    assert dict(attributes_of(inner)) == {"n": "1"}


def test_compressed_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.xml.xz"
    path.write_bytes(lzma.compress(b"<a><b/></a>"))
    assert [each.tag for each in read_xml(path)] == ["b"]


BOMB = (
    "<!DOCTYPE a [\n"
    + "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">\n' for i in range(9))
    + "]>\n<a>&e9;</a>"
)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "no element found", 1),
        ("no xml\n", "syntax error", 1),
        ("<a>\n<b></a>", "mismatched tag", 2),
        ("<a>\n<b>", "no element found|unclosed", 2),
        (BOMB, "declares the entity", 2),
        ('<!DOCTYPE a [\n<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', "declares the entity", 2),
        ('<!DOCTYPE a SYSTEM "a.dtd">\n<a>&nbsp;</a>', "is not known", 2),
        ("<a>" * 300, "stand inside each other", 1),
        ('<?xml version="1.0" encoding="nonsense"?><a/>', "not XML", 0),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, message: str, line: int) -> None:
    with pytest.raises(FormatError, match=message) as found:
        read_xml(saved(tmp_path, text))
    assert not line or found.value.problem.line == line


def test_a_document_type_is_passed_over(tmp_path: Path) -> None:
    assert read_xml(saved(tmp_path, '<!DOCTYPE a SYSTEM "a.dtd">\n<a/>')).tag == "a"


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="larger than 100 bytes"):
        read_xml(saved(tmp_path, f"<a>{'x' * 200}</a>"), limit=100)


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_give_an_element_or_a_message(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("xml") / "x.xml"
    path.write_bytes(b"<a>" + data)
    with pytest.raises(FormatError):
        read_xml(path)
