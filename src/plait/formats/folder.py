"""Folders of treebanks as Universal Dependencies lays them out: one file or more per section of the data."""

from __future__ import annotations

from pathlib import Path

from plait.errors import InputError

_SUFFIXES = (".conllu", ".conllx", ".conll", ".conll09", ".jsonl")


def find_sections(folder: str | Path) -> dict[str, list[Path]]:
    """The files of `train`, `dev` and `test`, told by their names; a section without files is left out."""
    sections: dict[str, list[Path]] = {"train": [], "dev": [], "test": []}
    for path in sorted(Path(folder).iterdir()):
        name = path.name.removesuffix(".gz").removesuffix(".xz")
        if not name.endswith(_SUFFIXES):
            continue
        words = Path(name).stem.replace("_", "-").replace(".", "-").split("-")
        for section, files in sections.items():
            if section in words:
                files.append(path)
    if not sections["train"]:
        raise InputError(
            f"{folder}: no treebank to train on: no file whose name has the word 'train', such as "
            "xx_name-ud-train.conllu, is in this folder."
        )
    return {section: files for section, files in sections.items() if files}
