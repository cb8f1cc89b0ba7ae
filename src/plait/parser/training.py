"""The passes of training: shuffling, stopping, keeping the best, going on where a run was interrupted."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from plait import _core
from plait.errors import InputError
from plait.parser.data import GoldTrees
from plait.parser.options import ORACLES, ParserOptions

_CHUNK = 64  # sentences between two looks at the keyboard
_BUDGET = 10_000_000  # of the oracle MINIMAL, per sentence


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the training set. Scores are of the dev set; LAS as in CoNLL 2018, without subtypes."""

    number: int
    seconds: float
    states: int
    updates: int
    swaps: int  # in the derivations learned from
    left_out: int  # sentences the system cannot derive
    las: float | None = None
    uas: float | None = None
    dev_swaps: int | None = None


class Trainer:
    """Trains one set of weights; `weights` are the mean over all sentences so far."""

    def __init__(self, model: _core.ParserModel, options: ParserOptions, data: GoldTrees) -> None:
        self.options = options
        self.data = data
        self.epochs: list[Epoch] = []
        self._core = _core.Trainer(
            model,
            options.bits,
            ORACLES[options.chosen_oracle],
            options.learner == "passive-aggressive",
            options.chosen_step,
            options.beam,
            options.update == "early",
            _BUDGET,
        )

    @property
    def weights(self) -> NDArray[np.float32]:
        return self._core.averaged()

    def run_epoch(self, on_progress: Callable[[int, int], None] | None = None) -> Epoch:
        """One pass, in an order that depends on the seed and the number of the epoch only."""
        start = time.perf_counter()
        number = len(self.epochs) + 1
        order = (
            np.random.default_rng([self.options.seed, number]).permutation(len(self.data)).astype(np.int64)
        )
        explore = self.options.explore if number > 1 and self.options.beam == 1 else 0.0
        totals = np.zeros(4, np.int64)
        for first in range(0, len(order), _CHUNK):
            totals += self._core.learn(
                self.data.values,
                self.data.offsets,
                self.data.heads,
                self.data.labels,
                order[first : first + _CHUNK],
                explore,
                self.options.seed * 1_000_003 + number,
            )
            if on_progress:
                on_progress(min(first + _CHUNK, len(order)), len(order))
        states, updates, swaps, left_out = totals.tolist()
        return Epoch(number, time.perf_counter() - start, states, updates, swaps, left_out)

    def save(self, folder: Path) -> None:
        """What is needed to go on with the next epoch."""
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {"weights": self._core.weights(), "drift": self._core.drift()}
        partial = folder / "state.partial"
        save_file(tensors, partial)
        partial.rename(folder / "state.safetensors")
        state = {"examples": self._core.examples, "epochs": [asdict(epoch) for epoch in self.epochs]}
        (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")

    def restore(self, folder: Path) -> None:
        try:
            state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
            tensors = load_file(folder / "state.safetensors")
            self._core.restore(tensors["weights"], tensors["drift"], state["examples"])
            self.epochs = [Epoch(**epoch) for epoch in state["epochs"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{folder}: there is no training to resume from here ({error}).") from None
