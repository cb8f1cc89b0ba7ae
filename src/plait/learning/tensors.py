"""Arrays of a safetensors file as views of its bytes: read once, checked, and never copied.

The bytes that are used are those that were checked. A file that is mapped into memory could be cut off in between, and
whoever then looks at the rest is killed.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.errors import excerpt

Tensors = dict[str, NDArray[np.generic]]
_NUMBERS = {
    **{
        "F32": np.float32,
        "F64": np.float64,
        "I8": np.int8,
        "I16": np.int16,
        "I32": np.int32,
        "I64": np.int64,
    },
    **{"U8": np.uint8, "U16": np.uint16, "U32": np.uint32, "U64": np.uint64},
}
_LENGTH = 8  # bytes that tell how long the header is
_MOST_DIMENSIONS = 8


def header_of(content: bytes) -> bytes:
    """What tells of the arrays, as JSON; ValueError if the file ends before."""
    size = int.from_bytes(content[:_LENGTH], "little")
    if len(content) < _LENGTH or size > len(content) - _LENGTH:
        raise ValueError("the weights are cut off")
    return content[_LENGTH : _LENGTH + size]


def read_tensors(content: bytes) -> Tensors:
    """ValueError for what is none: https://github.com/huggingface/safetensors, the section on the format."""
    told = header_of(content)
    data = memoryview(content)[_LENGTH + len(told) :]
    header = checks.parse_json(told)
    if not isinstance(header, dict):
        raise ValueError("the header of the weights is no table")
    header.pop("__metadata__", None)
    tensors, ranges = {}, [(0, 0)]
    for name, about in header.items():
        tensors[name], own = _read(name, about, data)
        ranges.append(own)
    ranges.sort()
    if any(
        before[1] != after[0] for before, after in zip(ranges, [*ranges[1:], (len(data), 0)], strict=True)
    ):
        raise ValueError("the weights overlap, or there are gaps between them")
    return tensors


def _read(name: str, about: Any, data: memoryview) -> tuple[NDArray[np.generic], tuple[int, int]]:
    first, last = checks.read(tuple[int, int], about["data_offsets"], "data_offsets")
    shape = checks.read(list[int], about["shape"], "shape")
    if about["dtype"] not in _NUMBERS:
        raise ValueError(
            f"the tensor {excerpt(name)} has numbers of the type {excerpt(str(about['dtype']))[1:-1]}"
        )
    kind = np.dtype(_NUMBERS[about["dtype"]])
    if len(shape) > _MOST_DIMENSIONS or prod(shape) * kind.itemsize != last - first or last > len(data):
        raise ValueError(f"the tensor {excerpt(name)} has another size")
    found: NDArray[np.generic] = np.frombuffer(data[first:last], kind).reshape(shape)
    return found if found.flags.aligned else found.copy(), (first, last)
