"""The card of a model: what it is, where it comes from, how good it is."""

from __future__ import annotations

from typing import Any

from plait.graph.options import GraphOptions
from plait.parser.card import write_parser_card


def write_card(about: dict[str, Any], options: GraphOptions) -> str:
    """Markdown with the front matter model hubs read."""
    method = (
        f"Second-order parts, {options.heads or 'all'} heads per word, threshold {options.threshold}, "
        f"seed {options.seed}"
    )
    return write_parser_card(about, method)
