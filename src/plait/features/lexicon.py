"""Lexicons from outside: which tags a word may have, and with which features (Seeker et al. 2010; Pekar et al. 2014).

A file has a line per word, with tabs between the cells; what they are is told by their number and their looks:

    Haus  NN,NE  Case=Acc|Number=Sing  Case=Nom|Number=Sing     form, tags, and features of every reading
    went  go  VERB  Tense=Past                                  form, lemma, UPOS, FEATS
    go  went  V;PST                                             UniMorph: lemma, form, features
    1  went  go  VERB  VBD  Tense=Past  0  root  _  _           CoNLL-U

Between tags are commas or spaces; `_` stands for none. They are of any tagset: a tagger learns what they tell. What a
list says of a form with a lemma is one tag, `VERB|Tense=Past` or `V;PST`, and its FEATS are a reading besides. Lines of
the same form are joined. Empty lines are skipped, and so are those that begin with `#` and a space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plait.checks import is_cell
from plait.errors import FormatError, Problem, excerpt
from plait.features.texts import pack_texts, unpack_texts
from plait.features.unimorph import to_ud
from plait.features.word_lists import parse_rows, read_file
from plait.sentence import EMPTY, Sentence, parse_pairs

CLOSED = frozenset({"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ", "SYM"})
_NUMBER = re.compile(r"\d+(?:[-.]\d+)?")  # of a word in CoNLL-U, of a multiword token or an empty word
_CONLLU = 10  # columns
_ANY = range(2, 1 << 20)
_FIRST = re.compile(r"([^|;+]+)[|;+]")
_BEFORE_COLON = re.compile(r"([^:]+):")
_Line = tuple[str, Iterable[str], Iterable[str]]  # form, tags, readings


@dataclass(frozen=True, slots=True)
class Entry:
    """What a lexicon knows of a word: tags and readings, each once and in alphabetical order."""

    tags: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words with what they may be."""

    entries: Mapping[str, Entry]

    @classmethod
    def read(cls, files: str | Path) -> Lexicon:
        """From a file, compressed or not, or from several with commas between their names; a fault is an error with
        its line.
        """
        names = str(files).split(",")
        return reduce(cls.joined, (cls.parse(read_file(name), name) for name in names))

    @classmethod
    def parse(cls, text: str | bytes, path: str = "") -> Lexicon:
        found: list[_Line] = []
        content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        for number, cells in parse_rows(content, path, _ANY, "form and tags"):
            try:
                found.extend(line for line in _parse_line(cells) if _require_form(line[0]))
            except ValueError as error:
                raise FormatError(Problem(str(error), path, number)) from None
        if not found:
            raise FormatError(Problem("there are no words in it.", path))
        return cls._of(found)

    @classmethod
    def of(cls, sentences: Iterable[Sentence], column: str = "upos") -> Lexicon:
        """What the words of a treebank are in it; `column`: upos or xpos."""
        return cls._of(
            (form, [tag] if _is_tag(tag) else [], [feats] if _is_reading(feats) else [])
            for sentence in sentences
            for form, tag, feats in zip(
                sentence.forms, getattr(sentence, column), sentence.feats, strict=True
            )
            if is_cell(form)
        )

    @classmethod
    def _of(cls, lines: Iterable[_Line]) -> Lexicon:
        found: dict[str, tuple[set[str], set[str]]] = {}
        for form, tags, readings in lines:
            known = found.setdefault(form, (set(), set()))
            known[0].update(tags)
            known[1].update(readings)
        return cls(
            {
                form: Entry(tuple(sorted(found[form][0])), tuple(sorted(found[form][1])))
                for form in sorted(found)
            }
        )

    def joined(self, other: Lexicon) -> Lexicon:
        """What either of two knows."""
        return self._of(
            (form, entry.tags, entry.readings)
            for entries in (self.entries, other.entries)
            for form, entry in entries.items()
        )

    def find(self, form: str) -> Entry | None:
        """What is known of a form, or else of the form in lower case."""
        return self.entries.get(form) or self.entries.get(form.lower())

    def possible_tags(
        self, treebank: Iterable[Sentence] = (), seen: Callable[[str], str] = str
    ) -> dict[str, str]:
        """By form, all its tags as one text, as a column for templates, or what is `seen` of them; unknown words are
        not there, nor are those that the `treebank` has in closed classes only: it tells more of them than any list.
        """
        uses: dict[str, set[str]] = {}
        for sentence in treebank:
            for form, upos in zip(sentence.forms, sentence.upos, strict=True):
                uses.setdefault(form.lower(), set()).add(upos)
        closed = {form for form, tags in uses.items() if tags <= CLOSED}
        return {
            form: ",".join(sorted({seen(tag) for tag in entry.tags}))
            for form, entry in self.entries.items()
            if entry.tags and form.lower() not in closed
        }

    def to_text(self) -> str:
        """As `parse` reads it."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterable[str]:
        for form, entry in self.entries.items():
            yield "\t".join([form, ",".join(entry.tags) or EMPTY, *entry.readings])

    def tensors(self, name: str = "words") -> dict[str, NDArray[np.generic]]:
        """For model files."""
        entries = self.entries.values()
        return {
            name: pack_texts(self.entries),
            f"{name}.tags": pack_texts(",".join(entry.tags) or EMPTY for entry in entries),
            f"{name}.readings": pack_texts(" ".join(entry.readings) or EMPTY for entry in entries),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[np.generic]], name: str = "words") -> Lexicon:
        """ValueError if the pieces do not fit together."""
        forms, tags, readings = (
            unpack_texts(tensors[f"{name}{part}"]) for part in ("", ".tags", ".readings")
        )
        if not len(forms) == len(tags) == len(readings):
            raise ValueError("the lexicon does not fit together")
        rows = zip(forms, tags, readings, strict=True)
        return cls({form: Entry(_split(own, ","), _split(found, " ")) for form, own, found in rows})


def word_class(tag: str) -> str:
    """The first part of a tag: of `VERB|Tense=Past`, `V;PST` and `subst:sg:nom:m`, what stands before the features."""
    first = _FIRST.match(tag) or _BEFORE_COLON.match(tag)
    return first[1] if first else tag


def _parse_line(cells: Sequence[str]) -> list[_Line]:
    """What a line tells; nothing if it is about no word."""
    for cell in cells:
        if not is_cell(cell):
            raise ValueError(f"{excerpt(cell)} is no cell: not empty, no control characters.")
    layout = _layout_of(cells)
    if layout == "conllu":
        return [_with_lemma(cells[1], cells[3], cells[5])] if cells[0].isdigit() else []
    if layout == "unimorph":
        return [(cells[1], [_as_tag(cells[2])], [])]
    return [_with_lemma(cells[0], cells[2], cells[3]) if layout == "lemma" else _plain(cells)]


def full_form_of(cells: Sequence[str]) -> tuple[str, str, str, str] | None:
    """Form, lemma, UPOS and FEATS of a line; None if it has no lemma or is about no word. ValueError as in `parse`."""
    layout = _layout_of(cells)
    if layout == "conllu":
        form, lemma, upos, _, feats = cells[1:6]
        return (form, lemma, upos, _require_reading(feats)) if cells[0].isdigit() else None
    if layout == "unimorph":
        return (cells[1], cells[0], *to_ud(cells[2]))
    if layout == "lemma":
        return cells[0], cells[1], cells[2], _require_reading(cells[3])
    return None


def _layout_of(cells: Sequence[str]) -> str:
    """What the cells of a line are, as the beginning of this file tells."""
    if len(cells) == _CONLLU and _NUMBER.fullmatch(cells[0]) and "=" not in cells[6]:
        return "conllu"
    if len(cells) == 3 and _is_unimorph(cells[2]):
        return "unimorph"
    if len(cells) == 4 and "=" not in cells[2] and cells[2] != EMPTY:
        return "unimorph" if ";" in cells[2] else "lemma"  # UniMorph with segments, its fourth column
    return "plain"


def _plain(cells: Sequence[str]) -> _Line:
    form, listed, *rest = cells
    tags = _split(listed, "," if "," in listed else " ")
    if not all(map(_is_tag, tags)):
        raise ValueError(f"{excerpt(listed)} are no tags: commas or single spaces stand between them.")
    return form, tags, [cell for cell in rest if _require_reading(cell) != EMPTY]


def _with_lemma(form: str, upos: str, feats: str) -> _Line:
    known = [cell for cell in (upos, _require_reading(feats)) if cell != EMPTY]
    return form, [_as_tag("|".join(known))] if known else [], [feats] if feats != EMPTY else []


def _require_form(form: str) -> str:
    if not form.strip() or form.startswith("# "):
        raise ValueError(f"a word is expected, not {excerpt(form)}.")
    return form


def _require_reading(cell: str) -> str:
    if cell != EMPTY and not _is_reading(cell):
        raise ValueError(f"{excerpt(cell)} are no features, such as Case=Acc|Number=Sing.")
    return cell


def _is_unimorph(cell: str) -> bool:
    return "=" not in cell and (";" in cell or cell.isupper())


def _as_tag(cell: str) -> str:
    """One tag, although commas and spaces stand between tags."""
    tag = cell.replace(",", "/").replace(" ", "_")
    if tag == EMPTY:
        raise ValueError(f"{excerpt(cell)} is no tag.")
    return tag


def _is_tag(text: str) -> bool:
    """What is none, such as the XPOS of a comma in some tagsets, a lexicon does not keep."""
    return text not in ("", EMPTY) and not any(mark in text for mark in ", ")


def _is_reading(text: str) -> bool:
    return (
        text != EMPTY and " " not in text and all(name and value for name, value in parse_pairs(text).items())
    )


def _split(cell: str, mark: str) -> tuple[str, ...]:
    return () if cell == EMPTY else tuple(cell.split(mark))
