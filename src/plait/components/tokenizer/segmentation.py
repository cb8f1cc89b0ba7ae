"""Where tokens and sentences end: what is learned, and how it is applied to a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel
from plait.components.tokenizer.characters import CLASSES, Classes, encode
from plait.components.tokenizer.lexicon import WordKinds
from plait.components.tokenizer.options import TokenizerOptions
from plait.components.tokenizer.raw import INSIDE, RawText
from plait.learning.weights import PackedWeights

DECISIONS = 3
_LONGEST_TOKEN = 1000  # characters: longer ones are cut, so that memory stays bounded
_RAREST_SEAM = 1000  # tokens end between two classes of characters if they do once in so many times
# How much of the training text is shown as it is, in lower case, in upper case (core/text/lesson.hpp).
_WORDLIKE = slice(CLASSES.index("upper"), CLASSES.index("mark") + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Tokens by their places in a text; `ends` is 1 for the last of a sentence, 2 for the last of a paragraph."""

    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]  # behind the token
    ends: NDArray[np.uint8]
    used: int  # characters of the text, up to where the next sentence begins


class Segmenter:
    """Segments texts with learned weights; `bias` is for sentence ends."""

    def __init__(
        self,
        options: TokenizerOptions,
        weights: PackedWeights,
        seams: NDArray[np.uint8],
        lexicon: WordKinds,
        bias: float,
    ) -> None:
        self.options = options
        self.weights = weights
        self.seams = seams
        self.lexicon = lexicon
        self.bias = bias
        self._weights = weights.to_core(options.bits, DECISIONS)
        self._lexicon = lexicon.to_core()

    def with_bias(self, bias: float) -> Segmenter:
        return Segmenter(self.options, self.weights, self.seams, self.lexicon, bias)

    def segment(
        self,
        text: str,
        *,
        lines: bool = False,
        fresh: bool = True,
        is_all: bool = True,
        cancel: Cancel | None = None,
    ) -> Segments:
        """With `lines`, every line is a sentence. `fresh`: the text begins a paragraph. Not `is_all`: more may
        follow, so the last sentences are left out.
        """
        codes, classes = encode(text)
        firsts, lasts, ends = _core.segment(
            self._weights,
            self.seams,
            self._lexicon,
            codes,
            classes,
            self.options.longest,
            _LONGEST_TOKEN,
            self.bias,
            lines,
            fresh,
            is_all,
            cancel,
        )
        return Segments(firsts, lasts, ends, _next_token(classes, int(lasts[-1])) if len(lasts) else 0)


def _next_token(classes: Classes, place: int) -> int:
    """The first place from here on that is no white space."""
    space = (classes[place:] == CLASSES.index("space")) | (classes[place:] == CLASSES.index("line_break"))
    return len(classes) if space.all() else place + int(space.argmin())


def find_seams(classes: Classes, raw: RawText) -> NDArray[np.uint8]:
    """Between which classes tokens end: where they do in training often enough; between classes that never meet
    there, unless both are of words, and never before or after a mark or an unknown character.
    """
    count = len(CLASSES)
    pairs = classes[:-1].astype(np.int64) * count + classes[1:]
    met = np.bincount(pairs, minlength=count * count)
    ended = np.bincount(pairs[raw.ends[:-1] != INSIDE], minlength=count * count)
    wordlike, bound = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    wordlike[_WORDLIKE] = True
    bound[[CLASSES.index("mark"), CLASSES.index("other")]] = True
    unseen = ~(wordlike[:, None] & wordlike) & ~bound
    unseen[CLASSES.index("other")] = False
    allowed = np.where(met > 0, ended * _RAREST_SEAM >= np.maximum(met, 1), unseen.ravel())
    return allowed.astype(np.uint8)
