"""A semantic graph as a picture: predicates above their arguments (Wanner, Mille and Bohnet 2012, Figure 2).

Boxes are lexical units, rounded ones meta-semantemes, dashed ones values of time and aspect. Where the sentence says
what its theme is, its nodes and those of the rheme are shaded apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from plait.cancel import Cancel, Watching
from plait.drawing.arcs import WORDS
from plait.drawing.graph_text import graph_lines
from plait.drawing.layering import Layout, lay_out
from plait.drawing.measure import text_width
from plait.drawing.page import PAPER, PLAIN, ROLE_INKS, TAG, TIP, WORD, Ink, line, number, page, tip, writing
from plait.drawing.saving import Picture
from plait.drawing.svg import text
from plait.drawing.words import caption, shown
from plait.errors import InputError, counted
from plait.layers import Edge
from plait.meaning import META, InformationStructure, SemanticNode, SemanticStructure
from plait.sentence import Sentence

MARGIN = 16.0
BOX = 26.0  # height
GAP = 18.0  # between the boxes of a layer
BETWEEN = 56.0  # from a layer to the next one
_SIZE, _LABEL_SIZE = 13.0, 10.5
_LABEL_AT = 0.14  # of the way down along the curve below a box
_SHIFT = 3.0  # how far a label may follow its line to the side: then labels of one box never meet
_LEG = 10.0  # between arrows that arrive
_LOOP = 18.0  # how far an edge from a node to itself goes to the side
_LEGEND = 26.0
_META, _THEME, _LEXICAL = ROLE_INKS[0], ROLE_INKS[3], ROLE_INKS[1]


class GraphDrawing(Picture):
    """The layer `SemanticStructure` of a sentence."""

    def __init__(self, sentence: Sentence, *, cancel: Cancel | None = None) -> None:
        graph = sentence.find(SemanticStructure)
        if graph is None:
            raise InputError("there is no annotation of meaning; plait convert --to semantics makes it.")
        if len(graph.nodes) > WORDS:
            raise InputError(f"the graph has {len(graph.nodes):,} nodes; up to {WORDS:,} can be drawn.")
        self.sentence = sentence
        self._cancel = cancel
        self._picture = _Picture(sentence, graph)
        with Watching(cancel):
            crossings = self._picture.layout.crossings
        self.summary = (
            f"{counted(len(graph.nodes), 'node')}, {counted(len(graph.edges), 'edge')}, "
            f"{counted(crossings, 'crossing')}"
        )

    @property
    def svg(self) -> str:
        with Watching(self._cancel):
            return self._picture.draw()

    def text(self, *, colour: bool = False, ascii: bool = False) -> str:
        """The graph as an indented list; see `plait.drawing.graph_text`."""
        graph = self._picture.graph
        with Watching(self._cancel):
            return "\n".join(
                graph_lines(graph, self.sentence.find(InformationStructure), colour=colour, ascii=ascii)
            )


def box_width(label: str, leaving: Sequence[Edge], entering: int) -> float:
    """The room of a box: for its label, the labels of edges below it, and the arrows above it."""
    below = sum(_port_room(edge.label) for edge in leaving)
    return max(text_width(label, _SIZE) + 18, below, entering * _LEG + 8)


def _port_room(label: str) -> float:
    return max(text_width(label, _LABEL_SIZE) + 6, _LEG)


@dataclass(slots=True)
class _Port:
    """Where a line leaves or reaches a box: its edge, the place it leads to, and the room that it takes."""

    edge: int
    other: int
    room: float


class _Picture:
    def __init__(self, sentence: Sentence, graph: SemanticStructure) -> None:
        self.sentence = sentence
        self.graph = graph
        self._edges = [edge for edge in graph.edges if edge.head != edge.dependent]
        self._loops: dict[int, str] = {}
        for edge in graph.edges:
            if edge.head == edge.dependent:
                self._loops[edge.head - 1] = " ".join(
                    filter(None, (self._loops.get(edge.head - 1), edge.label))
                )
        leaving: list[list[Edge]] = [[] for _ in graph.nodes]
        entering = [0] * len(graph.nodes)
        for edge in self._edges:
            leaving[edge.head - 1].append(edge)
            entering[edge.dependent - 1] += 1
        self._widths = [
            box_width(node.label, below, above)
            for node, below, above in zip(graph.nodes, leaving, entering, strict=True)
        ]

    @cached_property
    def layout(self) -> Layout:
        # A loop needs room on one side, and takes it on both.
        room = [width + 2 * self._loop_room(node) for node, width in enumerate(self._widths)]
        return lay_out(room, [(edge.head - 1, edge.dependent - 1) for edge in self._edges], GAP)

    def draw(self) -> str:
        layout = self.layout
        tops = [MARGIN + (BOX + BETWEEN) * rank for rank in range(len(layout.layers))]
        self._top = {place: tops[rank] for rank, layer in enumerate(layout.layers) for place in layer}
        room = [width / 2 + self._loop_room(node) for node, width in enumerate(self._widths)]
        right = max((layout.middles[node] + half for node, half in enumerate(room)), default=0.0)
        right = max([right, *layout.middles]) + 2 * MARGIN
        bottom = (tops[-1] + BOX if tops else 0.0) + MARGIN
        upper, lower = self._ports()
        lines: list[str] = []
        labels: list[str] = []
        for index, edge in enumerate(self._edges):
            lines += self._line(index, upper[index], lower[index])
            labels += self._label(edge, layout.routes[index], upper[index], lower[index])
        boxes = [part for index, node in enumerate(self.graph.nodes) for part in self._box(index, node)]
        parts = [*lines, *boxes, *labels]
        if self._theme:
            parts += _legend(bottom)
            bottom += _LEGEND
            right = max(right, 2 * MARGIN + 150)
        return page(right, bottom, caption(self.sentence), self._described(), parts)

    @cached_property
    def _sets(self) -> InformationStructure:
        return self.sentence.find(InformationStructure) or InformationStructure({})

    @property
    def _theme(self) -> frozenset[int]:
        return self._sets.of("theme_1")

    def _loop_room(self, node: int) -> float:
        label = self._loops.get(node)
        return 0.0 if label is None else _LOOP + text_width(label, _LABEL_SIZE)

    def _x(self, place: int) -> float:
        return MARGIN + self.layout.middles[place]

    def _ports(self) -> tuple[list[float], list[float]]:
        """Of every edge, where it leaves its upper box and where it reaches the lower one."""
        below: list[list[_Port]] = [[] for _ in self.graph.nodes]
        above: list[list[_Port]] = [[] for _ in self.graph.nodes]
        for index, (edge, route) in enumerate(zip(self._edges, self.layout.routes, strict=True)):
            below[route[0]].append(_Port(index, route[1], _port_room(edge.label)))
            above[route[-1]].append(_Port(index, route[-2], _LEG))
        return self._placed(below), self._placed(above)

    def _placed(self, sides: Sequence[list[_Port]]) -> list[float]:
        """Ports side by side, in the order of what they lead to, so that lines of one box do not cross."""
        found = [0.0] * len(self._edges)
        for node, ports in enumerate(sides):
            ports.sort(key=lambda port: (self.layout.middles[port.other], port.edge))
            needed = sum(port.room for port in ports)
            scale = min(1.0, self._widths[node] / needed) if ports else 1.0
            at = self._x(node) - scale * needed / 2
            for port in ports:
                found[port.edge] = at + scale * port.room / 2
                at += scale * port.room
        return found

    def _line(self, index: int, start: float, end: float) -> Iterator[str]:
        """Down from box to box, straight through the layers that it passes."""
        route, turned = self.layout.routes[index], self.layout.turned[index]
        xs = [start, *(self._x(place) for place in route[1:-1]), end]
        path = ""
        for (here, there), (x, to) in zip(pairwise(route), pairwise(xs), strict=True):
            y = self._top[here] + BOX + (TIP if turned and not path else 0.0)
            y_to = self._top[there] - (TIP if not turned and there == route[-1] else 0.0)
            half = (self._top[here] + BOX + self._top[there]) / 2
            path += f"M{number(x)} {number(y)}" if not path else f"V{number(y)}"
            path += f"C{number(x)} {number(half)} {number(to)} {number(half)} {number(to)} {number(y_to)}"
        yield line(path, PLAIN)
        if turned:
            yield tip(start, self._top[route[0]] + BOX + 1, -1, PLAIN)
        else:
            yield tip(end, self._top[route[-1]] - 1, 1, PLAIN)

    def _label(self, edge: Edge, route: Sequence[int], start: float, end: float) -> Iterator[str]:
        to = end if len(route) == 2 else self._x(route[1])
        at = _LABEL_AT
        x = start + min(max((to - start) * at * at * (3 - 2 * at), -_SHIFT), _SHIFT)
        y = self._top[route[0]] + BOX + BETWEEN * (1.5 * at * (1 - at) + at**3) + 4
        yield from _label(edge.label, x, y)

    def _box(self, index: int, node: SemanticNode) -> Iterator[str]:
        width, x, y = self._widths[index], self._x(index), self._top[index]
        place = f'x="{number(x - width / 2)}" y="{number(y)}" width="{number(width)}" height="{number(BOX)}"'
        yield f'<g class="node"><title>{text(self._title(index + 1, node))}</title>'
        if node.word:
            ink = _THEME if index + 1 in self._theme else _LEXICAL
            yield f'<rect class="ink {ink.name}" {place} rx="4" fill="{ink.light}"/>'
        elif node.label in META:
            yield f'<rect class="ink {_META.name}" {place} rx="{number(BOX / 2)}" fill="{_META.light}"/>'
        else:
            yield (
                f'<rect class="arc tag" {place} rx="4" fill="none" stroke="{TAG.light}" stroke-dasharray="3 2"/>'
            )
        yield writing(node.label, x, y + BOX / 2 + 4.5, _SIZE, WORD) + "</g>"
        if index in self._loops:
            edge = x + width / 2
            out = number(edge + _LOOP)
            yield line(
                f"M{number(edge)} {number(y + 8)}C{out} {number(y)} {out} {number(y + BOX)} "
                f"{number(edge)} {number(y + BOX - 8)}",
                PLAIN,
            )
            yield writing(
                self._loops[index], edge + _LOOP, y + BOX / 2 + 4, _LABEL_SIZE, PLAIN, anchor="start"
            )

    def _title(self, number: int, node: SemanticNode) -> str:
        word = f"{node.word} {self.sentence.forms[node.word - 1]}" if node.word else ""
        sets = (name for name, members in self._sets.sets.items() if number in members)
        return f"{number} {node.label}: {', '.join(filter(None, (shown(node.pos), word, *sets)))}".rstrip(
            ": "
        )

    def _described(self) -> str:
        """All nodes with their arguments, in order."""
        labels = [node.label for node in self.graph.nodes]
        told = list(labels)
        for edge in self.graph.edges:
            told[edge.head - 1] += f", {edge.label} {labels[edge.dependent - 1]}"
        return f"A semantic graph of {counted(len(labels), 'node')}: {'; '.join(told)}."


def _label(content: str, x: float, y: float) -> Iterator[str]:
    """Letters that stand out from lines that pass below them."""
    yield (
        f'<text class="halo" x="{number(x)}" y="{number(y)}" font-size="{number(_LABEL_SIZE)}" text-anchor="middle" '
        f'fill="none" stroke="{PAPER.light}" stroke-width="4">{text(content)}</text>'
    )
    yield writing(content, x, y, _LABEL_SIZE, PLAIN)


def _legend(top: float) -> Iterator[str]:
    shades: tuple[tuple[Ink, str], ...] = ((_THEME, "theme"), (_LEXICAL, "rheme"))
    for index, (ink, name) in enumerate(shades):
        x = MARGIN + 80 * index
        yield (
            f'<rect class="ink {ink.name}" x="{number(x)}" y="{number(top)}" width="14" height="14" rx="3" '
            f'fill="{ink.light}"/>'
        )
        yield writing(name, x + 20, top + 11, 11, TAG, anchor="start")
