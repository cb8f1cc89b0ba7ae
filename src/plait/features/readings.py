"""Lexicons from outside: which tags a word may have, and with which features (Seeker et al. 2010).

A file has a line per word: its form, its possible tags with commas between them, and, in as many further columns as
there are readings, features as in FEATS:

    Haus<TAB>NN<TAB>Case=Acc|Number=Sing<TAB>Case=Nom|Number=Sing

Tags are those of the tagset that is to be looked up, UPOS or XPOS; `_` stands for none. Lines of the same form are
joined. Empty lines are skipped, and so are those that begin with `# ` and have no tab.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plait.checks import is_cell
from plait.errors import FormatError, InputError, Problem, excerpt
from plait.features.texts import pack_texts, unpack_texts
from plait.sentence import EMPTY, Sentence, parse_pairs


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
    def read(cls, path: str | Path) -> Lexicon:
        """From a file; a fault is an error with its line."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: cannot be read as a lexicon ({error}).") from None
        return cls.parse(text, str(path))

    @classmethod
    def parse(cls, text: str, path: str = "") -> Lexicon:
        found: dict[str, tuple[set[str], set[str]]] = {}
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
            line = line.removesuffix("\r")
            if not line or (line.startswith("# ") and "\t" not in line):
                continue
            try:
                form, tags, readings = _parse_line(line)
            except ValueError as error:
                raise FormatError(Problem(str(error), path, number)) from None
            known = found.setdefault(form, (set(), set()))
            known[0].update(tags)
            known[1].update(readings)
        if not found:
            raise FormatError(Problem("there are no words in it.", path))
        return cls._of(found)

    @classmethod
    def of(cls, sentences: Iterable[Sentence], column: str = "upos") -> Lexicon:
        """What the words of a treebank are in it; `column`: upos or xpos."""
        found: dict[str, tuple[set[str], set[str]]] = {}
        for sentence in sentences:
            for form, tag, feats in zip(
                sentence.forms, getattr(sentence, column), sentence.feats, strict=True
            ):
                if is_cell(form):
                    known = found.setdefault(form, (set(), set()))
                    known[0].update([tag] if _is_tag(tag) else [])
                    known[1].update([feats] if _is_reading(feats) else [])
        return cls._of(found)

    @classmethod
    def _of(cls, found: Mapping[str, tuple[set[str], set[str]]]) -> Lexicon:
        return cls(
            {
                form: Entry(tuple(sorted(found[form][0])), tuple(sorted(found[form][1])))
                for form in sorted(found)
            }
        )

    def joined(self, other: Lexicon) -> Lexicon:
        """What either of two knows."""
        found = {form: (set(entry.tags), set(entry.readings)) for form, entry in self.entries.items()}
        for form, entry in other.entries.items():
            known = found.setdefault(form, (set(), set()))
            known[0].update(entry.tags)
            known[1].update(entry.readings)
        return self._of(found)

    def find(self, form: str) -> Entry | None:
        """What is known of a form, or else of the form in lower case."""
        return self.entries.get(form) or self.entries.get(form.lower())

    def possible_tags(self) -> dict[str, str]:
        """By form, all its tags as one text, as a column for templates; unknown words are not there."""
        return {form: ",".join(entry.tags) for form, entry in self.entries.items() if entry.tags}

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


def _parse_line(line: str) -> tuple[str, tuple[str, ...], list[str]]:
    form, *rest = line.split("\t")
    if not rest:
        raise ValueError("form, tab and tags are expected, and there is no tab.")
    for cell in (form, *rest):
        if not is_cell(cell):
            raise ValueError(f"{excerpt(cell)} is no cell: not empty, no control characters.")
    tags = _split(rest[0], ",")
    if not all(map(_is_tag, tags)):
        raise ValueError(f"{excerpt(rest[0])} are no tags: commas stand between them, and no spaces.")
    readings = [cell for cell in rest[1:] if cell != EMPTY]
    for cell in readings:
        if not _is_reading(cell):
            raise ValueError(f"{excerpt(cell)} are no features, such as Case=Acc|Number=Sing.")
    return form, tags, readings


def _is_tag(text: str) -> bool:
    """What is none, such as the XPOS of a comma in some tagsets, a lexicon does not keep."""
    return text not in ("", EMPTY) and not any(mark in text for mark in ", ")


def _is_reading(text: str) -> bool:
    return (
        text != EMPTY and " " not in text and all(name and value for name, value in parse_pairs(text).items())
    )


def _split(cell: str, mark: str) -> tuple[str, ...]:
    return () if cell == EMPTY else tuple(cell.split(mark))
