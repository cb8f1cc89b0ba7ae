"""Values from a file that nobody vouches for: each is what it has to be, or a ValueError says what it is instead.

A dataclass tells what is expected: texts, numbers, truths, lists, dictionaries, other dataclasses. So nothing that a
model holds can surprise whoever uses it: numbers are finite, and texts can be written to a treebank.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from plait.errors import excerpt

MOST_JSON = 1 << 24  # bytes: as objects they may take twenty times as much
_OF_KEYS = re.compile(r"""(?P<name>[\w-]+|"[^"\n]*"|'[^'\n]*')|[ \t]+|.|\n""")
_MOST_NAMES = 50
# Of what comes with a sign in JSON: lists, tables, what stands in them, and names with their values.
_SIZES = {b"[": 96, b"{": 232, b",": 64, b":": 160}
MOST_COUNTED = 1 << 53
MOST_RECORDS = 10_000  # in a list: there are no more epochs
_SURROGATES = "\ud800-\udfff"
_CONTROLS = r"\x00-\x1f\x7f" + _SURROGATES
# What breaks a cell of a treebank or misleads whoever looks at it, and what breaks a tag or a label.
UNFIT_FOR_CELLS = re.compile(f"[{_CONTROLS}]")
_UNFIT = {
    "text": re.compile(rf"[\x00-\x08\x0b-\x1f\x7f{_SURROGATES}]"),
    "cell": UNFIT_FOR_CELLS,
    "name": re.compile(rf"[\s{_CONTROLS}]"),
}
Cell = Annotated[str, "cell"]  # a word or a lemma; a plain `str` may be empty and have several lines
Name = Annotated[str, "name"]  # a tag or a label: without white space
Record = TypeVar("Record")
Number = TypeVar("Number", bound=np.generic)
_Reader = Callable[[Any, str], Any]
_LARGEST = 1e300


def record(kind: type[Record], value: object, name: str, *, others: bool = False) -> Record:
    """A dataclass from a JSON object; with `others`, the object may have entries that are not asked for."""
    if not isinstance(value, dict):
        raise ValueError(f"{name} is {_shown(value)}, not a table")
    known = _entries(cast(Any, kind))
    if not others and (unknown := value.keys() - known.keys()):
        raise ValueError(f"{name} has an unknown entry {_shown(min(unknown))}")
    found = {}
    for entry, (reader, needed) in known.items():
        if entry in value:
            found[entry] = reader(value[entry], entry)
        elif needed:
            raise ValueError(f"{name} has no entry {entry!r}")
    return kind(**found)


def read(kind: Any, value: Any, name: str) -> Any:
    """A JSON value as this type."""
    return _reader(kind)(value, name)


def text(value: object, name: str, kind: str = "text") -> str:
    """A text that can be kept and written: any, a `cell` or a `name`."""
    if not isinstance(value, str):
        raise ValueError(f"{name} is {_shown(value)}, not text")
    if not value and kind != "text":
        raise ValueError(f"{name} is empty")
    if _UNFIT[kind].search(value):
        what = "white space or a control character" if kind == "name" else "a control character"
        raise ValueError(f"{name} holds {what}: {excerpt(value)}")
    return value


def is_cell(value: str) -> bool:
    """Whether a model may keep it as a word."""
    return bool(value) and not UNFIT_FOR_CELLS.search(value)


def file_name(path: str) -> str:
    """The name of a file as a model may keep it, whatever bytes it is made of."""
    return _UNFIT["text"].sub("\ufffd", PurePath(path).name)


def size_as_objects(content: bytes) -> int:
    """About how many bytes JSON takes once it is read, before it is: up to forty times as many as there are."""
    return sum(content.count(sign) * size for sign, size in _SIZES.items())


def parse_json(content: bytes) -> Any:
    """JSON in UTF-8; ValueError for what is none, too large or too deep."""
    if len(content) > MOST_JSON:
        raise ValueError(f"there is more JSON than {MOST_JSON:,} bytes")
    try:
        found = json.loads(content.decode("utf-8"))
        if b"\\u" in content:  # halves of characters, which nobody could write again
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except RecursionError:
        raise ValueError("the JSON is too deep") from None


