"""Nets with weights by chance, as tests need them."""

from typing import Any

import numpy as np

from plait.components.neural.corpus import COLUMNS
from plait.components.neural.words import Words

SIZES = {"upos": 5, "xpos": 7, "feats": 19, "script": 33}
LABELS = 6
FORMS = [
    "the",
    "dog",
    "that",
    "you",
    "saw",
    "yesterday",
    "barked",
    "at",
    "Paris",
    ",",
    "NATO",
    "and",
    "iPads",
    "1999",
    "internationalization",
]
WORDS = Words(["", *FORMS[:6]])
BUCKETS = 50
Arrays = dict[str, np.ndarray[Any, Any]]


def make_net(
    seed: int, width: int = 32, layers: int = 2, word_dim: int = 12, part_dim: int = 21, arc: int = 20
) -> Arrays:
    """Of odd sizes, so that nothing is a multiple of what fits into a register."""
    chance = np.random.default_rng(seed)
    found: Arrays = {}
    label, hidden, given = 9, 24, word_dim + part_dim

    def matrix(name: str, rows: int, columns: int, bias: str = "") -> None:
        found[name] = chance.integers(-127, 128, (rows, columns)).astype(np.int8)
        found[name + ".scale"] = (chance.uniform(0.5, 1.5, rows) / 127 / columns**0.5).astype(np.float32)
        if bias:
            vector(bias, rows)

    def vector(name: str, *shape: int, mean: float = 0.0) -> None:
        found[name] = (mean + 0.3 * chance.normal(size=shape)).astype(np.float32)

    def norm(name: str, size: int) -> None:
        vector(name + "_g", size, mean=1.0)
        vector(name + "_b", size)

    matrix("embed.words", len(WORDS.forms), word_dim)
    matrix("embed.grams", BUCKETS, part_dim)
    for number in range(layers):
        at, size = f"layer{number}.", width if number else given
        norm(at + "ln", size)
        vector(at + "conv_w", size, 3)
        vector(at + "conv_b", size)
        matrix(at + "w", 3 * width, size, at + "b")
        if size != width:
            matrix(at + "skip", width, size)
    norm("tags.ln", width)
    matrix("tags.w", hidden, width + given, "tags.b")
    for name in COLUMNS:
        matrix(f"tags.{name}_w", SIZES[name], hidden, f"tags.{name}_b")
    norm("att.ln1", width)
    norm("att.ln2", width)
    norm("final.ln", width)
    matrix("att.qkv_w", 3 * width, width, "att.qkv_b")
    matrix("att.out_w", width, width, "att.out_b")
    matrix("att.ff1_w", 2 * width, width, "att.ff1_b")
    matrix("att.ff2_w", width, 2 * width, "att.ff2_b")
    vector("root", width)
    vector("arc.v", arc)
    matrix("arc.dep_w", arc, width, "arc.dep_b")
    matrix("arc.head_w", arc, width, "arc.head_b")
    matrix("arc.u", arc, arc)
    matrix("label.dep_w", label, width, "label.dep_b")
    matrix("label.head_w", label, width, "label.head_b")
    matrix("label.m", LABELS * label, label)
    matrix("label.p", LABELS, 2 * label, "label.b")
    return found
