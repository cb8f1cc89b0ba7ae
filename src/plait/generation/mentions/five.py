"""The five features of IS-G (Bohnet 2008, section 1) as numbers: one row per reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.formats.grec import TYPES, MentionText
from plait.generation.mentions.context import Seen

Rows = NDArray[np.float64]
NUMBERS = ("DIST", "POS")  # the other columns are codes
CODES = ("LAST", "SENT", "SYNCAT", "SEMCAT")
COLUMNS = (*NUMBERS, *CODES)
NONE = "none"  # LAST of the first reference
LASTS = (*TYPES, NONE)
SENTS = ("false", "true")
FAR = 1e6  # DIST of the first reference: farther than any text is long
OTHER = "other"  # a category that was never seen
MOST_NAMES = 1000


@dataclass(frozen=True, slots=True)
class Categories:
    """The names that SYNCAT and SEMCAT may have; the paper's features are without SEMCAT, which then has one name."""

    syncats: list[str]
    semcats: list[str]

    @classmethod
    def of(cls, texts: Sequence[MentionText], *, domains: bool) -> Categories:
        references = [reference for text in texts for reference in text.references]
        syncats = sorted({reference.get("SYNCAT") for reference in references} - {"", OTHER})
        semcats = sorted({reference.get("SEMCAT") for reference in references} - {"", OTHER})
        return cls([*syncats, OTHER][-MOST_NAMES:], [*(semcats if domains else []), OTHER][-MOST_NAMES:])

    def check(self) -> None:
        """ValueError if these are not what `of` gives."""
        for names in (self.syncats, self.semcats):
            if not 0 < len(names) <= MOST_NAMES or len(set(names)) != len(names) or names[-1] != OTHER:
                raise ValueError("the categories are not those of a model")

    @property
    def names(self) -> list[Sequence[str]]:
        """Of every column of codes."""
        return [LASTS, SENTS, self.syncats, self.semcats]

    @property
    def sizes(self) -> list[int]:
        return [len(names) for names in self.names]

    def rows(self, text: MentionText, seen: Seen) -> Rows:
        """All but LAST, which is what was said of the reference before: none is filled in here."""
        found = []
        for slot, (reference, place) in enumerate(zip(text.references, seen.places, strict=True)):
            before = seen.places[slot - 1] if slot else None
            found.append(
                [
                    place.offset - before.offset if before else FAR,
                    slot + 1,
                    LASTS.index(NONE),
                    float(before is not None and seen.sentence(slot) == seen.sentence(slot - 1)),
                    _code(self.syncats, reference.get("SYNCAT")),
                    _code(self.semcats, reference.get("SEMCAT")),
                ]
            )
        return np.array(found, np.float64).reshape(-1, len(COLUMNS))


def _code(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names) - 1


def with_lasts(rows: Rows, types: Sequence[str]) -> Rows:
    """The rows of a text with the type of the reference before each."""
    found = rows.copy()
    found[1:, COLUMNS.index("LAST")] = [LASTS.index(each) for each in types[:-1]]
    return found


def spread(rows: Rows, sizes: Sequence[int]) -> Rows:
    """Numbers as they are, codes as one column for every name."""
    parts = [rows[:, : len(NUMBERS)]]
    for column, size in enumerate(sizes, len(NUMBERS)):
        parts.append((rows[:, column, None] == np.arange(size)).astype(np.float64))
    return np.concatenate(parts, axis=1)


def spread_names(categories: Categories) -> list[str]:
    """What the columns of `spread` are called."""
    return [
        *NUMBERS,
        *(
            f"{column} = {name}"
            for column, names in zip(CODES, categories.names, strict=True)
            for name in names
        ),
    ]
