"""Recipes that are ready to use: how far up the ladder from fast to accurate (docs/accuracy.md has the figures)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PARTS = "2a,2b,3a,3b,3c"  # of the completion model: all of them

# By name, what differs from the defaults, table by table.
PRESETS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "fast": {"parser": {"beam": 1}},
    "balanced": {"parser": {"beam": 8, "completion": _PARTS}},
    "accurate": {
        "parser": {
            "kind": "vote",
            "voters": {
                "beam": {"kind": "transition", "joint": True, "completion": _PARTS, "beam": 8, "mix": 2},
                "graph": {"kind": "graph"},
                "greedy": {"kind": "transition", "beam": 1},
            },
        },
    },
}
