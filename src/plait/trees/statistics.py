"""Counts over a treebank: its size, and how far its trees are from projective."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from plait.errors import NotATreeError
from plait.sentence import Sentence
from plait.trees import TreeBatch, tree_of

_BATCH = 1000  # sentences measured at a time, so that memory stays flat


@dataclass(slots=True)
class Statistics:
    """Counts, not shares; they add with `+`."""

    sentences: int = 0
    words: int = 0
    tokens: int = 0
    multiword_tokens: int = 0
    empty_nodes: int = 0
    longest_sentence: int = 0
    trees: int = 0
    projective_sentences: int = 0
    nonprojective_arcs: int = 0
    crossing_pairs: int = 0
    ill_nested_sentences: int = 0
    several_roots_sentences: int = 0
    gap_degrees: Counter[int] = field(default_factory=Counter)
    edge_degrees: Counter[int] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Statistics) -> Statistics:
        both = {name: getattr(self, name) + getattr(other, name) for name in self.__slots__}
        return Statistics(**both | {"longest_sentence": max(self.longest_sentence, other.longest_sentence)})

    @property
    def projective_share(self) -> float:
        """Percent of the trees."""
        return 100 * self.projective_sentences / self.trees if self.trees else float("nan")

    @property
    def nonprojective_share(self) -> float:
        """Percent of the arcs, those from the root included."""
        arcs = sum(self.labels.values())
        return 100 * self.nonprojective_arcs / arcs if arcs else float("nan")

    def as_dict(self) -> dict[str, Any]:
        """Plain counts for JSON; degrees map to numbers of sentences, labels to numbers of arcs."""
        result: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        for name in ("gap_degrees", "edge_degrees"):
            result[name] = {str(degree): count for degree, count in sorted(result[name].items())}
        result["labels"] = dict(sorted(result["labels"].items(), key=lambda item: (-item[1], item[0])))
        return result


def measure(
    sentences: Iterable[Sentence], on_bad_tree: Callable[[Sentence, str], None] | None = None
) -> Statistics:
    """Count. A sentence without any head counts only for its words; one that is no tree is an error, or,
    with `on_bad_tree`, handed to it and left out.
    """
    stream = iter(sentences)
    total = Statistics()
    while batch := list(islice(stream, _BATCH)):
        total += _measure_batch(batch, on_bad_tree)
    return total


def _measure_batch(batch: list[Sentence], on_bad_tree: Callable[[Sentence, str], None] | None) -> Statistics:
    counts = Statistics()
    trees: list[list[int]] = []
    for sentence in batch:
        if any(head is not None for head in sentence.heads):
            try:
                trees.append(tree_of(sentence))
            except NotATreeError as error:
                if on_bad_tree is None:
                    raise NotATreeError(f"sentence {sentence.sent_id or sentence.line}: {error}") from None
                on_bad_tree(sentence, str(error))
                continue
            counts.labels.update(sentence.deprels)
        size = len(sentence)
        covered = sum(token.last - token.first + 1 for token in sentence.multiword_tokens)
        counts.sentences += 1
        counts.words += size
        counts.tokens += size - covered + len(sentence.multiword_tokens)
        counts.multiword_tokens += len(sentence.multiword_tokens)
        counts.empty_nodes += len(sentence.empty_nodes)
        counts.longest_sentence = max(counts.longest_sentence, size)
    measured = TreeBatch(trees)
    counts.trees = len(measured)
    counts.projective_sentences = int(measured.projective.sum())
    counts.nonprojective_arcs = int((measured.edge_degrees > 0).sum())
    counts.crossing_pairs = int(measured.crossing_pairs.sum())
    counts.ill_nested_sentences = int((~measured.well_nested).sum())
    counts.several_roots_sentences = sum(heads.count(0) > 1 for heads in trees)
    counts.gap_degrees.update(_tally(measured.highest(measured.gap_degrees)))
    counts.edge_degrees.update(_tally(measured.highest(measured.edge_degrees)))
    return counts


def _tally(degrees: np.ndarray[Any, np.dtype[np.int32]]) -> dict[int, int]:
    values, times = np.unique(degrees, return_counts=True)
    return dict(zip(values.tolist(), times.tolist(), strict=True))
