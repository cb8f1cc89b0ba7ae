"""One small component of every kind, on the toy language."""

from __future__ import annotations

import copy
from typing import Any

from plait.learning import registry
from plait.learning.component import Component
from plait.learning.plan import Plan
from toy import framed, written
from toy_aspects import with_aspects
from toy_deep import with_content

TRAIN, DEV = framed(written(60)), framed(written(20, seed=2))
# What some kinds learn from beside words, tags and trees.
LESSONS = {"aspects": with_aspects, "deep": with_content, "function_words": with_content}
_PARSER = {"bits": 12, "epochs": 3}
_TRANSITION = {"kind": "transition", **_PARSER, "beam": 1}
PLANS: dict[str, dict[str, Any]] = {
    "tokenizer": {"bits": 12, "epochs": 3},
    "normalizer": {},
    "tagger": {"bits": 12, "epochs": 3},
    "lemmatizer": {"bits": 12, "epochs": 3},
    "transition": {**_PARSER, "beam": 2, "mix": 2, "renew": 1},
    "graph": {**_PARSER, "mix": 2},
    "neural": {
        "nets": "small,lstm",
        "epochs": 3,
        **{"layers": 2, "width": 32, "word_dim": 12, "part_dim": 20, "buckets": 200, "arc": 24, "label": 8},
        **{"words": 150, "rate": 1e-2, "warmup": 5, "cores": 1},
    },
    "function_words": {"bits": 12, "epochs": 3},
    "graph2tree": {"bits": 12, "epochs": 3, "mix": 2},
    "aspects": {},
    "lifter": {"bits": 12, "epochs": 3},
    "order": {"bits": 14, "epochs": 3, "beam": 4, "mix": 2},
    "inflector": {"bits": 12, "epochs": 3},
    "ngrams": {"order": 3},
    "roles": {
        "bits": 12,
        "small_bits": 12,
        "epochs": 3,
        "margin": 1.0,
        "rerank": 4,
        "folds": 2,
        "fold_epochs": 1,
    },
    "vote": {
        "voters": {
            "beam": {**_TRANSITION, "beam": 2},
            "graph": {"kind": "graph", **_PARSER},
            "greedy": _TRANSITION,
        }
    },
    "deep": {"bits": 12, "epochs": 3, "rules": "ud"},
    "relabel": {"bits": 12, "epochs": 3, "least": 5},
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
    "aspects": (),
    "frames": (),
    "tree": ("heads", "deprels", "deps", "empty_nodes"),
    "lifting": (),
    "forms": ("forms", "misc", "comments", "multiword_tokens"),
    "deep": (),
    "fluency": (),
    "labels": ("deprels",),
    "norms": (),
}
# Other words.
COLUMNS["words"] = tuple({column for columns in COLUMNS.values() for column in columns} - {"comments"})
# Another order changes whatever has one.
COLUMNS["order"] = tuple({column for columns in COLUMNS.values() for column in columns} - {"comments"})


def make(kind: str) -> Component[Any]:
    """One that has not learned."""
    return registry.find(kind).from_plan(Plan.of(PLANS[kind], kind))


def ready(kind: str, **fitting: Any) -> Component[Any]:
    add = LESSONS.get(kind, lambda sentences: sentences)
    train, dev = add(copy.deepcopy(TRAIN)), add(copy.deepcopy(DEV))
    return make(kind).fit(train, dev=dev, **fitting)
