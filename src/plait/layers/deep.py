"""Deep-syntactic trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from plait.layers.base import Layer, is_text


@dataclass(frozen=True, slots=True)
class DeepNode:
    """A content word of a deep-syntactic tree. `word` is the one of the sentence that it stands for, and `words` are
    with it all that it swallows, articles and auxiliaries; a node that no word stands for, such as a dropped subject,
    has the word 0 and is named after its `host`. `head` is the number of another node, or 0. `grammemes` are as in
    FEATS.
    """

    word: int
    words: tuple[int, ...]
    lemma: str
    pos: str
    grammemes: str
    head: int
    relation: str
    host: int = 0


@dataclass(frozen=True, slots=True)
class DeepTree(Layer):
    """The content words of a sentence and how they depend on each other (Ballesteros et al. 2014, section 2). Nodes
    count from 1.
    """

    name: ClassVar[str] = "deep"

    nodes: tuple[DeepNode, ...]

    def __iter__(self) -> Iterator[DeepNode]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {
                "word": node.word,
                "words": node.words,
                "lemma": node.lemma,
                "pos": node.pos,
                "grammemes": node.grammemes,
                "head": node.head,
                "relation": node.relation,
                "host": node.host,
            }
            for node in self.nodes
        ]

    @classmethod
    def from_json(cls, stored: Any) -> DeepTree:
        return cls(
            tuple(
                DeepNode(
                    int(node["word"]),
                    tuple(int(word) for word in node["words"]),
                    str(node["lemma"]),
                    str(node["pos"]),
                    str(node["grammemes"]),
                    int(node["head"]),
                    str(node["relation"]),
                    int(node["host"]),
                )
                for node in stored
            )
        )

    def fits(self, words: int) -> bool:
        texts = [text for n in self.nodes for text in (n.lemma, n.pos, n.grammemes, n.relation)]
        numbers = [number for n in self.nodes for number in (n.word, n.host, *n.words)]
        heads = [node.head for node in self.nodes]
        return (
            all(map(is_text, texts))
            and all(0 <= number <= words for number in numbers)
            and all(0 <= head <= len(heads) for head in heads)
            and _ends_at_root(heads)
        )


def _ends_at_root(heads: Sequence[int]) -> bool:
    """Whether every way up comes to 0."""
    known = {0}
    for start in range(1, len(heads) + 1):
        way: set[int] = set()
        node = start
        while node not in known:
            if node in way:
                return False
            way.add(node)
            node = heads[node - 1]
        known |= way
    return True
