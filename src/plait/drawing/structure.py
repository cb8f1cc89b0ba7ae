"""Where the parts of a structure of rules lie in a picture: boxes with attributes, and edges between them.

The page draws it itself, since what is lit changes with every step. A structure whose nodes are in a row is laid out as
a row with arcs above it, all others in layers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from plait.drawing.layering import Layout, lay_out
from plait.drawing.measure import text_width
from plait.errors import InputError
from plait.rules import Edge, Graph
from plait.rules.order import NEXT, row_of

HEADS = ("form", "lex", "sem", "type", "lemma")  # attributes that name a node best
_MARGIN = 14.0
_GAP = 16.0
_BETWEEN = 46.0
_SIZE, _SMALL = 13.0, 10.5
_LINE = 14.0
_HEAD = 24.0
_LONG = 24  # characters of an attribute that are shown
_ARC = 17.0  # a level of arcs
_PORT = 13.0
_DENSE = 20  # edges, and two for every node: beyond that nobody can tell them apart


def place(graph: Graph, most: int) -> dict[str, Any] | None:
    """Boxes, lines and the size of the picture; None where there are too many of them to be seen."""
    if not graph.nodes or len(graph.nodes) > most or len(graph.edges) > _DENSE + 2 * len(graph.nodes):
        return None
    boxes = {name: _box(name, attributes) for name, attributes in graph.nodes.items()}
    if any(edge.label == NEXT for edge in graph.edges):
        return _row(graph, boxes)
    try:
        return _layers(graph, boxes)
    except InputError:  # too many places
        return None


def _box(name: str, attributes: Any) -> dict[str, Any]:
    """What stands in a box, and its size."""
    head = next((key for key in HEADS if attributes.get(key)), "")
    title = attributes[head] if head else name
    lines = [f"{key}={value}" for key, value in attributes.items() if key != head]
    shown = [_cut(line) for line in lines]
    width = (
        max([text_width(_cut(title), _SIZE), *(text_width(line, _SMALL) for line in shown)], default=0) + 18
    )
    return {"title": _cut(title), "lines": shown, "width": width, "height": _HEAD + _LINE * len(shown)}


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def _row(graph: Graph, boxes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Side by side; `next` is seen from the order, other edges are arcs."""
    row, _ = row_of(graph)
    number = {name: i for i, name in enumerate(row)}
    arcs = sorted(
        (abs(number[e.source] - number[e.target]), i, e) for i, e in enumerate(graph.edges) if e.label != NEXT
    )
    levels = [0] * max(len(row), 1)
    heights: dict[int, int] = {}
    for _, i, edge in arcs:
        a, b = sorted((number[edge.source], number[edge.target]))
        heights[i] = 1 + max(levels[a:b] or levels[a : a + 1])
        levels[a:b] = [heights[i]] * (b - a)
    top = _MARGIN + _ARC * (max(heights.values(), default=0)) + (14 if heights else 0)
    left = _MARGIN
    for name in row:
        box = boxes[name]
        box["x"], box["y"] = left, top
        left += box["width"] + _GAP
    ports = _row_ports(row, [edge for _, _, edge in arcs], boxes, number)
    edges = []
    for i, edge in enumerate(graph.edges):
        if edge.label == NEXT:
            start, end = boxes[edge.source], boxes[edge.target]
            y = top + _HEAD / 2
            path = f"M{start['x'] + start['width']:.1f} {y:.1f}H{end['x'] - 2:.1f}"
            edges.append(_edge_json(edge, path, None))
            continue
        x1, x2 = ports[edge, edge.source], ports[edge, edge.target]
        y = top - _ARC * heights[i]
        bend = 6 if x2 > x1 else -6
        path = (
            f"M{x1:.1f} {top:.1f}V{y + 6:.1f}q0 -6 {bend} -6H{x2 - bend:.1f}q{bend} 0 {bend} 6V{top - 2:.1f}"
        )
        edges.append(_edge_json(edge, path, ((x1 + x2) / 2, y - 3)))
    bottom = max(top + box["height"] for box in boxes.values())
    return {"width": left - _GAP + _MARGIN, "height": bottom + _MARGIN, "nodes": boxes, "edges": edges}


def _row_ports(
    row: Sequence[str], edges: Sequence[Edge], boxes: dict[str, dict[str, Any]], number: dict[str, int]
) -> dict[tuple[Edge, str], float]:
    """Where arcs leave and reach a box: short ones on the outside of their side."""
    found: dict[tuple[Edge, str], float] = {}
    for name in row:
        mine = [edge for edge in edges if name in (edge.source, edge.target)]
        other = {edge: edge.target if edge.source == name else edge.source for edge in mine}
        # From left to right: arcs to the left, the short ones first; then arcs to the right, the long ones first.
        mine.sort(key=lambda e: (number[other[e]] > number[name], -number[other[e]]))
        middle = boxes[name]["x"] + boxes[name]["width"] / 2
        step = min(10.0, (boxes[name]["width"] - 8) / max(1, len(mine)))
        for i, edge in enumerate(mine):
            found[edge, name] = middle + (i - (len(mine) - 1) / 2) * step
    return found


