"""A lexicon from outside: which tags a form can have, whatever it is called there (Pekar et al. 2014, section on the
lexicon; they took Wiktionary's). Its tags need not be those of the treebank: the tagger learns what they tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plait.errors import InputError
from plait.features.word_lists import read_rows
from plait.sentence import EMPTY, Sentence

COLUMN = "lexicon"
CLOSED = frozenset({"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ", "SYM"})
_UNIMORPH = ";"
_FORMATS = range(2, 11)  # columns


@dataclass(frozen=True, slots=True)
class TagLexicon:
    """The possible tags of forms, each with its features."""

    tags: Mapping[str, tuple[str, ...]]

    @classmethod
    def load(cls, *paths: str | Path) -> TagLexicon:
        """Read lists, by their columns: form and tag (or several tags, with spaces between them); UniMorph's lemma,
        form and features; form, lemma, UPOS and, if they are there, features; or CoNLL-U.
        """
        found: dict[str, dict[str, None]] = {}
        for path in paths:
            for _, cells in read_rows(path, _FORMATS, "form and tags"):
                form, tags = _entry(cells)
                found.setdefault(form, {}).update(dict.fromkeys(tags))
        if not found:
            raise InputError(f"{', '.join(map(str, paths))}: there are no words in it.")
        return cls({form: tuple(sorted(tags)) for form, tags in found.items()})

    def column(self, sentences: Iterable[Sentence]) -> dict[str, str]:
        """What the tagger sees of forms: their possible tags. The words of closed classes are known from the treebank
        (`sentences`), so nothing is told of them.
        """
        uses: dict[str, set[str]] = {}
        for sentence in sentences:
            for form, upos in zip(sentence.forms, sentence.upos, strict=True):
                uses.setdefault(form.lower(), set()).add(upos)
        closed = {form for form, tags in uses.items() if tags <= CLOSED}
        return {form: " ".join(tags) for form, tags in self.tags.items() if form.lower() not in closed}


def _entry(cells: Sequence[str]) -> tuple[str, Sequence[str]]:
    if len(cells) == 2:
        return cells[0], cells[1].split()
    if len(cells) == 3 and (_UNIMORPH in cells[2] or cells[2].isupper()):
        return cells[1], [cells[2].replace(" ", EMPTY)]
    if len(cells) == 10:  # CoNLL-U: ID, FORM, LEMMA, UPOS, XPOS, FEATS
        return cells[1], [f"{cells[3]}|{cells[5]}"]
    return cells[0], ["|".join(cell.replace(" ", EMPTY) for cell in cells[2:4])]
