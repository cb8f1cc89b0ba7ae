"""Forms of a treebank by lemma and tags, and the edit scripts between them (Bohnet et al. 2010, section 4)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.checks import is_cell
from plait.features.memory import Memory
from plait.features.scripts import EditScript
from plait.features.texts import pack_texts, unpack_texts
from plait.sentence import EMPTY, Sentence

Key = tuple[str, str, str, str]  # lemma, UPOS, XPOS, FEATS
Tensors = dict[str, NDArray[np.generic]]
MOST_SCRIPTS = 4000  # what the core takes
_SEAM = re.compile(r"(?<=\w)[+#](?=\w)")  # between the parts of a lemma: Hungarian meg+kezd
_ENDINGS = (0, 1, 2, 3, 4)  # characters of the lemma
_SCRIPTS_PER_ENDING = 10
_MOST_CANDIDATES = 24
_MOST_SCRIPTS_TRIED = 16
_PRODUCTIVE = 0.05  # of all lemmas
_FAR_MORE = 10  # times
_RARE = 0.02  # of the forms of a word that is seen often: other spellings


class Candidate(NamedTuple):
    """A form, the class it is for the classifier, and bits that tell what speaks for it."""

    form: str
    script: int
    sight: int


def keys_of(sentence: Sentence) -> Iterable[Key]:
    return zip(sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats, strict=True)


def script_of(lemma: str, form: str) -> EditScript:
    """From a lemma, without the seams that some treebanks show in it, to its form."""
    return EditScript.of(_SEAM.sub("", lemma), form)


def true_forms(sentence: Sentence) -> list[str]:
    """The forms, the first word small where it is large only because it is the first."""
    forms = list(sentence.forms)
    first = first_letter(forms)
    if first is not None:
        form, lemma = forms[first], sentence.lemmas[first]
        if form[:1] != lemma[:1] and form[:1].lower() == lemma[:1].lower() and form[1:] == form[1:].lower():
            forms[first] = lemma[:1] + form[1:]
    return forms


def first_letter(forms: Sequence[str]) -> int | None:
    """The first word with a letter in it."""
    for number, form in enumerate(forms):
        if any(map(str.isalpha, form)):
            return number
    return None


@dataclass(frozen=True, slots=True)
class Entry:
    """A form of a lemma with its tags, and how often it was seen."""

    form: str
    count: int


class Lexicon:
    """`entries` are by key, of every key the most frequent form first."""

    def __init__(self, entries: Mapping[Key, Sequence[Entry]], least: int) -> None:
        self.entries = entries
        self.least = least

    @classmethod
    def of(cls, sentences: Iterable[Sentence], least: int) -> Lexicon:
        """Words with control characters are left out: no model can keep them."""
        counts: defaultdict[Key, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            for key, form in zip(keys_of(sentence), true_forms(sentence), strict=True):
                if key[0] != EMPTY and all(map(is_cell, (*key, form))):
                    counts[key][form] += 1
        return cls(
            {
                key: [
                    Entry(form, count)
                    for form, count in sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
                ]
                for key, found in sorted(counts.items())
            },
            least,
        )

    @cached_property
    def scripts(self) -> list[EditScript]:
        """Those that several lemmas share, by how many do."""
        lemmas: defaultdict[EditScript, set[str]] = defaultdict(set)
        for key, entries in self.entries.items():
            for entry in entries:
                lemmas[script_of(key[0], entry.form)].add(key[0])
        shared = (script for script, found in lemmas.items() if len(found) >= self.least)
        return sorted(shared, key=lambda script: (-len(lemmas[script]), str(script)))[:MOST_SCRIPTS]

    @property
    def width(self) -> int:
        """The classes: shared scripts, all others, and one weight that all share."""
        return len(self.scripts) + 2

    def tensors(self) -> Tensors:
        tags = sorted({key[1:] for key in self.entries})
        numbers = {tag: number for number, tag in enumerate(tags)}
        flat = [(key, entry) for key, entries in self.entries.items() for entry in entries]
        return {
            "lemmas": pack_texts(key[0] for key, _ in flat),
            "forms": pack_texts(entry.form for _, entry in flat),
            "tags": np.array([numbers[key[1:]] for key, _ in flat], np.uint32),
            "counts": np.array([entry.count for _, entry in flat], np.uint32),
            "upos": pack_texts(tag[0] for tag in tags),
            "xpos": pack_texts(tag[1] for tag in tags),
            "feats": pack_texts(tag[2] for tag in tags),
        }

    @classmethod
    def from_tensors(cls, tensors: Tensors, least: int) -> Lexicon:
        """The lexicon that was written; ValueError or IndexError if the pieces do not fit together."""
        tags = list(zip(*(unpack_texts(tensors[name]) for name in ("upos", "xpos", "feats")), strict=True))
        places = checks.counts(tensors["tags"], "tags")
        found: dict[Key, list[Entry]] = {}
        rows = zip(
            unpack_texts(tensors["lemmas"]),
            unpack_texts(tensors["forms"]),
            places,
            checks.counts(tensors["counts"], "counts", 1),
            strict=True,
        )
        for lemma, form, place, count in rows:
            found.setdefault((lemma, *tags[place]), []).append(Entry(form, count))
        return cls(found, least)


# What speaks for a form: how many tags it was seen with, then its rank among others and its share; or a script.
_EXACT, _FEATS, _XPOS, _UPOS = 4 << 5, 3 << 5, 2 << 5, 1 << 5
_SCRIPT = 1 << 4


def _sights(level: int, counts: Mapping[str, int]) -> dict[str, int]:
    total = sum(counts.values())
    found = {}
    for rank, form in enumerate(sorted(counts, key=lambda form: (-counts[form], form))):
        share = counts[form] / total
        if share < _RARE and total >= 1 / _RARE:
            break
        found[form] = level | min(rank, 3) << 2 | (2 if share > 0.9 else 1 if share > 0.3 else 0)
    return found


def _productive(lexicon: Lexicon) -> set[str]:
    """Tags of open classes: a lemma of another one that was never seen so has no forms that one could guess."""
    lemmas: defaultdict[str, set[str]] = defaultdict(set)
    for key in lexicon.entries:
        lemmas[key[1]].add(key[0])
    total = sum(map(len, lemmas.values()))
    return {tag for tag, found in lemmas.items() if len(found) >= _PRODUCTIVE * total}


class Candidates:
    """The forms that a word may have: those of its lemma with its tags, or else with some of them, or else by the
    scripts of words that end alike. With `learning`, what a treebank has only once does not count: it teaches how to
    deal with what it does not have. The first `skipped` of the ways to look a lemma up with tags are left out: one must
    learn to do without them too, since other treebanks have other tags.
    """

    def __init__(self, lexicon: Lexicon, *, learning: bool = False, skipped: int = 0) -> None:
        self._lexicon = lexicon
        self._numbers = {script: number for number, script in enumerate(lexicon.scripts)}
        self._learning = learning
        self._skipped = skipped
        self._productive = _productive(lexicon)
        self._coarse: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)  # by lemma and a tag
        endings: defaultdict[tuple[str, ...], Counter[int]] = defaultdict(Counter)
        for (lemma, upos, xpos, feats), entries in lexicon.entries.items():
            for entry in entries:
                for tag in (xpos, upos + feats, upos):
                    self._coarse[lemma, tag][entry.form] += entry.count
                number = self._numbers.get(script_of(lemma, entry.form))
                if number is not None:
                    for tags in ((upos, xpos, feats), (upos, feats), (upos, xpos), (upos,)):
                        for size in _ENDINGS:
                            endings[(*tags, lemma[-size:] if size else "")][number] += 1
        self._endings = {
            place: [number for number, _ in sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))][
                :_SCRIPTS_PER_ENDING
            ]
            for place, found in endings.items()
        }
        self._known: Memory[Key, list[Candidate]] = Memory(self._find)

    def of(self, key: Key) -> list[Candidate]:
        """At least one."""
        if self._known.is_full:
            self._known = Memory(self._find)
        return self._known[key]

    def _find(self, key: Key) -> list[Candidate]:
        lemma, upos, xpos, feats = key
        entries = () if self._skipped else self._lexicon.entries.get(key, ())
        own: Mapping[str, int] = {}
        if self._learning and sum(entry.count for entry in entries) == 1:
            own = {entries[0].form: 1}
            entries = ()
        found = _sights(_EXACT, {entry.form: entry.count for entry in entries})
        if not found:
            levels: tuple[tuple[int, str], ...] = ((_FEATS, upos + feats), (_XPOS, xpos), (_UPOS, upos))
            if self._knows_better(lemma, xpos, upos + feats):
                levels = levels[1:]
            for level, tag in levels[max(0, self._skipped - 1) :]:
                if tag == EMPTY:
                    continue  # it would be any form
                counts = self._coarse.get((lemma, tag), Counter())
                known = {form: count - own.get(form, 0) for form, count in counts.items()}
                found |= _sights(level, {form: count for form, count in known.items() if count > 0})
                if found and level > _UPOS:
                    break
            else:
                self._add_scripts(key, found)
        found.setdefault(lemma, 0)
        found = self._in_one_case(found, lemma, upos)
        other = len(self._numbers)
        return [
            Candidate(form, self._numbers.get(script_of(lemma, form), other), sight)
            for form, sight in list(found.items())[:_MOST_CANDIDATES]
        ]

    def _knows_better(self, lemma: str, xpos: str, other: str) -> bool:
        """Whether a lemma was seen far more often with this XPOS than with its UPOS and FEATS: then these are used
        otherwise here.
        """
        if xpos == EMPTY:
            return False
        counts = [self._coarse.get((lemma, tag), Counter()).total() for tag in (xpos, other)]
        return counts[0] > _FAR_MORE * counts[1]

    def _add_scripts(self, key: Key, found: dict[str, int]) -> None:
        lemma, upos = key[:2]
        if upos not in self._productive:
            return
        for number, rank in self._by_ending(key):
            script = self._lexicon.scripts[number]
            form = script.apply(_SEAM.sub("", lemma))
            # Titles are written large, but an unknown word is rarely part of one.
            if form and not (script.case in ("title", "upper") and lemma[:1].islower()):
                found[form] = found.get(form, 0) | _SCRIPT | rank

    def _in_one_case(self, found: Mapping[str, int], lemma: str, upos: str) -> dict[str, int]:
        """Each form once: as it is mostly written, or, where that was seen hardly ever, with the first letter of the
        lemma. Nothing tells which words of a title are written large.
        """
        counts: Mapping[str, int] = self._coarse.get((lemma, upos), {})
        kept: dict[str, str] = {}
        for form in found:
            rival = kept.get(form.lower())
            if rival is None or self._rank(form, lemma, counts) > self._rank(rival, lemma, counts):
                kept[form.lower()] = form
        sights: dict[str, int] = {}
        for form, sight in found.items():
            chosen = kept[form.lower()]
            sights[chosen] = max(sights.get(chosen, 0), sight)
        return sights

    @staticmethod
    def _rank(form: str, lemma: str, counts: Mapping[str, int]) -> tuple[int, int, str]:
        same = sum(one == other for one, other in zip(form, lemma, strict=False))
        return counts.get(form, 0) + 2 * (form[:1] == lemma[:1]), same, form

    def _by_ending(self, key: Key) -> Iterable[tuple[int, int]]:
        """Scripts of words with the same tags, those first that end most alike; and how well they fit: 0 is best."""
        lemma, upos, xpos, feats = key
        found: dict[int, int] = {}
        levels = ((upos, xpos, feats), (upos, feats), (upos, xpos), (upos,))
        for level, tags in enumerate(levels):
            for size in reversed(_ENDINGS):
                for number in self._endings.get((*tags, lemma[-size:] if size else ""), ()):
                    found.setdefault(number, min(3, len(found)))
            if found and level < 2:
                break
        return list(found.items())[:_MOST_SCRIPTS_TRIED]
