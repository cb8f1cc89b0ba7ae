"""What a classifier sees of a word in a surface tree: views by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from plait.components.deep.governors import Governors
from plait.sentence import EMPTY, Sentence, parse_pairs

ROOT = "ROOT"
NONE = -1
# Features by which treebanks tell the class of a word and the form of a verb, the most telling first.
_CLASSES = ("spos",)
_VERB_FORMS = ("finiteness", "VerbForm")
_PUNCTUATION = "punc"


class Sight:
    """A surface tree with the words that stay; what it shows of them is computed once."""

    def __init__(self, sentence: Sentence, governors: Governors) -> None:
        self.sentence = sentence
        self.governors = governors
        self.heads = governors.heads

    @cached_property
    def features(self) -> list[dict[str, str]]:
        return [{}, *map(parse_pairs, self.sentence.feats)]

    @cached_property
    def _columns(self) -> dict[str, list[str]]:
        sentence = self.sentence
        pairs = zip(sentence.xpos, sentence.upos, strict=True)
        classes = [_first(features, _CLASSES) for features in self.features[1:]]
        return {
            "form": [ROOT, *map(str.lower, sentence.forms)],
            "lemma": [ROOT, *sentence.lemmas],
            "pos": [ROOT, *(fine if fine != EMPTY else coarse for fine, coarse in pairs)],
            "class": [ROOT, *(own or upos for own, upos in zip(classes, sentence.upos, strict=True))],
            "rel": [ROOT, *sentence.deprels],
            "feats": [ROOT, *sentence.feats],
            "verb": [ROOT, *(_first(features, _VERB_FORMS) or EMPTY for features in self.features[1:])],
        }

    @cached_property
    def _below(self) -> dict[str, list[str]]:
        """The children of every word, each kind once: their relations, and their tags."""
        children = self.governors.children
        return {
            attribute: [" ".join(sorted({column[child] for child in own})) for own in children]
            for attribute, column in (("kids", self._columns["rel"]), ("kidpos", self._columns["pos"]))
        }

    def column(self, attribute: str) -> Sequence[str]:
        return self._below[attribute] if attribute in self._below else self._columns[attribute]

    def texts(self, attribute: str, words: Iterable[int]) -> list[str]:
        """Of some words; of none of them (-1) an own text."""
        column = self.column(attribute)
        return [column[word] if word != NONE else "-" for word in words]

    # Views of pairs: of a word and what is between it and its governor.

    def sides(self, words: Iterable[int]) -> list[str]:
        return ["<" if word < self.heads[word] else ">" for word in words]

    def deep_sides(self, words: Iterable[int]) -> list[str]:
        return ["<" if word < self.governors.of(word) else ">" for word in words]

    def siblings(self, words: Iterable[int]) -> list[str]:
        relations, children = self._columns["rel"], self.governors.children
        return [
            " ".join(sorted({relations[other] for other in children[self.heads[word]] if other != word}))
            for word in words
        ]

    def paths(self, words: Iterable[int]) -> list[str]:
        """Relations from the word up to the governor."""
        relations = self._columns["rel"]
        return [
            " ".join([relations[word], *(relations[gone] for gone in self.governors.passed(word))])
            for word in words
        ]

    def passed(self, words: Iterable[int]) -> list[str]:
        """Lemmas of the words on that way."""
        lemmas = self._columns["lemma"]
        return [" ".join(lemmas[gone] for gone in self.governors.passed(word)) for word in words]

    def voices(self, words: Iterable[int]) -> list[str]:
        """Of the governor: how it hangs from words that it swallows, and which of its own children vanish."""
        relations, governors = self._columns["rel"], self.governors
        found = []
        for word in words:
            above = governors.of(word)
            lost = {
                relations[child]
                for child in governors.children[above]
                if not governors.kept[child] and not relations[child].startswith(_PUNCTUATION)
            }
            own = relations[above] if above and not governors.kept[self.heads[above]] else ""
            found.append(" ".join([own, *sorted(lost)]))
        return found

    @cached_property
    def _governed(self) -> dict[int, list[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for word in range(1, len(self.heads)):
            if self.governors.kept[word]:
                found[self.governors.of(word)].append(word)
        return found

    def gone(self, words: Iterable[int]) -> list[str]:
        """Forms of the children that vanish."""
        governors, forms = self.governors, self._columns["form"]
        return [
            " ".join(
                sorted({forms[child] for child in governors.children[word] if not governors.kept[child]})
            )
            for word in words
        ]

    def fellows(self, words: Iterable[int]) -> list[str]:
        """Relations of the others that have the same governor."""
        relations, governors = self._columns["rel"], self.governors
        return [
            " ".join(
                sorted({relations[other] for other in self._governed[governors.of(word)] if other != word})
            )
            for word in words
        ]


# Who is looked at from a word: itself, its head, the head's head, the content below it, neighbours, its governor.
WHO: Mapping[str, Callable[[Sight, int], int]] = {
    "N": lambda _, word: word,
    "H": lambda sight, word: sight.heads[word],
    "G": lambda sight, word: sight.heads[sight.heads[word]] if sight.heads[word] > 0 else NONE,
    "C": lambda sight, word: sight.governors.content_child(word),
    "L": lambda _, word: word - 1,
    "R": lambda sight, word: word + 1 if word < len(sight.sentence) else NONE,
    "D": lambda sight, word: sight.governors.of(word),
}
ATTRIBUTES = ("form", "lemma", "pos", "class", "rel", "feats", "verb", "kids", "kidpos")
PAIRS: Mapping[str, Callable[[Sight, Iterable[int]], list[str]]] = {
    "side": Sight.sides,
    "deepside": Sight.deep_sides,
    "siblings": Sight.siblings,
    "path": Sight.paths,
    "passed": Sight.passed,
    "voice": Sight.voices,
    "fellows": Sight.fellows,
    "gone": Sight.gone,
}


def see(sight: Sight, name: str, words: Sequence[int]) -> list[str]:
    """A view of some words, by its name: `N.lemma`, `path`."""
    if name in PAIRS:
        return PAIRS[name](sight, words)
    who, _, attribute = name.partition(".")
    look = WHO[who]
    return sight.texts(attribute, [look(sight, word) for word in words])


def _first(features: Mapping[str, str], names: Iterable[str]) -> str:
    return next((features[name] for name in names if name in features), "")
