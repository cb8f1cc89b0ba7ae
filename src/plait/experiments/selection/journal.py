"""What was measured, on the disk: a line per trial, written when it is finished, so that nothing is measured twice."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.errors import InputError, OutputError
from plait.experiments.selection.bench import Plan
from plait.experiments.selection.race import Rights, Trial
from plait.experiments.selection.worth import Worth
from plait.release import release


class Journal:
    """The trials of a plan. Thresholds and orders are not part of it: another selection may use the same trials."""

    def __init__(self, path: Path, plan: Plan, *, anew: bool = False) -> None:
        self.path = path
        self.trials: dict[Trial, Rights] = {}
        self.worths: dict[Trial, Worth] = {}
        self.rankings: dict[tuple[int, int], list[float]] = {}
        origin = _origin(plan)
        try:
            if anew or not path.exists() or _is_bare(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{json.dumps({'origin': origin})}\n", encoding="utf-8")
            else:
                self._read(origin)
            self._stream = path.open("a", encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror or error}.") from None

    def put_worth(self, trial: Trial, worth: Worth) -> None:
        """As it will be read again: in single precision, the half of the bend that says all."""
        half = np.triu_indices(len(worth.slope))
        values = np.concatenate([worth.slope, worth.bend[half]]).astype("<f4")
        self.worths[trial] = _unpack_worth(values, len(trial.chosen))
        self._write({"weighed": [trial.treebank, trial.chosen, trial.shuffle], "worth": _packed(values)})

    def put(self, trial: Trial, rights: Rights) -> None:
        self.trials[trial] = rights
        packed = _packed(rights.astype("<f8"))
        self._write({"trial": [trial.treebank, trial.chosen, trial.shuffle], "right": packed})

    def put_ranking(self, treebank: int, shuffle: int, ranking: list[float]) -> None:
        self.rankings[treebank, shuffle] = ranking
        self._write({"ranked": [treebank, shuffle], "ranking": ranking})

    def close(self) -> None:
        self._stream.close()

    def _write(self, entry: Mapping[str, Any]) -> None:
        try:
            self._stream.write(f"{json.dumps(entry)}\n")
            self._stream.flush()
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written: {error.strerror or error}.") from None

    def _read(self, origin: str) -> None:
        """Whole lines; one that a crash has cut is cut off, so that others can follow."""
        whole = 0
        with self.path.open("rb") as stream:
            for number, line in enumerate(stream):
                try:
                    entry = json.loads(line)
                    if number == 0:
                        self._check(entry["origin"], origin)
                    elif "ranking" in entry:
                        treebank, shuffle = entry["ranked"]
                        self.rankings[treebank, shuffle] = [float(each) for each in entry["ranking"]]
                    elif "worth" in entry:
                        trial = _trial(entry["weighed"])
                        values = np.frombuffer(_unpacked(entry["worth"]), "<f4")
                        self.worths[trial] = _unpack_worth(values, len(trial.chosen))
                    else:
                        self.trials[_trial(entry["trial"])] = np.frombuffer(_unpacked(entry["right"]), "<f8")
                except (ValueError, KeyError, TypeError, zlib.error):
                    if number == 0:
                        raise InputError(f"{self.path}: this is no journal of a selection.") from None
                    break
                whole += len(line)
        with self.path.open("r+b") as stream:
            stream.truncate(whole)

    def _check(self, found: object, origin: str) -> None:
        if found != origin:
            raise InputError(
                f"{self.path}: the trials in it are of another treebank, list or options, or another plait. "
                "Choose another output, or --force to begin anew."
            )


def _trial(entry: tuple[int, list[int], int]) -> Trial:
    treebank, chosen, shuffle = entry
    return Trial(treebank, tuple(chosen), shuffle)


def _packed(values: NDArray[np.generic]) -> str:
    return b64encode(zlib.compress(values.tobytes())).decode()


def _unpacked(text: str) -> bytes:
    return zlib.decompress(b64decode(text))


def _unpack_worth(values: NDArray[np.float32], templates: int) -> Worth:
    """ValueError if they are not as many as such a worth has."""
    bend = np.zeros((templates, templates))
    bend[np.triu_indices(templates)] = values[templates:]
    return Worth(values[:templates].astype(np.float64), np.triu(bend, 1).T + bend)


def _origin(plan: Plan) -> str:
    digest = sha256()
    settings = [plan.subject, dict(plan.texts), dict(plan.options), plan.passes, plan.score, release()]
    digest.update(json.dumps(settings, sort_keys=True).encode())
    for number in range(len(plan.treebanks)):
        for path in plan.files(number):
            try:
                digest.update(path.read_bytes())
            except OSError as error:
                raise InputError(f"{path}: cannot be read: {error.strerror or error}.") from None
            digest.update(b"\0")
    return digest.hexdigest()


def _is_bare(path: Path) -> bool:
    """Whether it is a journal without any trial, as a command leaves it whose treebank could not be read."""
    with path.open("rb") as stream:
        first, more = stream.readline(1000), stream.read(1)
    return first.startswith(b'{"origin": ') and first.endswith(b"}\n") and not more
