"""Nouns in WordNet, and which classes a category of terms prefers (Resnik 1992; Pekar et al. 2014, section 3.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from pathlib import Path

from plait.components.aspects.lexicon import lines_of, number_of
from plait.errors import InputError

_UP = ("hypernym", "instance_hypernym")
_BEST = 5  # classes of a category
_DEPTH = 7  # nodes that each is at least below the root


class WordNet:
    """The nouns of a table of synsets: id, lexicographer file, words, relations."""

    def __init__(self, folder: str) -> None:
        path = Path(folder) / "wordnet-3.0.tsv.xz"
        self.words: dict[str, list[str]] = {}
        self.senses: dict[str, list[str]] = defaultdict(list)  # synsets by word
        self.above: dict[str, list[str]] = defaultdict(list)
        self.below: dict[str, list[str]] = defaultdict(list)
        self.beside: dict[str, list[str]] = defaultdict(list)  # meronyms and derivations
        self.kinds: dict[str, str] = {}  # of single words: the lexicographer file of the first sense
        ranked: dict[str, list[tuple[float, str]]] = defaultdict(list)
        files: dict[str, str] = {}
        for synset, file, words, *relations in lines_of(path, 3):
            own = [each.partition("#") for each in words.split()]
            self.words[synset] = [word.lower().replace("_", " ") for word, _, _ in own]
            files[synset] = file
            if synset[0] == "n":
                for word, _, rank in own:
                    ranked[word.lower().replace("_", " ")].append((number_of(rank, path), synset))
            for relation in " ".join(relations).split():
                name, _, target = relation.partition(":")
                name, target = name.partition("/")[0], target.partition("/")[0]
                if name in _UP:
                    self.above[synset].append(target)
                    self.below[target].append(synset)
                elif "meronym" in name or name == "derivation":
                    self.beside[synset].append(target)
        if not self.words:
            raise InputError(f"{path}: there is no WordNet here.")
        for word, found in ranked.items():
            self.senses[word] = [synset for _, synset in sorted(found)]
            if " " not in word:
                self.kinds[word] = files[self.senses[word][0]]
        self._depths: dict[str, int] = {}

    def depth(self, synset: str) -> int:
        """Nodes between a synset and the root, on the shortest way."""
        if synset not in self._depths:
            depth, level, seen = 0, [synset], {synset}
            # Up level by level, until one has a synset with nothing above it; circles have none.
            while level and all(self.above.get(each) for each in level):
                level = [each for below in level for each in self.above[below] if each not in seen]
                seen.update(level)
                depth += 1
            self._depths[synset] = depth
        return self._depths[synset]

    def classes(self, synset: str) -> set[str]:
        """A synset and all above it."""
        found: set[str] = set()
        waiting = [synset]
        while waiting:
            if (each := waiting.pop()) not in found:
                found.add(each)
                waiting += self.above[each]
        return found

    def shares(self, words: Iterable[str]) -> dict[str, float]:
        """P(c): every word counts once, spread evenly over its synsets and up the hierarchy."""
        counts: dict[str, float] = defaultdict(float)
        total = 0
        for word in words:
            if senses := self.senses.get(word):
                total += 1
                for synset in senses:
                    for each in self.classes(synset):
                        counts[each] += 1 / len(senses)
        return {synset: count / total for synset, count in counts.items()}


def prominent(wordnet: WordNet, words: Sequence[str], shares: Mapping[str, float]) -> list[str]:
    """The classes that a category prefers most: P(c|k) log (P(c|k) / P(c)), where `shares` has P(c)."""
    own = wordnet.shares(words)
    worth = {
        synset: share * log(share / shares[synset])
        for synset, share in own.items()
        if synset in shares and wordnet.depth(synset) >= _DEPTH
    }
    return sorted(worth, key=lambda synset: (-worth[synset], synset))[:_BEST]


def extended(
    wordnet: WordNet, categories: Mapping[str, Sequence[str]], corpus: Sequence[str]
) -> Iterator[str]:
    """The aspect lexicon: terms of the categories, and what their classes hold, with its meronyms and derivations."""
    shares = wordnet.shares([*corpus, *(term for terms in categories.values() for term in terms)])
    for _, terms in sorted(categories.items()):
        yield from terms
        for synset in prominent(wordnet, terms, shares):
            for child in wordnet.below[synset]:
                for each in (child, *wordnet.beside[child]):
                    yield from wordnet.words.get(each, ())
