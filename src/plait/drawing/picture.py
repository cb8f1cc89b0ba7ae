"""The drawing of a sentence: of its tree, or of a layer of it."""

from __future__ import annotations

from plait.cancel import Cancel, Watching
from plait.drawing import terminal
from plait.drawing.arcs import arcs_of, require_arcs
from plait.drawing.comparison import draw_comparison
from plait.drawing.deep import DeepDrawing
from plait.drawing.difference import difference
from plait.drawing.graph import GraphDrawing
from plait.drawing.saving import Picture
from plait.drawing.tikz import draw_tikz
from plait.drawing.tree import WIDTH, draw_tree
from plait.errors import InputError, counted
from plait.layers import DeepTree, Layer
from plait.meaning import SemanticStructure
from plait.sentence import Sentence


class Drawing(Picture):
    """The tree of a sentence, or with `against` the comparison of a gold tree with a system's."""

    def __init__(
        self,
        sentence: Sentence,
        *,
        against: Sentence | None = None,
        lemmas: bool = False,
        width: float | None = WIDTH,
        cancel: Cancel | None = None,
    ) -> None:
        """Check that it can be drawn; `width` is that of a row of the picture, `None` for one row."""
        self.sentence = sentence
        self.against = against
        self.lemmas = lemmas
        self.width = width
        self._cancel = cancel
        with Watching(cancel):
            self.summary = self._summary()

    @property
    def svg(self) -> str:
        with Watching(self._cancel):
            if self.against is None:
                return draw_tree(self.sentence, lemmas=self.lemmas, width=self.width)
            return draw_comparison(self.sentence, self.against, lemmas=self.lemmas, width=self.width)

    @property
    def tikz(self) -> str:
        with Watching(self._cancel):
            return draw_tikz(self.sentence, against=self.against, lemmas=self.lemmas)

    def text(self, *, colour: bool = False, ascii: bool = False) -> str:
        """The picture for a terminal; see `plait.drawing.terminal`."""
        with Watching(self._cancel):
            if self.against is None:
                return terminal.draw_tree(self.sentence, lemmas=self.lemmas, colour=colour, ascii=ascii)
            return terminal.draw_comparison(
                self.sentence, self.against, lemmas=self.lemmas, colour=colour, ascii=ascii
            )

    def _summary(self) -> str:
        arcs = arcs_of(self.sentence.heads, self.sentence.deprels)
        if self.against is not None:
            require_arcs(self.against.heads)
            return difference(self.sentence, self.against).scores
        crossing = sum(arc.nonprojective for arc in arcs.between)
        return f"{counted(len(self.sentence), 'word')}, {counted(crossing, 'non-projective arc')}"


def drawing_of(
    sentence: Sentence,
    layer: type[Layer],
    *,
    width: float | None = WIDTH,
    cancel: Cancel | None = None,
) -> Picture:
    """A layer of a sentence, of the kinds that have a picture of their own."""
    if layer is DeepTree:
        return DeepDrawing(sentence, width=width, cancel=cancel)
    if layer is SemanticStructure:
        return GraphDrawing(sentence, cancel=cancel)
    raise InputError(f"There is no picture of the layer {layer.name!r}.")
