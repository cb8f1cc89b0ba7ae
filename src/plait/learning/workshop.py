"""Where a training keeps what it has finished, so that an interrupted one can go on.

A folder: `epochs.safetensors` of the component that is learning, a model folder for each that has finished, and the
folds of the training set that are annotated. A part of a training has a room of its own in it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from plait import checks, folders, formats
from plait.errors import InputError, OutputError
from plait.sentence import Sentence

_MARK = "workshop.json"
_MOST = 1 << 20  # bytes of the mark
_MAY_CHANGE = ("epochs = ", "patience = ")


@dataclass(frozen=True, slots=True)
class _Mark:
    """What the training in a folder is about."""

    plait_workshop: int
    recipe: str
    data: str


@dataclass(frozen=True, slots=True)
class Workshop:
    """Without a folder nothing is kept."""

    folder: Path | None = None
    resume: bool = False

    @classmethod
    def open(cls, folder: Path, recipe: str, *treebanks: Sequence[Sentence] | None, resume: bool) -> Workshop:
        """A folder for one training. An older one in its place is emptied; with `resume` it is gone on with, if it was
        about the same. What is not a workshop is never touched.
        """
        lines = [line for line in recipe.splitlines() if not line.startswith(_MAY_CHANGE)]
        mark = _Mark(1, "\n".join(lines), _digest(treebanks))
        found = _read_mark(folder)
        if resume:
            if found is None:
                raise InputError(f"{folder}: there is no checkpoint, so there is no training to resume.")
            if found.recipe != mark.recipe:
                raise InputError(f"{folder}: the training to resume had other options.")
            if found.data != mark.data:
                raise InputError(f"{folder}: the training to resume had another treebank or dev set.")
        elif folder.exists() and found is None:
            raise OutputError(
                f"{folder}: something else is in the place of the checkpoint; it is not replaced."
            )
        content = json.dumps(asdict(mark)).encode()
        try:
            if resume:
                folders.write_file(folder / _MARK, content)
            else:
                # Never without its mark, or a crash would leave a folder that nobody dares to replace.
                with folders.replacing(folder) as new:
                    (new / _MARK).write_bytes(content)
        except OSError as error:
            raise OutputError(f"{folder}: the checkpoint cannot be written: {error}.") from None
        return cls(folder, resume)

    @staticmethod
    def is_one(folder: Path) -> bool:
        return _read_mark(folder) is not None

    def close(self) -> None:
        """Nothing of it is needed any more."""
        if self.folder and self.is_one(self.folder):
            with suppress(OSError):
                folders.remove(self.folder)

    def room(self, name: str) -> Workshop:
        return Workshop(self.folder / name, self.resume) if self.folder else self

    @property
    def checkpoint(self) -> Path | None:
        return self.folder / "epochs.safetensors" if self.folder else None

    @property
    def model(self) -> Path | None:
        """The folder for the component, once it has finished."""
        return self.folder / "model" if self.folder else None

    @property
    def is_finished(self) -> bool:
        return bool(self.resume and self.model and self.model.exists())

    def keep_sentences(self, name: str, sentences: Sequence[Sentence]) -> None:
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            with folders.replacing_file(self.folder / f"{name}.jsonl") as stream:
                formats.write(sentences, stream, format="jsonl")

    def find_sentences(self, name: str) -> list[Sentence] | None:
        """Those that were kept by an interrupted training."""
        path = self.folder / f"{name}.jsonl" if self.folder else None
        if not (self.resume and path and path.exists()):
            return None
        return list(formats.read(path, format="jsonl"))


def _read_mark(folder: Path) -> _Mark | None:
    try:
        content = folders.read_file(folder / _MARK, _MOST)
        return checks.record(_Mark, checks.parse_json(content), "the mark")
    except (OSError, ValueError):
        return None


def _digest(treebanks: Sequence[Sequence[Sentence] | None]) -> str:
    total = sha256()
    for treebank in treebanks:
        for sentence in treebank or ():
            columns = (
                sentence.forms,
                sentence.lemmas,
                sentence.upos,
                sentence.xpos,
                sentence.feats,
                sentence.deprels,
            )
            cells = ["\t".join(column) for column in columns]
            text = "\n".join([*cells, repr(sentence.heads), repr(sentence.misc), *sentence.comments, ""])
            total.update(text.encode("utf-8", "surrogatepass"))
        total.update(b"\0")
    return total.hexdigest()
