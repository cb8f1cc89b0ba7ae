"""`python seeds.py FOLDER`: whole inputs to begin with, for `nets.cpp` and for `readers.py`."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from hostile.readers import READERS
from nets import ENCODER, SHAPES, Arrays, make_encoder_net, make_net
from plait.components.neural.shape import NetShape

_BODIES, _SPELLINGS = ("sru", "lstm", "encoder"), ("grams", "characters")


def packed(shape: NetShape, arrays: Arrays) -> bytes:
    heads, begin, end = (4, 0, 2) if shape.encoder else (0, 0, 0)
    flags = shape.feed | shape.attention << 1
    found = struct.pack(
        "<5B2H",
        _BODIES.index(shape.body),
        _SPELLINGS.index(shape.spelling),
        shape.tag_layer,
        flags,
        heads,
        begin,
        end,
    )
    for name, array in arrays.items():
        rows, columns = array.shape if array.ndim == 2 else (1, len(array))
        found += struct.pack("<B", len(name)) + name.encode()
        found += struct.pack("<B2H", array.dtype == np.float32, rows, columns) + array.tobytes()
    return found


def write_nets(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, shape in SHAPES.items():
        small = make_net(1, width=8, layers=2, word_dim=4, part_dim=5, arc=6, shape=shape)
        (folder / name.replace(" ", "-")).write_bytes(packed(shape, small))
    (folder / "encoder").write_bytes(packed(ENCODER, make_encoder_net(1, width=8, layers=1, inner=6)))


def write_texts(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, reader) in enumerate(READERS.items()):
        for place, sample in enumerate(reader.samples):
            file = folder / f"{name.replace(':', '-').replace(' ', '-')}-{place}"
            file.write_bytes(number.to_bytes(1, "little") + sample.encode())


if __name__ == "__main__":
    write_nets(Path(sys.argv[1]) / "nets")
    write_texts(Path(sys.argv[1]) / "readers")
