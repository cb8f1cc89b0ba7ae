"""A deep-syntactic tree: its nodes as words with their relations as arcs (Ballesteros et al. 2014, Figure 1).

Below a node stand the words of the sentence that it has swallowed. One that no word stands for, such as a dropped
subject, has a dashed frame, and brackets in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator

from plait.cancel import Cancel, Watching
from plait.drawing import terminal
from plait.drawing.arcs import arcs_of
from plait.drawing.band import MARGIN
from plait.drawing.page import page
from plait.drawing.saving import Picture
from plait.drawing.tree import WIDTH, bands_of, ink_of
from plait.drawing.words import caption, describe, shown, word_titles
from plait.errors import InputError, counted
from plait.formats.deep import has_deep_nodes, to_tree
from plait.layers import DeepNode, DeepTree
from plait.sentence import EMPTY, Sentence


class DeepDrawing(Picture):
    """The layer `DeepTree` of a sentence, or its words themselves where these are deep nodes, as in files of them."""

    def __init__(
        self, sentence: Sentence, *, width: float | None = WIDTH, cancel: Cancel | None = None
    ) -> None:
        self.sentence = sentence
        self.width = width
        self._cancel = cancel
        self._tree = _tree_of(sentence)
        nodes = self._nodes(bracketed=False)
        with Watching(cancel):
            arcs_of(nodes.heads, nodes.deprels)
        added = sum(not node.word for node in self._tree)
        self.summary = counted(len(self._tree), "node") + (
            f", {added:,} of them without a word" if added else ""
        )

    @property
    def svg(self) -> str:
        with Watching(self._cancel):
            nodes = self._nodes(bracketed=False)
            added = frozenset(number for number, node in enumerate(self._tree, 1) if not node.word)
            arcs = arcs_of(nodes.heads, list(map(shown, nodes.deprels)))
            bands = bands_of(nodes, [arcs], lemmas=True, width=self.width, dashed=added)
            titles = [
                "; ".join(filter(None, (title, shown(node.grammemes).replace("|", ", "))))
                for title, node in zip(word_titles(nodes, arcs), self._tree, strict=True)
            ]
            parts = [part for band in bands for part in band.draw(ink_of, titles)]
            size = (bands[0].page_width, bands[-1].bottom + MARGIN)
            what = "deep-syntactic tree", "node"
            return page(*size, caption(self.sentence), describe(nodes, arcs, *what), parts)

    def text(self, *, colour: bool = False, ascii: bool = False) -> str:
        """One node per line; see `plait.drawing.terminal`."""
        with Watching(self._cancel):
            return terminal.draw_tree(self._nodes(bracketed=True), lemmas=True, colour=colour, ascii=ascii)

    def _nodes(self, *, bracketed: bool) -> Sentence:
        """The nodes as words, with what they stand for in the place of lemmas."""
        tree = self._tree
        return Sentence(
            forms=[f"[{node.lemma}]" if bracketed and not node.word else node.lemma for node in tree],
            lemmas=[" ".join(self._words(node)) or EMPTY for node in tree],
            upos=[node.pos for node in tree],
            heads=[node.head for node in tree],
            deprels=[node.relation for node in tree],
        )

    def _words(self, node: DeepNode) -> Iterator[str]:
        """What a node stands for, where its lemma does not tell it: numbers where the words are in another file."""
        if self.sentence.find(DeepTree) is None:
            yield from map(str, node.words if len(node.words) > 1 else ())
            return
        forms = [self.sentence.forms[word - 1] for word in node.words]
        if len(forms) > 1 or forms != [node.lemma]:
            yield from forms


def _tree_of(sentence: Sentence) -> DeepTree:
    tree = sentence.find(DeepTree)
    if tree is not None:
        return tree
    if not has_deep_nodes(sentence):
        raise InputError("there is no deep tree; a model with a component 'deep' makes one (plait deep).")
    try:
        return to_tree(sentence)
    except ValueError as error:
        raise InputError(f"{error}.") from None
