"""What a surface tree has and its deep tree has not, as decisions about every deep node.

- `above`: function words between a node and its governor, from the top, such as a preposition or an auxiliary that
  governs; or that the node is not said at all, as a dropped subject;
- `site`: where on its governor a node hangs: 0 on the word itself, 1 on the function word above that, and so on;
- `relation`: of the word to what it hangs from;
- a slot for every relation of function words that hang from a node, such as `det`, `case`, `aux`, `punct`: all that it
  has there;
- `tag`: UPOS, XPOS and FEATS of the word.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plait.checks import parse_json
from plait.layers import DeepTree
from plait.sentence import Sentence

ABOVE, SITE, RELATION, TAG = "above", "site", "relation", "tag"
NOTHING, SILENT = "", "-"
_TOGETHER = {"cop": "aux"}  # words of one verb group are chosen at once
_TOP = -1  # a function word that hangs from the topmost word above a node

Decisions = dict[str, str]


@dataclass(frozen=True, slots=True)
class Piece:
    """A function word. `parent` is the number of another piece of the same slot, from 1; 0 is the node's word, and -1
    the topmost function word above that.
    """

    lemma: str
    upos: str
    xpos: str
    feats: str
    relation: str
    parent: int


def write(pieces: Sequence[Piece]) -> str:
    """As the name of a class."""
    if not pieces:
        return NOTHING
    cells = [[p.lemma, p.upos, p.xpos, p.feats, p.relation, p.parent] for p in pieces]
    return json.dumps(cells, ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> list[Piece]:
    """ValueError if it is not what `write` gives."""
    if text in (NOTHING, SILENT):
        return []
    pieces: list[Piece] = []
    rows = parse_json(text.encode())
    if not isinstance(rows, list) or not all(isinstance(row, list) and row for row in rows):
        raise ValueError("function words are a list of lists")
    for *cells, parent in rows:
        if len(cells) != 5 or not all(isinstance(cell, str) and cell for cell in cells):
            raise ValueError("a function word has five texts")
        if not isinstance(parent, int) or not _TOP <= parent <= len(pieces):
            raise ValueError("a function word hangs from one before it")
        lemma, upos, xpos, feats, relation = cells
        pieces.append(Piece(lemma, upos, xpos, feats, relation, parent))
    return pieces


def slot_of(relation: str) -> str:
    plain = relation.partition(":")[0]
    return _TOGETHER.get(plain, plain)


def tag_of(sentence: Sentence, word: int) -> str:
    return f"{sentence.upos[word - 1]} {sentence.xpos[word - 1]} {sentence.feats[word - 1]}"


def analyse(sentence: Sentence, tree: DeepTree) -> list[Decisions]:
    """The decisions that make the surface tree of the deep one, node by node. What they cannot say is left out."""
    return _Analysis(sentence, tree).decisions()


class _Analysis:
    def __init__(self, sentence: Sentence, tree: DeepTree) -> None:
        self.sentence = sentence
        self.tree = tree
        self.heads = [-1, *(head or 0 for head in sentence.heads)]
        self.kept = {node.word: number for number, node in enumerate(tree, 1) if node.word}
        self.chains: dict[int, list[int]] = {}  # by node: the function words above it, from the bottom
        self.sites: dict[int, int] = {}
        self.owner: dict[int, int] = {}  # by word of a chain: the node
        for number in _downwards(tree):
            self._climb(number)

    def _climb(self, number: int) -> None:
        node = self.tree.nodes[number - 1]
        if not node.word:
            return
        governor = self.tree.nodes[node.head - 1].word if node.head else 0
        chain: list[int] = []
        word = self.heads[node.word]
        while word > 0 and word not in self.kept and word not in self.owner:
            chain.append(word)
            word = self.heads[word]
        if not node.head or word == governor or self.owner.get(word) == node.head:
            self.chains[number] = chain
            self.owner.update(dict.fromkeys(chain, number))
        own = self.chains.get(node.head, [])
        self.sites[number] = own.index(word) + 1 if word in own else 0

    def decisions(self) -> list[Decisions]:
        below = self._below()
        found = []
        for number, node in enumerate(self.tree, 1):
            if not node.word:
                found.append({ABOVE: SILENT})
                continue
            chain = [self._piece(word, 0) for word in reversed(self.chains.get(number, []))]
            decisions = {
                ABOVE: write(chain),
                SITE: str(self.sites.get(number, 0)),
                RELATION: self.sentence.deprels[node.word - 1],
                TAG: tag_of(self.sentence, node.word),
            }
            for slot, words in below[number].items():
                decisions[f"+{slot}"] = self._fill(number, words)
            found.append(decisions)
        return found

    def _below(self) -> Mapping[int, Mapping[str, list[int]]]:
        """By node and slot: the function words that hang from its word or from those above it."""
        found: defaultdict[int, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for word, relation in enumerate(self.sentence.deprels, 1):
            if word in self.kept or word in self.owner:
                continue
            head = self.heads[word]
            number = self.kept.get(head, self.owner.get(head, 0))
            if number:
                found[number][slot_of(relation)].append(word)
        return found

    def _fill(self, number: int, words: Sequence[int]) -> str:
        """With all that is below them; in an order that is not that of the sentence."""
        host = self.tree.nodes[number - 1].word
        pieces: list[Piece] = []
        open_ = [
            (word, 0 if self.heads[word] == host else _TOP)
            for word in sorted(words, key=self._name, reverse=True)
        ]
        while open_:
            word, parent = open_.pop()
            pieces.append(self._piece(word, parent))
            place = len(pieces)
            more = [w for w, head in enumerate(self.heads) if head == word and w not in self.kept]
            open_ += [(each, place) for each in sorted(more, key=self._name, reverse=True)]
        return write(pieces)

    def _name(self, word: int) -> tuple[str, str]:
        return self.sentence.deprels[word - 1], self.sentence.lemmas[word - 1]

    def _piece(self, word: int, parent: int) -> Piece:
        sentence, at = self.sentence, word - 1
        lemma = sentence.lemmas[at] if sentence.lemmas[at] != "_" else sentence.forms[at]
        return Piece(
            lemma, sentence.upos[at], sentence.xpos[at], sentence.feats[at], sentence.deprels[at], parent
        )


def _downwards(tree: DeepTree) -> list[int]:
    """Nodes, each after its head."""
    below: defaultdict[int, list[int]] = defaultdict(list)
    for number, node in enumerate(tree, 1):
        below[node.head].append(number)
    order = list(below[0])
    for number in order:  # grows
        order += below[number]
    return order
