"""Which lemmas a word may have, and what the lexicon knows of each: what a classifier chooses from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from plait.components.lemmatizer.lexicon import Key, Lexicon
from plait.features.full_forms import FullForms, plausible
from plait.features.scripts import EditScript

_ENDINGS = (2, 3)  # characters
_COMMON = 0.005  # of the words with a tag: scripts that are worth a thought whatever the ending
ANY = ""  # tag
_BITS = 3


class Candidate(NamedTuple):
    """A lemma, the class it is for the classifier, and bits that tell what speaks for it."""

    lemma: str
    script: int
    sight: int


class Candidates:
    """Candidates from the lexicon of a treebank, and from a list of `full_forms` if there is one. A word that is itself
    in the treebank does not count there: it is treated as it would be if it had never been seen, so that the lexicon
    can teach how to deal with what is not in it. Scripts that a single word has make no candidates.
    """

    def __init__(self, lexicon: Lexicon, lemmas: Mapping[Key, str], full_forms: FullForms | None) -> None:
        self._full_forms = full_forms
        self._scripts = lexicon.scripts[: lexicon.shared]
        self._numbers = {script: number for number, script in enumerate(self._scripts)}
        self._lemmas = lemmas
        # By lower-cased form and tag: the lemmas, the most frequent first, each with how many words have it.
        self._seen: dict[tuple[str, str], dict[str, int]] = {}
        # By lemma and tag: how many lower-cased forms it has.
        self._forms: Counter[tuple[str, str]] = Counter()
        endings: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        common: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for key, lemma in self._lemmas.items():
            lower, number = key[0].lower(), lexicon.entries[key]
            for tag in key[1], ANY:
                seen = self._seen.setdefault((lower, tag), {})
                self._forms[lemma, tag] += lemma not in seen
                seen[lemma] = seen.get(lemma, 0) + 1
                common[tag][number] += 1
                if number < lexicon.shared:
                    for size in _ENDINGS:
                        endings[tag, lower[-size:]].add(number)
        self._endings = dict(endings)
        self._common = {
            tag: [
                number
                for number, count in counts.items()
                if number < lexicon.shared and count >= _COMMON * counts.total()
            ]
            for tag, counts in common.items()
        }

    def of(self, key: Key) -> list[Candidate]:
        """At least one: what the list knows for form and tags; or else what scripts make that words that end alike have
        or that are common with the tag, the lemmas that the form has with other tags, and the form itself.
        """
        form, upos = key[:2]
        lower = form.lower()
        tag = upos if upos in self._common else ANY
        own = self._lemmas.get(key)
        found = self._listed(key) or self._made(form, tag, own)
        bits = [self._sights(lower, of_tag, own, found) for of_tag in (tag, ANY)]
        return [
            Candidate(lemma, number, with_tag << _BITS | at_all)
            for (lemma, number), with_tag, at_all in zip(found.items(), *bits, strict=True)
        ]

    def _listed(self, key: Key) -> dict[str, int]:
        """With a capital too where the form has one: names are not always in the list."""
        form, upos, _, feats = key
        known = self._full_forms.known(form, upos, feats) if self._full_forms else []
        if form[:1].isupper():
            known += [lemma[:1].upper() + lemma[1:] for lemma in known]
        return {lemma: self._class_of(form, lemma) for lemma in known}

    def _made(self, form: str, tag: str, own: str | None) -> dict[str, int]:
        lower = form.lower()
        numbers = set(self._common.get(tag, ()))
        for size in _ENDINGS:
            numbers |= self._endings.get((tag, lower[-size:]), set())
        found: dict[str, int] = {}
        for number in sorted(numbers):
            lemma = self._scripts[number].apply(form)
            if lemma is not None and self._may_be(lemma, form):
                found.setdefault(lemma, number)
        for lemma, count in self._seen.get((lower, ANY), {}).items():
            if count > (lemma == own):
                found.setdefault(lemma, self._class_of(form, lemma))
        found.setdefault(form, self._class_of(form, form))
        return found

    def _may_be(self, lemma: str, form: str) -> bool:
        return self._full_forms.may_be(lemma, form) if self._full_forms else plausible(lemma, form)

    def _class_of(self, form: str, lemma: str) -> int:
        return self._numbers.get(EditScript.of(form, lemma), len(self._scripts))

    def _sights(self, lower: str, tag: str, own: str | None, lemmas: Iterable[str]) -> list[int]:
        """Of every lemma: whether other forms have it, whether this form has it, and has it most often."""
        seen: Mapping[str, int] = self._seen.get((lower, tag), {})
        others = [lemma for lemma, count in seen.items() if count > (lemma == own)]
        first = others[0] if others else None
        return [
            (self._forms[lemma, tag] > (lemma in seen)) << 2 | (lemma in others) << 1 | (lemma == first)
            for lemma in lemmas
        ]
