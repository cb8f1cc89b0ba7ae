"""Plans: tables of recipes before anything has learned."""

from __future__ import annotations

from plait.pipeline import Recipe

_VOTE = """
[parser]
kind = "vote"
[parser.voters.swap]
kind = "transition"
[parser.voters.graph]
kind = "graph"
"""


def test_voters_stand_in_the_order_of_their_tables() -> None:
    """The first one decides ties; `graph` is also one of the voters that there are without tables."""
    recipe = Recipe.from_toml(_VOTE)
    assert list(recipe.plan("parser").members) == ["swap", "graph"]
    again = Recipe.from_toml(recipe.to_toml())
    assert list(again.plan("parser").members) == ["swap", "graph"]
    assert recipe.leading("parser") == ["parser", "voters", "swap"]
