"""Which forms a word may have, and what speaks for each: what a classifier chooses from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from plait.components.inflector.lexicon import Key, Lexicon, Seen, feats_with_xpos, without_seams
from plait.features.full_forms import FullForms, script_of
from plait.features.memory import Memory
from plait.features.scripts import EditScript
from plait.sentence import EMPTY

_MOST_CANDIDATES = 24
_MOST_GUESSED = 8
_FAR_MORE = 10  # times
_RARE = 0.02  # of the forms of a word that is seen often: other spellings

# What speaks for a form: how many tags it was seen with or that a list has it, then its rank among others and its
# share; or an ending.
_EXACT, _FEATS, _LISTED, _XPOS, _UPOS = (level << 5 for level in (4, 3, 5, 2, 1))
_GUESSED = 1 << 4


class Candidate(NamedTuple):
    """A form, the class it is for the classifier, and bits that tell what speaks for it."""

    form: str
    script: int
    sight: int


class Classes:
    """Edit scripts from lemmas to forms: those that are productive, and one class for all others."""

    def __init__(self, full_forms: FullForms) -> None:
        self._numbers: dict[EditScript, int] = {
            script: number for number, script in enumerate(full_forms.productive)
        }

    def __len__(self) -> int:
        return len(self._numbers) + 1

    def of(self, lemma: str, form: str) -> int:
        script = script_of(without_seams(lemma), form, backwards=True)
        return self._numbers.get(script, len(self._numbers))


class Candidates:
    """The forms that a word may have: those of its lemma with its tags, or else with some of them or in a list, or else
    by the endings of lemmas. With `learning`, what a treebank has only once does not count: it teaches how to deal with
    what it does not have. The first `skipped` of the ways to look a lemma up with tags are left out: one must learn to
    do without them too, since other treebanks have other tags. Where there is a list, the best ending decides.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        full_forms: FullForms,
        classes: Classes,
        *,
        learning: bool = False,
        skipped: int = 0,
    ) -> None:
        self._lexicon = lexicon
        self._full_forms = full_forms
        self._classes = classes
        self._learning = learning
        self._skipped = skipped
        self._known: Memory[Key, list[Candidate]] = Memory(self._find)

    def of(self, key: Key) -> list[Candidate]:
        """At least one."""
        if self._known.is_full:
            self._known = Memory(self._find)
        return self._known[key]

    def _find(self, key: Key) -> list[Candidate]:
        lemma, upos = key[:2]
        seen = self._lexicon.of_lemma(lemma)
        entries = [] if self._skipped else [each for each in seen if each.tags == key[1:]]
        own = ""
        if self._learning and sum(each.times for each in entries) == 1:
            own, entries = entries[0].form, []
        found = _sights(_EXACT, {each.form: each.times for each in entries})
        if not found:
            found = self._by_some_tags(key, seen, own)
        if not found or not self._full_forms.lists(upos):
            found.setdefault(lemma, 0)
        counts = _count(each for each in seen if each.tags[0] == upos)
        found = _in_one_case(found, lemma, counts)
        return [
            Candidate(form, self._classes.of(lemma, form), sight)
            for form, sight in list(found.items())[:_MOST_CANDIDATES]
        ]

    def _by_some_tags(self, key: Key, seen: Sequence[Seen], own: str) -> dict[str, int]:
        lemma, upos, xpos, feats = key
        by_feats = [each for each in seen if (each.tags[0], each.tags[2]) == (upos, feats)]
        by_xpos = [each for each in seen if xpos != EMPTY and each.tags[1] == xpos]
        by_upos = [each for each in seen if upos != EMPTY and each.tags[0] == upos]
        # A lemma that was seen far more often with this XPOS has other features here.
        skips_feats = self._skipped > 1 or _total(by_xpos) > _FAR_MORE * _total(by_feats)
        found = {} if skips_feats else _sights(_FEATS, _count(by_feats, own))
        found = found or self._listed(key)
        if not found and self._skipped < 3:
            found = _sights(_XPOS, _count(by_xpos, own))
        if found:
            return found
        guessed = self._guessed(key)
        if self._full_forms.lists(upos):
            # What is itself such a form, *best* as a superlative, is not inflected once more.
            return (
                {lemma: _LISTED} if self._lexicon.has_form(lemma, key[1:]) else dict([*guessed.items()][:1])
            )
        found = _sights(_UPOS, _count(by_upos, own))
        for form, sight in guessed.items():
            found[form] = found.get(form, 0) | sight
        return found

    def _listed(self, key: Key) -> dict[str, int]:
        lemma, upos, xpos, feats = key
        tags = upos, feats_with_xpos(xpos, feats)
        forms = self._full_forms.known(without_seams(lemma), *tags, clashing=False)
        return {form: _LISTED | min(rank, 3) << 2 for rank, form in enumerate(forms)}

    def _guessed(self, key: Key) -> dict[str, int]:
        """By endings, the longest first; words inside a sentence do not become names."""
        lemma, upos, xpos, feats = key
        stem = without_seams(lemma)
        forms = self._full_forms.guess(stem, upos, feats_with_xpos(xpos, feats), most=_MOST_GUESSED)
        kept = [form for form in forms if form[:1].isupper() <= stem[:1].isupper()]
        return {form: _GUESSED | min(rank, 3) for rank, form in enumerate(kept)}


def _sights(level: int, counts: Mapping[str, int]) -> dict[str, int]:
    total = sum(counts.values())
    found = {}
    for rank, form in enumerate(sorted(counts, key=lambda form: (-counts[form], form))):
        share = counts[form] / total
        if share < _RARE and total >= 1 / _RARE:
            break
        found[form] = level | min(rank, 3) << 2 | (2 if share > 0.9 else 1 if share > 0.3 else 0)
    return found


def _count(entries: Iterable[Seen], without: str = "") -> Counter[str]:
    """How often each form was seen, but for one time of one."""
    found: Counter[str] = Counter()
    for each in entries:
        found[each.form] += each.times
    if without in found:
        found[without] -= 1
    return +found


def _total(entries: Iterable[Seen]) -> int:
    return sum(each.times for each in entries)


def _in_one_case(found: Mapping[str, int], lemma: str, counts: Mapping[str, int]) -> dict[str, int]:
    """Each form once: as it is mostly written, or, where that was seen hardly ever, with the first letter of the lemma.
    Nothing tells which words of a title are written large.
    """
    kept: dict[str, str] = {}
    for form in found:
        rival = kept.get(form.lower())
        if rival is None or _rank(form, lemma, counts) > _rank(rival, lemma, counts):
            kept[form.lower()] = form
    sights: dict[str, int] = {}
    for form, sight in found.items():
        chosen = kept[form.lower()]
        sights[chosen] = max(sights.get(chosen, 0), sight)
    return sights


def _rank(form: str, lemma: str, counts: Mapping[str, int]) -> tuple[int, int, str]:
    same = sum(one == other for one, other in zip(form, lemma, strict=False))
    return counts.get(form, 0) + 2 * (form[:1] == lemma[:1]), same, form
