"""A dependency tree for LaTeX: a document of its own, drawn by the package tikz-dependency."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from plait.drawing.arcs import Arc, arcs_of, levels_of
from plait.drawing.comparison import comparison_inks
from plait.drawing.difference import difference
from plait.drawing.measure import runs_right_to_left, visible
from plait.drawing.page import CROSSING, MISSED, PLAIN, QUIET, RELABELLED, WRONG, Ink
from plait.drawing.tree import ink_of
from plait.drawing.words import shown
from plait.sentence import Sentence

_HEAD = r"""% Compile it, or copy what is between \begin{dependency} and \end{dependency}, and the colours, into a paper
% that uses the package tikz-dependency. For scripts that pdflatex does not know: lualatex and a font that has them.
\documentclass{standalone}
\usepackage{iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{fontspec}\fi
\usepackage{tikz-dependency}
"""
_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "&": r"\symbol{38}",  # for \& begins the next word
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "[": "{[}",  # after the end of a row, and in options, it would begin or end a list of options
        "]": "{]}",
        "*": "{*}",  # likewise
        "-": "{-}",  # of several TeX would make one
        "`": r"\textasciigrave{}",
        "'": r"\textquotesingle{}",
        "\ufffd": "?",
        "\u00a0": "~",
        "…": r"\dots{}",
    }
)
_NAMES = {ink: f"plait-{ink.name}" for ink in (PLAIN, CROSSING, QUIET, MISSED, WRONG, RELABELLED)}
_LEVEL = (
    3  # ex, from one level of arcs to the next; of itself the package puts arcs of equal length on each other
)
_PATTERNS = {"": "solid", CROSSING.dash: "dashed", RELABELLED.dash: "dotted"}


def escape(content: str) -> str:
    """Any text as words of LaTeX, which no part of it can be a command of."""
    return visible(content).translate(_ESCAPES)


def _cell(content: str) -> str:
    """A cell of the words; one that is empty would be no place to draw an arc to."""
    return escape(content) if content.strip() else "\\strut{}"


def draw_tikz(sentence: Sentence, *, against: Sentence | None = None, lemmas: bool = False) -> str:
    """The document. With `against` the arcs of a system are below the words, in the colours of a comparison."""
    trees = [sentence] if against is None else [sentence, against]
    inks: Callable[[int, Arc], Ink] = ink_of
    if against is not None:
        inks = comparison_inks(difference(sentence, against))
    place = _places(sentence)
    lines: list[str] = []
    used: set[Ink] = set()
    for side, tree in enumerate(trees):
        arcs = arcs_of(tree.heads, list(map(shown, tree.deprels)))
        spans = [arc.span for arc in arcs.between]
        levels = levels_of(spans, [arc.dependent for arc in arcs.between])
        top = max(levels, default=0) + 1
        every = [*((arc, top) for arc in arcs.from_root), *zip(arcs.between, levels, strict=True)]
        for arc, level in every:
            ink = inks(side, arc)
            used.add(ink)
            lines.append(_edge(arc, level, ink, place, below=side > 0))
    colours = [
        f"\\definecolor{{{name}}}{{HTML}}{{{ink.light[1:].upper()}}}\n"
        for ink, name in _NAMES.items()
        if ink in used
    ]
    rows = [" \\& ".join(map(_cell, _ordered(cells, sentence))) for cells in _rows(sentence, lemmas)]
    text = "".join(f"  {row} \\\\\n" for row in rows)
    return (
        f"{_HEAD}{''.join(colours)}\\begin{{document}}\n\\begin{{dependency}}\n"
        f"\\begin{{deptext}}[column sep=.8em, row sep=.3ex]\n{text}\\end{{deptext}}\n"
        f"{''.join(lines)}{''.join(_tokens(sentence, place))}\\end{{dependency}}\n\\end{{document}}\n"
    )


def _rows(sentence: Sentence, lemmas: bool) -> Iterator[Sequence[str]]:
    yield sentence.forms
    for column, wanted in ((sentence.upos, True), (sentence.lemmas, lemmas)):
        cells = list(map(shown, column))
        if wanted and any(cells):
            yield cells


def _ordered(cells: Sequence[str], sentence: Sentence) -> Sequence[str]:
    return cells[::-1] if runs_right_to_left(sentence.forms) else cells


def _places(sentence: Sentence) -> Callable[[int], int]:
    """The column of a word: the last is the first where words run from right to left."""
    if not runs_right_to_left(sentence.forms):
        return lambda word: word
    return lambda word: len(sentence) + 1 - word


def _edge(arc: Arc, level: int, ink: Ink, place: Callable[[int], int], *, below: bool) -> str:
    height = _LEVEL * level
    # Below the words only the unit counts for a root, which stands four of them away from the middle of its word.
    options = [f"edge height={height}ex" if arc.head else f"edge unit distance={(height + 2) / 4:g}ex"]
    if ink is not PLAIN:
        colour = _NAMES[ink]
        style = f"{colour}, {_PATTERNS[ink.dash]}" + (", thick" if ink.width > PLAIN.width else "")
        options += [f"edge style={{{style}}}", f"label style={{draw={colour}, text={colour}}}"]
    if below:
        options.append("edge below")
    if not arc.label:
        options.append("hide label")
    told = f"[{', '.join(options)}]"
    label = escape(arc.label)
    if arc.head:
        return f"\\depedge{told}{{{place(arc.head)}}}{{{place(arc.dependent)}}}{{{label}}}\n"
    return f"\\deproot{told}{{{place(arc.dependent)}}}{{{label}}}\n"


def _tokens(sentence: Sentence, place: Callable[[int], int]) -> Iterator[str]:
    """Multiword tokens: a box around their words, and below it their own form."""
    for number, token in enumerate(sentence.multiword_tokens, 1):
        first, last = sorted((place(token.first), place(token.last)))
        name = f"token{number}"
        yield (
            f"\\wordgroup{{1}}{{{first}}}{{{last}}}{{{name}}}\n"
            f"\\node[font=\\small] at ({name} |- \\matrixref.south) {{{escape(token.form)}}};\n"
        )
