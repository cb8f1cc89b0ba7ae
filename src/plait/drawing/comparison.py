"""Two trees over the same words as an SVG picture: gold arcs above the words, a system's arcs below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from plait.drawing.arcs import Arc, Arcs, arcs_of
from plait.drawing.band import MARGIN
from plait.drawing.difference import Difference, Verdict, difference
from plait.drawing.measure import text_width
from plait.drawing.page import MISSED, QUIET, RELABELLED, TAG, WORD, WRONG, Ink, line, number, page, writing
from plait.drawing.tree import WIDTH, bands_of
from plait.drawing.words import attachments, caption, shown
from plait.sentence import Sentence

LEGEND_SIZE = 12.0
SAMPLE = 26.0  # length of a line in the legend
SIDES = ("gold", "system")


def draw_comparison(
    gold: Sentence, system: Sentence, *, lemmas: bool = False, width: float | None = WIDTH
) -> str:
    """The picture as a string. Arcs on which both agree are quiet; rows are as in `draw_tree`."""
    found = difference(gold, system)
    trees = [arcs_of(each.heads, list(map(shown, each.deprels))) for each in (gold, system)]
    legend = _legend(found, trees)
    bands = bands_of(
        gold,
        trees,
        lemmas=lemmas,
        width=width,
        least_margin=MARGIN + text_width("system", LEGEND_SIZE) + 8,
        least_width=2 * MARGIN + sum(_entry_width(name, ink) for name, ink in legend),
    )
    said = [attachments(gold, tree) for tree in trees]
    titles = [
        f"{form}: {one}" if verdict is Verdict.SAME else f"{form}: gold {one}; system {other}"
        for form, one, other, verdict in zip(gold.forms, *said, found.verdicts, strict=True)
    ]
    parts = []
    for band in bands:
        x, anchor = (band.page_width - MARGIN, "end") if band.mirrored else (MARGIN, "start")
        for side, y in zip(SIDES, (band.words_top - 4, band.words_bottom + LEGEND_SIZE), strict=True):
            parts.append(writing(side, x, y, LEGEND_SIZE, TAG, anchor=anchor))
        parts += band.draw(comparison_inks(found), titles)
    y = bands[-1].bottom + MARGIN + LEGEND_SIZE
    parts += _draw_legend(legend, y)
    differing = [
        title for title, verdict in zip(titles, found.verdicts, strict=True) if verdict is not Verdict.SAME
    ]
    description = (
        f"Gold arcs above {len(gold)} words, arcs of a system below; {found.scores}. "
        f"Differing: {'. '.join(differing) or 'none'}."
    )
    return page(bands[0].page_width, y + MARGIN, caption(gold), description, parts)


def comparison_inks(found: Difference) -> Callable[[int, Arc], Ink]:
    """What an arc of the first or of the second tree is drawn with."""

    def ink_of(side: int, arc: Arc) -> Ink:
        verdict = found.verdicts[arc.dependent - 1]
        if verdict is Verdict.OTHER_HEAD:
            return WRONG if side else MISSED
        return RELABELLED if verdict is Verdict.OTHER_LABEL else QUIET

    return ink_of


def _legend(found: Difference, trees: Sequence[Arcs]) -> list[tuple[str, Ink]]:
    other_heads = [
        sum(
            found.verdicts[arc.dependent - 1] is Verdict.OTHER_HEAD
            for arc in (*tree.between, *tree.from_root)
        )
        for tree in trees
    ]
    return [
        (found.scores, WORD),
        (f"same: {found.count(Verdict.SAME)}", QUIET),
        (f"gold only: {other_heads[0]}", MISSED),
        (f"system only: {other_heads[1]}", WRONG),
        (f"other label: {found.count(Verdict.OTHER_LABEL)}", RELABELLED),
    ]


def _entry_width(name: str, ink: Ink) -> float:
    return text_width(name, LEGEND_SIZE) + (0 if ink is WORD else SAMPLE + 6) + 18


def _draw_legend(legend: list[tuple[str, Ink]], y: float) -> Iterator[str]:
    x = MARGIN
    for name, ink in legend:
        end = x + _entry_width(name, ink)
        if ink is not WORD:
            yield line(f"M{number(x)} {number(y - 4)}H{number(x + SAMPLE)}", ink)
            x += SAMPLE + 6
        yield writing(name, x, y, LEGEND_SIZE, ink, anchor="start")
        x = end
