"""What was seen of words in training: which tags each had, and how often."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.checks import is_cell
from plait.components.tagger.tags import NO_TAG
from plait.features.texts import pack_texts, unpack_texts

UNKNOWN = "?"
_SHORTEST_STEM, _LONGEST_ENDING = 3, 4  # letters
_MOST_STEMS = 1 << 17  # remembered; then start anew, so that memory stays flat
_LARGEST_COUNT = 2**31 - 1
_MOST_CANDIDATES = 1 << 27


class Lexicon:
    """Tags by form and by lower-cased form. With `left_out`, the tag of one occurrence, a word is described as if
    that occurrence had not been seen: only so does a learner meet words as unknown as those of new text.
    """

    def __init__(self, forms: Mapping[str, Mapping[int, int]]) -> None:
        self.forms = forms
        self._kin_of: dict[str, tuple[str, ...]] = {}
        self.lower: dict[str, dict[int, int]] = {}
        for form, counts in forms.items():
            total = self.lower.setdefault(form.lower(), {})
            for tag, count in counts.items():
                total[tag] = total.get(tag, 0) + count

    @classmethod
    def of(cls, words: Iterable[str], tags: Iterable[int]) -> Lexicon:
        forms: dict[str, Counter[int]] = defaultdict(Counter)
        for form, tag in zip(words, tags, strict=True):
            if tag != NO_TAG and is_cell(form):  # others no model can keep
                forms[form][tag] += 1
        return cls({form: forms[form] for form in sorted(forms)})

    def ambiguity(self, form: str, left_out: int = NO_TAG) -> str:
        """The ambiguity class: the tags of a word, in any case."""
        return _joined(self.lower.get(form.lower(), {}), left_out) or UNKNOWN

    def form_ambiguity(self, form: str, left_out: int = NO_TAG) -> str:
        """The tags of exactly this form, and whether it is known in lower case."""
        lower = form.lower()
        known = sum(self.forms.get(lower, {}).values()) - (left_out != NO_TAG and form == lower)
        return (_joined(self.forms.get(form, {}), left_out) or UNKNOWN) + (" lower" if known > 0 else "")

    def kin_ambiguity(self, form: str, ending: int) -> str:
        """The ending of so many letters, and that of the most frequent other word with the same beginning, with
        the tags it has: *as*, and *os* with those of *amigos*.
        """
        lower = form.lower()
        stem = lower[:-ending]
        for word in self._kin(stem):
            if word != lower:
                return f"{lower[-ending:]} {word[len(stem) :]} {_joined(self.lower[word], NO_TAG)}"
        return UNKNOWN

    def _kin(self, stem: str) -> tuple[str, ...]:
        """The two most frequent words with this beginning and a short ending."""
        if len(stem) < _SHORTEST_STEM:
            return ()
        found = self._kin_of.get(stem)
        if found is None:
            found = self._kin_of[stem] = self._find_kin(stem)
            if len(self._kin_of) > _MOST_STEMS:
                self._kin_of = {}
        return found

    def _find_kin(self, stem: str) -> tuple[str, ...]:
        kin: list[tuple[int, str]] = []
        for place in range(bisect_left(self._sorted, stem), len(self._sorted)):
            word = self._sorted[place]
            if not word.startswith(stem):
                break
            if len(word) <= len(stem) + _LONGEST_ENDING:
                kin.append((-sum(self.lower[word].values()), word))
        return tuple(word for _, word in sorted(kin)[:2])

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.lower)

    def candidates(self, tags: int, frequent: int, open_words: int) -> tuple[list[list[int]], dict[str, int]]:
        """Sets of tags, and which of them words in lower case have; all others have the first. ValueError if that is
        too much, as in a damaged file.
        """
        words_with = Counter(chain.from_iterable(self.lower.values()))
        opened = {tag for tag in range(tags) if words_with[tag] >= open_words} or set(range(tags))
        sets = {tuple(sorted(opened)): 0}
        chosen: dict[str, int] = {}
        total = 0
        for word, counts in self.lower.items():
            is_frequent = sum(counts.values()) >= frequent
            if not is_frequent and counts.keys() <= opened:
                continue
            found = set(counts) if is_frequent else opened.union(counts)
            total += len(found)
            if total > _MOST_CANDIDATES:
                raise ValueError("the words have too many different tags")
            number = sets.setdefault(tuple(sorted(found)), len(sets))
            if number:
                chosen[word] = number
        return [list(tags_of_set) for tags_of_set in sets], chosen

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        counts = list(self.forms.values())
        return {
            "lexicon": pack_texts(self.forms),
            "lexicon.sizes": np.array([len(each) for each in counts], np.int32),
            "lexicon.tags": np.array([tag for each in counts for tag in each], np.int32),
            "lexicon.counts": np.array([count for each in counts for count in each.values()], np.int32),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[np.generic]], tags: int) -> Lexicon:
        """ValueError if the pieces do not fit together."""
        names = unpack_texts(tensors["lexicon"])
        sizes, numbers, counts = (
            checks.counts(tensors[f"lexicon.{name}"], name) for name in ("sizes", "tags", "counts")
        )
        if len(sizes) != len(names) or sum(sizes) != len(numbers) or min(sizes, default=1) < 1:
            raise ValueError("the lexicon does not fit together")
        if not all(0 <= tag < tags for tag in numbers) or not all(0 < n <= _LARGEST_COUNT for n in counts):
            raise ValueError("the lexicon names a tag or a count that cannot be")
        pairs = iter(zip(numbers, counts, strict=True))
        return cls(
            {name: dict(next(pairs) for _ in range(size)) for name, size in zip(names, sizes, strict=True)}
        )


def _joined(counts: Mapping[int, int], left_out: int) -> str:
    return " ".join(str(tag) for tag in sorted(counts) if counts[tag] > (tag == left_out))
