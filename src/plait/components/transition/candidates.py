"""What words may be tagged as, where the parser chooses (Bohnet and Nivre 2012), as the core reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.errors import FormatError, Problem
from plait.features.templates import OF_CANDIDATE
from plait.layers import Candidates, tag_name
from plait.sentence import Sentence

MOST = 254  # of one word
_LEAST = 2  # 0 and 1 mean no word and the root
_BIN = 0.05  # of margins (Bohnet and Nivre 2012, Figure 3)
_LARGEST = 2.0  # margin that has a bin of its own
_ROUNDING = 1e-9
_NO_CHOICE = Candidates()


def candidates_of(sentence: Sentence) -> Candidates:
    return sentence.find(Candidates) or _NO_CHOICE


@dataclass(frozen=True, slots=True)
class Arranged:
    """Rows of candidates with columns more, those of `OF_CANDIDATE`; where sentences begin, in words; where words
    begin, in rows; which of the tags of its word every candidate has, and by how much it is behind the best one.
    """

    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    starts: NDArray[np.int64]
    tags: NDArray[np.uint8]
    margins: NDArray[np.float32]


def arrange(values: NDArray[np.uint32], sentences: Sequence[Sentence], *, apart: bool = True) -> Arranged:
    """With features `apart`, candidates with the same UPOS have the same tag; otherwise each has its own."""
    choice = [candidates_of(sentence) for sentence in sentences]
    for sentence, each in zip(sentences, choice, strict=True):
        _check(sentence, each)
    words = [len(sentence) for sentence in sentences]
    sizes = [size for each, count in zip(choice, words, strict=True) for size in each.sizes(count)]
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    offsets = np.zeros(len(words) + 1, np.int64)
    np.cumsum(words, out=offsets[1:])
    more = len(OF_CANDIDATE)
    wider = np.full((len(values), values.shape[1] + more), _LEAST, np.uint32)
    wider[:, :-more] = values
    row_tags = np.zeros(len(values), np.uint8)
    margins = np.zeros(len(values), np.float32)
    for sentence, each, first in zip(sentences, choice, offsets.tolist(), strict=False):
        for word, tags in each.others.items():
            start = starts[first + word - 1]
            seen = {tag_name(sentence.upos[word - 1], sentence.xpos[word - 1]): [0]}
            for row, tag in enumerate(tags, 1):
                name = tag_name(tag.upos, tag.xpos) if apart else f" {row}"
                rows = seen.setdefault(name, [])
                rows.append(row)
                rank = list(seen).index(name)
                row_tags[start + row] = rank
                margins[start + row] = min(tag.margin, _LARGEST) + min(tag.feats_margin, _LARGEST)
                wider[start + row, -more:] = (
                    _LEAST + rank,
                    _binned(tag.margin),
                    _LEAST + len(rows) - 1,
                    _binned(tag.feats_margin),
                )
    return Arranged(wider, offsets, starts, row_tags, margins)


def _binned(margin: float) -> int:
    return _LEAST + int(min(margin, _LARGEST) / _BIN + _ROUNDING)


def _check(sentence: Sentence, choice: Candidates) -> None:
    for word, tags in choice.others.items():
        if not 1 <= word <= len(sentence):
            fault = f"there are candidates for word {word}, but the sentence has {len(sentence)} words"
        elif len(tags) >= MOST:
            fault = f"word {word} has {1 + len(tags)} candidates, but there can be {MOST}"
        elif not all(margin >= 0 for tag in tags for margin in (tag.margin, tag.feats_margin)):
            fault = f"a margin of word {word} is negative, or no number"
        else:
            continue
        raise FormatError(Problem(f"{fault}.", "", sentence.line, sentence.sent_id))


def right_ranks(sentences: Sequence[Sentence]) -> NDArray[np.int32]:
    """The ranks of the right tags of all words."""
    ranks: list[int] = []
    for sentence in sentences:
        choice = candidates_of(sentence)
        for word, rank in choice.right.items():
            if not 0 <= rank <= len(choice.others.get(word, ())):
                fault = f"the right tag of word {word} is said to be number {rank}, but there is no such candidate."
                raise FormatError(Problem(fault, "", sentence.line, sentence.sent_id))
        ranks += [choice.right.get(word, 0) for word in range(1, len(sentence) + 1)]
    return np.array(ranks, np.int32)
