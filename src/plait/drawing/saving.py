"""What all drawings can do: text at the prompt, SVG in Jupyter, a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from plait.errors import InputError, PlaitError
from plait.formats import PICTURES
from plait.formats.files import open_sink

_PNG_SCALE = 2  # pixels for each pixel of the SVG, for screens and paper finer than it


class Picture(ABC):
    """A drawing in whatever form is asked for; `summary` is what it shows, in a few words."""

    summary: str

    @property
    @abstractmethod
    def svg(self) -> str: ...

    @abstractmethod
    def text(self, *, colour: bool = False, ascii: bool = False) -> str:
        """The drawing for a terminal."""

    @property
    def tikz(self) -> str:
        """The picture for LaTeX; InputError where there is none."""
        raise InputError("There is no such picture for LaTeX: save it as .svg or .png.")

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

    def save(self, path: str | Path) -> None:
        """Write the picture as SVG, as PNG or for LaTeX, as the suffix says."""
        require_picture_name(path)
        suffix = Path(path).suffix
        data = self.png() if suffix == ".png" else (self.tikz if suffix == ".tex" else self.svg).encode()
        with open_sink(path) as sink:
            sink.write(data)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        return self.svg


def require_picture_name(path: str | Path, suffixes: Sequence[str] = PICTURES) -> None:
    if Path(path).suffix not in suffixes:
        *others, last = suffixes
        raise InputError(
            f"{path}: a picture is written to a file that ends in {', '.join(others)} or {last}."
        )
