"""What speakers tell: a row for each, a column for every attribute, the darker the more often."""

from __future__ import annotations

from plait.drawing import svg
from plait.drawing.page import TAG, WORD, number, page, writing
from plait.drawing.saving import Picture
from plait.errors import printable
from plait.generation.refer.memory import Memory

_CELL, _HEIGHT, _LEFT, _TOP, _LETTER = 44.0, 26.0, 24.0, 96.0, 7.0
_INK = "#0f766e"


class Preferences(Picture):
    """The share of a speaker's expressions that tell an attribute, in percent."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.summary = f"What {len(memory.expressions):,} speakers tell of {memory.domain or 'things'}"
        self._columns = [
            key for key, _ in sorted(memory.frequency.items(), key=lambda item: (-item[1], item[0]))
        ]

    def share(self, speaker: str, key: str) -> float:
        own = self._memory.expressions[speaker]
        return sum(key in each for each in own) / len(own)

    def _rows(self) -> list[tuple[str, list[float]]]:
        """Those who are alike in what they tell most stand together."""
        rows = [(name, [self.share(name, key) for key in self._columns]) for name in self._memory.expressions]
        return sorted(rows, key=lambda row: ([-share for share in row[1]], row[0]))

    @property
    def svg(self) -> str:
        rows = self._rows()
        left = _LEFT + _LETTER * max(len(name) for name, _ in rows)
        parts = []
        for column, key in enumerate(self._columns):
            place = f"translate({number(left + column * _CELL + _CELL / 2)} {number(_TOP - 10)}) rotate(-45)"
            parts.append(f'<g transform="{place}">{writing(key, 0, 0, 12, WORD, anchor="start")}</g>')
        for row, (name, shares) in enumerate(rows):
            y = _TOP + row * _HEIGHT
            parts.append(writing(name, left - 8, y + 17, 12, WORD, anchor="end"))
            for column, (key, share) in enumerate(zip(self._columns, shares, strict=True)):
                x = left + column * _CELL
                title = svg.text(f"{name}: {key} in {share:.0%}")
                parts.append(
                    f'<rect x="{number(x)}" y="{number(y)}" width="{number(_CELL - 2)}" '
                    f'height="{number(_HEIGHT - 2)}" fill="{_INK}" fill-opacity="{0.85 * share:.2f}">'
                    f"<title>{title}</title></rect>"
                )
                if share:
                    ink = WORD if share > 0.5 else TAG
                    parts.append(writing(f"{100 * share:.0f}", x + _CELL / 2 - 1, y + 16, 10, ink))
        width = left + _CELL * len(self._columns) + 80
        text = (
            "Speakers in rows, attributes in columns; a number is the percentage of expressions that tell it."
        )
        return page(width, _TOP + _HEIGHT * len(rows) + 12, self.summary, text, parts)

    def text(self, *, colour: bool = False, ascii: bool = False) -> str:  # noqa: ARG002
        rows = self._rows()
        left = max(len(printable(name)) for name, _ in rows)
        lines = [" " * left + "".join(f"  {printable(key)}" for key in self._columns)]
        for name, shares in rows:
            cells = (
                f"{100 * share:.0f}".rjust(len(printable(key)) + 2)
                for key, share in zip(self._columns, shares, strict=True)
            )
            lines.append(printable(name).ljust(left) + "".join(cells))
        return "\n".join(lines)
