"""How much of a sentence is right, by word: what selections are scored by (Ballesteros and Bohnet 2014, section 4.3).

`las` is as in CoNLL 2018. `lump` is the mean of LAS, UAS, morphology and tags; where the treebank has no morphology, of
the other three. `pmlas` counts a word when tag, features, head and label are right. For taggers there is `alltags`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plait.evaluation.conll18 import universal_features
from plait.sentence import EMPTY, Sentence

TREE_SCORES = ("las", "lump", "pmlas")
TAG_SCORES = ("alltags",)
Bools = NDArray[np.bool_]


class GoldWords:
    """The words of a dev part, against which others are held."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._sentences = sentences
        self.lengths = np.array([len(sentence.forms) for sentence in sentences], np.int64)
        self._has_morphology = any(cell != EMPTY for sentence in sentences for cell in sentence.feats)
        self._heads = np.array([head for sentence in sentences for head in sentence.heads], np.int64)
        self._labels = _flat(sentences, "deprels")

    def rights(self, found: Sequence[Sentence], score: str) -> NDArray[np.float64]:
        """By sentence, how many words of it are right."""
        heads = np.array([head for sentence in found for head in sentence.heads], np.int64)
        tags = {
            "upos": self._equal(found, "upos"),
            "xpos": self._equal(found, "xpos"),
            "feats": self._equal(found, "feats"),
        }
        return self._by_sentence(self._words(heads, _flat(found, "deprels"), tags, score))

    def rights_of_trees(
        self, heads: NDArray[np.int32], labels: NDArray[np.object_], score: str
    ) -> NDArray[np.float64]:
        """The same of trees alone; the tags are those of the treebank."""
        given = np.ones(len(heads), bool)
        tags = {"upos": given, "xpos": given, "feats": given}
        return self._by_sentence(self._words(heads, labels, tags, score))

    def _words(
        self, heads: NDArray[np.integer], labels: NDArray[np.object_], tags: dict[str, Bools], score: str
    ) -> NDArray[np.float64]:
        right = self._heads == heads
        las = right & (_universal(self._labels) == _universal(labels))
        counted: list[Bools] = [las]
        if score == "alltags":
            counted = [tags["upos"] & tags["xpos"] & tags["feats"]]
        elif score == "pmlas":
            counted = [right & (self._labels == labels) & tags["upos"] & tags["feats"]]
        elif score == "lump":
            counted = [las, right, tags["upos"], *([tags["feats"]] if self._has_morphology else [])]
        result: NDArray[np.float64] = np.mean(counted, axis=0, dtype=np.float64)
        return result

    def _equal(self, found: Sequence[Sentence], column: str) -> Bools:
        pairs = zip(self._sentences, found, strict=True)
        read = universal_features if column == "feats" else str
        return np.array(
            [
                read(mine) == read(theirs)
                for gold, other in pairs
                for mine, theirs in zip(getattr(gold, column), getattr(other, column), strict=True)
            ],
            bool,
        )

    def _by_sentence(self, words: NDArray[np.float64]) -> NDArray[np.float64]:
        place = np.repeat(np.arange(len(self.lengths)), self.lengths)
        return np.bincount(place, weights=words, minlength=len(self.lengths)).astype(np.float64)


def _flat(sentences: Sequence[Sentence], column: str) -> NDArray[np.object_]:
    return np.array([cell for sentence in sentences for cell in getattr(sentence, column)], object)


def _universal(labels: NDArray[np.object_]) -> NDArray[np.object_]:
    names = {name: name.partition(":")[0] for name in set(labels.tolist())}
    return np.array([names[name] for name in labels.tolist()], object)
