"""What words may be tagged as, where the parser chooses (Bohnet and Nivre 2012), as the core reads it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plait.errors import FormatError, Problem
from plait.layers import Candidates
from plait.sentence import Sentence

MOST = 254  # of one word
_LEAST = 2  # 0 and 1 mean no word and the root
_BIN = 0.05  # of margins
_ROUNDING = 1e-9
_NO_CHOICE = Candidates()


def candidates_of(sentence: Sentence) -> Candidates:
    return sentence.find(Candidates) or _NO_CHOICE


def arrange(
    values: NDArray[np.uint32], sentences: Sequence[Sentence]
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    """Rows of candidates with two columns more, rank and margin; where sentences begin, in words; and where words
    begin, in rows.
    """
    choice = [candidates_of(sentence) for sentence in sentences]
    for sentence, each in zip(sentences, choice, strict=True):
        _check(sentence, each)
    words = [len(sentence) for sentence in sentences]
    sizes = [size for each, count in zip(choice, words, strict=True) for size in each.sizes(count)]
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    offsets = np.zeros(len(words) + 1, np.int64)
    np.cumsum(words, out=offsets[1:])
    wider = np.full((len(values), values.shape[1] + 2), _LEAST, np.uint32)
    wider[:, :-2] = values
    for each, first in zip(choice, offsets.tolist(), strict=False):
        for word, tags in each.others.items():
            row = starts[first + word - 1]
            for rank, tag in enumerate(tags, 1):
                wider[row + rank, -2:] = _LEAST + rank, _LEAST + int(tag.margin / _BIN + _ROUNDING)
    return wider, offsets, starts


def _check(sentence: Sentence, choice: Candidates) -> None:
    for word, tags in choice.others.items():
        if not 1 <= word <= len(sentence):
            fault = f"there are candidates for word {word}, but the sentence has {len(sentence)} words"
        elif len(tags) >= MOST:
            fault = f"word {word} has {1 + len(tags)} candidates, but there can be {MOST}"
        elif not all(0 <= tag.margin <= 1 for tag in tags):
            fault = f"a margin of word {word} is not from 0 to 1"
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
