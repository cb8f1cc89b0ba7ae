"""A drawing of a tree, in whatever form is asked for: text at the prompt, SVG in Jupyter, a file."""

from __future__ import annotations

from pathlib import Path

from plait.cancel import Cancel, Watching
from plait.drawing import terminal
from plait.drawing.arcs import arcs_of, require_arcs
from plait.drawing.comparison import draw_comparison
from plait.drawing.difference import difference
from plait.drawing.tree import WIDTH, draw_tree
from plait.errors import InputError, PlaitError
from plait.formats import PICTURES
from plait.formats.files import open_sink
from plait.sentence import Sentence

_PNG_SCALE = 2  # pixels for each pixel of the SVG, for screens and paper finer than it


class Drawing:
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

    def png(self) -> bytes:
        """The picture in pixels, as CairoSVG draws it: without joining the letters of Arabic."""
        try:
            from cairosvg import svg2png
        except (ImportError, OSError):  # OSError: the package is there, the library cairo is not
            raise PlaitError(
                "PNG pictures need CairoSVG and the library cairo: pip install 'plait[png]'."
            ) from None
        data: bytes = svg2png(bytestring=self.svg.encode(), scale=_PNG_SCALE)
        return data

    def text(self, *, colour: bool = False, ascii: bool = False) -> str:
        """The picture for a terminal; see `plait.drawing.terminal`."""
        with Watching(self._cancel):
            if self.against is None:
                return terminal.draw_tree(self.sentence, lemmas=self.lemmas, colour=colour, ascii=ascii)
            return terminal.draw_comparison(
                self.sentence, self.against, lemmas=self.lemmas, colour=colour, ascii=ascii
            )

    def save(self, path: str | Path) -> None:
        """Write the picture as SVG or PNG, as the suffix says."""
        require_picture_name(path)
        data = self.png() if Path(path).suffix == ".png" else self.svg.encode()
        with open_sink(path) as sink:
            sink.write(data)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        return self.svg

    def _summary(self) -> str:
        """What the picture shows, in a few words."""
        arcs = arcs_of(self.sentence.heads, self.sentence.deprels)
        if self.against is not None:
            require_arcs(self.against.heads)
            return difference(self.sentence, self.against).scores
        size, crossing = len(self.sentence), sum(arc.nonprojective for arc in arcs.between)
        return (
            f"{size:,} {'word' if size == 1 else 'words'}, "
            f"{crossing:,} non-projective {'arc' if crossing == 1 else 'arcs'}"
        )


def require_picture_name(path: str | Path) -> None:
    if Path(path).suffix not in PICTURES:
        raise InputError(f"{path}: a picture is written to a file that ends in {' or '.join(PICTURES)}.")
