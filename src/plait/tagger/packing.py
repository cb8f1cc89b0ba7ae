"""Lists of strings as arrays, which is all that a weights file holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


def pack(name: str, texts: Sequence[str]) -> dict[str, NDArray[np.generic]]:
    """Two arrays: all texts one after the other in UTF-8, and how many bytes each has."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    return {
        f"{name}.text": np.frombuffer(b"".join(encoded), np.uint8),
        f"{name}.lengths": np.array([len(text) for text in encoded], np.int32),
    }


def unpack(name: str, tensors: Mapping[str, NDArray[np.generic]]) -> list[str]:
    """The texts that were packed; ValueError if the arrays do not fit together."""
    text, lengths = tensors[f"{name}.text"].tobytes(), tensors[f"{name}.lengths"].tolist()
    if min(lengths, default=0) < 0 or sum(lengths) != len(text):
        raise ValueError(f"the texts of {name!r} do not fit together")
    ends = np.cumsum(lengths).tolist()
    return [
        text[end - size : end].decode("utf-8", "surrogatepass")
        for end, size in zip(ends, lengths, strict=True)
    ]
