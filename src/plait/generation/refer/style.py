"""How alike speakers sound: by their words and their determiners, in all they have said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import exp, log, sqrt

from plait.generation.refer.branches import Phrase

_OWN = 50.0  # what the speaker said counts so many times
_STRANGE = 0.1  # and so much what those say who use another sort of determiner
_STEEP = 10.0  # how fast it counts less the less alike the words are
_USUAL = 0.3  # the cosine of speakers who are not particularly alike


class Styles:
    """Vectors of words with those that few use weighing more; chosen by cross-validation on training data."""

    def __init__(self, said: Iterable[tuple[str, Iterable[str], Phrase]]) -> None:
        words: defaultdict[str, Counter[str]] = defaultdict(Counter)
        determiners: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for speaker, spoken, phrase in said:
            words[speaker].update(spoken)
            determiners[speaker][phrase.determiner] += 1
        users = Counter(word for counts in words.values() for word in counts)
        self._vectors = {
            speaker: {
                word: log(1 + count) * log(1 + len(words) / users[word]) for word, count in counts.items()
            }
            for speaker, counts in words.items()
        }
        self._lengths = {
            speaker: sqrt(sum(value**2 for value in vector.values()))
            for speaker, vector in self._vectors.items()
        }
        self._determiners = {
            speaker: min(counts, key=lambda sort: (-counts[sort], sort))
            for speaker, counts in determiners.items()
        }

    def weight(self, speaker: str, other: str) -> float:
        """How much something counts for a speaker that another one said; all the same for somebody unknown."""
        if speaker == other:
            return _OWN
        if speaker not in self._vectors:
            return 1.0
        same = self._determiners[speaker] == self._determiners[other]
        one, two = self._vectors[speaker], self._vectors[other]
        product = sum(value * two[word] for word, value in one.items() if word in two)
        length = self._lengths[speaker] * self._lengths[other]
        alike = exp(_STEEP * (product / length - _USUAL)) if length else 1.0
        return min(alike, _OWN) * (1.0 if same else _STRANGE)
