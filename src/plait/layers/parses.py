"""Trees of other parsers, several trees, and tags to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from plait.layers.base import Layer, is_text


def tag_name(upos: str, xpos: str) -> str:
    """What is the tag of a word, where its morphology is apart: UPOS, or XPOS where there is none. XPOS beside UPOS is
    morphology: in many treebanks it tells the features once more.
    """
    return xpos if upos == "_" else upos


class Candidate(NamedTuple):
    """A tag and features with the lemma they go with. The margins tell by how much the tagger likes the tag less than
    the best one, and the features less than the best ones of this tag.
    """

    upos: str
    xpos: str
    feats: str
    lemma: str
    margin: float
    feats_margin: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidates(Layer):
    """What the words of a sentence may be tagged as, where a parser chooses (Bohnet and Nivre 2012; with morphology
    Bohnet et al. 2013). Candidates with the same UPOS are one tag with several features (`tag_name`).

    The tags in the sentence are the best ones, of rank 0; `others` are those of rank 1, 2 ... of words that have
    several, by number of the word. To learn from, `right` are the ranks of the right ones where they are not 0.
    """

    name: ClassVar[str] = "candidates"

    others: Mapping[int, Sequence[Candidate]] = field(default_factory=dict)
    right: Mapping[int, int] = field(default_factory=dict)

    def sizes(self, words: int) -> Iterator[int]:
        """How many candidates each word has."""
        return (1 + len(self.others.get(word, ())) for word in range(1, words + 1))

    def chosen(self, ranks: Sequence[int]) -> dict[int, Candidate]:
        """What the words are that are not left with the tags in the sentence."""
        return {word: self.others[word][rank - 1] for word, rank in enumerate(ranks, 1) if rank > 0}

    def to_json(self) -> dict[str, Any]:
        return {"others": self.others, "right": self.right}

    @classmethod
    def from_json(cls, stored: Any) -> Candidates:
        return cls(
            {int(word): [Candidate(*each) for each in tags] for word, tags in stored["others"].items()},
            {int(word): int(rank) for word, rank in stored["right"].items()},
        )

    def fits(self, words: int) -> bool:
        return all(
            1 <= word <= words and all(is_text(text) for tag in tags for text in tag[:4])
            for word, tags in self.others.items()
        )


@dataclass(frozen=True, slots=True)
class GuideTree(Layer):
    """The tree of another parser, which one that is guided looks at (Nivre and McDonald 2008)."""

    name: ClassVar[str] = "guide"

    heads: Sequence[int]
    labels: Sequence[str]

    def to_json(self) -> list[Sequence[Any]]:
        return [self.heads, self.labels]

    @classmethod
    def from_json(cls, stored: Any) -> GuideTree:
        heads, labels = stored
        return cls([int(head) for head in heads], [str(label) for label in labels])

    def fits(self, words: int) -> bool:
        return _is_tree(self.heads, self.labels, words)


@dataclass(frozen=True, slots=True)
class Parse:
    """One tree of a sentence. Scores compare trees of one sentence only."""

    heads: list[int]
    labels: list[str]
    score: float
    tags: Mapping[int, Candidate] = field(default_factory=dict)  # by word, where they are not those it has


@dataclass(frozen=True, slots=True)
class Alternatives(Layer):
    """The best trees of a sentence that differ, the best first, where several were asked for."""

    name: ClassVar[str] = "alternatives"

    parses: tuple[Parse, ...]

    def __iter__(self) -> Iterator[Parse]:
        return iter(self.parses)

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {"heads": parse.heads, "labels": parse.labels, "score": parse.score, "tags": parse.tags}
            for parse in self.parses
        ]

    @classmethod
    def from_json(cls, stored: Any) -> Alternatives:
        return cls(
            tuple(
                Parse(
                    [int(head) for head in parse["heads"]],
                    [str(label) for label in parse["labels"]],
                    float(parse["score"]),
                    {int(word): Candidate(*tag) for word, tag in parse["tags"].items()},
                )
                for parse in stored
            )
        )

    def fits(self, words: int) -> bool:
        return all(_is_tree(parse.heads, parse.labels, words) for parse in self.parses)


def _is_tree(heads: Sequence[int], labels: Sequence[str], words: int) -> bool:
    return (
        len(heads) == len(labels) == words
        and all(0 <= head <= words for head in heads)
        and all(map(is_text, labels))
    )
