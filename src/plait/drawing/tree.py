"""A dependency tree as an SVG picture: words along a line, arcs above it.

A long sentence goes on in a further row, as text does: a picture of one row would be many times wider than a
page or a notebook, and shrunk to fit it nobody could read it. An arc that leaves its row ends at the edge,
where the number and the form of its other word stand, and goes on beside that word's row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from plait.drawing.arcs import Arc, Arcs, arcs_of
from plait.drawing.band import MARGIN, Band, Inscription, margins
from plait.drawing.frames import draw_frames, shown_frames
from plait.drawing.measure import runs_right_to_left, text_width
from plait.drawing.page import CROSSING, PLAIN, TAG, WORD, Ink, ink_of_tag, page
from plait.drawing.rows import Row, cut_row, lay_out_row
from plait.drawing.words import caption, confidences, describe, shown, word_titles
from plait.sentence import Sentence

WIDTH = 900.0  # of a row, in pixels
ROW_SPACE = 18.0


def draw_tree(
    sentence: Sentence,
    *,
    lemmas: bool = False,
    width: float | None = WIDTH,
    frames: bool = True,
    colours: bool = False,
) -> str:
    """The picture as a string. It is no wider than `width` pixels, unless a word needs more; `None` gives one row.
    Below the tree are the `frames`, where the sentence has some. With `colours`, universal tags have theirs.
    """
    arcs = arcs_of(sentence.heads, list(map(shown, sentence.deprels)))
    bands = bands_of(sentence, [arcs], lemmas=lemmas, width=width, colours=colours)
    titles = word_titles(sentence, arcs)
    parts = [part for band in bands for part in band.draw(ink_of, titles)]
    bottom = bands[-1].bottom + MARGIN
    if frames and shown_frames(sentence):
        across = bands[0].page_width
        more, bottom = draw_frames(sentence, MARGIN, bottom, across - MARGIN)
        parts += more
    return page(bands[0].page_width, bottom, caption(sentence), describe(sentence, arcs), parts)


def bands_of(
    sentence: Sentence,
    trees: Sequence[Arcs],
    *,
    lemmas: bool,
    width: float | None,
    top: float = MARGIN,
    least_margin: float = 0.0,
    least_width: float = 0.0,
    dashed: frozenset[int] = frozenset(),
    colours: bool = False,
) -> list[Band]:
    """The rows of words, one below the other, each with the arcs of all trees; `dashed` words have a frame."""
    inscriptions = [Inscription(sentence.forms, 16, WORD)]
    inks = [ink_of_tag(tag) if colours else TAG for tag in sentence.upos]
    for column, wanted, own in (
        (sentence.upos, True, inks),
        (sentence.lemmas, lemmas, ()),
        (confidences(sentence), True, ()),
    ):
        entries = list(map(shown, column))
        if wanted and any(entries):
            inscriptions.append(Inscription(entries, 11, TAG, own))
    brackets = [(token.first, token.last, text_width(token.form, 13)) for token in sentence.multiword_tokens]
    widths = [max(each.width(word) for each in inscriptions) for word in range(1, len(sentence) + 1)]
    for start, end, needed in brackets:
        if start == end:
            widths[start - 1] = max(widths[start - 1], needed)
    whole = lay_out_row(1, len(sentence), widths, trees, brackets)
    rows = [whole]
    if width is not None:
        rows = _rows_within(
            width,
            whole,
            sentence,
            lambda amount: cut_row(whole, amount, widths, trees, brackets),
            least_margin,
        )
    before, after = _margins(rows, sentence, least_margin)
    page_width = before + max(row.width for row in rows) + after
    page_width = max(page_width, least_width)
    if len(rows) > 1:
        inscriptions.append(Inscription([str(word) for word in range(1, len(sentence) + 1)], 9, TAG))
    mirrored = runs_right_to_left(sentence.forms)
    bands: list[Band] = []
    for row in rows:
        band = Band(row, sentence, inscriptions, before, top, page_width, mirrored, dashed)
        bands.append(band)
        top = band.bottom + ROW_SPACE
    return bands


def _margins(rows: Sequence[Row], sentence: Sentence, least: float) -> tuple[float, float]:
    before, after = margins(rows, sentence)
    return max(before, least), after


def _rows_within(
    limit: float,
    whole: Row,
    sentence: Sentence,
    cut: Callable[[int], list[Row]],
    least_margin: float,
) -> list[Row]:
    """As few rows as fit with their margins; where a word or a name needs more room, the narrowest."""
    words = max(1, len(sentence))
    amount = min(words, int(whole.width // max(limit, 1.0)) + 1)
    narrowest: list[Row] = []
    least = inf
    while True:
        rows = cut(amount)
        margin = sum(_margins(rows, sentence, least_margin))
        across = margin + max(row.width for row in rows)
        if across < least:
            narrowest, least = rows, across
        if least <= limit or amount == words:
            return narrowest
        needed = int(whole.width // max(1.0, limit - margin)) + 1
        amount = min(words, max(needed, amount + max(1, amount // 4)))


def ink_of(side: int, arc: Arc) -> Ink:  # noqa: ARG001
    return CROSSING if arc.nonprojective else PLAIN
