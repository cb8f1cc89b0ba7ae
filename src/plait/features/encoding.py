"""Sentences to integers: every string becomes a 32-bit hash, so a model needs no vocabulary."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from unicodedata import category
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from plait.errors import InputError
from plait.features.memory import RowMemory
from plait.features.morphology import PLAIN, Morphology, feature_value, is_slot, member
from plait.features.templates import GUIDE_HEADS
from plait.layers import GuideTree, Norms
from plait.sentence import EMPTY, Sentence

_GUIDE_LABELS = "guide labels"
_WORDS = "words"
_NORMS = "norms"
EMOTICON = ":)"
_CURRENCIES = "$€£"
_AT_NAME = re.compile(r"@\w{2,}")
_EMOJI = re.compile(
    "[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
    "[\u200d\ufe0e\ufe0f\u20e3\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\U000e0020-\U000e007f]*"
)
_RESERVED = 2  # 0: no such word, or no such member of a set; 1: the root
_MISSING = 0


def hash_text(text: str) -> int:
    """A hash that is the same on every machine and in every run."""
    return max(crc32(text.encode("utf-8", "surrogatepass")), _RESERVED)


def norms_of(sentence: Sentence) -> Sequence[str]:
    """The words in the spelling of edited text, where the sentence has norms (`Norms`); otherwise the forms."""
    norms = sentence.find(Norms)
    return sentence.forms if norms is None else norms.words


def seen_words(sentence: Sentence) -> Sequence[str]:
    """The words as features see them: their norms, and of what no treebank has enough one for all: emoji are an
    emoticon, @names one name, and signs of currencies that of the dollar but for those that are frequent.
    """
    words = norms_of(sentence)
    joined = "".join(words)
    if joined.isascii() and "@" not in joined:
        return words
    return [_alike(word) if word[:1] == "@" or not word.isascii() else word for word in words]


def _alike(word: str) -> str:
    if _AT_NAME.fullmatch(word):
        return "@JohnSmith"
    if len(word) == 1 and category(word) == "Sc" and word not in _CURRENCIES:
        return "$"
    return EMOTICON if _EMOJI.fullmatch(word) else word


# Further columns by name: a string for every word, as it is or in lower case; words that are not there have `_`.
Tables = Mapping[str, Mapping[str, str]]


def _getter(source: str, morphology: Morphology) -> Callable[[Sentence], Sequence[str]]:
    """Where a column comes from: the sentence, or what stands beside it."""
    beside: dict[str, Callable[[Sentence], Sequence[str]]] = {
        _GUIDE_LABELS: lambda sentence: _guide(sentence).labels,
        _WORDS: seen_words,
        _NORMS: _changed,
        "feats": lambda sentence: morphology.cells(sentence, seen_words(sentence)),
    }
    return beside.get(source) or attrgetter(source)


def _changed(sentence: Sentence) -> Sequence[str]:
    """The norms of words that are written otherwise; `_` for all others."""
    pairs = zip(sentence.forms, norms_of(sentence), strict=True)
    return [EMPTY if form == norm else norm for form, norm in pairs]


def _guide(sentence: Sentence) -> GuideTree:
    found = sentence.find(GuideTree)
    if found is None:
        raise InputError("The templates look at the tree of a guide, but there is none.")
    return found


def _column(name: str, tables: Tables) -> tuple[str, Callable[[str], str | None]]:
    """The column of a sentence an attribute is computed from, and how; none where a set has no more members."""
    if name in tables:
        table = tables[name]
        return _WORDS, lambda form: table.get(form) or table.get(form.lower(), EMPTY)
    if name.startswith("cluster"):
        raise InputError(f"The templates look at {name!r}, but there are no clusters of words.")
    if is_slot(name):
        return "feats", lambda cell: member(name, cell)
    if name.startswith("feats."):
        feature = name.removeprefix("feats.")
        return "feats", lambda cell: feature_value(cell, feature)
    if name.startswith("prefix"):
        size = int(name.removeprefix("prefix"))
        return _WORDS, lambda form: form[:size]
    if name.startswith("suffix"):
        size = int(name.removeprefix("suffix"))
        return _WORDS, lambda form: form[-size:]
    if name == "guide.deprel":
        return _GUIDE_LABELS, lambda cell: cell
    if name == "lower":
        return _WORDS, str.lower
    sources = {"form": _WORDS, "norm": _NORMS, "written": "forms", "lemma": "lemmas", "deprel": "deprels"}
    return sources.get(name, name), lambda cell: cell


class Encoder:
    """Encodes sentences for a list of columns, every different word once. Threads may share one."""

    def __init__(
        self, columns: Sequence[str], tables: Tables | None = None, morphology: Morphology = PLAIN
    ) -> None:
        self.columns = list(columns) or ["form"]  # the core counts words by their rows
        self._morphology = morphology
        # Positions are no property of a word, so they are not remembered with it.
        self._heads = self.columns.index(GUIDE_HEADS) if GUIDE_HEADS in self.columns else None
        self._computed = [
            _column("form" if name == GUIDE_HEADS else name, tables or {}) for name in self.columns
        ]
        self._sources = sorted({source for source, _ in self._computed})
        self._words: RowMemory[tuple[str, ...]] = RowMemory(
            self._row, np.empty((0, len(self.columns)), np.uint32)
        )

    def encode(self, sentences: Sequence[Sentence]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """One row per word and one column per attribute; and where each sentence begins."""
        offsets = np.zeros(len(sentences) + 1, dtype=np.int64)
        np.cumsum([len(sentence.forms) for sentence in sentences], out=offsets[1:])
        columns = (
            chain.from_iterable(map(_getter(source, self._morphology), sentences)) for source in self._sources
        )
        (values,) = self._words.rows(zip(*columns, strict=True), int(offsets[-1]))
        if self._heads is not None:
            heads = chain.from_iterable(_guide(sentence).heads for sentence in sentences)
            values[:, self._heads] = np.fromiter(heads, np.uint32, len(values))
        return values, offsets

    def _row(self, word: tuple[str, ...]) -> tuple[list[int]]:
        texts = dict(zip(self._sources, word, strict=True))
        found = (compute(texts[source]) for source, compute in self._computed)
        return ([_MISSING if text is None else hash_text(text) for text in found],)


def silent_columns(
    sentences: Sequence[Sentence],
    columns: Sequence[str],
    tables: Tables | None = None,
    morphology: Morphology = PLAIN,
) -> list[str]:
    """The columns that have the same value for all words, such as an empty XPOS."""
    values, _ = Encoder(columns, tables, morphology).encode(sentences)
    return [name for number, name in enumerate(columns) if (values[:, number] == values[0, number]).all()]
