"""Words in their order as integers: what the classifier sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.inflector.candidates import Candidate
from plait.features.encoding import hash_text
from plait.features.memory import RowMemory
from plait.sentence import Sentence

_OF_WORD = (
    *("lemma", "upos", "xpos", "feats", "deprel"),
    *("end1", "end2", "end3", "end4", "start1"),
)
_COLUMNS = (
    *_OF_WORD,
    *(f"{name}{place}" for place in ("-1", "+1") for name in ("lemma", "upos", "feats", "start1")),
    *("upos-2", "upos+2", "first", "head.lemma", "head.upos", "side"),
)
_AT = {name: number for number, name in enumerate(_OF_WORD)}
_TAGS = ("upos feats", "xpos", "upos xpos feats")
# Bohnet et al. (2010), Table 2, and what stands beside a word and above it.
_PLAIN = (
    *("lemma", "lemma feats", "lemma upos feats", "lemma xpos", "upos feats", "xpos", "feats deprel"),
    *(f"{end} {tags}" for end in ("end1", "end2", "end3", "end4") for tags in _TAGS),
    *("lemma lemma+1 feats", "lemma lemma+1 upos", "lemma feats-1 upos-1", "lemma feats-1", "feats feats-1"),
    *("feats feats+1", "lemma feats+1", "lemma lemma-1", "lemma lemma+1", "lemma upos-1", "lemma upos+1"),
    *("lemma start1+1", "lemma xpos upos-1 upos+1", "lemma upos-1 upos-2", "lemma upos+1 upos+2"),
    *("lemma first", "lemma deprel", "lemma head.lemma", "lemma head.upos side", "lemma lemma-1 lemma+1"),
    *("upos first", "upos feats start1"),
)
_SEEING = (
    *("", "upos", "xpos", "upos feats", "lemma", "lemma feats"),
    *("lemma upos-1", "lemma upos+1", "lemma lemma-1", "lemma lemma+1", "end2 upos feats", "end3 upos feats"),
)
_PAD = 2  # words beyond both ends


@dataclass(frozen=True, slots=True)
class Encoded:
    """Words as the core reads them: a row of values each, and candidates one word after the other."""

    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    classes: NDArray[np.int32]
    sights: NDArray[np.uint32]


class Encoder:
    """Remembers the words it has seen."""

    def __init__(self) -> None:
        self._words: RowMemory[tuple[str, ...]] = RowMemory(_row, np.empty((0, len(_OF_WORD)), np.uint32))

    def encode(self, sentences: Sequence[Sentence], candidates: Sequence[Sequence[Candidate]]) -> Encoded:
        """Of all words, one after the other; of each its candidates."""
        offsets = np.zeros(len(candidates) + 1, np.int64)
        np.cumsum([len(found) for found in candidates], out=offsets[1:])
        flat = [candidate for found in candidates for candidate in found]
        blocks = [self._rows(sentence) for sentence in sentences]
        return Encoded(
            np.concatenate(blocks) if blocks else np.empty((0, len(_COLUMNS)), np.uint32),
            offsets,
            np.array([candidate.script for candidate in flat], np.int32),
            np.array([candidate.sight for candidate in flat], np.uint32),
        )

    def _rows(self, sentence: Sentence) -> NDArray[np.uint32]:
        size = len(sentence)
        words = zip(
            sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats, sentence.deprels, strict=True
        )
        (own,) = self._words.rows(words, size)
        padded = np.zeros((size + 2 * _PAD, len(_OF_WORD)), np.uint32)
        padded[_PAD : _PAD + size] = own

        def beside(name: str, distance: int) -> NDArray[np.uint32]:
            column: NDArray[np.uint32] = padded[_PAD + distance : _PAD + distance + size, _AT[name]]
            return column

        heads = np.array([head or 0 for head in sentence.heads], np.int64)
        numbers = np.arange(1, size + 1)
        above = np.zeros((size + 1, len(_OF_WORD)), np.uint32)
        above[1:] = own
        result = np.empty((size, len(_COLUMNS)), np.uint32)
        result[:, : len(_OF_WORD)] = own
        at = len(_OF_WORD)
        for distance in (-1, 1):
            for name in ("lemma", "upos", "feats", "start1"):
                result[:, at] = beside(name, distance)
                at += 1
        result[:, at] = beside("upos", -2)
        result[:, at + 1] = beside("upos", 2)
        result[:, at + 2] = numbers == 1
        result[:, at + 3] = above[heads, _AT["lemma"]]
        result[:, at + 4] = above[heads, _AT["upos"]]
        result[:, at + 5] = np.where(heads == 0, 0, np.where(heads > numbers, 1, 2))
        return result


def make_program(seed: int) -> _core.ClassifierProgram:
    return _core.ClassifierProgram(*_join(_PLAIN), *_join(_SEEING), len(_COLUMNS), seed)


def _join(lines: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    columns = [[_COLUMNS.index(name) for name in line.split()] for line in lines]
    ends = np.cumsum([len(line) for line in columns], dtype=np.int32)
    return np.array([column for line in columns for column in line], np.int32), ends


def _row(word: tuple[str, ...]) -> tuple[list[int]]:
    lemma = word[0]
    marked = "^" + lemma  # so that a short word is not taken for the end of a long one
    texts = [*word, *(marked[-size:] for size in range(1, 5)), lemma[:1].lower()]
    return ([hash_text(text) for text in texts],)
