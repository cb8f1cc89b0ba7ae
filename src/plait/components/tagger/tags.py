"""The tags of a treebank: triples of UPOS, XPOS and FEATS, what they are made of and what is seen of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.checks import text
from plait.errors import InputError
from plait.sentence import EMPTY, Sentence, parse_pairs

NO_TAG = -1
_MOST_VIEWS = 1 << 24
_MOST_PIECES = 4096  # of the core
Indices = NDArray[np.int32]


class Tag(NamedTuple):
    """What a tagger says of a word."""

    upos: str
    xpos: str
    feats: str


@dataclass(frozen=True, slots=True)
class ScoredTag:
    """One of the tags a word may have. Scores compare tags of one word only."""

    upos: str
    xpos: str
    feats: str
    score: float


def scored(tag: Tag, score: float) -> ScoredTag:
    return ScoredTag(tag.upos, tag.xpos, tag.feats, score)


class Tags:
    """All tags of a treebank, numbered in alphabetical order."""

    def __init__(self, triples: Sequence[Tag]) -> None:
        if not triples:
            raise ValueError("there are no tags")
        for name in set(chain.from_iterable(triples)):
            text(name, "a tag", "name")
        self.triples = list(triples)
        self._numbers = {tag: number for number, tag in enumerate(self.triples)}

    @classmethod
    def of(cls, sentences: Sequence[Sentence], path: str = "") -> Tags:
        found = set(chain.from_iterable(map(triples_of, sentences)))
        # A column that is empty everywhere is no fault, an empty cell of another one is: of that word nothing
        # can be learned.
        needed = [column for column in (0, 1) if any(tag[column] != EMPTY for tag in found)]
        tags = sorted(tag for tag in found if all(tag[column] != EMPTY for column in needed))
        if not any(cell != EMPTY for tag in tags for cell in tag):
            raise InputError(f"{path or 'The treebank'}: there are no tags in it to learn from.")
        try:
            inventory = cls(tags)
            size = inventory.pieces()[1]
            if size > _MOST_PIECES:
                raise ValueError(
                    f"the tags have {size:,} different pieces, and {_MOST_PIECES:,} are the most"
                )
            return inventory
        except ValueError as error:
            raise InputError(f"{path or 'The treebank'}: {error}.") from None

    def __len__(self) -> int:
        return len(self.triples)

    def numbers(self, sentences: Sequence[Sentence]) -> Indices:
        """The tag of every word; `NO_TAG` for one that is not in this list."""
        get = self._numbers.get
        return np.array(
            [get(tag, NO_TAG) for sentence in sentences for tag in triples_of(sentence)], np.int32
        )

    def pieces(self) -> tuple[list[list[int]], int]:
        """Of every tag the numbers of its pieces, and how many pieces there are.

        The score of a tag is the sum over its UPOS, its XPOS and each feature, so that what is learned of
        `Number=Plur` holds for all tags with it.
        """
        pieces: dict[tuple[str, str], int] = {}
        lists = []
        for tag in self.triples:
            names = [("upos", tag.upos), ("xpos", tag.xpos)]
            names += [("feats", feature) for feature in dict.fromkeys(tag.feats.split("|"))]
            lists.append([pieces.setdefault(name, len(pieces)) for name in names])
        return lists, len(pieces)

    def views(self, names: Sequence[str]) -> NDArray[np.int32]:
        """What templates see of the tags: a row per tag, a column per name, a number per different value."""
        if len(self) * len(names) > _MOST_VIEWS:
            raise ValueError("the templates see too much of too many tags")
        has_xpos = any(tag.xpos != EMPTY for tag in self.triples)
        table = np.zeros((len(self), len(names)), np.int32)
        for column, name in enumerate(names):
            values: dict[object, int] = {}
            for row, tag in enumerate(self.triples):
                value = _view(tag, name if name != "fine" else "xpos" if has_xpos else "tag")
                table[row, column] = values.setdefault(value, len(values))
        return table


def triples_of(sentence: Sentence) -> Iterator[Tag]:
    return map(Tag, sentence.upos, sentence.xpos, sentence.feats)


def _view(tag: Tag, name: str) -> object:
    if name == "tag":
        return tag
    if name.startswith("feats."):
        return parse_pairs(tag.feats).get(name.removeprefix("feats."), EMPTY)
    return getattr(tag, name)