def parse_toml(content: str) -> dict[str, Any]:
    """ValueError for what is none, or too deep."""
    names = 0  # one after the other with dots between: reading them takes time that grows with the square
    for found in _OF_KEYS.finditer(content):
        names = names + 1 if found[0] == "." else names if found["name"] or found[0].isspace() else 0
        if names > _MOST_NAMES:
            raise ValueError("the TOML is too deep")
    try:
        return tomllib.loads(content)
    except RecursionError:
        raise ValueError("the TOML is too deep") from None


def vector(tensor: NDArray[np.generic], kind: type[Number], name: str) -> NDArray[Number]:
    """A list of such numbers, finite ones."""
    if tensor.dtype != kind or tensor.ndim != 1:
        raise ValueError(f"{name}: another type of numbers")
    if tensor.dtype.kind == "f" and not np.isfinite(tensor).all():
        raise ValueError(f"{name}: one of the numbers is none, or infinite")
    return tensor.astype(kind, copy=False)


def counts(tensor: NDArray[np.generic], name: str, least: int = 0) -> list[int]:
    """A list of whole numbers from `least` on, of whatever size."""
    if tensor.dtype.kind not in "iu" or tensor.ndim != 1:
        raise ValueError(f"{name}: another type of numbers")
    found: list[int] = cast(NDArray[np.int64], tensor).tolist()
    if found and (min(found) < least or max(found) > MOST_COUNTED):
        raise ValueError(f"{name}: a number is below {least} or too large")
    return found


@cache
def _reader(kind: Any) -> _Reader:
    """What reads values of this type."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is str or origin is Annotated:
        sort = inner[1] if inner else "text"
        return lambda value, name: text(value, name, sort)
    if kind in (int, float, bool):
        return {int: _whole, float: _number, bool: _truth}[kind]
    if is_dataclass(kind):
        return lambda value, name: record(cast(type[Any], kind), value, name)
    if origin in (Union, UnionType):
        (other,) = (_reader(each) for each in inner if each is not NoneType)
        return lambda value, name: None if value is None else other(value, name)
    readers = [_reader(each) for each in inner]
    if origin is list:
        return _list(readers[0], MOST_RECORDS if is_dataclass(inner[0]) else MOST_JSON)
    return (_table if origin is dict else _row)(readers)


def _table(readers: Sequence[_Reader]) -> _Reader:
    def read_table(value: Any, name: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError(f"{name} is {_shown(value)}, not a table")
        return {text(key, name, "cell"): readers[1](each, name) for key, each in value.items()}

    return read_table


def _list(reader: _Reader, most: int) -> _Reader:
    def read_list(value: Any, name: str) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise ValueError(f"{name} is {_shown(value)}, not a list")
        if len(value) > most:
            raise ValueError(f"{name} has {len(value):,} entries, and {most:,} are the most")
        return [reader(each, name) for each in value]

    return read_list


def _row(readers: Sequence[_Reader]) -> _Reader:
    def read_row(value: Any, name: str) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) != len(readers):
            raise ValueError(f"{name} is {_shown(value)}, not a list of {len(readers)}")
        return tuple(reader(each, name) for reader, each in zip(readers, value, strict=True))

    return read_row


def _truth(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {_shown(value)}, not true or false")
    return value


def _whole(value: object, name: str) -> int:
    if type(value) is not int:
        raise ValueError(f"{name} is {_shown(value)}, not a whole number")
    if not 0 <= value <= MOST_COUNTED:
        raise ValueError(f"{name} is {_shown(value)}, which is negative or too large")
    return value


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} is {_shown(value)}, not a number")
    if not abs(value) < _LARGEST:  # a whole number may be larger than any other; true for NaN too
        raise ValueError(f"{name} is {_shown(value)}, which is not finite, or too large")
    return float(value)


@cache
def _entries(kind: Any) -> Mapping[str, tuple[_Reader, bool]]:
    """By the names of fields what reads them, and whether they have to be there."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name: (
            _reader(hints[field.name]),
            field.default is MISSING and field.default_factory is MISSING,
        )
        for field in fields(kind)
    }


def _shown(value: object) -> str:
    """A value as a message can quote it."""
    if isinstance(value, str):
        return excerpt(value)
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return (
        excerpt(repr(value))[1:-1] if not isinstance(value, int) or abs(value) < 10**30 else "a huge number"
    )
