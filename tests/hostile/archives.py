"""Ways to make one file of a model folder that is no good, or to damage the file: names, sizes and flags that lie."""

from __future__ import annotations

import random
import stat
import struct
import warnings
import zipfile
from pathlib import Path

Chance = random.Random
_NAMES = (
    *("../x", "/etc/passwd", "a/../../x", "C:\\x", "parser/x.py", "manifest.json/", "x" * 60_000, "é/manifest.json"),
    *("tagger/tagger/tagger/tagger/manifest.json", "", "/", "\n", "manifest.json ", "README.md"),
)  # fmt: skip
_KINDS = (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFDIR, stat.S_IFREG, 0)
# Where in the directory of an archive things stand that are believed: flags, method, checksum, sizes, name, place.
_BELIEVED = {8: 2, 10: 2, 16: 4, 20: 4, 24: 4, 28: 2, 30: 2, 32: 2, 38: 4, 42: 4}
_NUMBERS = (0, 1, 8, 0xFFFF, 0xFFFFFFFF, 1 << 31, 1 << 24, 100)


def pack(folder: Path, target: Path, chance: Chance) -> str:
    """One file of what is in a folder, whatever that is; then it is damaged, or not."""
    method = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(target, "w", method) as opened:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 25:
                opened.writestr(
                    zipfile.ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes(), method
                )
    way = chance.choice((_nothing, _flip, _cut, _believe, _believe, _end, _add))
    way(target, chance)
    return way.__name__.strip("_")


def _nothing(target: Path, chance: Chance) -> None: ...


def _flip(target: Path, chance: Chance) -> None:
    content = bytearray(target.read_bytes())
    for _ in range(chance.choice((1, 1, 5, 50))):
        content[-1 - chance.randrange(min(len(content), chance.choice((22, 400, 1 << 30))))] = (
            chance.randrange(256)
        )
    target.write_bytes(content)


def _cut(target: Path, chance: Chance) -> None:
    content = target.read_bytes()
    first, last = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    pieces = (
        content[:first],
        content[last:],
        content[:first] + content[last:],
        content[:last] + content[first:],
    )
    target.write_bytes(chance.choice(pieces))


def _believe(target: Path, chance: Chance) -> None:
    content = bytearray(target.read_bytes())
    places = _found(content, b"PK\x01\x02")
    if chance.random() < 0.3:
        places = places[:1]
    offset, size = chance.choice(sorted(_BELIEVED.items()))
    number = chance.choice(_NUMBERS) & ((1 << 8 * size) - 1)
    for place in places:
        content[place + offset : place + offset + size] = number.to_bytes(size, "little")
    target.write_bytes(content)


def _end(target: Path, chance: Chance) -> None:
    content = target.read_bytes()
    fields = list(struct.unpack("<4s4H2LH", content[-22:]))
    place = chance.randrange(1, 8)
    fields[place] = chance.choice(_NUMBERS) & (0xFFFFFFFF if place in (5, 6) else 0xFFFF)
    before = chance.choice((b"", b"PK\x06\x07" + chance.randbytes(16)))
    target.write_bytes(content[:-22] + before + struct.pack("<4s4H2LH", *fields) + chance.choice((b"", b"x")))


def _add(target: Path, chance: Chance) -> None:
    """Another entry, of an odd name or kind, or one that grows."""
    entry = zipfile.ZipInfo(chance.choice(_NAMES))
    entry.external_attr = chance.choice(_KINDS) << 16
    entry.compress_type = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
    content = bytes(chance.choice((0, 10, 40 << 20)))
    with warnings.catch_warnings(), zipfile.ZipFile(target, "a") as opened:
        warnings.simplefilter("ignore")  # of a name that is there already
        opened.writestr(entry, content if entry.compress_type else content[:10])


def _found(content: bytes | bytearray, mark: bytes) -> list[int]:
    places, place = [], content.find(mark)
    while place >= 0:
        places.append(place)
        place = content.find(mark, place + 1)
    return places
