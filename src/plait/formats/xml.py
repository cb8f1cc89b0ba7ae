"""XML as corpora come in it: read whole, with the line of every element, and nothing fetched or expanded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from plait.errors import FormatError, Problem
from plait.formats.files import CHUNK, beginning, open_source

_LINE = "\x00line"  # no name in XML: an attribute of ours that no file can hold
_DEEP = 200  # elements inside each other: far more than a corpus has, and no trouble for recursion


def read_xml(path: str | Path, *, limit: int = 1 << 28) -> Element:
    """The root element of a file, compressed or not, of at most `limit` bytes.

    A document that declares entities is refused, for a few lines of them make gigabytes; a document type is passed
    over and never fetched. `FormatError` names the line of what is wrong.
    """
    with open_source(path) as source:
        reader = _Reader(source.name)
        size = 0
        while data := source.read(CHUNK):
            size += len(data)
            if size > limit:
                raise FormatError(Problem(f"this XML file is larger than {limit:,} bytes.", source.name))
            reader.feed(data)
        return reader.close()


def begins_as_xml(path: str | Path) -> bool:
    """Whether the first character of a file is that of a tag; nothing is lost of standard input."""
    return beginning(path).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def line_of(element: Element) -> int:
    """The line on which an element of `read_xml` begins."""
    return int(element.get(_LINE, 0))


def attributes_of(element: Element) -> Iterator[tuple[str, str]]:
    """The attributes that stand in the file."""
    return ((name, value) for name, value in element.items() if name != _LINE)


class _Reader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._tree = TreeBuilder()
        self._depth = 0
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._tree.data
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._unknown

    def feed(self, data: bytes, *, last: bool = False) -> None:
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FormatError(Problem(f"this is not XML: {reason}.", self._name, error.lineno)) from None
        except (LookupError, ValueError) as error:  # an encoding Python does not know
            raise FormatError(Problem(f"this is not XML: {error}.", self._name)) from None

    def close(self) -> Element:
        self.feed(b"", last=True)
        root: Element = self._tree.close()
        return root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEP:
            raise self._problem(f"more than {_DEEP} elements stand inside each other.")
        self._tree.start(tag, {**attributes, _LINE: str(self._parser.CurrentLineNumber)})

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._tree.end(tag)

    def _entity(self, name: str, *_: object) -> None:
        raise self._problem(
            f"it declares the entity {name!r}; files with entities of their own are not read."
        )

    def _unknown(self, name: str, *_: object) -> None:
        raise self._problem(f"the entity {name!r} is not known.")

    def _problem(self, message: str) -> FormatError:
        return FormatError(Problem(message, self._name, self._parser.CurrentLineNumber))
