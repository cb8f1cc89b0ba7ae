"""Batches until the schedule ends; every epoch can be gone on from."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
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
_MOMENTS = ("exp_avg", "exp_avg_sq")
_TRIED = 3  # batches, to know how long all of them will take

Flat = NDArray[np.float32]


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
        self.device = torch.device(device)
        self._mixed = has_bfloat16(self.device)
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
        self.parameters = [each for group in self.optimizer.param_groups for each in group["params"]]
        self.steps = self.words = self.epoch = 0
        self.seconds = 0.0
        self._total = schedule.epochs * len(self._plan(0))

    def _plan(self, epoch: int) -> list[Chosen]:
        """The batches of an epoch; depends on nothing but the seed and its number."""
        rng = np.random.default_rng([self.schedule.seed, epoch])
        return self.batches.shuffled(self._choose(rng), self.schedule.words, rng)

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

    def run(self) -> Net:
        """To the end."""
        while self.done < 1 and self.epoch < self.schedule.epochs:
            self.run_epoch()
        self.net.eval()
        return self.net

    def run_epoch(self, on_batch: Callable[[int, int], None] | None = None) -> float:
        """The mean loss."""
        self.epoch += 1
        torch.manual_seed(self.schedule.seed * 1_000_003 + self.epoch)
        self.net.train()
        losses = []
        start, before = time.perf_counter(), self.seconds
        plan = self._plan(self.epoch)
        for number, chosen in enumerate(plan, 1):
            losses.append(self._step(chosen))
            self.words += int(self.batches.lengths[chosen].sum())
            self.seconds = before + time.perf_counter() - start
            if on_batch is not None:
                on_batch(number, len(plan))
            if self.done >= 1:
                break
        return float(torch.stack(losses).mean())

    def estimate(self) -> float:
        """How many seconds all epochs will take, from a few batches that leave no trace."""
        plan = self._plan(0)
        sizes = [len(chosen) * int(self.batches.lengths[chosen].max()) for chosen in plan]
        self.net.train()
        seconds, tried = 0.0, 0
        for number in range(_TRIED + 1):
            place = number % len(plan)
            start = time.perf_counter()
            float(self._backward(plan[place]))
            if number:  # the first one is for the machine to warm up
                seconds, tried = seconds + time.perf_counter() - start, tried + sizes[place]
        self.optimizer.zero_grad(set_to_none=True)
        whole = self.schedule.epochs * seconds / tried * sum(sizes)
        return min(whole, self.schedule.seconds) if self.schedule.seconds else whole

    def _backward(self, chosen: Chosen) -> torch.Tensor:
        batch = self.batches.make(chosen)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._mixed):
            loss = self.net.loss(batch, self.lexicon, self.schedule.smoothing)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        return loss.detach()

    def _step(self, chosen: Chosen) -> torch.Tensor:
        self._set_rates()
        loss = self._backward(chosen)
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.schedule.clip, foreach=True)
        self.optimizer.step()
        self.steps += 1
        return loss

    def _set_rates(self) -> None:
        warm = min(1.0, (self.steps + 1) / self.schedule.warmup)
        cosine = 0.5 * (1 + math.cos(math.pi * self.done))
        share = warm * (_LAST_SHARE + (1 - _LAST_SHARE) * cosine)
        for group, rate in zip(self.optimizer.param_groups, self._rates, strict=True):
            group["lr"] = rate * share

    # What is needed to go on, as plain arrays.

    def tensors(self) -> dict[str, NDArray[Any]]:
        states = [self.optimizer.state[each] for each in self.parameters]
        # A parameter that no batch has touched has no moments.
        moved = [
            state if "step" in state else _untouched(each)
            for state, each in zip(states, self.parameters, strict=True)
        ]
        found: dict[str, NDArray[Any]] = {name: flat([state[name] for state in moved]) for name in _MOMENTS}
        found["steps"] = np.array([float(state["step"]) for state in moved], np.float32)
        found["net"] = flat(self.parameters)
        found["counts"] = np.array([self.steps, self.words, self.epoch], np.int64)
        found["seconds"] = np.array([self.seconds])
        return found

    def restore(self, tensors: dict[str, NDArray[Any]]) -> None:
        """ValueError or KeyError if it is another net's."""
        put(self.parameters, tensors["net"])
        moments = {name: [torch.zeros_like(each) for each in self.parameters] for name in _MOMENTS}
        for name in _MOMENTS:
            put(moments[name], tensors[name])
        for number, each in enumerate(self.parameters):
            step = float(tensors["steps"][number])
            if step:
                on = each.device if self.device.type == "cuda" else torch.device("cpu")
                state = {name: moments[name][number] for name in _MOMENTS}
                self.optimizer.state[each] = {"step": torch.tensor(step, device=on), **state}
        self.steps, self.words, self.epoch = map(int, tensors["counts"])
        self.seconds = float(tensors["seconds"][0])


def has_bfloat16(device: torch.device) -> bool:
    """Whether it multiplies in 16 bits faster than in 32. Of processors, those that have instructions for it."""
    return device.type == "cuda" or "avx512_bf16" in _processor()


@cache
def _processor() -> str:
    """What Linux says of the processor; elsewhere nothing."""
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def _untouched(parameter: torch.Tensor) -> dict[str, Any]:
    return {"step": 0.0, **{name: torch.zeros_like(parameter) for name in _MOMENTS}}


def flat(tensors: list[torch.Tensor]) -> Flat:
    """All of them, one after the other."""
    found: Flat = torch.cat([each.detach().flatten().float().cpu() for each in tensors]).numpy()
    return found


def put(tensors: list[torch.Tensor], values: Flat) -> None:
    """What `flat` gave back into its places; ValueError if there is more or less of it."""
    if values.size != sum(each.numel() for each in tensors):
        raise ValueError("the net has another size")
    first = 0
    with torch.no_grad():
        for each in tensors:
            part = values[first : first + each.numel()]
            each.copy_(torch.from_numpy(np.array(part, np.float32)).view_as(each))
            first += each.numel()
