"""Nets with weights by chance, as tests need them."""

from dataclasses import replace
from typing import Any

import numpy as np

from plait.components.neural import Neural
from plait.components.neural.corpus import COLUMNS, Classes
from plait.components.neural.model import Model, Net
from plait.components.neural.pieces import Pieces
from plait.components.neural.shape import SMALL, EncoderFacts, NetShape
from plait.components.neural.swap import FEATURES, KINDS, SLOTS, SwapHead, tensors_of
from plait.components.neural.words import FIRST_LETTER, Letters, Words

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
LETTERS = Letters(list("abcdeghiIlnoprst19"))
BUCKETS = 50
SHAPES = {
    "sru": SMALL,
    "fed sru": replace(SMALL, tag_layer=1, feed=True),
    "spelt sru": replace(SMALL, spelling="characters", tag_layer=1),
    "lstm": replace(SMALL, body="lstm", spelling="characters", tag_layer=1, attention=False),
    "fed lstm": replace(SMALL, body="lstm", spelling="characters", tag_layer=1, feed=True, attention=False),
    "gram lstm": replace(SMALL, body="lstm"),
}
CLASSES = Classes(
    *([f"{name}{number}" for number in range(size)] for name, size in list(SIZES.items())[:3]),
    ["keep||", *(f"lower||+{number}" for number in range(SIZES["script"] - 1))],
    [f"label{number}" for number in range(LABELS)],
)
PIECES = [
    "[CLS]",
    "[PAD]",
    "[SEP]",
    "[UNK]",
    *"abcdeghilnoprst19,",
    *(f"##{letter}" for letter in "abdeghilnoprstz19"),
]
PIECES += ["the", "dog", "inter", "##nation", "##al", "yes", "##day"]
ENCODER = NetShape(
    body="encoder",
    spelling="characters",
    tag_layer=2,
    feed=False,
    attention=True,
    encoder=EncoderFacts(
        heads=4, epsilon=1e-12, unknown=3, begin=0, end=2, lowercase=True, accents=False, signs=True
    ),
)
Arrays = dict[str, np.ndarray[Any, Any]]


def make_net(
    seed: int,
    width: int = 32,
    layers: int = 2,
    word_dim: int = 12,
    part_dim: int = 21,
    arc: int = 20,
    shape: NetShape = SMALL,
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
    if shape.spelling == "grams":
        matrix("embed.grams", BUCKETS, part_dim)
    else:
        matrix("embed.letters", len(LETTERS.known) + FIRST_LETTER, 11)
        for window in (2, 3, 4):
            matrix(f"spell.conv{window}_w", 10, window * 11, f"spell.conv{window}_b")
        matrix("spell.out_w", part_dim, 30, "spell.out_b")
    if shape.feed:
        for name in COLUMNS[:3]:
            matrix(f"fed.{name}", 5, SIZES[name])
    for number in range(layers):
        at, size = f"layer{number}.", width if number else given
        if shape.feed and number == shape.tag_layer:
            size += 15
        if shape.body == "lstm":
            matrix(at + "w", 4 * width, size, at + "b")
            matrix(at + "forth", 2 * width, width // 2)
            matrix(at + "back", 2 * width, width // 2)
            continue
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
    norm("final.ln", width)
    if shape.attention:
        norm("att.ln1", width)
        norm("att.ln2", width)
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


def make_head(seed: int, width: int = 32, hidden: int = 23) -> Arrays:
    """A head for transitions."""
    chance = np.random.default_rng(seed)
    slots = chance.normal(size=(SLOTS, width, hidden)) / width**0.5
    small = [chance.normal(size=(rows, hidden)) for rows in (FEATURES, 2 * SLOTS, KINDS)]
    arrays = [each.astype(np.float32) for each in (slots, *small)]
    bias, out_bias = (chance.normal(size=size).astype(np.float32) for size in (hidden, KINDS))
    return tensors_of(arrays[0], arrays[1], arrays[2], bias, arrays[3], out_bias)


def model_of(seed: int = 1, head: Arrays | None = None) -> Model:
    net = Net(SHAPES["sru"], WORDS, make_net(seed))
    return Model(CLASSES, [net], SwapHead(make_head(seed) if head is None else head))


def neural_of(model: Model, **options: object) -> Neural:
    found = Neural(**options)
    found.change(model, {})
    return found


def make_encoder_net(
    seed: int, width: int = 32, layers: int = 2, inner: int = 45, places: int = 14, *, distances: bool = False
) -> Arrays:
    """With a transformer as its body; short sentences are already too long for it."""
    rest = make_net(seed, width, layers=0, shape=replace(ENCODER, attention=False))
    made = make_net(seed + 1, width, layers=0)
    chance = np.random.default_rng(seed)
    assert ENCODER.encoder is not None

    def matrix(name: str, rows: int, columns: int, bias: str = "") -> None:
        rest[name] = chance.integers(-127, 128, (rows, columns)).astype(np.int8)
        rest[name + ".scale"] = (chance.uniform(0.5, 1.5, rows) / 127 / columns**0.5).astype(np.float32)
        if bias:
            rest[bias] = (0.3 * chance.normal(size=rows)).astype(np.float32)

    def norm(name: str) -> None:
        for end in ("_g", "_b"):
            rest[name + end] = chance.permutation(made["att.ln1" + end])

    matrix("encoder.words", len(PIECES), width)
    matrix("encoder.places", places, width)
    matrix("own.w", width, 33, "own.b")
    for name in ("encoder.ln", "own.ln"):
        norm(name)
    for number in range(layers):
        at = f"encoder{number}."
        matrix(at + "qkv_w", 3 * width, width, at + "qkv_b")
        matrix(at + "out_w", width, width, at + "out_b")
        matrix(at + "ff1_w", inner, width, at + "ff1_b")
        matrix(at + "ff2_w", width, inner, at + "ff2_b")
        norm(at + "ln1")
        norm(at + "ln2")
    mixes = chance.uniform(size=(2, layers + 1)).astype(np.float32)
    rest["encoder.mixes"] = mixes / mixes.sum(1, keepdims=True)
    if distances:
        shape = (ENCODER.encoder.heads, 2 * places - 1)
        rest["encoder.distances"] = chance.normal(size=shape).astype(np.float32)
    return rest


def encoder_pieces() -> Pieces:
    return Pieces(PIECES, unknown=3, begin=0, end=2, lowercase=True, accents=False, signs=True)
