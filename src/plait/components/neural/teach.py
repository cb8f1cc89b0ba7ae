"""What students are told beside the labels: which other heads their teachers thought of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plait.components.neural.batches import Batches
from plait.components.neural.corpus import FEW_HEADS, Corpus
from plait.components.neural.net import Net
from plait.components.neural.store import lexicon_of
from plait.layers import HeadShare, HeadShares
from plait.sentence import Sentence
from plait.trees import tree_of

_LEAST = 1e-3
_SURE = 0.999
_WORDS = 16_000  # per batch


def tell_shares(sentences: Sequence[Sentence], nets: Sequence[Net], device: str) -> None:
    """Put the layer `HeadShares` into sentences whose trees the nets have found; the probabilities are their mean."""
    where = torch.device(device)
    corpus = Corpus.of_forms(sentence.forms for sentence in sentences)
    batches = Batches(corpus, where)
    lexicons = [lexicon_of(net.to(where), corpus.types, where) for net in nets]
    for chosen in batches.by_length(_WORDS):
        batch = batches.make(chosen)
        trees = [tree_of(sentences[number]) for number in chosen]
        best = torch.tensor([head for tree in trees for head in tree], device=where)
        with torch.inference_mode(), torch.autocast(where.type, torch.bfloat16, enabled=where.type == "cuda"):
            found = [
                net(batch.ids, batch.mask, lexicon).arcs.float().softmax(-1)
                for net, lexicon in zip(nets, lexicons, strict=True)
            ]
            arcs = torch.stack(found).mean(0).flatten(0, 1)[batch.place]
            heads, shares = (each.cpu().numpy() for each in _likeliest(arcs, best))
        first = 0
        for number in chosen:
            last = first + len(sentences[number])
            sentences[number].put(_layer(heads[first:last], shares[first:last]))
            first = last


def _layer(heads: NDArray[Any], shares: NDArray[Any]) -> HeadShares:
    """Of words of which a teacher is not quite sure."""
    found = {}
    for place in np.nonzero(shares[:, 0] < _SURE)[0].tolist():
        pairs = zip(heads[place].tolist(), shares[place].tolist(), strict=True)
        found[place + 1] = [HeadShare(head, round(share, 3)) for head, share in pairs if share > 0]
    return HeadShares(found)


def _likeliest(arcs: Tensor, best: Tensor) -> tuple[Tensor, Tensor]:
    """The head in the tree and the likeliest others, with their shares; a head that only the tree chose gets half."""
    chosen = torch.nn.functional.one_hot(best, arcs.shape[1])
    count = min(FEW_HEADS, arcs.shape[1])
    heads = (arcs + 2 * chosen).topk(count, -1).indices
    shares = arcs.gather(1, heads)
    shares[:, 0] += (shares[:, 0] < shares.amax(1)).float()
    shares = shares / shares.sum(1, keepdim=True)
    heads = heads.masked_fill(shares < _LEAST, 0)  # among them places after the end of a short sentence
    shares = shares.masked_fill(shares < _LEAST, 0)
    fill = (0, FEW_HEADS - count)
    return torch.nn.functional.pad(heads, fill), torch.nn.functional.pad(shares, fill)


def teaching_weights(corpus: Corpus) -> NDArray[np.float64]:
    """How often sentences are drawn: questions twice as often, those with crossing arcs four times."""
    weights = np.ones(len(corpus))
    question = corpus.types.index("?") if "?" in corpus.types else -1
    ends = corpus.offsets[1:] - 1
    weights[corpus.ids[ends] == question] = 2
    for number in range(len(corpus)):
        first, last = corpus.offsets[number], corpus.offsets[number + 1]
        if _crosses(corpus.heads[first:last, 0]):
            weights[number] = 4
    return weights


def _crosses(heads: NDArray[Any]) -> bool:
    """Whether two arcs cross, that of the root aside."""
    words = np.arange(1, len(heads) + 1)
    arcs = heads > 0
    low, high = np.minimum(words, heads)[arcs], np.maximum(words, heads)[arcs]
    begins = (low[:, None] < low[None]) & (low[None] < high[:, None]) & (high[:, None] < high[None])
    return bool(begins.any())
