"""Lists of strings as arrays of bytes, for model files."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def pack_texts(texts: Iterable[str]) -> NDArray[np.uint8]:
    """Every text on a line of its own, in UTF-8; backslashes and line ends within a text are escaped."""
    lines = [text.replace("\\", "\\\\").replace("\n", "\\n") + "\n" for text in texts]
    return np.frombuffer("".join(lines).encode("utf-8", "surrogatepass"), np.uint8)


def unpack_texts(packed: NDArray[np.generic]) -> list[str]:
    """The texts that were packed; ValueError if they were not."""
    if packed.dtype != np.uint8 or packed.ndim != 1:
        raise ValueError("texts have another type")
    content = packed.tobytes().decode("utf-8", "surrogatepass")
    if content and not content.endswith("\n"):
        raise ValueError("the last text is cut off")
    lines = content.split("\n")[:-1]
    if "\\" not in content:
        return lines
    return [_ESCAPED.sub(lambda found: "\n" if found[1] == "n" else found[1], line) for line in lines]
