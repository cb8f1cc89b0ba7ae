"""Structures of a stratum: nodes with attributes, and labelled edges."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from plait import checks
from plait.errors import InputError
from plait.rules.limits import LIMITS, require
from plait.rules.tokens import written, written_label


class Edge(NamedTuple):
    source: str
    label: str
    target: str

    def __str__(self) -> str:
        return f"{written(self.source)} -{written_label(self.label)}-> {written(self.target)}"


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes by name, in order, with their attributes; no edge is there twice."""

    stratum: str
    nodes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        require(len(self.nodes), LIMITS.nodes, "nodes of a graph")
        require(len(self.edges), LIMITS.edges, "edges of a graph")
        for name, attributes in self.nodes.items():
            require(len(attributes), LIMITS.attributes, f"attributes of the node {name[:80]}")
            for attribute, value in attributes.items():
                require(len(value), LIMITS.value, f"characters of {name[:80]}.{attribute[:80]}")
        for edge in self.edges:
            if not edge.label:
                raise InputError(f"the edge {edge} has no label.")
            for end in (edge.source, edge.target):
                if end not in self.nodes:
                    raise InputError(f"the edge {edge} leads to a node {end[:80]!r} that is not there.")
        if len(set(self.edges)) < len(self.edges):
            seen: set[Edge] = set()
            twice = next(edge for edge in self.edges if edge in seen or seen.add(edge))  # type: ignore[func-returns-value]
            raise InputError(f"the edge {twice} is there twice.")

    @classmethod
    def build(
        cls,
        stratum: str,
        nodes: Mapping[str, Mapping[str, str]],
        edges: Iterable[tuple[str, str, str]] = (),
        title: str = "",
    ) -> Graph:
        return cls(stratum, nodes, tuple(Edge(*edge) for edge in edges), title)

    def __str__(self) -> str:
        """As `plait rules` reads it."""
        title = f" {_text(self.title)}" if self.title else ""
        lines = [f"graph {written(self.stratum)}{title} {{"]
        for name, attributes in self.nodes.items():
            inside = ", ".join(f"{written(key)} = {written(value)}" for key, value in attributes.items())
            lines.append(f"  {written(name)}" + (f" {{ {inside} }}" if inside else ""))
        lines += (f"  {edge}" for edge in self.edges)
        return "\n".join([*lines, "}"]) + "\n"

    def to_json(self) -> dict[str, Any]:
        return {
            "stratum": self.stratum,
            "title": self.title,
            "nodes": {name: dict(attributes) for name, attributes in self.nodes.items()},
            "edges": [list(edge) for edge in self.edges],
        }

    @classmethod
    def from_json(cls, stored: Any) -> Graph:
        """What `to_json` gave; InputError if it is something else."""
        if not isinstance(stored, dict) or not {"stratum", "nodes"} <= stored.keys():
            raise InputError("a graph in JSON is an object with stratum, nodes and edges.")
        nodes, edges = stored["nodes"], stored.get("edges", [])
        if not isinstance(nodes, dict) or not all(
            isinstance(node, dict) and all(isinstance(value, str) for value in node.values())
            for node in nodes.values()
        ):
            raise InputError('the nodes of a graph in JSON are objects of texts: {"x": {"sem": "chair"}}.')
        if not isinstance(edges, list) or not all(
            isinstance(edge, list) and len(edge) == 3 and all(isinstance(part, str) for part in edge)
            for edge in edges
        ):
            raise InputError('the edges of a graph in JSON are lists of three texts: ["x", "1", "y"].')
        title, stratum = stored.get("title", ""), stored["stratum"]
        if not isinstance(title, str) or not isinstance(stratum, str):
            raise InputError("stratum and title of a graph in JSON are texts.")
        return cls.build(stratum, nodes, [(a, b, c) for a, b, c in edges], title)


def _text(value: str) -> str:
    shown = written(value)
    return shown if shown.startswith('"') else f'"{shown}"'


def read_json(text: str) -> list[Graph]:
    """One graph, or a list of them; InputError says what is wrong."""
    try:
        stored = checks.parse_json(text.encode())
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no JSON: {error}.") from None
    return [Graph.from_json(each) for each in (stored if isinstance(stored, list) else [stored])]


def write_json(graphs: list[Graph]) -> str:
    return json.dumps([graph.to_json() for graph in graphs], ensure_ascii=False)
