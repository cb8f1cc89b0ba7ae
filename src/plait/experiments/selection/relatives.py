"""Templates that are not worth a trial once their relatives were rejected (Ballesteros and Bohnet 2014, section 3).

The paper has one example: B2's tag is not tried if B1's was rejected. The rules here: a place further down the stack
or ahead in the buffer needs the nearer one, an inner dependent (`left2`) the outer one (`left1`), and a template of
several atoms at least one of the templates that see a part of it. What was never in the list, or not yet tried, hinders
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from plait.experiments.selection.lines import Line, Lines

_PLACE = re.compile(r"\b([SB])([1-9])(?=[.~])")
_INNER = re.compile(r"\b(left|right)2\b")
_FORM = re.compile(r"\.(form|lower|lemma)\b")


class Relatives:
    """Of all lines of a list, which ones they need."""

    def __init__(self, lines: Lines) -> None:
        self._nearer = [self._find_nearer(lines, number) for number in range(len(lines))]
        self._parts = [_parts(lines, number) for number in range(len(lines))]
        self._tags = [
            lines.find(Line(_FORM.sub(".upos", line.text), line.file)) if _FORM.search(line.text) else None
            for line in lines.every
        ]

    @staticmethod
    def _find_nearer(lines: Lines, number: int) -> list[int]:
        line = lines[number]
        texts = []
        if len(line.atoms) == 1 and _PLACE.search(line.text):
            texts.append(_PLACE.sub(lambda match: f"{match[1]}{int(match[2]) - 1}", line.text))
        if _INNER.search(line.text):
            texts.append(_INNER.sub(r"\g<1>1", line.text))
        found = (lines.find(Line(text, line.file)) for text in texts)
        return [each for each in found if each is not None and each != number]

    def hinder(self, number: int, rejected: Collection[int]) -> list[int]:
        """The rejected lines for which a line is not worth a trial; none if it is."""
        nearer = [each for each in self._nearer[number] if each in rejected]
        if nearer:
            return nearer
        parts = self._parts[number]
        return parts if parts and all(each in rejected for each in parts) else []

    def tags_first(self, order: Sequence[int]) -> list[int]:
        """The order, but a template of forms or lemmas after the same template of tags."""
        placed: dict[int, None] = {}
        for number in order:
            tags = self._tags[number]
            if tags is not None and tags in order:
                placed.setdefault(tags)
            placed.setdefault(number)
        return list(placed)


def _parts(lines: Lines, number: int) -> list[int]:
    """The lines that see some of what this one sees, and nothing else."""
    line = lines[number]
    return [
        other
        for other, each in enumerate(lines.every)
        if each.file == line.file and each.atoms < line.atoms and each.text != "bias"
    ]
