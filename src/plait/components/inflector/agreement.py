"""Features that nobody gave: a verb agrees with its subject, *two* wants a plural, an object has its case.

What a word usually has is counted in the treebank by what stands around it in the tree: the subject, auxiliaries and
markers, determiners and numerals. Only words are completed whose features the treebank never has for their part of
speech, or that have none where most others have some.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.checks import is_cell
from plait.features.texts import pack_texts, unpack_texts
from plait.sentence import EMPTY, Sentence, parse_pairs

Tensors = dict[str, NDArray[np.generic]]
_FEWEST = 3  # words with a context
_MOST = 6  # features of a context
_VERBS = frozenset({"AUX", "VERB"})
_TENSE = "Tense"


class Agreement:
    """By context, the features that words have in it, the most frequent first."""

    def __init__(self, contexts: Mapping[str, list[str]]) -> None:
        self._contexts = contexts

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Agreement:
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        tenses: Counter[str] = Counter()
        for sentence in sentences:
            children = _children(sentence)
            for word in range(len(sentence)):
                for context in _contexts(sentence, children, word):
                    counts[context][sentence.feats[word]] += 1
                tense = parse_pairs(sentence.feats[word]).get(_TENSE)
                if tense and sentence.upos[word] == "VERB" and "VerbForm=Fin" in sentence.feats[word]:
                    tenses[tense] += 1
        usual = f"{_TENSE}={max(sorted(tenses), key=tenses.__getitem__)}" if tenses else ""
        found = {}
        for context, each in sorted(counts.items()):
            if each.total() >= _FEWEST and is_cell(context):
                # Of finite verbs that differ in nothing else, those with the usual tense come first.
                ordered = sorted(each, key=lambda feats: (-_weight(feats, each, usual), feats))
                found[context] = [feats for feats in ordered if is_cell(feats)][:_MOST]
        return cls(found)

    def completed(self, sentence: Sentence) -> Sentence:
        """The sentence, or a copy in which the words that lack features have some."""
        missing = [word for word in range(len(sentence)) if self._lacks(sentence, word)]
        if not missing:
            return sentence
        found, children = sentence.copy(), _children(sentence)
        # Nouns first: verbs agree with them.
        for word in sorted(missing, key=lambda word: sentence.upos[word] in _VERBS):
            feats = list(found.feats)
            feats[word] = self._best(found, children, word)
            found.feats = feats
        return found

    def _lacks(self, sentence: Sentence, word: int) -> bool:
        if sentence.xpos[word] != EMPTY:
            return False
        upos, feats = sentence.upos[word], sentence.feats[word]
        if upos not in self._contexts:
            return False
        if feats == EMPTY:
            return self._contexts[upos][0] != EMPTY
        return f"{upos} {feats}" not in self._contexts

    def _best(self, sentence: Sentence, children: list[list[int]], word: int) -> str:
        given = parse_pairs(sentence.feats[word])
        for context in _contexts(sentence, children, word):
            for feats in self._contexts.get(context, ()):
                found = parse_pairs(feats)
                if all(found.get(name) == value for name, value in given.items()):
                    return feats
        return sentence.feats[word]

    def tensors(self) -> Tensors:
        feats = sorted({each for found in self._contexts.values() for each in found})
        numbers = {each: number for number, each in enumerate(feats)}
        return {
            "agreement.contexts": pack_texts(self._contexts),
            "agreement.sizes": np.array([len(found) for found in self._contexts.values()], np.uint8),
            "agreement.numbers": np.array(
                [numbers[each] for found in self._contexts.values() for each in found], np.uint16
            ),
            "agreement.feats": pack_texts(feats),
        }

    @classmethod
    def from_tensors(cls, tensors: Tensors) -> Agreement:
        """ValueError or IndexError if the arrays do not fit together."""
        contexts, feats = (unpack_texts(tensors[f"agreement.{name}"]) for name in ("contexts", "feats"))
        sizes, numbers = (checks.counts(tensors[f"agreement.{name}"], name) for name in ("sizes", "numbers"))
        if len(sizes) != len(contexts) or sum(sizes) != len(numbers):
            raise ValueError("the contexts do not fit together")
        found = iter([feats[number] for number in numbers])
        return cls(
            {
                context: [next(found) for _ in range(size)]
                for context, size in zip(contexts, sizes, strict=True)
            }
        )


def _weight(feats: str, counts: Counter[str], usual: str) -> int:
    """How often, and with the usual tense as often as with all tenses together."""
    tense = parse_pairs(feats).get(_TENSE)
    if tense is None or usual not in feats.split("|"):
        return counts[feats]
    bare = feats.replace(usual, _TENSE)
    return sum(
        count
        for other, count in counts.items()
        if other.replace(f"{_TENSE}={parse_pairs(other).get(_TENSE)}", _TENSE) == bare
    )


def _children(sentence: Sentence) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(len(sentence) + 1)]
    for word, head in enumerate(sentence.heads):
        found[head or 0].append(word)
    return found


def _contexts(sentence: Sentence, children: list[list[int]], word: int) -> Iterator[str]:
    """The most exact one first; the last is the part of speech alone. The features themselves are among them, so that
    one can tell which there are.
    """
    upos, lemma, deprel = sentence.upos[word], sentence.lemmas[word], sentence.deprels[word]
    if upos in _VERBS:
        top = (sentence.heads[word] or 0) - 1 if upos == "AUX" else word
        around = children[top + 1]
        helpers = [each for each in around if sentence.deprels[each].startswith(("aux", "cop", "mark"))]
        before = " ".join(sorted(sentence.lemmas[each] for each in helpers if each != word))
        subject = next(
            (_person(sentence, children, each) for each in around if _is_subject(sentence, each)), ""
        )
        yield f"{upos} {deprel} {lemma} | {subject} | {before}"
        yield f"{upos} {deprel} | {subject} | {before}"
        yield f"{upos} | {subject} | {before}"
        yield f"{upos} | {before}"
    else:
        own = sorted(
            sentence.lemmas[each].lower()
            for each in children[word + 1]
            if sentence.deprels[each].split(":")[0] in ("det", "nummod")
        )
        plain = upos if upos == "NOUN" else f"{upos} {lemma}"
        yield f"{plain} {deprel} | {' '.join(own)}"
        yield f"{plain} {deprel}"
        yield f"{plain} | {' '.join(own)}"
        yield plain
    yield f"{upos} {sentence.feats[word]}"
    yield upos


def _is_subject(sentence: Sentence, word: int) -> bool:
    return sentence.deprels[word].startswith(("nsubj", "csubj", "expl"))


def _person(sentence: Sentence, children: list[list[int]], word: int) -> str:
    """A pronoun by its lemma; of others number and person, and that several are joined."""
    if any(sentence.deprels[each] == "conj" for each in children[word + 1]):
        return "Number=Plur"
    if sentence.upos[word] == "PRON":
        return sentence.lemmas[word].lower()
    known = parse_pairs(sentence.feats[word])
    return "|".join(f"{name}={known[name]}" for name in ("Number", "Person") if name in known)
