"""The words of a treebank with their tags, and the edit script of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.checks import is_cell
from plait.features.scripts import EditScript
from plait.features.texts import pack_texts, unpack_texts
from plait.sentence import Sentence

Key = tuple[str, str, str, str]  # form, UPOS, XPOS, FEATS: all that a lemma depends on here
Tensors = dict[str, NDArray[np.generic]]
MOST_SHARED = 4094  # with two classes more, what the core takes


def keys_of(sentence: Sentence) -> Iterable[Key]:
    return zip(sentence.forms, sentence.upos, sentence.xpos, sentence.feats, strict=True)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`entries` give the number of a script. They are in the order of frequency: first the form with the most
    frequent reading (tags and lemma), of every form its most frequent reading first. Scripts that several forms have
    come before the others, by how many have them: there are `shared` of them, or as many as the classifier can hold.
    """

    entries: dict[Key, int]
    scripts: list[EditScript]
    shared: int

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Lexicon:
        """The most frequent lemma of every word with its tags; of several, the first in the order of strings.
        Words with control characters are left out.
        """
        counts: defaultdict[Key, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            for key, lemma in zip(keys_of(sentence), sentence.lemmas, strict=True):
                if all(map(is_cell, (*key, lemma))):  # others no model can keep
                    counts[key][lemma] += 1
        lemmas = {key: min(found, key=lambda lemma: (-found[lemma], lemma)) for key, found in counts.items()}
        pairs = {(key[0], lemma): EditScript.of(key[0], lemma) for key, lemma in lemmas.items()}
        forms: defaultdict[EditScript, set[str]] = defaultdict(set)
        for (form, _), script in pairs.items():
            forms[script].add(form.lower())
        scripts = sorted(forms, key=lambda script: (-len(forms[script]), str(script)))
        numbers = {script: number for number, script in enumerate(scripts)}
        most: Counter[str] = Counter()
        for key, found in counts.items():
            most[key[0]] = max(most[key[0]], found.total())
        order = sorted(lemmas, key=lambda key: (-most[key[0]], key[0], -counts[key].total(), key))
        entries = {key: numbers[pairs[key[0], lemmas[key]]] for key in order}
        shared = sum(len(forms[script]) > 1 for script in scripts)
        return cls(entries, scripts, min(shared, MOST_SHARED))

    def lemmas(self) -> dict[Key, str]:
        """ValueError if a script does not fit its form, as in a damaged file."""
        found = {key: self.scripts[number].apply(key[0]) for key, number in self.entries.items()}
        lemmas = {key: lemma for key, lemma in found.items() if lemma is not None}
        if len(lemmas) != len(found):
            raise ValueError("a word of the lexicon is too short for its script")
        return lemmas

    def tensors(self) -> Tensors:
        """Forms, each with how many readings it has; of the readings, the numbers of tags and script."""
        tags = sorted({key[1:] for key in self.entries})
        numbers = {tag: number for number, tag in enumerate(tags)}
        forms = Counter(key[0] for key in self.entries)
        return {
            "forms": pack_texts(forms),
            "readings": _smallest(list(forms.values())),
            "reading_tags": _smallest([numbers[key[1:]] for key in self.entries]),
            "reading_scripts": _smallest(list(self.entries.values())),
            "upos": pack_texts(tag[0] for tag in tags),
            "xpos": pack_texts(tag[1] for tag in tags),
            "feats": pack_texts(tag[2] for tag in tags),
            "scripts": pack_texts(map(str, self.scripts)),
            "shared": np.array([self.shared], np.uint32),
        }

    @classmethod
    def from_tensors(cls, tensors: Tensors) -> Lexicon:
        """The lexicon that was written; ValueError or IndexError if the pieces do not fit together."""
        columns = (unpack_texts(tensors[name]) for name in ("upos", "xpos", "feats"))
        tags = list(zip(*columns, strict=True))
        scripts = [EditScript.parse(text) for text in unpack_texts(tensors["scripts"])]
        if EditScript("whole") in scripts:
            raise ValueError("a lemma is empty")
        forms, readings = unpack_texts(tensors["forms"]), checks.counts(tensors["readings"], "readings")
        repeated = (form for form, count in zip(forms, readings, strict=True) for _ in range(count))
        places = map(tags.__getitem__, checks.counts(tensors["reading_tags"], "tags"))
        chosen = checks.counts(tensors["reading_scripts"], "scripts")
        entries = {(form, *tag): script for form, tag, script in zip(repeated, places, chosen, strict=True)}
        (shared,) = checks.counts(tensors["shared"], "shared")
        if not 0 <= shared <= len(scripts) or max(chosen, default=0) >= len(scripts):
            raise ValueError("there are fewer scripts than are used")
        return cls(entries, scripts, shared)


def _smallest(numbers: list[int]) -> NDArray[np.generic]:
    """With as few bytes per number as the largest needs."""
    return np.array(numbers, np.min_scalar_type(max(numbers, default=0)))
