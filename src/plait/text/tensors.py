"""A tokenizer as tensors: weights as they are, strings as the bytes of JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.store import Tensors
from plait.text.characters import CLASSES
from plait.text.context import BITS, CHOICES, ContextModel
from plait.text.lexicon import WordKinds
from plait.text.multiword import Multiwords, Rewriting
from plait.text.options import TokenizerOptions
from plait.text.segmentation import DECISIONS, Segmenter
from plait.weights import PackedWeights

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
    hashes, kinds = tensors["word_hashes"], tensors["word_kinds"]
    if (
        hashes.dtype != np.uint32
        or kinds.dtype != np.uint8
        or hashes.shape != kinds.shape
        or hashes.ndim != 1
    ):
        raise ValueError("the words and their kinds do not fit together")
    seams = tensors["seams"]
    if seams.dtype != np.uint8 or seams.shape != (len(CLASSES) ** 2,):
        raise ValueError("the seams do not fit the classes of characters")
    if not abs(bias) < 1e9:  # true for NaN too
        raise ValueError("the bias is not a number, or too large")
    lexicon = WordKinds(hashes.astype(np.uint32, copy=False), kinds.astype(np.uint8, copy=False))
    return Segmenter(options, weights, seams.astype(np.uint8, copy=False), lexicon, bias)


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
    known = _json(tensors["multiwords"])
    table = {str(form): tuple(map(str, words)) for form, words in known["table"].items()}
    suffixes = {str(suffix): _rewriting(entry) for suffix, entry in known["suffixes"].items()}
    context = None
    if context_step:
        cells = (1 << BITS) + CHOICES
        context = ContextModel(PackedWeights.from_tensors(_those(_CONTEXT, tensors), cells, context_step))
    if not all(table.values()):
        raise ValueError("a multiword token has no words")
    doubtful, whole = set(map(str, known["doubtful"])), set(map(str, known["whole"]))
    return Multiwords(table, doubtful, suffixes, whole, context)


def _rewriting(entry: list[Any] | None) -> Rewriting | None:
    if entry is None:
        return None
    cut, ending, *others = entry
    return Rewriting(int(cut), str(ending), tuple(map(str, others)))


def _named(prefix: str, tensors: Tensors) -> Tensors:
    return {prefix + name: tensor for name, tensor in tensors.items()}


def _those(prefix: str, tensors: Tensors) -> Tensors:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _bytes(content: object) -> NDArray[np.generic]:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def _json(tensor: NDArray[np.generic]) -> Any:
    if tensor.dtype != np.uint8 or tensor.ndim != 1:
        raise ValueError("text is expected as bytes")
    return json.loads(tensor.tobytes().decode("utf-8", "surrogatepass"))
