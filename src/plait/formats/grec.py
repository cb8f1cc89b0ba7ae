"""Texts whose mentions are slots to fill, in the XML of the GREC tasks (Belz and Kow 2009, 2010).

GREC-2.0 (MSR): every `REF` is a mention of the text's main subject and has its own `ALT-REFEX`. GREC-People (NEG): a
`REF` names its `ENTITY`, one `ALT-REFEX` after the text holds what may be said of all entities, and what is said may
hold further `REF`s (*his father*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from plait.errors import FormatError, InputError, Problem, excerpt
from plait.formats.files import open_sink
from plait.formats.xml import attributes_of, line_of, read_xml

TYPES = ("name", "pronoun", "common", "empty")  # REG08-TYPE
EMPTY_TEXT = "_"  # what an empty mention has for a text
MAIN_SUBJECT = "0"  # its number where texts are about one entity
_TYPE, _ENTITY = "REG08-TYPE", "ENTITY"
_MOST_LETTERS = 10_000  # of one expression
_SENTENCE_END = re.compile(r"(^|[.?!][\"'”’)\]]*)\s*$")
_CLOSES = re.compile(r"\s+([,.;:!?)\]]|['’]s\b)")
_DEEP = 8  # references inside each other


@dataclass(frozen=True, slots=True)
class Expression:
    """What may be said of an entity (`REFEX`): words, and references inside it."""

    type: str
    attributes: dict[str, str]  # CASE, HEAD, EMPHATIC and ENTITY, where given
    pieces: tuple[str | Reference, ...]

    @property
    def text(self) -> str:
        """In one line; that of references inside is what was chosen for them. `_` if nothing is said."""
        found: list[str] = []
        for piece in self.pieces:
            if isinstance(piece, str):
                found.append(piece)
            elif piece.chosen and piece.chosen.text != EMPTY_TEXT:
                found.append(f" {piece.chosen.text} ")
        return " ".join("".join(found).split()).replace(" 's", "'s") or EMPTY_TEXT

    @property
    def inner(self) -> list[Reference]:
        return [piece for piece in self.pieces if isinstance(piece, Reference)]


@dataclass(slots=True)
class Reference:
    """A mention (`REF`): a slot, what may fill it, and what does."""

    entity: str  # several of a group are joined by commas
    attributes: dict[str, str]  # ID, MENTION, SEMCAT, SYNCAT, SYNFUNC, where given
    alternatives: list[Expression] = field(default_factory=list)
    chosen: Expression | None = None
    line: int = 0

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")


@dataclass(slots=True)
class MentionText:
    """A text: paragraphs of words and references."""

    attributes: dict[str, str]
    title: str
    paragraphs: list[list[str | Reference]]
    expressions: list[Expression] | None = None  # of all entities, where they stand after the text (NEG)
    item: dict[str, str] = field(default_factory=dict)  # the attributes of what holds both

    @property
    def name(self) -> str:
        return self.attributes.get("FILE") or self.item.get("FILE") or self.attributes.get("ID") or self.title

    @property
    def references(self) -> list[Reference]:
        """The slots, in the order of the text; not those inside what fills them."""
        return [piece for paragraph in self.paragraphs for piece in paragraph if isinstance(piece, Reference)]

    @property
    def has_entities(self) -> bool:
        """Whether it is about several entities (NEG)."""
        return self.expressions is not None

    @property
    def text(self) -> str:
        """What one reads: a line for the title and for every paragraph, with what was chosen."""
        lines = [self.title, *(_line(paragraph) for paragraph in self.paragraphs)]
        return "\n".join(" ".join(line.split()) for line in lines)


def _line(pieces: list[str | Reference]) -> str:
    """As one writes it: a sentence begins with a large letter, whatever the lists have."""
    line = ""
    for piece in pieces:
        if isinstance(piece, str):
            # The files have line breaks around slots, also before a comma.
            line += piece.lstrip() if _CLOSES.match(piece) else piece
        elif piece.chosen and piece.chosen.text != EMPTY_TEXT:
            words = piece.chosen.text
            line += words[0].upper() + words[1:] if _SENTENCE_END.search(line) else words
    return line


def read_mentions(path: str | Path) -> list[MentionText]:
    """The texts of a file, or of all XML files of a folder; FormatError names the line of what is wrong."""
    if Path(path).is_dir():
        files = sorted(Path(path).glob("*.xml"))
        if not files:
            raise InputError(f"{path}: there is no XML file in this folder.")
        return [text for file in files for text in read_mentions(file)]
    root = read_xml(path)
    reader = _Reader(str(path))
    found = list(reader.texts(root))
    if not found:
        raise reader.problem(root, f"there is no TEXT in <{excerpt(root.tag)[1:-1]}>.")
    return found


class _Reader:
    def __init__(self, path: str) -> None:
        self._path = path

    def problem(self, element: Element, message: str) -> FormatError:
        return FormatError(Problem(message, self._path, line_of(element)))

    def texts(self, root: Element) -> Iterator[MentionText]:
        if root.tag == "TEXT":
            yield self._text(root, None)
        elif root.tag == "GREC-ITEM":
            yield self._item(root)
        else:
            for element in root:
                if element.tag in ("TEXT", "GREC-ITEM"):
                    yield from self.texts(element)

    def _item(self, element: Element) -> MentionText:
        """A text with what may be said of its entities."""
        texts, lists = element.findall("TEXT"), element.findall("ALT-REFEX")
        if len(texts) != 1 or len(lists) != 1:
            raise self.problem(element, "a GREC-ITEM holds one TEXT and one ALT-REFEX.")
        found = [self._expression(each, 0) for each in lists[0].findall("REFEX")]
        text = self._text(texts[0], found)
        text.item = dict(attributes_of(element))
        return text

    def _text(self, element: Element, expressions: list[Expression] | None) -> MentionText:
        title = element.find("TITLE")
        words = "" if title is None else " ".join("".join(title.itertext()).split())
        paragraphs = [self._paragraph(each) for each in element.findall("PARAGRAPH")]
        text = MentionText(dict(attributes_of(element)), words, paragraphs, expressions)
        if expressions is None:
            return text
        by_entity: dict[str, list[Expression]] = {}
        for each in expressions:
            by_entity.setdefault(each.attributes.get(_ENTITY, MAIN_SUBJECT), []).append(each)
        for reference in text.references:
            reference.alternatives = by_entity.get(reference.entity, [])
            if not reference.alternatives:
                problem = f"nothing may be said of the entity {excerpt(reference.entity)}."
                raise FormatError(Problem(problem, self._path, reference.line))
        return text

    def _paragraph(self, element: Element) -> list[str | Reference]:
        pieces: list[str | Reference] = [element.text or ""]
        for child in element:
            pieces.append(self._reference(child, 0) if child.tag == "REF" else "".join(child.itertext()))
            pieces.append(child.tail or "")
        return [piece for piece in pieces if piece != ""]

    def _reference(self, element: Element, depth: int) -> Reference:
        if depth >= _DEEP:
            raise self.problem(element, f"more than {_DEEP} references stand inside each other.")
        attributes = dict(attributes_of(element))
        entity = attributes.pop(_ENTITY, MAIN_SUBJECT)
        chosen = element.findall("REFEX")
        if len(chosen) > 1:
            raise self.problem(element, "a REF holds one REFEX at most; others are alternatives.")
        lists = element.findall("ALT-REFEX")
        alternatives = [
            self._expression(each, depth + 1)
            for alternatives in lists
            for each in alternatives.findall("REFEX")
        ]
        if lists and not alternatives:
            raise self.problem(element, "nothing is in the list of what may be said here.")
        said = self._expression(chosen[0], depth + 1) if chosen else None
        return Reference(entity, attributes, alternatives, said, line_of(element))

    def _expression(self, element: Element, depth: int) -> Expression:
        attributes = dict(attributes_of(element))
        kind = attributes.pop(_TYPE, "")
        if kind not in TYPES:
            raise self.problem(element, f"the {_TYPE} is {excerpt(kind)}, not one of {', '.join(TYPES)}.")
        pieces: list[str | Reference] = [element.text or ""]
        for child in element:
            if child.tag != "REF":
                raise self.problem(
                    element, f"a REFEX holds words and REF only, not <{excerpt(child.tag)[1:-1]}>."
                )
            pieces += [self._reference(child, depth), child.tail or ""]
        if sum(len(piece) for piece in pieces if isinstance(piece, str)) > _MOST_LETTERS:
            raise self.problem(element, f"a REFEX has more than {_MOST_LETTERS:,} characters.")
        return Expression(kind, attributes, tuple(piece for piece in pieces if piece != ""))


def write_mentions(texts: Iterable[MentionText], path: str | Path) -> None:
    """The texts with what was chosen, in the form in which they were read."""
    with open_sink(path) as sink:
        root = ""
        for text in texts:
            if not root:
                root = "GREC-NEG" if text.has_entities else "GREC"
                sink.write(f'<?xml version="1.0" encoding="utf-8"?>\n<{root}>\n'.encode())
            sink.write(_written(text).encode())
        if root:
            sink.write(f"</{root}>\n".encode())


def _written(text: MentionText) -> str:
    parts = [f"<TEXT{_attributes(text.attributes)}>\n<TITLE>{escape(text.title)}</TITLE>\n"]
    for paragraph in text.paragraphs:
        pieces = (
            escape(piece) if isinstance(piece, str) else _reference(piece, alternatives=not text.has_entities)
            for piece in paragraph
        )
        parts.append(f"\n<PARAGRAPH>{''.join(pieces)}</PARAGRAPH>\n")
    parts.append("</TEXT>\n")
    if text.expressions is not None:
        listed = "\n".join(map(_expression, text.expressions))
        parts = [f"<GREC-ITEM{_attributes(text.item)}>\n", *parts, f"<ALT-REFEX>\n{listed}\n</ALT-REFEX>\n"]
        parts.append("</GREC-ITEM>\n")
    return "".join(parts)


def _reference(reference: Reference, *, alternatives: bool) -> str:
    entity = {} if reference.entity == MAIN_SUBJECT and alternatives else {_ENTITY: reference.entity}
    said = _expression(reference.chosen) if reference.chosen else ""
    if alternatives and reference.alternatives:
        said += "\n<ALT-REFEX>\n" + "\n".join(map(_expression, reference.alternatives)) + "\n</ALT-REFEX>\n"
    return f"<REF{_attributes({**reference.attributes, **entity})}>{said}</REF>"


def _expression(expression: Expression) -> str:
    pieces = (
        escape(piece) if isinstance(piece, str) else _reference(piece, alternatives=False)
        for piece in expression.pieces
    )
    attributes = {_TYPE: expression.type, **expression.attributes}
    return f"<REFEX{_attributes(attributes)}>{''.join(pieces)}</REFEX>"


def _attributes(values: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())
