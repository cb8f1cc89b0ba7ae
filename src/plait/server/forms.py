"""The arguments of a request, from its address and from its body, read by a worker and in slices: a body of
megabytes may hold millions of escapes, or be one name.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from plait.errors import InputError

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

# It would write a line for every body that is none; the client is told.
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)

_SLICE = 1 << 14  # bytes
_LONGEST_NAME = 80
_BAD_BODY = "The body must be application/x-www-form-urlencoded or multipart/form-data."


@dataclass(slots=True)
class Form:
    """What was sent, and the arguments that are read from it; files count as their content."""

    query: bytes
    kind: str  # the header Content-Type; empty without a body
    body: bytes
    most: int  # arguments
    fields: dict[str, str] = field(default_factory=dict)

    def read(self) -> Iterator[str]:
        """Fill `fields`; after every piece of the work something empty is yielded."""
        try:
            yield from self._read_urlencoded(self.query)
            kind, options = parse_options_header(self.kind.encode("latin-1", "replace"))
            if kind == b"application/x-www-form-urlencoded":
                yield from self._read_urlencoded(self.body)
            elif kind == b"multipart/form-data":
                yield from self._read_multipart(options.get(b"boundary", b""))
            elif self.kind or self.body:
                raise InputError(_BAD_BODY)
            self.body = b""  # the answer may take long
        except UnicodeDecodeError:
            raise InputError("The data are not UTF-8.") from None

    def _read_urlencoded(self, data: bytes) -> Iterator[str]:
        if data.count(b"&") >= 2 * self.most:  # some may be empty
            raise self._too_many()
        for pair in data.split(b"&"):
            name, _, value = pair.partition(b"=")
            if pair:
                # Text that is not escaped is UTF-8 too: curl sends it so.
                yield from self._unescape(value, _short(unquote_to_bytes(_short(name).replace(b"+", b" "))))

    def _unescape(self, value: bytes, name: bytes) -> Iterator[str]:
        found = bytearray()
        begin = 0
        while begin < len(value):
            end = begin + _SLICE
            if end < len(value):
                # An escape is not cut.
                end -= next((cut for cut in (1, 2) if value[end - cut : end - cut + 1] == b"%"), 0)
            found += unquote_to_bytes(value[begin:end].replace(b"+", b" "))
            begin = end
            yield ""
        self._add(name, found)

    def _read_multipart(self, boundary: bytes) -> Iterator[str]:
        parts = _Parts(self.most)
        try:
            parser = MultipartParser(boundary, parts.callbacks())
            for begin in range(0, len(self.body), _SLICE):
                parser.write(self.body[begin : begin + _SLICE])
                yield ""
            parser.finalize()
        except FormParserError:
            raise InputError(
                "The body cannot be read: it is no multipart/form-data with this boundary."
            ) from None
        if parts.is_open:
            raise InputError("The body cannot be read: its last part does not end.")
        if parts.too_many:
            raise self._too_many()
        for name, value in parts.found:
            self._add(name, value)
            yield ""

    def _add(self, name: bytes | bytearray, value: bytes | bytearray) -> None:
        if len(self.fields) >= self.most:
            raise self._too_many()
        self.fields[name.decode()] = value.decode()

    def _too_many(self) -> InputError:
        return InputError(f"The request has more than {self.most} arguments.")


class _Parts:
    """The parts of a multipart body, as its parser tells of them."""

    def __init__(self, most: int) -> None:
        self.found: list[tuple[bytes, bytearray]] = []
        self.too_many = False
        self.is_open = False
        self._most = most
        self._header = bytearray()
        self._value = bytearray()
        self._disposition = b""
        self._data = bytearray()

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_part_data": self._add_data,
            "on_part_end": self._end,
            "on_header_field": self._add_name,
            "on_header_value": self._add_value,
            "on_header_end": self._end_header,
        }

    def _begin(self) -> None:
        self.is_open = True
        self._disposition, self._data = b"", bytearray()

    def _add_name(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = bytes(self._value)
        self._header, self._value = bytearray(), bytearray()

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        if not self.too_many:
            self._data += data[start:end]

    def _end(self) -> None:
        self.is_open = False
        self.too_many |= len(self.found) >= self._most
        if self.too_many:
            return
        _, options = parse_options_header(self._disposition)
        if b"name" not in options:
            raise InputError("The body cannot be read: a part of it has no name.")
        self.found.append((_short(options[b"name"]), self._data))


def _short(name: bytes) -> bytes:
    """A name, cut if it is far longer than any that is known: who would read it in a message?"""
    return name if len(name) <= 3 * _LONGEST_NAME else name[: 3 * _LONGEST_NAME] + b"..."
