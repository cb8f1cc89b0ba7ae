"""Putting attributes into the words and the syntax of a speaker (Bohnet 2008, IS-GT)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log

from plait.generation.refer.branches import DEFINITE, Phrase, cut
from plait.generation.refer.ordering import Part, Precedence
from plait.generation.refer.style import Styles
from plait.generation.refer.trials import ELIDED, HEAD, Span, Trial, join_words
from plait.generation.refer.wording import Wording

_USUAL = 0.5  # a turn of phrase in so large a share of what somebody says is used again
_VOWEL = re.compile("[aeiou]")
_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Said:
    """What is kept of a trial: who spoke, the words, their tree, and what they tell."""

    domain: str
    speaker: str
    words: tuple[str, ...]
    heads: tuple[int, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Utterance:
    """A phrase, and the logarithm of how usual its parts are."""

    phrase: str
    score: float


class SpeakerModel:
    """The words of all speakers, in branches."""

    def __init__(self, said: Sequence[Said]) -> None:
        self.said = list(said)
        cuts = [cut(each.words, each.heads, each.spans) for each in self.said]
        phrases: defaultdict[str, list[tuple[str, Phrase]]] = defaultdict(list)
        for each, phrase in zip(self.said, cuts, strict=True):
            phrases[each.domain].append((each.speaker, phrase))
        styles = Styles(
            (each.speaker, [word.lower() for word in each.words], phrase)
            for each, phrase in zip(self.said, cuts, strict=True)
        )
        self.domains = {domain: Domain(own, styles) for domain, own in sorted(phrases.items())}

    def speaker(self, name: str) -> Speaker:
        return Speaker(self, name)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody with a way to speak."""

    model: SpeakerModel
    name: str

    def say(self, attributes: Mapping[str, str], domain: str = "") -> str:
        """A noun phrase that tells these attributes."""
        return self.utter(attributes, domain).phrase

    def utter(self, attributes: Mapping[str, str], domain: str = "") -> Utterance:
        """The same, with the logarithm of how usual its parts are."""
        if domain not in self.model.domains:
            told = set(attributes)
            domain = max(self.model.domains, key=lambda each: len(told & self.model.domains[each].names))
        return self.model.domains[domain].utter(attributes, self.name)


