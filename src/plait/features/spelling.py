"""Spellings of the web and what they stand for (Pekar, Yu, El-karef and Bohnet 2014, section on normalization).

The paper has a list and regular expressions for emphasis and prints neither. Here: a word of the list is what the list
says; `*so*` and `_so_` are *so*; a letter that stands three times or more is tried twice, then once (*soooo* is *so*);
the word of a hashtag is that word. A word that is known is left as it is, but for those of the list that are known to
be slang. The number of words never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plait.checks import is_cell
from plait.features.texts import pack_texts, unpack_texts
from plait.features.word_lists import read_rows

# Kinds of lines that hold for unknown words only; all others hold always.
DOUBTFUL = ("misspelling", "rare")
_RUN = re.compile(r"([^\W\d_])\1{2,}", re.IGNORECASE)
_MARKED = re.compile(r"([*_]+)([^\W\d_](?:[\w'’-]*[^\W\d_])?)\1")
_HASHTAG = re.compile(r"[#＃]([^\W\d_][\w]*)")
_LONGEST = 100  # characters; what is longer is no word


@dataclass(frozen=True, slots=True)
class Spelling:
    """What words stand for. `pairs` are by lower-case spelling, `doubtful` ones are for words that are not `known`."""

    pairs: Mapping[str, str] = field(default_factory=dict)
    doubtful: Mapping[str, str] = field(default_factory=dict)
    known: frozenset[str] = frozenset()

    def norm(self, form: str) -> str:
        """As features should see it; most words are as they are written."""
        if len(form) > _LONGEST:
            return form
        found = _MARKED.fullmatch(form)
        if found:
            return self.norm(found[2])
        lower = form.lower()
        if lower in self.pairs:
            return _cased(self.pairs[lower], form)
        if lower in self.known:
            return form
        if lower in self.doubtful:
            return _cased(self.doubtful[lower], form)
        tag = _HASHTAG.fullmatch(form)
        if tag and tag[1].lower() in self.known:
            return tag[1]
        return self._shortened(form)

    def _shortened(self, form: str) -> str:
        for times in (2, 1):
            shorter = _RUN.sub(r"\1" * times, form)
            if shorter == form:
                return form
            lower = shorter.lower()
            if lower in self.pairs:
                return _cased(self.pairs[lower], form)
            if lower in self.known and len(lower) > 1:
                return shorter
        return form

    def knowing(self, words: Iterable[str]) -> Spelling:
        """With these words as the known ones; of doubtful lines with alternatives, the first known one."""
        known = frozenset(word.lower() for word in words if is_cell(word))
        doubtful = {}
        for written, standard in self.doubtful.items():
            several = standard.split("|")
            doubtful[written] = next((each for each in several if each.lower() in known), several[0])
        return Spelling(self.pairs, doubtful, known)

    @classmethod
    def load(cls, *paths: str | Path) -> Spelling:
        """Read lists: lines of spelling, standard and, if it is there, kind (`misspelling` and `rare` lines hold for
        unknown words only), with tabs between them. What stands for several words is left out: words stay as many as
        they are.
        """
        pairs: dict[str, str] = {}
        doubtful: dict[str, str] = {}
        for path in paths:
            for _, fields in read_rows(path, range(2, 4), "spelling and standard"):
                kind = fields[2] if len(fields) > 2 else ""
                standard = "|".join(each.strip() for each in fields[1].split("|") if each.strip())
                if standard and " " not in standard and " " not in fields[0]:
                    into = doubtful if kind in DOUBTFUL else pairs
                    into.setdefault(
                        fields[0].lower(), standard if kind in DOUBTFUL else standard.split("|")[0]
                    )
        return cls(pairs, doubtful)

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        """As a model keeps them."""
        return {
            "spelling.written": pack_texts([*self.pairs, *self.doubtful]),
            "spelling.standard": pack_texts([*self.pairs.values(), *self.doubtful.values()]),
            "spelling.sure": np.array([len(self.pairs)], np.int64),
            "spelling.known": pack_texts(sorted(self.known)),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[np.generic]]) -> Spelling:
        """ValueError if the pieces do not fit together."""
        names = ("written", "standard", "known")
        written, standard, known = (unpack_texts(tensors[f"spelling.{name}"]) for name in names)
        sure = int(tensors["spelling.sure"][0])
        if not 0 <= sure <= len(written):
            raise ValueError("there are fewer spellings than that")
        rows = list(zip(written, standard, strict=True))
        return cls(dict(rows[:sure]), dict(rows[sure:]), frozenset(known))


def _cased(standard: str, form: str) -> str:
    """As the form is written: all in capitals, or the first letter."""
    if form.isupper() and len(form) > 1:
        return standard.upper()
    return standard[:1].upper() + standard[1:] if form[:1].isupper() else standard
