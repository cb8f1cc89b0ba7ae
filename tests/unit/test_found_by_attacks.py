"""What long runs of `tests/hostile` have found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Result
from hostile.growth import grows
from plait.layers import Edge
from plait.meaning import InformationStructure, SemanticNode, SemanticStructure
from plait.semantics.conditions import embedded_themes

Command = Callable[..., Result]


@pytest.mark.parametrize("target", [{"type": "star", "size": "\u3000"}, {"type": "star", "\x85": "large"}])
def test_an_attribute_that_says_nothing_is_no_scene(
    plait_command: Command, tmp_path: Path, target: dict[str, str]
) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"target": target, "distractors": [{"type": "square"}]}))
    result = plait_command("refer", "a.json")
    assert result.status == 2
    assert "this is no scene: an attribute of target has no name or no value" in result.err


def test_conditions_are_looked_at_in_proportion_to_what_there_is() -> None:
    assert grows(_chain, 1000, 0.05) == ""


def _chain(count: int) -> Callable[[], object]:
    """Themes of one node each, in rhemes of two."""
    nodes = tuple(SemanticNode("see.01", number, "VERB") for number in range(1, count + 1))
    edges = tuple(Edge(number, number + 1, "A1") for number in range(1, count))
    sets = {f"theme_{number}": frozenset({number}) for number in range(1, count)}
    sets |= {f"rheme_{number}": frozenset({number, number + 1}) for number in range(1, count)}
    graph, information = SemanticStructure(nodes, edges), InformationStructure(sets)
    assert len(list(embedded_themes(graph, information))) == count - 1
    return lambda: list(embedded_themes(graph, information))
