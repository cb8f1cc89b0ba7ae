"""Labels from one or several nets: the mean of their probabilities, and the best tree of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plait.components.neural.batches import Batches
from plait.components.neural.corpus import COLUMNS, Classes, Corpus
from plait.components.neural.decoding import tree
from plait.components.neural.net import Batch, Net
from plait.components.neural.store import lexicon_of

_FEW = 4  # heads of a word that are kept
_LEAST = 1e-4


class Teachers:
    """Nets with the same classes."""

    def __init__(
        self, nets: Sequence[Net], corpus: Corpus, device: str = "cpu", workers: Executor | None = None
    ) -> None:
        self.device = torch.device(device)
        self.nets = [net.to(self.device).eval() for net in nets]
        self.corpus = corpus
        self.batches = Batches(corpus, self.device)
        self.lexicons = [lexicon_of(net, corpus.types, self.device) for net in self.nets]
        self._workers = workers

    def label(self, words: int = 16_000, on_batch: Callable[[int, int], None] | None = None) -> Corpus:
        """The corpus with heads, labels and tags."""
        count = len(self.corpus.ids)
        columns: dict[str, Any] = {name: np.zeros(count, np.int16) for name in (*COLUMNS, "label")}
        heads = np.zeros((count, _FEW), np.int16)
        shares = np.zeros((count, _FEW), np.float16)
        plan = self.batches.by_length(words)
        for number, chosen in enumerate(plan, 1):
            lengths = self.corpus.lengths[chosen]
            firsts = np.repeat(self.corpus.offsets[:-1][chosen], lengths)
            within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            where = firsts + within
            with torch.inference_mode():
                found, trees, likely = self._label(self.batches.make(chosen), lengths)
            heads[where], shares[where] = trees, likely
            for name, values in found.items():
                columns[name][where] = values
            if on_batch is not None:
                on_batch(number, len(plan))
        return replace(self.corpus, heads=heads, shares=shares, **columns)

    def _label(
        self, batch: Batch, lengths: NDArray[Any]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any]]:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            found = [
                net(batch.ids, batch.mask, lexicon)
                for net, lexicon in zip(self.nets, self.lexicons, strict=True)
            ]
            arcs = _mean([each.arcs.softmax(-1) for each in found])
            flat = arcs.flatten(0, 1)[batch.place]
            best = self._trees(batch, arcs, flat.argmax(-1), lengths)
            labels = _mean(
                [
                    net.label_logits(each, batch, best).softmax(-1)
                    for net, each in zip(self.nets, found, strict=True)
                ]
            )
        values = {"label": labels.argmax(-1)}
        for name in COLUMNS:
            values[name] = (
                _mean([each.tags[name].float().softmax(-1) for each in found])
                .flatten(0, 1)[batch.place]
                .argmax(-1)
            )
        heads, shares = _likeliest(flat, best)
        return (
            {name: value.cpu().numpy() for name, value in values.items()},
            heads.cpu().numpy(),
            shares.cpu().numpy(),
        )

    def _trees(self, batch: Batch, arcs: Tensor, best: Tensor, lengths: NDArray[Any]) -> Tensor:
        """The best heads, where they are no tree replaced by the best tree."""
        sentences, length = batch.mask.shape
        heads = torch.zeros(sentences * length, dtype=torch.long, device=self.device)
        heads[batch.place] = best
        parents = torch.nn.functional.pad(heads.view(sentences, length), (1, 0))
        roots = ((parents[:, 1:] == 0) & batch.mask).sum(1)
        above = parents
        for _ in range(length.bit_length()):
            above = above.gather(1, above)
        bad = torch.nonzero((roots != 1) | (above != 0).any(1)).flatten()
        if not len(bad):
            return best
        numbers = bad.tolist()
        rows = arcs[bad].clamp(min=1e-9).log().cpu().numpy()
        scores = [row[: lengths[at], : lengths[at] + 1] for at, row in zip(numbers, rows, strict=True)]
        trees = map(tree, scores) if self._workers is None else self._workers.map(tree, scores, chunksize=8)
        for at, found in zip(numbers, trees, strict=True):
            first = at * length
            heads[first : first + len(found)] = torch.from_numpy(found).to(self.device)
        return heads[batch.place]


def _mean(probabilities: Sequence[Tensor]) -> Tensor:
    return torch.stack(list(probabilities)).mean(0)


def _likeliest(arcs: Tensor, best: Tensor) -> tuple[Tensor, Tensor]:
    """The head in the tree and the likeliest others, with their shares; a head that only the tree chose gets half."""
    chosen = torch.nn.functional.one_hot(best, arcs.shape[1])
    count = min(_FEW, arcs.shape[1])
    heads = (arcs + 2 * chosen).topk(count, -1).indices
    shares = arcs.gather(1, heads)
    shares[:, 0] += (shares[:, 0] < shares.amax(1)).float()
    shares = shares / shares.sum(1, keepdim=True)
    heads = heads.masked_fill(shares < _LEAST, 0)  # among them places after the end of a short sentence
    shares = shares.masked_fill(shares < _LEAST, 0)
    fill = (0, _FEW - count)
    return torch.nn.functional.pad(heads, fill), torch.nn.functional.pad(shares, fill)


def scores(found: Corpus, gold: Corpus, classes: Classes) -> dict[str, float]:
    """Shares of right words, in percent; labels without their subtypes, as in CoNLL 2018."""
    plain = np.array([label.split(":")[0] for label in classes.label])
    right = found.heads[:, 0] == gold.heads[:, 0]
    known = gold.label >= 0
    same = known & (plain[found.label] == plain[np.maximum(gold.label, 0)])
    values = {"uas": right, "las": right & same}
    values |= {name: getattr(found, name) == getattr(gold, name) for name in COLUMNS}
    return {name: 100 * float(np.mean(value)) for name, value in values.items()}


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
