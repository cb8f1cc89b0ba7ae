"""A lattice of derivations as SVG (Björkelund and Nivre 2015, Figures 2 and 4).

Every box is a state, written as stack | buffer; the arrows are transitions, and those that build an arc say
which. States further to the right are reached by longer ways.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from plait.drawing.svg import isolated, text
from plait.transitions.kinds import Kind
from plait.transitions.lattice import Edge, Lattice
from plait.transitions.state import State

COLOURS = {
    Kind.SHIFT: "#6b7280",
    Kind.LEFT_ARC: "#1d6fb8",
    Kind.RIGHT_ARC: "#c2570c",
    Kind.SWAP: "#8e24aa",
    Kind.REDUCE: "#2e7d32",
}
CHARACTER = 7.3  # width of a character in a box, in the font and size used below
BOX = 24  # height of a box
GAP = 64  # between columns: room for the label of an arrow
ROW = 48  # between the middles of neighbouring boxes
MARGIN = 24
HEADER = 86  # sentence, number of derivations, legend
SWEEPS = 8


@dataclass(slots=True)
class _Place:
    """Something that takes a place in a column: a state, or a long arrow passing by (state None)."""

    column: int
    state: State | None
    row: float = 0.0


def draw_lattice(lattice: Lattice) -> str:
    """The picture as a string."""
    columns = lattice.columns
    places = [_Place(column, state) for column, state in zip(columns, lattice.states, strict=True)]
    routes = [_route(edge, columns, places) for edge in lattice.edges]
    table: list[list[int]] = [[] for _ in range(max(columns) + 1)]
    for number, place in enumerate(places):
        table[place.column].append(number)
    _arrange(table, routes, places)
    widths = [
        max(
            (
                len(_inscription(state)) * CHARACTER + 16
                for number in column
                if (state := places[number].state)
            ),
            default=0.0,
        )
        for column in table
    ]
    left = [MARGIN + sum(widths[:column]) + column * GAP for column in range(len(table))]
    lowest = min(place.row for place in places)
    middle = [HEADER + BOX / 2 + (place.row - lowest) * ROW for place in places]
    last = lattice.states[-1]
    caption = _caption(last, text)
    legend = [
        kind for kind in last.system.rules if any(edge.transition.kind is kind for edge in lattice.edges)
    ]
    width = max(left[-1] + widths[-1] + MARGIN, 9 * len(caption) + 2 * MARGIN, 150 * len(legend) + MARGIN)
    height = max(middle) + BOX / 2 + MARGIN
    amount = f"{lattice.derivations:,} derivation{'s' if lattice.derivations > 1 else ''}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="14">',
        f"<title>{caption}: {amount}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{MARGIN}" y="28" xml:space="preserve">{_caption(last, isolated)}</text>',
        f'<text x="{MARGIN}" y="50" fill="#444">{amount}, {len(lattice.states):,} states</text>',
        *_legend(legend),
        "<defs>",
        *(
            f'<marker id="tip-{kind.value}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{COLOURS[kind]}"/></marker>'
            for kind in legend
        ),
        "</defs>",
    ]
    for edge, route in zip(lattice.edges, routes, strict=True):
        parts += _arrow(edge, lattice.states[edge.source], route, places, left, widths, middle)
    for number, place in enumerate(places):
        if place.state is not None:
            parts += _box(place.state, left[place.column], widths[place.column], middle[number])
    return "\n".join([*parts, "</svg>", ""])


def _route(edge: Edge, columns: list[int], places: list[_Place]) -> list[int]:
    """The places an arrow touches: its states, and in every column between them one made for it."""
    route = [edge.source]
    for column in range(columns[edge.source] + 1, columns[edge.target]):
        route.append(len(places))
        places.append(_Place(column, None))
    return [*route, edge.target]


def _arrange(table: list[list[int]], routes: list[list[int]], places: list[_Place]) -> None:
    """Give every place its row: again and again near the middle of its neighbours, first left, then right."""
    before: dict[int, list[int]] = {number: [] for number in range(len(places))}
    after: dict[int, list[int]] = {number: [] for number in range(len(places))}
    for route in routes:
        for here, there in pairwise(route):
            after[here].append(there)
            before[there].append(here)
    for sweep in range(SWEEPS):
        neighbours = before if sweep % 2 == 0 else after
        for column in table if sweep % 2 == 0 else reversed(table):
            wish = {
                number: sum(places[other].row for other in neighbours[number]) / len(neighbours[number])
                if neighbours[number]
                else places[number].row
                for number in column
            }
            column.sort(key=wish.__getitem__)
            centre = sum(wish.values()) / len(wish)
            for index, number in enumerate(column):
                places[number].row = centre + index - (len(column) - 1) / 2


def _inscription(state: State) -> str:
    return f"{_numbers(state.stack, keep_last=True)} | {_numbers(list(state.buffer), keep_last=False)}"


def _numbers(nodes: list[int], *, keep_last: bool) -> str:
    """At most six of them: the end of a stack, the beginning of a buffer."""
    if len(nodes) > 6:
        shown = ["…", *map(str, nodes[-5:])] if keep_last else [*map(str, nodes[:5]), "…"]
    else:
        shown = [str(node) for node in nodes]
    return " ".join(shown)


def _caption(state: State, mark_up: Callable[[str], str]) -> str:
    if state.forms is None:
        return f"{len(state.heads) - 1} words"
    return "   ".join(f"{number} {mark_up(form)}" for number, form in enumerate(state.forms, 1))


def _legend(kinds: list[Kind]) -> list[str]:
    parts = []
    for index, kind in enumerate(kinds):
        x = MARGIN + 150 * index
        parts.append(
            f'<line x1="{x}" y1="68" x2="{x + 24}" y2="68" stroke="{COLOURS[kind]}" stroke-width="2"/>'
            f'<text x="{x + 30}" y="72" font-size="12">{kind.value}  {kind}</text>'
        )
    return parts


def _box(state: State, left: float, width: float, middle: float) -> list[str]:
    inner = (
        f'<rect x="{left + 3:.1f}" y="{middle - BOX / 2 + 3:.1f}" width="{width - 6:.1f}" height="{BOX - 6}" '
        'rx="6" fill="none" stroke="#222"/>'
        if state.terminal
        else ""
    )
    return [
        f"<g><title>{text(str(state))}</title>"
        f'<rect x="{left:.1f}" y="{middle - BOX / 2:.1f}" width="{width:.1f}" height="{BOX}" rx="8" '
        f'fill="#f8fafc" stroke="#222"/>{inner}'
        f'<text x="{left + width / 2:.1f}" y="{middle + 4:.1f}" text-anchor="middle" '
        f'font-family="monospace" font-size="12">{text(_inscription(state))}</text></g>'
    ]


def _arrow(
    edge: Edge,
    source: State,
    route: list[int],
    places: list[_Place],
    left: list[float],
    widths: list[float],
    middle: list[float],
) -> list[str]:
    kind = edge.transition.kind
    path = ""
    for here, there in pairwise(route):
        x1 = left[places[here].column] + widths[places[here].column]
        x2 = left[places[there].column]
        y1, y2 = middle[here], middle[there]
        bend = (x2 - x1) / 2
        start = f"M{x1:.1f} {y1:.1f}" if not path else f"L{x1:.1f} {y1:.1f}"
        path += f"{start}C{x1 + bend:.1f} {y1:.1f} {x2 - bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    first = left[places[route[0]].column] + widths[places[route[0]].column]
    label_y = (middle[route[0]] + middle[route[1]]) / 2
    label = edge.transition.letters
    dependent = source.dependent(kind)
    if dependent is not None:
        after = source.copy()
        after.apply(edge.transition)
        label += f" {after.heads[dependent]}→{dependent}"
    position = f'x="{first + GAP / 2:.1f}" y="{label_y - 5:.1f}" text-anchor="middle" font-size="11"'
    return [
        f'<path d="{path}" fill="none" stroke="{COLOURS[kind]}" stroke-width="1.6" '
        f'marker-end="url(#tip-{kind.value})"/>',
        # White below, so that the letters stand out from arrows that cross them.
        f'<text {position} stroke="white" stroke-width="3">{text(label)}</text>',
        f'<text {position} fill="{COLOURS[kind]}">'
        f"<title>{text(str(edge.transition))}</title>{text(label)}</text>",
    ]
