"""Sentences to integers for the tagger: a row of hashes per word, computed once per different word."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plait.components.tagger.lexicon import Lexicon
from plait.components.tagger.spacing import guess_spaces
from plait.components.tagger.tags import NO_TAG, Indices
from plait.features.encoding import hash_text, seen_words
from plait.features.memory import RowMemory
from plait.sentence import EMPTY, Sentence

_SHAPE_LENGTH = 24  # characters of a word that its shape looks at
_NUMBERED = re.compile(r"([a-z]+)(\d)")
_NO_SPACE, _SPACE, _SPACE_UNKNOWN = map(hash_text, ("glued", "apart", "unknown"))
Mapped = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class EncodedText:
    """Sentences as the core reads them: a row per word, where each sentence begins, the words' candidates."""

    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    sets: Indices


class WordEncoder:
    """Encodes sentences for a list of columns. `mapped` are columns from outside: for each a word's value, where
    its form, or else its lower-cased form, has one. Threads may share an encoder.
    """

    def __init__(
        self, columns: Sequence[str], lexicon: Lexicon, sets: Mapping[str, int], mapped: Mapped
    ) -> None:
        self._columns = [_column(name, lexicon, mapped) for name in columns]
        self._space = list(columns).index("space") if "space" in columns else None
        self._sets = sets
        self._words: RowMemory[str] = RowMemory(
            self._rows, np.empty((0, len(columns)), np.uint32), np.empty(0, np.int32)
        )

    def encode(self, sentences: Sequence[Sentence]) -> EncodedText:
        """Sentences to be tagged."""
        offsets = _offsets(sentences)
        forms = chain.from_iterable(map(seen_words, sentences))
        values, sets = self._words.rows(forms, int(offsets[-1]))
        return EncodedText(self._placed(values, sentences), offsets, sets)

    def encode_to_learn(self, sentences: Sequence[Sentence], gold: Indices) -> EncodedText:
        """Sentences to learn from: every word as if this occurrence of it had not been seen."""
        seen: dict[tuple[str, int], int] = {}
        forms = chain.from_iterable(map(seen_words, sentences))
        numbers = [seen.setdefault(word, len(seen)) for word in zip(forms, gold.tolist(), strict=True)]
        rows = np.array([self._row(*word) for word in seen], np.uint32).reshape(len(seen), len(self._columns))
        values = self._placed(rows[np.array(numbers, np.int64)], sentences)
        return EncodedText(values, _offsets(sentences), np.zeros(len(numbers), np.int32))

    def _placed(self, values: NDArray[np.uint32], sentences: Sequence[Sentence]) -> NDArray[np.uint32]:
        """The rows of words, completed with what depends on the sentence."""
        if self._space is not None:
            spaces = chain.from_iterable(map(_spaces, sentences))
            values[:, self._space] = np.fromiter(spaces, np.uint32, len(values))
        return values

    def _row(self, form: str, left_out: int = NO_TAG) -> list[int]:
        return [hash_text(column(form, left_out)) for column in self._columns]

    def _rows(self, form: str) -> tuple[list[int], int]:
        return self._row(form), self._sets.get(form.lower(), 0)


def shape(form: str) -> str:
    """The kinds of characters in a word, runs of one kind as one: `Xx` for *Word*, `9-x` for *20-year*."""
    kinds: list[str] = []
    for character in form[:_SHAPE_LENGTH]:
        kind = _kind_of(character)
        if not kinds or kinds[-1] != kind:
            kinds.append(kind)
    return "".join(kinds)


def case_kind(form: str) -> str:
    """How a word is capitalized, and whether digits, hyphens and full stops are in it."""
    case = "U" if form.isupper() else "T" if form[:1].isupper() else "l" if form.islower() else "o"
    digits = "9" if any(map(str.isdigit, form)) else ""
    return case + digits + "".join(mark for mark in "-." if mark in form)


def _spaces(sentence: Sentence) -> list[int]:
    """Whether a space follows each word. A sentence in which no word is followed by none was perhaps never text
    with spaces: of that one nothing is known. Where there is no text at all, spaces are guessed.
    """
    glued = ["SpaceAfter=No" in cell for cell in sentence.misc]
    if True not in glued and not sentence.multiword_tokens and sentence.comment("text") is None:
        glued = [not each for each in guess_spaces(sentence.forms)]
    if True not in glued:
        return [_SPACE_UNKNOWN] * len(glued)
    return [_NO_SPACE if each else _SPACE for each in glued]


def _kind_of(character: str) -> str:
    if character.isupper():
        return "X"
    if character.islower():
        return "x"
    if character.isdigit():
        return "9"
    return "a" if character.isalpha() else character


def _column(name: str, lexicon: Lexicon, mapped: Mapped) -> Callable[[str, int], str]:
    """How a column is computed from a form and the tag of the occurrence to be left out."""
    if name in mapped:
        values = mapped[name]
        return lambda form, _: values.get(form) or values.get(form.lower()) or EMPTY
    if name == "class":
        return lexicon.ambiguity
    if name == "formclass":
        return lexicon.form_ambiguity
    compute = _of_form(name, lexicon)
    return lambda form, _: compute(form)


def _of_form(name: str, lexicon: Lexicon) -> Callable[[str], str]:
    if not (numbered := _NUMBERED.fullmatch(name)):
        plain: dict[str, Callable[[str], str]] = {
            "form": str,
            "lower": str.lower,
            "shape": shape,
            "kind": case_kind,
            "space": lambda _: "",  # a matter of the sentence
        }
        return plain[name]
    size = int(numbered[2])
    made: dict[str, Callable[[str], str]] = {
        "prefix": lambda form: form[:size].lower(),
        "suffix": lambda form: form[-size:].lower(),
        "kin": lambda form: lexicon.kin_ambiguity(form, size),
    }
    return made[numbered[1]]


def _offsets(sentences: Sequence[Sentence]) -> NDArray[np.int64]:
    offsets = np.zeros(len(sentences) + 1, np.int64)
    np.cumsum([len(sentence.forms) for sentence in sentences], out=offsets[1:])
    return offsets
