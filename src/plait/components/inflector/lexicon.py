"""Forms of a treebank by lemma and tags, and how often each was seen (Bohnet et al. 2010, section 4)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.checks import is_cell
from plait.features.full_forms import FullForm, FullForms
from plait.features.texts import pack_texts, unpack_texts
from plait.sentence import EMPTY, Sentence

Key = tuple[str, str, str, str]  # lemma, UPOS, XPOS, FEATS
Tags = tuple[str, str, str]  # UPOS, XPOS, FEATS
Tensors = dict[str, NDArray[np.generic]]
_SEAM = re.compile(r"(?<=\w)[+#](?=\w)")  # between the parts of a lemma: Hungarian meg+kezd


class Seen(NamedTuple):
    """A form of a lemma with its tags, and how often it was seen."""

    form: str
    tags: Tags
    times: int


def keys_of(sentence: Sentence) -> Iterable[Key]:
    return zip(sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats, strict=True)


def without_seams(lemma: str) -> str:
    """A lemma without the marks between its parts that some treebanks show."""
    return _SEAM.sub("", lemma)


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


class Lexicon:
    """What was seen of every lemma, the most frequent forms of a tag first."""

    def __init__(self, seen: dict[str, list[Seen]]) -> None:
        self._seen = seen

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Lexicon:
        """Words with control characters are left out: no model can keep them."""
        counts: defaultdict[Key, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            for key, form in zip(keys_of(sentence), true_forms(sentence), strict=True):
                if key[0] != EMPTY and all(map(is_cell, (*key, form))):
                    counts[key][form] += 1
        seen: dict[str, list[Seen]] = {}
        for key, found in sorted(counts.items()):
            ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
            seen.setdefault(key[0], []).extend(Seen(form, key[1:], count) for form, count in ordered)
        return cls(seen)

    def of_lemma(self, lemma: str) -> Sequence[Seen]:
        return self._seen.get(lemma, ())

    def has_form(self, form: str, tags: Tags) -> bool:
        """Whether any lemma has this form with these tags."""
        return (form, tags) in self._forms

    @cached_property
    def _forms(self) -> frozenset[tuple[str, Tags]]:
        return frozenset((each.form, each.tags) for found in self._seen.values() for each in found)

    def full_forms(self) -> Iterable[FullForm]:
        for lemma, found in self._seen.items():
            for form, tags, _ in found:
                yield FullForm(form, without_seams(lemma), tags[0], feats_with_xpos(*tags[1:]), True)

    def tags(self) -> Counter[Tags]:
        """How many words have each combination."""
        counts: Counter[Tags] = Counter()
        for found in self._seen.values():
            for each in found:
                counts[each.tags] += each.times
        return counts

    def tensors(self) -> Tensors:
        tags = sorted(self.tags())
        numbers = {tag: number for number, tag in enumerate(tags)}
        rows = [each for found in self._seen.values() for each in found]
        return {
            "lemmas": pack_texts(self._seen),
            "sizes": np.array([len(found) for found in self._seen.values()], np.uint32),
            "forms": pack_texts(each.form for each in rows),
            "tags": np.array([numbers[each.tags] for each in rows], np.uint32),
            "counts": np.array([each.times for each in rows], np.uint32),
            "upos": pack_texts(tag[0] for tag in tags),
            "xpos": pack_texts(tag[1] for tag in tags),
            "feats": pack_texts(tag[2] for tag in tags),
        }

    @classmethod
    def from_tensors(cls, tensors: Tensors) -> Lexicon:
        """The lexicon that was written; ValueError or IndexError if the pieces do not fit together."""
        tags = list(zip(*(unpack_texts(tensors[name]) for name in ("upos", "xpos", "feats")), strict=True))
        places = map(tags.__getitem__, checks.counts(tensors["tags"], "tags"))
        counts = checks.counts(tensors["counts"], "counts", 1)
        rows = list(map(Seen, unpack_texts(tensors["forms"]), places, counts))
        lemmas, sizes = unpack_texts(tensors["lemmas"]), checks.counts(tensors["sizes"], "sizes")
        if not len(tensors["tags"]) == len(counts) == len(rows) == sum(sizes) or len(set(lemmas)) != len(
            lemmas
        ):
            raise ValueError("lemmas and forms do not fit together")
        seen, start = {}, 0
        for lemma, size in zip(lemmas, sizes, strict=True):
            seen[lemma] = rows[start : start + size]
            start += size
        return cls(seen)


def feats_with_xpos(xpos: str, feats: str) -> str:
    """XPOS as one more feature: treebanks without FEATS have all of it there."""
    known = [cell for cell in (feats, "" if xpos == EMPTY else f"XPOS={xpos}") if cell and cell != EMPTY]
    return "|".join(known) or EMPTY


def endings_and_list(lexicon: Lexicon, listed: Iterable[FullForm], least: int) -> FullForms:
    """The forms of a list, and the endings of both: what a treebank has itself is in its lexicon."""
    return FullForms.of([*lexicon.full_forms(), *listed], backwards=True, listed_only=True, productive=least)
