"""A derivation as SVG: one row per step, the stack to the left of a line and the buffer to its right.

The arrow in a row shows what its transition does: an arc from head to dependent, or a word that crosses the
line, by SHIFT to the left, by SWAP back to the right. In systems with spines the words that an arc may still
come from stand beside the root of their tree, in lighter boxes.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import east_asian_width

from plait.drawing.lattice import COLOURS
from plait.drawing.svg import text
from plait.transitions.derivation import Step
from plait.transitions.kinds import Kind
from plait.transitions.state import State

ROW = 46
BOX = 22
SPACE = 6  # between boxes
HALF = 12  # from the line to the boxes on either side
NAMES = 190  # room for number and name of the transition
MARGIN = 16
CHARACTER = 7.6
_ROOT_BOX = 'fill="#f3f4f6" stroke="#444"'
_SPINE_BOX = 'fill="white" stroke="#aaa"'


def draw_derivation(steps: Iterable[Step]) -> str:
    """The picture as a string."""
    rows = list(steps)
    states = [step.state for step in rows]
    if rows:
        end = rows[-1].state.copy()
        end.apply(rows[-1].transition)
        states.append(end)
    left = max((_width(state, _shown(state, state.stack)) for state in states), default=0.0)
    right = max((_width(state, _shown(state, state.buffer)) for state in states), default=0.0)
    line = MARGIN + NAMES + left + HALF
    width, height = line + HALF + right + MARGIN, MARGIN + ROW * len(states) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<line x1="{line:.1f}" y1="{MARGIN}" x2="{line:.1f}" y2="{height - MARGIN}" stroke="#999" '
        'stroke-dasharray="2 3"/>',
        "<defs>",
        *(
            f'<marker id="head-{kind.value}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" '
            f'markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
            for kind, colour in COLOURS.items()
        ),
        "</defs>",
    ]
    for number, state in enumerate(states):
        top = MARGIN + ROW * number + ROW - BOX - 2
        parts += _boxes(state, line, top)
        if number < len(rows):
            parts += _transition(number + 1, rows[number], line, top)
    return "\n".join([*parts, "</svg>", ""])


def _form(state: State, node: int) -> str:
    return "ROOT" if node == 0 else state.forms[node - 1] if state.forms else ""


def _box_width(state: State, node: int) -> float:
    shown = f"{_form(state, node)}{node}"
    wide = sum(2 if east_asian_width(character) in "WF" else 1 for character in shown)
    return wide * CHARACTER + 10


def _shown(state: State, roots: Iterable[int]) -> list[int]:
    """The roots, each among the nodes of its spines: the left spine upwards, the right one downwards."""
    if not state.spines:
        return list(roots)
    spines = (state.spines[root] for root in roots)
    return [node for left, right in spines for node in (*reversed(left), *right[1:])]


def _width(state: State, nodes: Iterable[int]) -> float:
    return sum(_box_width(state, node) + SPACE for node in nodes)


def _places(state: State, line: float) -> dict[int, tuple[float, float]]:
    """Left edge and width of every box: the top of the stack and the front of the buffer next to the line."""
    places = {}
    x = line - HALF
    for node in reversed(_shown(state, state.stack)):
        width = _box_width(state, node)
        x -= width
        places[node] = (x, width)
        x -= SPACE
    x = line + HALF
    for node in _shown(state, state.buffer):
        places[node] = (x, _box_width(state, node))
        x += places[node][1] + SPACE
    return places


def _boxes(state: State, line: float, top: float) -> list[str]:
    return [
        f'<rect x="{x:.1f}" y="{top}" width="{width:.1f}" height="{BOX}" rx="4" '
        f"{_ROOT_BOX if state.heads[node] is None or not state.spines else _SPINE_BOX}/>"
        f'<text x="{x + 5:.1f}" y="{top + 15}">{text(_form(state, node))}</text>'
        f'<text x="{x + width - 3:.1f}" y="{top + 18}" font-size="9" text-anchor="end">{node}</text>'
        for node, (x, width) in _places(state, line).items()
    ]


def _transition(number: int, step: Step, line: float, top: float) -> list[str]:
    kind = step.transition.kind
    colour = COLOURS[kind]
    start, end = _movement(step, line)
    if kind is Kind.REDUCE:
        path = f"M{start - 8:.1f} {top + 2}L{start + 8:.1f} {top + BOX - 2}"
        tip = ""
    else:
        path = f"M{start:.1f} {top}C{start:.1f} {top - 16} {end:.1f} {top - 16} {end:.1f} {top - 1}"
        tip = f' marker-end="url(#head-{kind.value})"'
    return [
        f'<text x="{MARGIN}" y="{top + 15}" fill="#888" font-size="11">{number}</text>'
        f'<text x="{MARGIN + 26}" y="{top + 15}" fill="{colour}">{text(str(step.transition))}</text>',
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{tip}/>',
    ]


def _movement(step: Step, line: float) -> tuple[float, float]:
    """Where the arrow begins and ends: at head and dependent, or at a word and beyond the line."""
    state, kind = step.state, step.transition.kind
    middles = {node: x + width / 2 for node, (x, width) in _places(state, line).items()}
    dependent = state.dependent(kind)
    if dependent is not None:
        after = state.copy()
        after.apply(step.transition)
        return middles[after.heads[dependent] or 0], middles[dependent]
    if kind is Kind.SHIFT:
        return middles[state.buffer[0]], line - HALF
    if kind is Kind.SWAP:
        return middles[state.stack[-2]], line + HALF
    return middles[state.stack[-1]], middles[state.stack[-1]]
