"""Trees as what puts them into words sees them: lemmas, tags, labels and heads, whatever their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.errors import FormatError, NotATreeError, Problem
from plait.features.encoding import Encoder
from plait.layers import LiftedTree
from plait.sentence import Sentence, parse_pairs
from plait.trees import tree_of

FIXED = (
    "lin"  # in MISC: the place of a word beside its head, as the shared task on surface realization gives it
)
# What the core knows of words by its place: columns first, then what follows from the tree.
COLUMNS = ("lemma", "upos", "xpos", "feats", "deprel", "feats.PronType")
SHAPES = ("nchildren", "ngrandchildren", "size", "childlabels", "childtags", "marks", "asks")
MARKING, ASKING = (
    ("ADP", "SCONJ"),
    ("Int", "Rel", "Int,Rel", "Exc"),
)  # tags that mark, pronouns that ask or relate
_COLUMNS = {"deprel": "deprels"}


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTrees:
    """Sentences one after the other: a row per word, heads, and the places that are fixed."""

    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    heads: NDArray[np.int32]
    fixed: NDArray[np.int32]

    def arrays(self) -> Iterable[NDArray[np.generic]]:
        return self.values, self.offsets, self.heads, self.fixed


class TreeEncoder:
    """Encodes trees for the core."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._encoder = Encoder([_COLUMNS.get(name, name) for name in columns])

    def encode(self, sentences: Sequence[Sentence]) -> EncodedTrees:
        """InputError with line and sentence for heads that are no tree."""
        values, offsets = self._encoder.encode(sentences)
        heads = [head for sentence in sentences for head in heads_of(sentence)]
        fixed = [place for sentence in sentences for place in fixed_places(sentence)]
        return EncodedTrees(values, offsets, np.array(heads, np.int32), np.array(fixed, np.int32))


def heads_of(sentence: Sentence) -> Sequence[int]:
    """The lifted tree, if there is one."""
    lifted = sentence.find(LiftedTree)
    return lifted.heads if lifted else checked_heads(sentence)


def checked_heads(sentence: Sentence) -> list[int]:
    """The tree; FormatError with line and sentence if it is none."""
    try:
        return tree_of(sentence)
    except NotATreeError as error:
        raise FormatError(Problem(str(error), "", sentence.line, sentence.sent_id)) from None


def fixed_places(sentence: Sentence) -> list[int]:
    """0 where nothing is known, or where the head is another one since the arc was lifted."""
    if not any(FIXED in cell for cell in sentence.misc):
        return [0] * len(sentence)
    places = [_place(parse_pairs(cell).get(FIXED, "")) for cell in sentence.misc]
    lifted = sentence.find(LiftedTree)
    if lifted:
        pairs = zip(places, sentence.heads, lifted.heads, strict=True)
        places = [place if head == other else 0 for place, head, other in pairs]
    return places


def _place(text: str) -> int:
    sign, digits = text[:1], text[1:]
    if sign in ("+", "-") and digits.isascii() and digits.isdigit() and len(digits) < 4:
        return int(digits) if sign == "+" else -int(digits)
    return 0
