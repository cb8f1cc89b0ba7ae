"""A training interrupted between two epochs: one file with all that is needed to go on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from plait.errors import InputError, OutputError
from plait.parser.options import ParserOptions
from plait.parser.trainer import Epoch

_MAY_CHANGE = ("epochs", "patience")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of the learner, the best weights so far, and what they were learned from."""

    weights: NDArray[np.float32]
    drift: NDArray[np.float32]
    best: NDArray[np.float32]
    examples: int
    epochs: list[Epoch]
    options: ParserOptions
    data: str  # a digest of all that was read

    def save(self, path: Path) -> None:
        about = {
            "examples": self.examples,
            "epochs": [asdict(epoch) for epoch in self.epochs],
            "options": self.options.to_toml(),
            "data": self.data,
        }
        partial = path.with_name(path.name + ".partial")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_file(
                {"weights": self.weights, "drift": self.drift, "best": self.best},
                partial,
                metadata={"plait": json.dumps(about)},
            )
            partial.replace(path)
        except (OSError, SafetensorError) as error:
            raise OutputError(f"{path}: the checkpoint cannot be written: {error}.") from None

    @classmethod
    def load(cls, path: Path, options: ParserOptions, data: str) -> Checkpoint:
        """Read a checkpoint of a training with the same data and, but for its length, the same options."""
        if not path.exists():
            raise InputError(f"{path}: there is no checkpoint, so there is no training to resume.")
        try:
            with safe_open(path, "np") as file:
                about = json.loads((file.metadata() or {})["plait"])
                tensors = {name: file.get_tensor(name) for name in ("weights", "drift", "best")}
            found = cls(
                **tensors,
                examples=int(about["examples"]),
                epochs=[Epoch(**epoch) for epoch in about["epochs"]],
                options=ParserOptions.from_toml(about["options"]),
                data=about["data"],
            )
        except (OSError, SafetensorError, ValueError, KeyError, TypeError, InputError) as error:
            raise InputError(f"{path}: the checkpoint is damaged: {error}.") from None
        for field in fields(ParserOptions):
            then, now = getattr(found.options, field.name), getattr(options, field.name)
            if then != now and field.name not in _MAY_CHANGE:
                raise InputError(f"{path}: the training to resume had {field.name} {then!r}, not {now!r}.")
        if found.data != data:
            raise InputError(f"{path}: the training to resume had another treebank, dev set or features.")
        return found


def digest(*parts: NDArray[np.generic] | str) -> str:
    """The same for the same arrays and texts only."""
    total = sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part.tobytes()
        total.update(f"{len(content)} ".encode())
        total.update(content)
    return total.hexdigest()
