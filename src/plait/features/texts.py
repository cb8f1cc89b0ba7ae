"""Lists of strings as arrays of bytes, for model files. Every string is a cell: not empty, no control characters."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from plait.checks import UNFIT_FOR_CELLS, is_cell, vector
from plait.errors import InputError, excerpt


def pack_texts(texts: Iterable[str]) -> NDArray[np.uint8]:
    """Every text on a line of its own, in UTF-8; backslashes are doubled. InputError for what is no cell."""
    lines = []
    for text in texts:
        if not is_cell(text):
            raise InputError(f"No model can keep the text {excerpt(text)}.")
        lines.append(text.replace("\\", "\\\\") + "\n")
    return np.frombuffer("".join(lines).encode(), np.uint8)


def unpack_texts(packed: NDArray[np.generic]) -> list[str]:
    """The texts that were packed; ValueError if they were not."""
    content = vector(packed, np.uint8, "texts").tobytes().decode()
    if content and not content.endswith("\n"):
        raise ValueError("the last text is cut off")
    lines = content.split("\n")[:-1]
    if "" in lines:
        raise ValueError("a text is empty")
    if UNFIT_FOR_CELLS.search("".join(lines)):
        raise ValueError("a text holds a control character")
    if "\\" not in content:
        return lines
    if "\\" in content.replace("\\\\", ""):
        raise ValueError("a backslash stands alone")
    return [line.replace("\\\\", "\\") for line in lines]
