"""A whole training: epochs until enough, the best one kept, going on where a run was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plait.errors import InputError
from plait.parser.checkpoint import Checkpoint, digest
from plait.parser.data import GoldTrees
from plait.parser.judge import Judge
from plait.parser.mixture import Progress
from plait.parser.model import Model, Setup
from plait.parser.trainer import Epoch, Trainer, best_of


class Training:
    """Runs a trainer, and a judge after every epoch if there is one; with `path`, keeps a checkpoint there."""

    def __init__(
        self, setup: Setup, gold: GoldTrees, judge: Judge | None, path: Path | None, threads: int
    ) -> None:
        self.interrupted = False
        self._setup = setup
        self._judge = judge
        self._path = path
        self._trainer = Trainer(setup.core, setup.options, gold, threads)
        self._best: NDArray[np.float32] | None = None
        # Only what is the same can be resumed.
        arrays = (*gold.arrays, *(judge.arrays if judge else ()))
        self._data = digest(setup.templates.source, *arrays) if path else ""

    @property
    def epochs(self) -> list[Epoch]:
        return self._trainer.epochs

    @property
    def best(self) -> NDArray[np.float32]:
        """The weights of the best epoch."""
        assert self._best is not None
        return self._best

    def resume(self) -> None:
        if self._path is None:
            raise InputError("To resume a training, its checkpoint must be named.")
        found = Checkpoint.load(self._path, self._setup.options, self._data)
        try:
            self._trainer.restore(found.weights, found.drift, found.examples, found.epochs)
        except (TypeError, ValueError) as error:
            raise InputError(f"{self._path}: the checkpoint is damaged: {error}.") from None
        self._best = found.best

    def run(
        self,
        on_epoch: Callable[[Epoch], None] | None = None,
        on_progress: Progress | None = None,
    ) -> None:
        """Until all epochs are run or there is nothing better for a while. An interrupt ends it too, once there
        is an epoch to keep.
        """
        setup, trainer = self._setup, self._trainer
        try:
            while not trainer.is_done:
                epoch = trainer.run_epoch(on_progress)
                if epoch.left_out == len(trainer.data):
                    raise InputError(
                        f"The system {setup.options.system!r} can derive no tree of the treebank."
                    )
                weights = trainer.averaged
                if self._judge:
                    score = self._judge.score(Model(setup, setup.pack(weights)))
                    epoch = replace(epoch, las=score.las, uas=score.uas)
                self._keep(epoch, weights)
                if on_epoch:
                    on_epoch(epoch)
        except KeyboardInterrupt:
            if self._best is None:
                raise
            self.interrupted = True

    def _keep(self, epoch: Epoch, weights: NDArray[np.float32]) -> None:
        trainer = self._trainer
        trainer.epochs.append(epoch)
        if best_of(trainer.epochs) is epoch:
            self._best = weights
        if self._path:
            now, drift, examples = trainer.state
            Checkpoint(
                weights=now,
                drift=drift,
                best=self.best,
                examples=examples,
                epochs=trainer.epochs,
                options=self._setup.options,
                data=self._data,
            ).save(self._path)
