"""A surface tree of a deep tree and of decisions about its nodes: what `analysis` took apart."""

from __future__ import annotations

from collections.abc import Sequence

from plait.components.function_words.analysis import (
    ABOVE,
    RELATION,
    SILENT,
    SITE,
    TAG,
    Decisions,
    Piece,
    read,
)
from plait.layers import DeepTree
from plait.learning.unordered import FIXED
from plait.sentence import EMPTY, Sentence, parse_pairs


class _Rows:
    """Words as they come, in no order that means anything."""

    def __init__(self) -> None:
        self.lemmas: list[str] = []
        self.tags: list[tuple[str, str, str]] = []
        self.heads: list[int] = []
        self.relations: list[str] = []
        self.misc: list[str] = []

    def add(self, lemma: str, tags: tuple[str, str, str], relation: str, misc: str = EMPTY) -> int:
        self.lemmas.append(lemma)
        self.tags.append(tags)
        self.heads.append(0)
        self.relations.append(relation)
        self.misc.append(misc)
        return len(self.lemmas)

    def add_piece(self, piece: Piece) -> int:
        return self.add(piece.lemma, (piece.upos, piece.xpos, piece.feats), piece.relation)


def build(sentence: Sentence, tree: DeepTree, decisions: Sequence[Decisions]) -> None:
    """Write the words, tags and tree into the sentence, in place of those that it has. Nodes that are not said leave
    what hangs from them to their heads; one is said in any case.
    """
    rows = _Rows()
    chains: dict[int, list[int]] = {}  # by node: its word, and the function words above it, from the bottom
    for number, (node, chosen) in enumerate(zip(tree, decisions, strict=True), 1):
        if chosen.get(ABOVE) == SILENT:
            continue
        chains[number] = [_own_word(rows, node.lemma, node.grammemes, chosen)]
        for piece in reversed(read(chosen.get(ABOVE, ""))):
            word = rows.add_piece(piece)
            rows.heads[chains[number][-1] - 1] = word
            chains[number].append(word)
        _fill(rows, chains[number], chosen)
    if not chains:
        chains[1] = [rows.add(tree.nodes[0].lemma, (EMPTY, EMPTY, EMPTY), "root")] if tree.nodes else []
    top = 0
    # Whatever the order of nodes, the same one takes the place of a root that is not said.
    for number, chain in sorted(chains.items(), key=lambda pair: tree.nodes[pair[0] - 1].lemma):
        above = tree.nodes[number - 1].head
        while above and above not in chains:
            above = tree.nodes[above - 1].head
        if above:
            site = min(int(decisions[number - 1].get(SITE, "0")), len(chains[above]) - 1)
            rows.heads[chain[-1] - 1] = chains[above][site]
        elif tree.nodes[number - 1].head:  # where the root is not said, one of those below it takes its place
            rows.heads[chain[-1] - 1] = top
            top = top or chain[-1]
    _write(sentence, rows)


def _own_word(rows: _Rows, lemma: str, grammemes: str, chosen: Decisions) -> int:
    upos, xpos, feats = chosen.get(TAG, f"{EMPTY} {EMPTY} {EMPTY}").split(" ", 2)
    place = parse_pairs(grammemes).get(FIXED)
    misc = EMPTY if place is None else f"{FIXED}={place}"
    return rows.add(lemma, (upos, xpos, feats), chosen.get(RELATION, "dep"), misc)


def _fill(rows: _Rows, chain: Sequence[int], chosen: Decisions) -> None:
    for slot in sorted(chosen):
        if not slot.startswith("+"):
            continue
        words: list[int] = []
        for piece in read(chosen[slot]):
            word = rows.add_piece(piece)
            hosts = {0: chain[0], -1: chain[-1]}
            rows.heads[word - 1] = hosts.get(piece.parent) or words[piece.parent - 1]
            words.append(word)


def _write(sentence: Sentence, rows: _Rows) -> None:
    size = len(rows.lemmas)
    sentence.forms = [EMPTY] * size
    sentence.lemmas = rows.lemmas
    sentence.upos = [upos for upos, _, _ in rows.tags]
    sentence.xpos = [xpos for _, xpos, _ in rows.tags]
    sentence.feats = [feats for _, _, feats in rows.tags]
    sentence.heads = list(rows.heads)
    sentence.deprels = rows.relations
    sentence.deps = [EMPTY] * size
    sentence.misc = rows.misc
    sentence.multiword_tokens, sentence.empty_nodes, sentence.extra, sentence.layers = [], [], {}, {}
