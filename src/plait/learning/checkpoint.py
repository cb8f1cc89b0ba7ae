"""A training interrupted between two epochs: one file with all that is needed to go on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as from_bytes
from safetensors.numpy import save as to_bytes

from plait.errors import InputError, OutputError
from plait.folders import write_file
from plait.learning.learner import Learner, Tensors, Weights
from plait.learning.options import LearningOptions

if TYPE_CHECKING:
    from plait.learning.epochs import Epoch

_ABOUT, _BEST = "about", "best"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a learner, the best weights so far, and what they were learned from."""

    tensors: Tensors
    best: Weights
    epochs: list[dict[str, Any]]
    options: Mapping[str, Any]
    data: str  # a digest of all that was read

    @classmethod
    def of(
        cls,
        learner: Learner[Any],
        best: Weights,
        epochs: Sequence[Epoch],
        options: LearningOptions,
        data: str,
    ) -> Checkpoint:
        return cls(learner.tensors(), best, [asdict(epoch) for epoch in epochs], asdict(options), data)

    def save(self, path: Path) -> None:
        """The file begins with the checksum of what follows."""
        about = json.dumps({"epochs": self.epochs, "options": self.options, "data": self.data})
        packed = np.frombuffer(about.encode(), np.uint8)
        content = to_bytes({**self.tensors, _BEST: self.best, _ABOUT: packed})
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, sha256(content).digest() + content)
        except (OSError, SafetensorError) as error:
            raise OutputError(f"{path}: the checkpoint cannot be written: {error}.") from None

    @classmethod
    def load(
        cls, path: Path, options: LearningOptions, data: str, may_change: Sequence[str] = Learner.may_change
    ) -> Checkpoint:
        """Read a checkpoint of a training with the same data and, but for some, the same options."""
        with _reading(path):
            stored = path.read_bytes()
            content = stored[sha256().digest_size :]
            if sha256(content).digest() != stored[: sha256().digest_size]:
                raise ValueError("its checksum is not the one that was written")
            tensors = from_bytes(content)
            about = json.loads(tensors.pop(_ABOUT).tobytes())
            best = tensors.pop(_BEST).astype(np.float32, copy=False)
            if not np.isfinite(best).all():
                raise ValueError("a weight is not a number")
            found = cls(tensors, best, list(about["epochs"]), dict(about["options"]), str(about["data"]))
        for name, now in asdict(options).items():
            then = found.options.get(name)
            if then != now and name not in may_change:
                raise InputError(f"{path}: the training to resume had {name} {then!r}, not {now!r}.")
        if found.data != data:
            raise InputError(f"{path}: the training to resume had another treebank, dev set or features.")
        return found

    def restore(self, learner: Learner[Any], path: Path) -> None:
        with _reading(path):
            learner.restore(self.tensors)
            if not self.epochs:
                raise ValueError("there is no epoch in it")
            if self.best.shape != learner.weights().shape:
                raise ValueError("the best weights do not fit")


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: the checkpoint is damaged: {error}.") from None


def digest(*parts: NDArray[np.generic] | str) -> str:
    """The same for the same arrays and texts only."""
    total = sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part.tobytes()
        total.update(f"{len(content)} ".encode())
        total.update(content)
    return total.hexdigest()
