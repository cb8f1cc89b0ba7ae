"""Passes over a raw text (see core/text/learner.hpp)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel
from plait.components.tokenizer.assembly import Assembler
from plait.components.tokenizer.characters import encode
from plait.components.tokenizer.flow import tokenize_pieces
from plait.components.tokenizer.lexicon import learn_kinds
from plait.components.tokenizer.multiword import Multiwords
from plait.components.tokenizer.options import TokenizerOptions
from plait.components.tokenizer.raw import RawText, raw_text
from plait.components.tokenizer.segmentation import Segmenter, find_seams
from plait.evaluation import evaluate
from plait.learning.learner import Order, TableLearner, Weights
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence

# How often a paragraph is shown as it is, and otherwise.
_SHOWINGS = (0.93, 0.05, 0.02)
_BIASES = (-0.5, -0.25, 0.25, 0.5)
_WORTH = 0.3  # points on the dev set that a bias must gain: less is chance, and was lost again on other text


@dataclass(frozen=True, slots=True)
class Cutter:
    """What tokenizes: where tokens and sentences end, and which tokens are several words."""

    segmenter: Segmenter
    multiwords: Multiwords
    spaces_guessed: bool  # the treebank does not tell where its spaces are

    def stream(
        self,
        pieces: Iterable[str],
        *,
        lines: bool,
        ranges: bool,
        first: int = 1,
        cancel: Cancel | None = None,
    ) -> Iterator[Sentence]:
        assembler = Assembler(self.multiwords, ranges=ranges, first=first)
        return tokenize_pieces(self.segmenter, assembler, pieces, lines=lines, cancel=cancel)

    def with_bias(self, bias: float) -> Cutter:
        return Cutter(self.segmenter.with_bias(bias), self.multiwords, self.spaces_guessed)


class SegmentationLearner(TableLearner[_core.TokenizerTrainer, Cutter]):
    """The first pass is in gold states, the others in the learner's own. Epochs are compared by the sum of the scores
    of words and of sentences.
    """

    metric = "words"
    counted = ("decisions", "updates")
    chunk = 1024

    def __init__(
        self, options: TokenizerOptions, raw: RawText, multiwords: Multiwords, dev: Sequence[Sentence] | None
    ) -> None:
        self._codes, self._classes = encode(raw.text)
        self._ends = raw.ends
        self._seams = find_seams(self._classes, raw)
        cores = [
            _core.TokenizerTrainer(
                self._seams, self._codes, self._classes, raw.ends, options.bits, options.step
            )
            for _ in range(options.tables)
        ]
        core = cores[0]
        super().__init__(cores, len(core), options.seed)
        self._options = options
        self._multiwords = multiwords
        self._guessed = raw.guessed
        self._lexicon, kinds, self._folds = learn_kinds(core)
        self._lexicons = [each.to_core() for each in kinds]
        self._judge = None if dev is None else Judge(dev)
        self.judged = dev is not None

    def learn(self, core: _core.TokenizerTrainer, order: Order, epoch: int) -> tuple[int, int]:
        return core.learn(order, self._folds, self._lexicons, self._showings(epoch), epoch > 1)

    def _showings(self, epoch: int) -> NDArray[np.uint8]:
        """How each paragraph is shown in an epoch; drawn after its order."""
        chance = np.random.default_rng([self._options.seed, epoch])
        chance.permutation(self.size)
        return chance.choice(len(_SHOWINGS), self.size, p=_SHOWINGS).astype(np.uint8)

    def build(self, weights: Weights) -> Cutter:
        segmenter = Segmenter(
            self._options, PackedWeights.rounded(weights), self._seams, self._lexicon, bias=0.0
        )
        return Cutter(segmenter, self._multiwords, self._guessed)

    def score(self, state: Cutter) -> dict[str, float]:
        assert self._judge is not None
        return self._judge.score(state)

    def rank(self, scores: dict[str, float]) -> tuple[float, ...]:
        return scores["words"] + scores["sentences"], scores["words"], scores["sentences"]

    def finish(self, state: Cutter, scores: dict[str, float]) -> tuple[Cutter, dict[str, float]]:
        """The bias for sentence ends that is best on the dev set."""
        if self._judge is None:
            return state, scores
        best, best_scores = state, scores
        for bias in _BIASES:
            candidate = state.with_bias(bias)
            found = self._judge.score(candidate)
            worth = self.rank(found)[0] >= self.rank(scores)[0] + _WORTH
            if worth and self.rank(found) > self.rank(best_scores):
                best, best_scores = candidate, found
        return best, best_scores

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield from (self._codes, self._classes, self._ends)
        if self._judge:
            yield self._judge.text


class Judge:
    """F1 of words and of sentences on the raw text of a dev set, as in CoNLL 2018."""

    def __init__(self, dev: Sequence[Sentence]) -> None:
        self._gold = [_with_chain(sentence) for sentence in dev]
        self.text = raw_text(dev).text

    def score(self, cutter: Cutter) -> dict[str, float]:
        found = cutter.stream([self.text], lines=False, ranges=False)
        scores = evaluate(self._gold, [_with_chain(sentence) for sentence in found])
        return {"words": scores.words, "sentences": scores.sentences}


def _with_chain(sentence: Sentence) -> Sentence:
    """The words with any tree: scores of words and sentences do not look at it, but cannot do without."""
    return Sentence(
        forms=sentence.forms,
        heads=list(range(len(sentence))),
        multiword_tokens=sentence.multiword_tokens,
    )
