"""Folders of treebanks as Universal Dependencies lays them out: one file or more per section of the data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from plait.errors import InputError

_SUFFIXES = (".conllu", ".conllx", ".conll", ".conll09", ".jsonl")


# Names of files with surface trees, and of those with the deep trees of the same sentences.
_DEEP = {"ssynt": "dsynt", "ud": "t2", "t1": "t2"}


def with_deep(files: Sequence[Path]) -> list[tuple[Path, Path | None]]:
    """Files of surface trees, each with that of its deep trees if there is one: `dsynt-train.conll` beside
    `ssynt-train.conll`, `en.t2.conllu` beside `en.ud.conllu`, or else beside `en.t1.conllu`. Where there are such
    pairs, other files are left out.
    """
    names = {path.name.removesuffix(".gz").removesuffix(".xz"): path for path in files}
    pairs: dict[Path, Path] = {}  # by deep file
    for surface, deep in _DEEP.items():
        for name, path in names.items():
            other = names.get(re.sub(rf"(?<![a-z0-9]){surface}(?![a-z0-9])", deep, name), path)
            if other != path:
                pairs.setdefault(other, path)
    return sorted((path, other) for other, path in pairs.items()) or [(path, None) for path in files]


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


def find_frames(folder: str | Path) -> str:
    """The file with frames (`*frames*.tsv`) in a folder, if there is one and only one."""
    found = sorted(Path(folder).glob("*frames*.tsv")) if Path(folder).is_dir() else []
    return str(found[0]) if len(found) == 1 else ""
