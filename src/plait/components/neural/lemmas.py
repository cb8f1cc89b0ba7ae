"""Lemmas of words with tags: a net ranks, and a lexicon says what there is to rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from plait.features.full_forms import MISSPELLED, FullForms
from plait.features.memory import Memory
from plait.features.scripts import EditScript

_NAME = "PROPN"
_MARKS = str.maketrans("", "", "-'’")
_Key = tuple[str, str, str]  # form, UPOS, FEATS


class Lemmas:
    """The candidates of a word are what the lexicon knows for its form and tags, or else what words with such an ending
    and such tags have; names may have either. Of the edit scripts that the net likes best, the first that makes a
    candidate decides: between candidates, and which letters are capitals.
    """

    def __init__(self, scripts: Sequence[str], full_forms: FullForms | None) -> None:
        self._scripts = [EditScript.parse(script) for script in scripts]
        self._full_forms = full_forms
        self._known: Memory[_Key, Mapping[str, str] | str] = Memory(self._candidates)

    def of(self, form: str, upos: str, feats: str, scripts: NDArray[np.int32], word: int) -> str:
        """`scripts` has a row for every word: the numbers of those that the net likes best, -1 where there are no
        more.
        """
        known = self._known
        if known.is_full:
            known = self._known = Memory(self._candidates)
        found = known[form, upos, feats]
        if isinstance(found, str):
            return found
        best = scripts[word].tolist()
        results = [self._scripts[number].apply(form) for number in best if number >= 0]
        if found:
            made = (each for each in results if each and each.lower() in found)
            return next(made, None) or next(iter(found.values()))
        if self._full_forms is None:
            return results[0] or form
        words = self._full_forms
        if MISSPELLED in feats:  # another word is meant
            return next((each for each in results[:2] if each and each in words), form)
        return next((each for each in results if each and words.may_be(each, form)), form)

    def _candidates(self, key: _Key) -> Mapping[str, str] | str:
        """By their small letters, or the lemma where there is nothing to decide."""
        form, upos, feats = key
        words = self._full_forms
        if words is None:
            return {}
        found = words.known(*key)
        if not found and (MISSPELLED in feats or not form.translate(_MARKS).isalpha()):
            return {}  # numbers and addresses have no endings
        lower = form.lower()
        capitals = form != lower and (not found or lower in words)
        if not found or upos == _NAME:
            found += words.guess(*key)
        by_letters: dict[str, str] = {}
        for each in found:
            by_letters.setdefault(each.lower(), each)
        sure = len(by_letters) == 1 and upos != _NAME and not capitals
        return found[0] if sure else by_letters
