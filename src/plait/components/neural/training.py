"""Batches until the schedule ends; every epoch can be gone on from."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from plait.components.neural.batches import Batches, Chosen
from plait.components.neural.corpus import Corpus
from plait.components.neural.inputs import Lexicon
from plait.components.neural.net import Net
from plait.components.neural.presets import Schedule
from plait.components.neural.store import lexicon_of

_LAST_SHARE = 0.02  # of the greatest step


@dataclass(frozen=True, slots=True)
class Report:
    """After an epoch: how far the schedule is, the mean loss, batches and words so far, seconds."""

    epoch: int
    done: float
    loss: float
    steps: int
    words: int
    seconds: float


class Training:
    """A net that learns from a treebank and, where there is any, from labelled text, drawn by `weights`."""

    def __init__(
        self,
        net: Net,
        gold: Corpus,
        schedule: Schedule,
        *,
        labelled: Corpus | None = None,
        weights: NDArray[np.floating[Any]] | None = None,
        device: str = "cpu",
    ) -> None:
        torch.manual_seed(schedule.seed)
        self.device = torch.device(device)
        if self.device.type == "cuda":
            torch.set_float32_matmul_precision("high")
        self.net: Net = net.to(self.device)
        self.schedule = schedule
        self._gold = len(gold)
        corpus = gold if labelled is None else gold.join(labelled)
        self._weights = (
            np.ones(len(corpus) - self._gold) if weights is None else np.asarray(weights, np.float64)
        )
        self.batches = Batches(corpus, self.device)
        self.lexicon: Lexicon = lexicon_of(net, corpus.types, self.device)
        rates = (schedule.rate, schedule.decay, schedule.encoder_rate)
        groups = [group for group in net.groups(*rates) if group["params"]]
        fused = self.device.type == "cuda"
        self.optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.95), fused=fused)
        self._rates = [float(group["lr"]) for group in self.optimizer.param_groups]
        self.steps = self.words = self.epoch = 0
        self.seconds = 0.0
        self._total = schedule.epochs * self._batches_per_epoch()

    def _batches_per_epoch(self) -> int:
        rng = np.random.default_rng([self.schedule.seed, 0])
        return len(self.batches.shuffled(self._choose(rng), self.schedule.words, rng))

    def _choose(self, rng: np.random.Generator) -> Chosen:
        """The treebank, and a sample of the labelled text."""
        gold = np.arange(self._gold)
        count = min(self.schedule.sample, len(self._weights))
        if not count:
            return gold
        # The first `count` of an order in which heavier ones tend to come first (Efraimidis and Spirakis 2006).
        keys = -rng.exponential(size=len(self._weights)) / self._weights
        drawn = np.argpartition(-keys, count - 1)[:count]
        return np.concatenate([gold, drawn + self._gold])

    @property
    def done(self) -> float:
        """How much of the schedule is over, from 0 to 1."""
        by_steps = self.steps / self._total
        by_time = self.seconds / self.schedule.seconds if self.schedule.seconds else 0.0
        return min(1.0, max(by_steps, by_time))

    def run(self, on_epoch: Callable[[Report], None] | None = None, checkpoint: Path | None = None) -> Net:
        """To the end; from a checkpoint if there is one."""
        if checkpoint is not None and checkpoint.exists():
            self.restore(checkpoint)
        while self.done < 1 and self.epoch < self.schedule.epochs:
            loss = self.run_epoch()
            if checkpoint is not None:
                self.save(checkpoint)
            if on_epoch is not None:
                on_epoch(Report(self.epoch, self.done, loss, self.steps, self.words, self.seconds))
        self.net.eval()
        return self.net

    def run_epoch(self) -> float:
        """The mean loss."""
        self.epoch += 1
        torch.manual_seed(self.schedule.seed * 1_000_003 + self.epoch)
        rng = np.random.default_rng([self.schedule.seed, self.epoch])
        self.net.train()
        losses = []
        start, before = time.perf_counter(), self.seconds
        for chosen in self.batches.shuffled(self._choose(rng), self.schedule.words, rng):
            losses.append(self._step(chosen))
            self.words += int(self.batches.lengths[chosen].sum())
            self.seconds = before + time.perf_counter() - start
            if self.done >= 1:
                break
        return float(torch.stack(losses).mean())

    def _step(self, chosen: Chosen) -> torch.Tensor:
        self._set_rates()
        batch = self.batches.make(chosen)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            loss = self.net.loss(batch, self.lexicon)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.schedule.clip, foreach=True)
        self.optimizer.step()
        self.steps += 1
        return loss.detach()

    def _set_rates(self) -> None:
        warm = min(1.0, (self.steps + 1) / self.schedule.warmup)
        cosine = 0.5 * (1 + math.cos(math.pi * self.done))
        share = warm * (_LAST_SHARE + (1 - _LAST_SHARE) * cosine)
        for group, rate in zip(self.optimizer.param_groups, self._rates, strict=True):
            group["lr"] = rate * share

    def save(self, path: Path) -> None:
        partial = path.with_suffix(".partial")
        state = {
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "counts": [self.steps, self.words, self.epoch, self.seconds],
        }
        torch.save(state, partial)
        partial.replace(path)

    def restore(self, path: Path) -> None:
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps, self.words, self.epoch, self.seconds = state["counts"]
