"""One small component of every kind, on the toy language."""

from __future__ import annotations

from typing import Any

from plait.learning import registry
from plait.learning.component import Component
from plait.learning.plan import Plan
from toy import written

TRAIN, DEV = written(60), written(20, seed=2)
_PARSER = {"bits": 12, "epochs": 3}
_TRANSITION = {"kind": "transition", **_PARSER, "beam": 1}
PLANS: dict[str, dict[str, Any]] = {
    "tokenizer": {"bits": 12, "epochs": 3},
    "tagger": {"bits": 12, "epochs": 3},
    "lemmatizer": {"bits": 12, "epochs": 3},
    "transition": {**_PARSER, "beam": 2, "mix": 2},
    "graph": {**_PARSER, "mix": 2},
    "vote": {
        "voters": {
            "beam": {**_TRANSITION, "beam": 2},
            "graph": {"kind": "graph", **_PARSER},
            "greedy": _TRANSITION,
        }
    },
    "stack": {
        "folds": 2,
        "levels": {
            "guide": {**_TRANSITION, "system": "eager", "projectivize": "head"},
            "parser": {**_TRANSITION, "guided": True},
        },
    },
}
# The columns of a sentence that belong to a layer.
COLUMNS = {
    "tokens": ("forms",),
    "tags": ("upos", "xpos", "feats"),
    "lemmas": ("lemmas",),
    "tree": ("heads", "deprels", "deps", "empty_nodes"),
}


def make(kind: str) -> Component[Any]:
    """One that has not learned."""
    return registry.find(kind).from_plan(Plan.of(PLANS[kind], kind))


def ready(kind: str, **fitting: Any) -> Component[Any]:
    return make(kind).fit(TRAIN, dev=DEV, **fitting)
