"""Folders of treebanks as Universal Dependencies lays them out: one file or more per part of the data."""

from __future__ import annotations

from pathlib import Path

from plait.errors import InputError

_SUFFIXES = (".conllu", ".conllx", ".conll", ".conll09", ".jsonl")


def find_parts(folder: str | Path) -> dict[str, list[Path]]:
    """The files of `train`, `dev` and `test`, told by their names; a part without files is left out."""
    parts: dict[str, list[Path]] = {"train": [], "dev": [], "test": []}
    for path in sorted(Path(folder).iterdir()):
        name = path.name.removesuffix(".gz").removesuffix(".xz")
        if not name.endswith(_SUFFIXES):
            continue
        words = Path(name).stem.replace("_", "-").replace(".", "-").split("-")
        for part, files in parts.items():
            if part in words:
                files.append(path)
    if not parts["train"]:
        raise InputError(
            f"{folder}: no treebank to train on: no file whose name has the word 'train', such as "
            "xx_name-ud-train.conllu, is in this folder."
        )
    return {part: files for part, files in parts.items() if files}
