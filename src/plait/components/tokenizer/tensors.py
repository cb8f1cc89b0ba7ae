"""A tokenizer as tensors: weights as they are, strings as the bytes of JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.checks import Cell, parse_json, read, text, vector
from plait.components.tokenizer.characters import CLASSES
from plait.components.tokenizer.context import BITS, CHOICES, ContextModel
from plait.components.tokenizer.lexicon import WordKinds
from plait.components.tokenizer.multiword import Multiwords, Rewriting
from plait.components.tokenizer.options import TokenizerOptions
from plait.components.tokenizer.segmentation import DECISIONS, Segmenter
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights

_SEGMENTER, _CONTEXT = "segmenter.", "context."


def segmenter_to(segmenter: Segmenter) -> Tensors:
    tensors: Tensors = {
        "seams": segmenter.seams,
        "word_hashes": segmenter.lexicon.hashes,
        "word_kinds": segmenter.lexicon.kinds,
    }
    return tensors | _named(_SEGMENTER, segmenter.weights.tensors())


def segmenter_from(tensors: Tensors, options: TokenizerOptions, step: float, bias: float) -> Segmenter:
    """ValueError or KeyError if the tensors do not fit together."""
    weights = PackedWeights.from_tensors(_those(_SEGMENTER, tensors), (1 << options.bits) + DECISIONS, step)
    hashes = vector(tensors["word_hashes"], np.uint32, "word_hashes")
    kinds = vector(tensors["word_kinds"], np.uint8, "word_kinds")
    if hashes.shape != kinds.shape:
        raise ValueError("the words and their kinds do not fit together")
    seams = vector(tensors["seams"], np.uint8, "seams")
    if seams.shape != (len(CLASSES) ** 2,):
        raise ValueError("the seams do not fit the classes of characters")
    if abs(bias) >= 1e9:
        raise ValueError("the bias is too large")
    return Segmenter(options, weights, seams, WordKinds(hashes, kinds), bias)


def multiwords_to(multiwords: Multiwords) -> Tensors:
    suffixes = {
        suffix: [rewriting.cut, rewriting.ending, *rewriting.others] if rewriting else None
        for suffix, rewriting in multiwords.suffixes.items()
    }
    known = {
        "table": multiwords.table,
        "doubtful": sorted(multiwords.doubtful),
        "suffixes": suffixes,
        "whole": sorted(multiwords.whole),
    }
    tensors: Tensors = {"multiwords": _bytes(known)}
    return tensors | (_named(_CONTEXT, multiwords.context.weights.tensors()) if multiwords.context else {})


def multiwords_from(tensors: Tensors, context_step: float) -> Multiwords:
    """ValueError, KeyError or TypeError if the tensors do not fit together."""
    content = vector(tensors["multiwords"], np.uint8, "multiwords").tobytes()
    known = parse_json(content)
    table = {
        form: tuple(words) for form, words in read(dict[str, list[Cell]], known["table"], "a word").items()
    }
    if not all(table.values()):
        raise ValueError("a multiword token has no words")
    suffixes = {text(suffix, "a suffix"): _rewriting(entry) for suffix, entry in known["suffixes"].items()}
    doubtful, whole = (set(read(list[Cell], known[name], name)) for name in ("doubtful", "whole"))
    context = None
    if context_step:
        cells = (1 << BITS) + CHOICES
        context = ContextModel(PackedWeights.from_tensors(_those(_CONTEXT, tensors), cells, context_step))
    return Multiwords(table, doubtful, suffixes, whole, context)


def _rewriting(entry: list[Any] | None) -> Rewriting | None:
    if entry is None:
        return None
    cut, ending, *others = entry
    return Rewriting(
        read(int, cut, "a cut"),
        "" if ending == "" else text(ending, "an ending", "cell"),
        tuple(read(list[Cell], others, "a word")),
    )


def _named(prefix: str, tensors: Tensors) -> Tensors:
    return {prefix + name: tensor for name, tensor in tensors.items()}


def _those(prefix: str, tensors: Tensors) -> Tensors:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _bytes(content: object) -> NDArray[np.generic]:
    written = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return np.frombuffer(written.encode(), np.uint8)
