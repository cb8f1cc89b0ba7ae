"""Where tokens and sentences end: what is learned, and how it is applied to a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.text.characters import CLASSES, Classes, encode
from plait.text.lexicon import WordKinds, learn_kinds
from plait.text.options import TokenizerOptions
from plait.text.raw import INSIDE, RawText
from plait.weights import PackedWeights

DECISIONS = 3
_LONGEST_TOKEN = 1000  # characters: longer ones are cut, so that memory stays bounded
_RAREST_SEAM = 1000  # tokens end between two classes of characters if they do once in so many times
# How much of the training text is shown as it is, in lower case, in upper case (core/text/lesson.hpp).
_SHOWINGS = (0.93, 0.05, 0.02)
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

    def segment(self, text: str, *, lines: bool = False, fresh: bool = True, is_all: bool = True) -> Segments:
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
        )
        return Segments(firsts, lasts, ends, _next_token(classes, int(lasts[-1])) if len(lasts) else 0)


def _next_token(classes: Classes, place: int) -> int:
    """The first place from here on that is no white space."""
    space = (classes[place:] == CLASSES.index("space")) | (classes[place:] == CLASSES.index("line_break"))
    return len(classes) if space.all() else place + int(space.argmin())


class SegmenterTraining:
    """Passes over a raw text (see core/text/learner.hpp)."""

    def __init__(self, options: TokenizerOptions, raw: RawText) -> None:
        codes, classes = encode(raw.text)
        self.options = options
        self.seams = _seams(classes, raw)
        self._core = _core.TokenizerTrainer(self.seams, codes, classes, raw.ends, options.bits, options.step)
        self.lexicon, kinds, self._folds = learn_kinds(self._core)
        self._lexicons = [each.to_core() for each in kinds]

    def run_epoch(self, number: int) -> tuple[int, int]:
        """One pass, the first in gold states, the others in the learner's own; decisions and updates."""
        chance = np.random.default_rng([self.options.seed, number])
        order = chance.permutation(len(self._core)).astype(np.int64)
        showings = chance.choice(len(_SHOWINGS), len(self._core), p=_SHOWINGS).astype(np.uint8)
        decisions, updates = self._core.learn(order, self._folds, self._lexicons, showings, number > 1)
        return decisions, updates

    def segmenter(self, bias: float = 0.0) -> Segmenter:
        weights = PackedWeights.rounded(self._core.averaged())
        return Segmenter(self.options, weights, self.seams, self.lexicon, bias)


def _seams(classes: Classes, raw: RawText) -> NDArray[np.uint8]:
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
