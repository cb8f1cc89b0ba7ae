"""Options of components: frozen, checked, written to TOML and read back strictly."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, ClassVar, Self

from plait.checks import parse_toml, text
from plait.errors import InputError

_DESCRIBED = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that decides what a component learns; the same options and data give the same bytes.

    A subclass is a frozen dataclass of texts, numbers and truths with defaults; it calls `_choose` and `_range` in
    `__post_init__` to check its values. `older` is what models mean that do not name an option, being older than it,
    where that is not its default.
    """

    older: ClassVar[Mapping[str, Any]] = {}

    def to_toml(self) -> str:
        """The lines of a table."""
        # For text, numbers and truths TOML is like JSON.
        return "".join(
            f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in asdict(self).items()
        )

    @classmethod
    def of_model(cls, values: Mapping[str, Any]) -> Self:
        """As a model names them, which may be older."""
        return cls.from_dict({**cls.older, **values})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], place: str = "") -> Self:
        """Strict: an unknown name is an error that names the nearest known one."""
        cls._check_types(values, place)
        return cls(**values)

    def updated(self, values: Mapping[str, Any], place: str = "") -> Self:
        """The same but for these, with the same checks."""
        self._check_types(values, place)
        return replace(self, **values)

    @classmethod
    def _check_types(cls, values: Mapping[str, Any], place: str) -> None:
        for name, value in values.items():
            wanted = cls._type_of(name, place)
            accepted = (int, float) if wanted is float else wanted
            if not isinstance(value, accepted) or isinstance(value, bool) != (wanted is bool):
                raise InputError(f"{place}{name} must be {_DESCRIBED[wanted]}, not {value!r}.")
            if isinstance(value, str):
                _check_text(value, place, name)

    @classmethod
    def parse_setting(cls, setting: str) -> tuple[str, str | int | float | bool]:
        """`NAME=VALUE` as name and value."""
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"NAME=VALUE is expected, not {setting!r}.")
        wanted = cls._type_of(name)
        try:
            return name, _TRUTHS[value] if wanted is bool else wanted(value)
        except (KeyError, ValueError):
            raise InputError(f"{name} must be {_DESCRIBED[wanted]}, not {value!r}.") from None

    @classmethod
    def _type_of(cls, name: str, place: str = "") -> type[str] | type[int] | type[float] | type[bool]:
        defaults: dict[str, Any] = {field.name: field.default for field in fields(cls)}
        if name not in defaults:
            near = get_close_matches(name, defaults, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else f" Available: {', '.join(defaults)}."
            raise InputError(f"{place}No option {name!r}.{hint}")
        kind: type[str] | type[int] | type[float] | type[bool] = type(defaults[name])
        return kind

    def _choose(self, name: str, available: Collection[str]) -> None:
        value = getattr(self, name)
        if value not in available:
            known = ", ".join(entry or "(none)" for entry in available)
            raise InputError(f"No {name} {value!r}. Available: {known}.")

    def _range(self, name: str, low: float, high: float) -> None:
        value = getattr(self, name)
        if not low <= value <= high:
            raise InputError(f"{name} is {value} but must be from {low:,} to {high:,}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningOptions(Options):
    """What everything has that learns in passes: at most so many `epochs`, of which the last `patience` must have
    brought something better; the `seed` decides the order of examples.
    """

    epochs: int = 10
    patience: int = 3
    seed: int = 1

    def __post_init__(self) -> None:
        self._range("epochs", 1, 10_000)
        self._range("patience", 1, 10_000)
        self._range("seed", 0, 2**31 - 1)


def _check_text(value: str, place: str, name: str) -> None:
    try:
        text(value, name)
    except ValueError as error:
        raise InputError(f"{place}{error}.") from None


def read_toml(content: str, place: str = "") -> dict[str, Any]:
    try:
        return parse_toml(content)
    except ValueError as error:  # a number with thousands of digits, too
        raise InputError(f"{place}not TOML: {error}.") from None