class Domain:
    """Phrases of one sort of scenes, each with who said it."""

    def __init__(self, phrases: Sequence[tuple[str, Phrase]], styles: Styles) -> None:
        self.phrases = list(phrases)
        self._styles = styles
        self.wording = Wording(self.phrases)
        self.weights = lru_cache(maxsize=256)(self._weights)
        self._precedence = lru_cache(maxsize=256)(self._learn_order)

    @cached_property
    def names(self) -> set[str]:
        return {name for _, phrase in self.phrases for name in phrase.names}

    def utter(self, attributes: Mapping[str, str], speaker: str) -> Utterance:
        weights = self.weights(speaker)
        noun = self._noun(attributes.get(HEAD), speaker)
        score, parts = self._cover(
            {name: value for name, value in attributes.items() if name != HEAD}, speaker
        )
        opening, closing = self._turns(speaker)
        words = self._precedence(speaker).arrange(noun, parts)
        determiner = self._determiner(bool(noun), weights)
        if determiner and words:
            article = "the" if determiner == DEFINITE else "an" if _VOWEL.match(words[0]) else "a"
            words.insert(0, article)
        return Utterance(join_words([*opening, *words, *closing]), score)

    def _weights(self, speaker: str) -> list[float]:
        """How much every phrase counts."""
        known = {other: self._styles.weight(speaker, other) for other in dict(self.phrases)}
        return [known[other] for other, _ in self.phrases]

    def _vote(self, votes: Iterable[tuple[object, float]]) -> object:
        counts: dict[object, float] = {}
        for choice, weight in votes:
            counts[choice] = counts.get(choice, 0.0) + weight
        return min(counts, key=lambda choice: (-counts[choice], str(choice)), default=None)

    def _noun(self, sort: str | None, speaker: str) -> tuple[str, ...]:
        """The word for what the target is; nothing, or `one`, where that is not to be told."""
        votes: list[tuple[object, float]] = []
        for (other, phrase), weight in zip(self.phrases, self.weights(speaker), strict=True):
            if sort is None:
                fits = phrase.sort in (None, ELIDED)
            else:
                fits = phrase.sort == sort or (phrase.sort == ELIDED and other == speaker)
            if fits:
                votes.append((phrase.noun, weight))
        found = self._vote(votes)
        if found is None:
            return () if sort is None else tuple(sort.lower().split())
        assert isinstance(found, tuple)
        return found

    def _determiner(self, noun: bool, weights: Sequence[float]) -> str:
        votes = [
            (phrase.determiner, weight)
            for (_, phrase), weight in zip(self.phrases, weights, strict=True)
            if (phrase.sort is not None) == noun
        ]
        return str(self._vote(votes) or "")

    def _turns(self, speaker: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What somebody says again and again that tells nothing, before and after the rest."""
        own = [phrase for other, phrase in self.phrases if other == speaker]
        found: list[tuple[str, ...]] = []
        for before in (True, False):
            counts = Counter(
                branch.words
                for phrase in own
                for branch in phrase.branches
                if not branch.spans and branch.before == before
            )
            words, count = counts.most_common(1)[0] if counts else ((), 0)
            found.append(words if count > 1 and count > _USUAL * len(own) else ())
        return found[0], found[1]

    def _learn_order(self, speaker: str) -> Precedence:
        weights = self.weights(speaker)
        return Precedence(
            (weight, phrase.branches) for (_, phrase), weight in zip(self.phrases, weights, strict=True)
        )

    def _cover(self, wanted: Mapping[str, str], speaker: str) -> tuple[float, list[Part]]:
        """The branches that together tell all that is wanted, each once, with the best product of how usual it is to
        tell these attributes together, and to tell them so.
        """
        names = sorted(wanted)
        bits = {name: 1 << place for place, name in enumerate(names)}
        options = self._options(wanted, speaker)
        best: dict[int, tuple[float, list[Part]]] = {0: (0.0, [])}
        for covered in range(1 << len(names)):
            if covered not in best or covered == (1 << len(names)) - 1:
                continue
            score, parts = best[covered]
            first = next(name for name in names if not covered & bits[name])
            for group, (gain, part) in options.items():
                mask = sum(bits[name] for name in group)
                if first in group and not mask & covered:
                    total = score + gain
                    if covered | mask not in best or total > best[covered | mask][0]:
                        best[covered | mask] = total, [*parts, part]
        return best[(1 << len(names)) - 1]

    def _options(self, wanted: Mapping[str, str], speaker: str) -> dict[frozenset[str], tuple[float, Part]]:
        """For every group of wanted attributes that somebody told together, the best words and their score."""
        together: defaultdict[frozenset[str], float] = defaultdict(float)
        texts: defaultdict[frozenset[str], dict[tuple[tuple[str, ...], bool], float]] = defaultdict(dict)
        weights = self.weights(speaker)
        for (_, phrase), weight in zip(self.phrases, weights, strict=True):
            for branch in phrase.branches:
                group = branch.names
                if not group or not group <= wanted.keys():
                    continue
                adapted = self.wording.adapt(branch, wanted, speaker)
                if adapted is None:
                    continue
                words, fit = adapted
                key = words, branch.before
                texts[group][key] = texts[group].get(key, 0.0) + weight * fit
                together[group] += weight * fit
        found = {}
        for group, choices in texts.items():
            there = sum(
                weight
                for (_, phrase), weight in zip(self.phrases, weights, strict=True)
                if group <= phrase.names
            )
            (words, before), most = min(choices.items(), key=lambda item: (-item[1], item[0]))
            gain = log(together[group] / max(there, together[group])) + log(most / together[group])
            found[group] = gain, Part(words, group, before)
        for name, value in wanted.items():
            if frozenset({name}) not in found:
                found[frozenset({name})] = -20.0, self._plainly(name, value, speaker)
        return found

    def _plainly(self, name: str, value: str, speaker: str) -> Part:
        """A phrase for an attribute that nobody ever told: `with beard`, `without beard`, the value itself."""
        thing = _CAMEL.sub(" ", name).lower().split()
        if thing[0] == "has" and value in ("0", "1"):
            return Part(("with" if value == "1" else "without", *thing[1:]), frozenset({name}), before=False)
        word = self.wording.word(speaker, name, value)
        if word is None and value.isdigit():
            return Part(("at", *thing, value), frozenset({name}), before=False)
        return Part(tuple((word or value).lower().split()), frozenset({name}), before=True)


def said_of(trials: Iterable[Trial]) -> list[Said]:
    """Of trials whose trees are known."""
    return [
        Said(trial.domain, trial.speaker, trial.words, trial.heads, trial.spans)
        for trial in trials
        if trial.words and trial.heads
    ]
