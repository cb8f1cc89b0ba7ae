"""Trees into sentences, and against the trees of a dev set: what all components share that attach words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from plait.errors import FormatError, Problem
from plait.layers import GuideTree, Parse
from plait.learning.arcs import LabelledTrees
from plait.learning.candidates import choose
from plait.sentence import EMPTY, Sentence

_OF_WORDS = ("las", "las_full", "uas")
_OF_SENTENCES = ("exact_labeled", "exact_unlabeled")
_NO_PUNCT = "_no_punct"
# By which an epoch may be chosen: of words and of whole sentences, with punctuation and without.
METRICS = tuple(name + ending for ending in ("", _NO_PUNCT) for name in (*_OF_WORDS, *_OF_SENTENCES))


def attach(sentence: Sentence, parse: Parse) -> None:
    """Put a tree into a sentence, and the tags that were chosen for it. The enhanced graph belongs to the old one and
    is removed.
    """
    sentence.heads = list(parse.heads)
    sentence.deprels = list(parse.labels)
    sentence.deps = [EMPTY] * len(parse.heads)
    sentence.empty_nodes = []
    choose(sentence, parse.tags)


def tell_confidence(sentence: Sentence, shares: Iterable[float]) -> None:
    """Into MISC: how sure a parser is of every head."""
    entries = [f"Confidence={share:.3f}" for share in shares]
    pairs = zip(sentence.misc, entries, strict=True)
    sentence.misc = [entry if cell == EMPTY else f"{cell}|{entry}" for cell, entry in pairs]


def with_guides(sentences: Iterable[Sentence], path: str = "") -> Iterator[Sentence]:
    """The sentences; FormatError at the first without the tree of a guide, or with that of another sentence."""
    for sentence in sentences:
        guide, message = sentence.find(GuideTree), ""
        if guide is None:
            message = "the parser looks at the tree of a guide, and there is none: it belongs into a stack."
        elif not guide.fits(len(sentence)):
            message = "the tree of the guide is not one of this sentence."
        if message:
            raise FormatError(Problem(message, path, sentence.line, sentence.sent_id))
        yield sentence


class Answers:
    """The trees of a dev set, against which others are held, by the usual metrics and by one more of `METRICS`."""

    def __init__(self, dev: Sequence[Sentence], path: str = "", metric: str = "las") -> None:
        gold = LabelledTrees.of(dev, path)
        self._metric = metric
        self._sentences = np.repeat(np.arange(len(dev)), [len(sentence) for sentence in dev])
        self._punctuation = np.array([tag == "PUNCT" for sentence in dev for tag in sentence.upos], np.bool_)
        self.heads = np.array([head for heads in gold.heads for head in heads], np.int32)
        self.labels = [name for names in gold.labels for name in names]

    def right_heads(self, parses: Iterable[Parse]) -> NDArray[np.bool_]:
        """By word."""
        found = np.array([head for parse in parses for head in parse.heads], np.int32)
        return np.equal(self.heads, found)

    def score(self, parses: Sequence[Parse]) -> dict[str, float]:
        """In percent; LAS as in CoNLL 2018: labels without subtypes, words aligned one by one; or with whole labels,
        which exact match wants too.
        """
        right = self.right_heads(parses)
        pairs = list(zip(self.labels, (name for parse in parses for name in parse.labels), strict=True))
        whole = right & np.array([gold == found for gold, found in pairs])
        universal = right & np.array([_universal(gold) == _universal(found) for gold, found in pairs])
        shares = {"las": universal, "uas": right, "las_full": whole}
        scores = {name: 100 * float(share.mean()) for name, share in shares.items()}
        if self._metric not in scores:
            shares |= {"exact_labeled": whole, "exact_unlabeled": right}
            scores[self._metric] = self._other(shares[self._metric.removesuffix(_NO_PUNCT)])
        return scores

    def _other(self, right: NDArray[np.bool_]) -> float:
        """By the metric that is not among the usual ones."""
        ignored = self._punctuation if self._metric.endswith(_NO_PUNCT) else np.zeros_like(right)
        if self._metric.removesuffix(_NO_PUNCT) in _OF_WORDS:
            return 100 * float(right[~ignored].mean()) if not ignored.all() else 0.0
        wrong = np.bincount(self._sentences, ~(right | ignored))
        return 100 * float((wrong == 0).mean())

    def data(self) -> Iterator[NDArray[np.generic]]:
        yield self.heads
        yield np.array(self.labels, np.str_)
        if self._metric.endswith(_NO_PUNCT):
            yield self._punctuation


def _universal(label: str) -> str:
    return label.partition(":")[0]
