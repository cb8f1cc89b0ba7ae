"""Recipes that are ready to use: how far up the ladder from fast to accurate (docs/accuracy.md has the figures)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plait.parser.completion import FULL

# By name, what differs from the defaults, table by table.
PRESETS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "fast": {"parser": {"beam": 1}},
    "balanced": {"parser": {"beam": 8, "completion": FULL}},
    "accurate": {
        "model": {"vote": True},
        "parser": {"joint": True, "completion": FULL, "beam": 8, "mix": 2},
    },
}
