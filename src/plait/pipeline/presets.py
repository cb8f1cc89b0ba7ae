"""Recipes that are ready to use: how far up the ladder from fast to accurate (docs/accuracy.md has the figures)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PARTS = "2a,2b,3a,3b,3c"  # of the completion model: all of them

# By name, what differs from the defaults, table by table.
PRESETS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "fast": {"parser": {"beam": 1, "features": "small"}},
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
    "neural": {"model": {"components": "tokenizer,neural"}, "neural": {"kind": "neural"}},
}

# Students of a teacher, by name: nets, and what learns in the ways of the presets above. The latter see the tags that
# two taggers found, each in what the other has learned from: more would take long, and there is text enough.
_QUICK = {"model": {"tags": "predicted", "folds": 2}}
STUDENTS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    **{
        name: {**PRESETS["neural"], "neural": {"kind": "neural", "nets": name}}
        for name in ("small", "tiny", "nano", "medium")
    },
    **{name: {**_QUICK, **PRESETS[name]} for name in ("fast", "balanced", "accurate")},
}
