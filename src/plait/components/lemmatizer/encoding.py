"""Words and their candidates as integers: what the classifier sees of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.lemmatizer.candidates import Candidate
from plait.components.lemmatizer.lexicon import Key
from plait.features.columns import join
from plait.features.encoding import hash_text

_SUFFIXES = range(1, 7)
_PREFIXES = range(1, 4)
_LONGEST_SHAPE = 12
_COLUMNS = (
    *("upos", "xpos", "feats", "shape", "length"),
    *(f"suffix{size}" for size in _SUFFIXES),
    *(f"prefix{size}" for size in _PREFIXES),
)
# The whole form is not among them: what it tells is in the lexicon.
_OF_WORD = (
    *("", "upos", "xpos", "upos feats", "length upos", "shape upos", "shape xpos"),
    *("shape suffix1", "shape suffix3 upos"),
    *(f"suffix{size}{tags}" for tags in ("", " upos", " xpos", " upos feats") for size in _SUFFIXES),
    *(f"prefix{size} upos" for size in _PREFIXES),
    *("prefix1 suffix3 upos", "prefix2 suffix3 upos", "prefix3 suffix2 upos", "prefix2 suffix2 upos feats"),
)
_OF_CANDIDATE = (
    *("", "upos", "xpos", "upos feats", "shape upos"),
    *("suffix1 upos", "suffix2 upos", "suffix3 upos", "suffix2 xpos"),
)


@dataclass(frozen=True, slots=True)
class Encoded:
    """Words as the core reads them: a row of values each, and candidates one word after the other."""

    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    classes: NDArray[np.int32]
    sights: NDArray[np.uint32]

    @classmethod
    def of(cls, keys: Iterable[Key], candidates: Sequence[Sequence[Candidate]]) -> Encoded:
        offsets = np.zeros(len(candidates) + 1, np.int64)
        np.cumsum([len(found) for found in candidates], out=offsets[1:])
        flat = [candidate for found in candidates for candidate in found]
        return cls(
            np.array([_row(key) for key in keys], np.uint32).reshape(-1, len(_COLUMNS)),
            offsets,
            np.array([candidate.script for candidate in flat], np.int32),
            np.array([candidate.sight for candidate in flat], np.uint32),
        )


def make_program(seed: int) -> _core.ClassifierProgram:
    of_word, of_candidate = (
        join([line.split() for line in lines], _COLUMNS) for lines in (_OF_WORD, _OF_CANDIDATE)
    )
    return _core.ClassifierProgram(*of_word, *of_candidate, len(_COLUMNS), seed)


def _row(key: Key) -> list[int]:
    form, upos, xpos, feats = key
    lower = form.lower()
    marked = "^" + lower  # so that a short word is not taken for the end of a long one
    texts = [upos, xpos, feats, _shape(form), str(min(len(form), 8))]
    texts += [marked[-size:] for size in _SUFFIXES]
    texts += [lower[:size] for size in _PREFIXES]
    return [hash_text(text) for text in texts]


def _shape(form: str) -> str:
    """Kinds of characters, at most two of a kind in a row: `XxxX` for *McDonaldS*."""
    kinds: list[str] = []
    for character in form[:_LONGEST_SHAPE]:
        kind = _kind(character)
        if kinds[-2:] != [kind, kind]:
            kinds.append(kind)
    return "".join(kinds)


def _kind(character: str) -> str:
    if character.isupper():
        return "X"
    if character.islower():
        return "x"
    if character.isdigit():
        return "0"
    return "o" if character.isalpha() else character