def _layers(graph: Graph, boxes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    names = list(graph.nodes)
    number = {name: i for i, name in enumerate(names)}
    straight = [edge for edge in graph.edges if edge.source != edge.target]
    counts: dict[str, int] = defaultdict(int)
    for edge in straight:
        counts[edge.source] += 1
        counts[edge.target] += 1
    for name, box in boxes.items():
        loops = sum(edge.source == edge.target == name for edge in graph.edges)
        box["width"] = max(box["width"], counts[name] * _PORT)
        box["room"] = box["width"] + 60 * bool(loops)
    layout = lay_out(
        [boxes[name]["room"] for name in names],
        [(number[edge.source], number[edge.target]) for edge in straight],
        _GAP,
    )
    tops, heights, top = [], [], _MARGIN
    for layer in layout.layers:
        height = max([boxes[names[p]]["height"] for p in layer if p < len(names)], default=_HEAD)
        tops.append(top)
        heights.append(height)
        top += height + _BETWEEN
    rank = {p: i for i, layer in enumerate(layout.layers) for p in layer}
    for i, name in enumerate(names):
        box = boxes[name]
        box["x"] = layout.middles[i] - box["width"] / 2 + _MARGIN
        box["y"] = tops[rank[i]]
    middles = [(tops[rank[p]] + heights[rank[p]] / 2) for p in range(len(layout.middles))]
    edges = _lines(graph, boxes, straight, layout, names, middles)
    right = max(box["x"] + box["width"] / 2 + box["room"] / 2 for box in boxes.values())
    right = max([right, *(m + _MARGIN for m in layout.middles)])
    return {"width": right + _MARGIN, "height": top - _BETWEEN + _MARGIN, "nodes": boxes, "edges": edges}


def _lines(
    graph: Graph,
    boxes: dict[str, dict[str, Any]],
    straight: Sequence[Edge],
    layout: Layout,
    names: Sequence[str],
    middles: Sequence[float],
) -> list[dict[str, Any]]:
    below: dict[int, list[int]] = defaultdict(list)
    above: dict[int, list[int]] = defaultdict(list)
    for i, route in enumerate(layout.routes):
        below[route[0]].append(i)
        above[route[-1]].append(i)
    start: dict[int, float] = {}
    end: dict[int, float] = {}
    for ports, found, other in ((below, start, 1), (above, end, -2)):
        for node, edges in ports.items():
            edges.sort(key=lambda i: layout.middles[layout.routes[i][other]])
            box = boxes[names[node]]
            for k, i in enumerate(edges):
                found[i] = box["x"] + box["width"] * (k + 1) / (len(edges) + 1)
    made: dict[Edge, dict[str, Any]] = {}
    for i, (edge, route, turned) in enumerate(zip(straight, layout.routes, layout.turned, strict=True)):
        upper, lower = boxes[names[route[0]]], boxes[names[route[-1]]]
        points = [(start[i], upper["y"] + upper["height"])]
        points += ((layout.middles[p] + _MARGIN, middles[p]) for p in route[1:-1])
        points.append((end[i], lower["y"]))
        (x1, y1), (x2, y2) = points[:2]
        # Labels of neighbours stand at different heights, so that they do not meet.
        share = 0.5 if len(points) > 2 else 0.38 + 0.16 * (i % 2)
        made[edge] = _edge_json(
            edge, _curve(points[::-1] if turned else points), (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share)
        )
    for edge in graph.edges:
        if edge.source == edge.target:
            box = boxes[edge.source]
            x, y = box["x"] + box["width"], box["y"] + 6
            made[edge] = _edge_json(edge, f"M{x:.1f} {y:.1f}c26 -10 26 22 2 12", (x + 24, y + 4))
    return [made[edge] for edge in graph.edges]


def _curve(points: Sequence[tuple[float, float]]) -> str:
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x1, y1), (x2, y2) in pairwise(points):
        half = (y1 + y2) / 2
        path += f"C{x1:.1f} {half:.1f} {x2:.1f} {half:.1f} {x2:.1f} {y2:.1f}"
    return path


def _edge_json(edge: Edge, path: str, label: tuple[float, float] | None) -> dict[str, Any]:
    return {
        "source": edge.source,
        "label": edge.label,
        "target": edge.target,
        "path": path,
        "at": [round(label[0], 1), round(label[1], 1)] if label else None,
    }
