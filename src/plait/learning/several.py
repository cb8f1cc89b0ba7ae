"""Several classifiers that learn side by side and are kept as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from plait.learning.chooser import ClassifierLearner
from plait.learning.learner import Learner, Progress, Tensors, Weights

State = TypeVar("State")
Part = TypeVar("Part")


class SeveralLearner(Learner[State], Generic[State, Part]):
    """Parts with names: in a pass each sees its own examples, and their weights stand one after the other."""

    parts: Mapping[str, ClassifierLearner[Part]]

    def run_epoch(self, number: int, on_progress: Progress, threads: int) -> dict[str, int]:
        total = sum(each.size for each in self.parts.values())
        done = updates = 0
        for each in self.parts.values():

            def tell(epoch: int, part: int, _: int, before: int = done) -> None:
                on_progress(epoch, before + part, total)

            updates += each.run_epoch(number, tell, threads)["updates"]
            done += each.size
        return {"updates": updates}

    def weights(self) -> Weights:
        return np.concatenate([each.weights() for each in self.parts.values()])

    def built(self, weights: Weights) -> dict[str, Part]:
        """What annotates of each part."""
        ends = np.cumsum([each.cells for each in self.parts.values()])[:-1]
        shares = zip(self.parts.items(), np.split(weights, ends), strict=True)
        return {name: each.build(own) for (name, each), own in shares}

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        for each in self.parts.values():
            yield from each.data()

    def tensors(self) -> Tensors:
        return {
            f"{part}.{name}": tensor
            for part, each in self.parts.items()
            for name, tensor in each.tensors().items()
        }

    def restore(self, tensors: Tensors) -> None:
        for part, each in self.parts.items():
            each.restore(own_tensors(part, tensors))


def own_tensors(part: str, tensors: Tensors) -> Tensors:
    """Of what was kept of several, what is one's own."""
    start = f"{part}."
    return {name.removeprefix(start): each for name, each in tensors.items() if name.startswith(start)}
