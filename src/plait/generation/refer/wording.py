"""Which words tell a value, and how a branch is made to tell another one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from plait.generation.refer.branches import Branch, Phrase
from plait.generation.refer.trials import Span

_DOUBT = 2.0  # occurrences that a word has to outweigh before it tells something
_TELLS = 0.2
_KNOWN = 3  # a word among others in a span has to be seen so often
_FITS = 0.25
_OWN = 5.0
EXACT, STILL_FITS, REPLACED = 1.0, 0.5, 0.25


class Wording:
    """The words of one domain: in spans of an attribute, how often a word stands for each of its values."""

    def __init__(self, phrases: Iterable[tuple[str, Phrase]]) -> None:
        self._values: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._words: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._spoken: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._own: defaultdict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
        kept = [
            (speaker, branch, span)
            for speaker, phrase in phrases
            for branch in phrase.branches
            for span in branch.spans
        ]
        for _, branch, span in kept:
            self._values[span.name][span.value] += 1
            for word in set(branch.words[span.start : span.end]):
                self._words[span.name, word][span.value] += 1
        for speaker, branch, span in kept:
            place = self.slot(branch, span)
            if place is not None:
                self._spoken[span.name, span.value][branch.words[place]] += 1
                self._own[speaker, span.name, span.value][branch.words[place]] += 1

    def share(self, name: str, word: str, value: str) -> float:
        """How probable the value is where an attribute is told with this word."""
        values, seen = self._values[name], self._words.get((name, word), Counter())
        prior = values[value] / max(values.total(), 1)
        return (seen[value] + _DOUBT * prior) / (seen.total() + _DOUBT)

    def _fits(self, name: str, word: str, value: str) -> bool:
        """Whether a word can stay where another value is told: `left` is the first column, and the second."""
        seen = self._words.get((name, word), Counter())
        return seen[value] > 0 and self.share(name, word, value) >= _FITS

    def slot(self, branch: Branch, span: Span) -> int | None:
        """The place of the word that bears the value, if one does."""
        if span.end - span.start == 1:
            return span.start
        values = self._values[span.name]
        best, found = _TELLS, None
        for place in range(span.start, span.end):
            word = branch.words[place]
            known = self._words[span.name, word].total() >= _KNOWN
            if not known or any(other != span and _inside(place, other, span) for other in branch.spans):
                continue
            prior = values[span.value] / max(values.total(), 1)
            told = self.share(span.name, word, span.value) - prior
            if told > best:
                best, found = told, place
        return found

    def word(self, speaker: str, name: str, value: str) -> str | None:
        """The speaker's word for a value, or everybody's."""
        counts = Counter(self._spoken.get((name, value), {}))
        for word, count in self._own.get((speaker, name, value), {}).items():
            counts[word] += int(_OWN * count)
        return min(counts, key=lambda word: (-counts[word], word), default=None)

    def adapt(
        self, branch: Branch, wanted: Mapping[str, str], speaker: str
    ) -> tuple[tuple[str, ...], float] | None:
        """The words that tell the wanted values, and how well they fit; none if they cannot be had."""
        words, fit = list(branch.words), EXACT
        for span in branch.spans:
            value = wanted[span.name]
            if span.value == value:
                continue
            place = self.slot(branch, span)
            if place is None:
                return None
            if self._fits(span.name, words[place], value):
                fit *= STILL_FITS
                continue
            other = self.word(speaker, span.name, value)
            if other is None:
                return None
            words[place] = other
            fit *= REPLACED
        return tuple(words), fit


def _inside(place: int, inner: Span, outer: Span) -> bool:
    """Whether a word belongs to a span within the span: `white` in `with a white beard`."""
    smaller = inner.end - inner.start < outer.end - outer.start
    return smaller and inner.start <= place < inner.end
