"""Make a believable system's output from gold sentences: wrong trees, tags, tokens and sentence ends.

Sentences become lists of tokens whose words point to their head word itself, so that words can be joined,
split and moved freely; at the end they are numbered again. Every sentence keeps exactly one root.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from plait import MultiwordToken, Sentence


@dataclass(eq=False)
class Node:
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    deprel: str
    head: Node | None = None

    def above(self) -> list[Node]:
        """The words it depends on, the nearest first."""
        path = []
        head = self.head
        while head is not None:
            path.append(head)
            head = head.head
        return path


@dataclass(eq=False)
class Token:
    """A surface token: a multiword token, or a word of the same form."""

    form: str
    nodes: list[Node]
    multiword: bool = False


Tokens = list[Token]


def disturb(
    sentences: Sequence[Sentence],
    seed: int,
    *,
    annotation: float = 0.0,
    tokens: float = 0.0,
    ends: float = 0.0,
) -> list[Sentence]:
    """A copy with these shares of words, tokens and sentence ends changed."""
    rng = random.Random(seed)
    texts = [_unlink(sentence) for sentence in sentences]
    if ends:
        texts = _move_ends(texts, rng, ends)
    if tokens:
        texts = [_retokenize(text, rng, tokens) for text in texts]
    if annotation:
        pool = [node for text in texts for node in _nodes(text)]
        for text in texts:
            _reannotate(text, rng, annotation, pool)
    return [_link(text) for text in texts]


def _unlink(sentence: Sentence) -> Tokens:
    columns = (
        sentence.forms,
        sentence.lemmas,
        sentence.upos,
        sentence.xpos,
        sentence.feats,
        sentence.deprels,
    )
    nodes = [Node(*cells) for cells in zip(*columns, strict=True)]
    for node, head in zip(nodes, sentence.tree(), strict=True):
        node.head = nodes[head - 1] if head else None
    tokens = []
    for token in sentence.tokens:
        if isinstance(token, MultiwordToken):
            tokens.append(Token(token.form, nodes[token.first - 1 : token.last], multiword=True))
        else:
            tokens.append(Token(token.form, [nodes[token.id - 1]]))
    return tokens


def _link(tokens: Tokens) -> Sentence:
    nodes = _nodes(tokens)
    numbers = {id(node): number for number, node in enumerate(nodes, start=1)}
    multiword = [
        MultiwordToken(numbers[id(token.nodes[0])], numbers[id(token.nodes[-1])], token.form)
        for token in tokens
        if token.multiword
    ]
    return Sentence(
        forms=[node.form for node in nodes],
        lemmas=[node.lemma for node in nodes],
        upos=[node.upos for node in nodes],
        xpos=[node.xpos for node in nodes],
        feats=[node.feats for node in nodes],
        heads=[numbers[id(node.head)] if node.head else 0 for node in nodes],
        deprels=[node.deprel for node in nodes],
        multiword_tokens=multiword,
    )


def _nodes(tokens: Tokens) -> list[Node]:
    return [node for token in tokens for node in token.nodes]


def _reannotate(tokens: Tokens, rng: random.Random, share: float, pool: list[Node]) -> None:
    """Copy annotation from words anywhere, and hang words from others that do not depend on them."""
    nodes = _nodes(tokens)
    for node in nodes:
        for column in ("lemma", "upos", "xpos", "feats", "deprel"):
            if rng.random() < share:
                setattr(node, column, getattr(rng.choice(pool), column))
        if rng.random() < share and node.head is not None:
            head = rng.choice(nodes)
            if head is not node and node not in head.above():
                node.head = head


def _retokenize(tokens: Tokens, rng: random.Random, share: float) -> Tokens:
    result: Tokens = []
    nodes = _nodes(tokens)
    for token in tokens:
        if rng.random() >= share:
            result.append(token)
            continue
        change = rng.choice(("join", "split", "group", "ungroup", "rename", "space"))
        last = result[-1] if result else None
        if change == "join" and last and not last.multiword and not token.multiword:
            result[-1] = Token(last.form + token.form, [_melt([last.nodes[0], token.nodes[0]], nodes)])
            result[-1].nodes[0].form = result[-1].form
        elif change == "split" and not token.multiword and len(token.form) > 1:
            halves = _split(token, rng.randrange(1, len(token.form)))
            result.extend(halves)
            nodes.extend(halves[1].nodes)
        elif change == "group" and last:
            result[-1] = Token(last.form + token.form, last.nodes + token.nodes, multiword=True)
        elif change == "ungroup" and token.multiword:
            melted = _melt(token.nodes, nodes)
            melted.form = token.form
            result.append(Token(token.form, [melted]))
        elif change == "rename" and token.multiword:
            rng.choice(token.nodes).form = rng.choice(("a", "o", token.form.upper()))
            result.append(token)
        elif change == "space" and not token.multiword and len(token.form) > 2:
            token.form = token.nodes[0].form = token.form[:1] + rng.choice(" \u00a0\u2009") + token.form[1:]
            result.append(token)
        else:
            result.append(token)
    return result


def _split(token: Token, place: int) -> Tokens:
    first = token.nodes[0]
    second = Node(token.form[place:], "_", "X", "_", "_", "goeswith", head=first)
    first.form = token.form[:place]
    return [Token(first.form, [first]), Token(second.form, [second])]


def _melt(parts: list[Node], nodes: list[Node]) -> Node:
    """One word for several: the one nearest to the root, which takes over what depends on the others."""
    top = min(parts, key=lambda node: len(node.above()))
    for node in nodes:
        if node.head in parts and node not in parts:
            node.head = top
    return top


def _move_ends(texts: list[Tokens], rng: random.Random, share: float) -> list[Tokens]:
    result: list[Tokens] = []
    for text in texts:
        if rng.random() >= share:
            result.append(text)
        elif rng.random() < 0.5 and result:
            _root(text).head = _root(result[-1])
            result[-1] = result[-1] + text
        elif len(text) > 1:
            place = rng.randrange(1, len(text))
            for part in (text[:place], text[place:]):
                _replant(part)
                result.append(part)
        else:
            result.append(text)
    return result


def _root(tokens: Tokens) -> Node:
    return next(node for node in _nodes(tokens) if node.head is None)


def _replant(tokens: Tokens) -> None:
    """Cut the arcs that come from outside; what they held hangs from the first such word."""
    nodes = _nodes(tokens)
    loose = [node for node in nodes if node.head is None or node.head not in nodes]
    for node in loose:
        node.head = None if node is loose[0] else loose[0]
