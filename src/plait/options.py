"""Options of estimators: frozen, checked, written to TOML and read back strictly."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from typing import Any, ClassVar, Self

from plait.errors import InputError

_DESCRIBED = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that decides what an estimator learns; the same options and data give the same bytes.

    A subclass is a frozen dataclass of texts, numbers and truths with defaults; it names its TOML table, and calls
    `_choose` and `_range` in `__post_init__` to check its values.
    """

    table: ClassVar[str]

    def to_toml(self) -> str:
        # For text, numbers and truths TOML is like JSON.
        lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in asdict(self).items()]
        return "\n".join([f"[{self.table}]", *lines, ""])

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], place: str = "") -> Self:
        """Strict: an unknown name is an error that names the nearest known one."""
        return cls().updated(values, place)

    def updated(self, values: Mapping[str, Any], place: str = "") -> Self:
        """The same but for these, with the same checks."""
        for name, value in values.items():
            wanted = self._type_of(name, place)
            accepted = (int, float) if wanted is float else wanted
            if not isinstance(value, accepted) or isinstance(value, bool) != (wanted is bool):
                raise InputError(f"{place}{name} must be {_DESCRIBED[wanted]}, not {value!r}.")
        return replace(self, **values)

    @classmethod
    def from_toml(cls, text: str, place: str = "") -> Self:
        """The estimator's table of a TOML file, and nothing else."""
        document = read_toml(text, place)
        table = document.get(cls.table)
        if set(document) != {cls.table} or not isinstance(table, dict):
            raise InputError(f"{place}one table [{cls.table}] is expected.")
        return cls.from_dict(table, place)

    @classmethod
    def parse_setting(cls, text: str) -> tuple[str, str | int | float | bool]:
        """`NAME=VALUE` as name and value."""
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"NAME=VALUE is expected, not {text!r}.")
        wanted = cls._type_of(name)
        try:
            return name, _TRUTHS[value] if wanted is bool else wanted(value)
        except (KeyError, ValueError):
            raise InputError(f"{name} must be {_DESCRIBED[wanted]}, not {value!r}.") from None

    @classmethod
    def _type_of(cls, name: str, place: str = "") -> type[str] | type[int] | type[float] | type[bool]:
        defaults = asdict(cls())
        if name not in defaults:
            near = get_close_matches(name, defaults, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else f" Available: {', '.join(defaults)}."
            raise InputError(f"{place}No option {name!r}.{hint}")
        return type(defaults[name])

    def _choose(self, name: str, available: Collection[str]) -> None:
        value = getattr(self, name)
        if value not in available:
            known = ", ".join(entry or "(none)" for entry in available)
            raise InputError(f"No {name} {value!r}. Available: {known}.")

    def _range(self, name: str, low: float, high: float) -> None:
        value = getattr(self, name)
        if not low <= value <= high:
            raise InputError(f"{name} is {value} but must be from {low:,} to {high:,}.")


def read_toml(text: str, place: str = "") -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{place}not TOML: {error}.") from None
