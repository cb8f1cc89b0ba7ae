"""How a parser is built and trained: names, defaults, checks."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any, TypedDict

from plait.errors import InputError
from plait.lifting import ENCODINGS

SYSTEMS = {"swap": 0, "standard": 1, "eager": 2}
ORACLES = {"eager": 0, "lazy": 1, "minimal": 2, "nd-swap": 3, "nd-all": 4, "static": 5, "dynamic": 6}
ORACLES_OF = {
    "swap": ("eager", "lazy", "minimal", "nd-swap", "nd-all"),
    "standard": ("static", "nd-all"),
    "eager": ("static", "dynamic"),
}
LEARNERS = ("passive-aggressive", "perceptron")
UPDATES = ("max-violation", "early")
PRECISIONS = ("int8", "float32")


class Settings(TypedDict, total=False):
    """The options by name, for what takes them as keywords; their meaning and defaults: `ParserOptions`."""

    system: str
    oracle: str
    beam: int
    epochs: int
    patience: int
    seed: int
    features: str
    bits: int
    precision: str
    hash_seed: int
    learner: str
    step: float
    explore: float
    update: str
    projectivize: str
    single_root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserOptions:
    """Everything that decides what is learned; the same options and data give the same bytes.

    An empty `oracle` means the best one for the search: `nd-all` (in the arc-eager system `dynamic`) for
    greedy parsing, `lazy` (`static`) for the beam. A `step` of 0 means the learner's own.
    """

    system: str = "swap"
    oracle: str = ""
    beam: int = 8
    epochs: int = 15
    patience: int = 4
    seed: int = 1
    features: str = ""
    bits: int = 24
    precision: str = "int8"
    hash_seed: int = 1
    learner: str = "passive-aggressive"
    step: float = 0.0
    explore: float = 0.9
    update: str = "max-violation"
    projectivize: str = ""
    single_root: str = "auto"

    def __post_init__(self) -> None:
        self._choose("system", SYSTEMS)
        if self.oracle and self.oracle not in ORACLES_OF[self.system]:
            raise InputError(
                f"No oracle {self.oracle!r} for system {self.system!r}. "
                f"Available: {', '.join(ORACLES_OF[self.system])}."
            )
        self._choose("learner", LEARNERS)
        self._choose("update", UPDATES)
        self._choose("precision", PRECISIONS)
        self._choose("single_root", ("auto", "yes", "no"))
        self._choose("projectivize", ("", *ENCODINGS))
        if self.projectivize and self.system == "swap":
            raise InputError(
                "The system 'swap' builds crossing arcs itself; projectivize goes with the others."
            )
        self._range("beam", 1, 4096)
        self._range("epochs", 1, 10_000)
        self._range("patience", 1, 10_000)
        self._range("bits", 10, 30)
        self._range("explore", 0, 1)
        self._range("step", 0, 1000)
        self._range("seed", 0, 2**31 - 1)
        self._range("hash_seed", 0, 2**31 - 1)

    def _choose(self, name: str, available: Any) -> None:
        value = getattr(self, name)
        if value not in available:
            known = ", ".join(entry or "(none)" for entry in available)
            raise InputError(f"No {name} {value!r}. Available: {known}.")

    def _range(self, name: str, low: float, high: float) -> None:
        value = getattr(self, name)
        if not low <= value <= high:
            raise InputError(f"{name} is {value} but must be from {low:,} to {high:,}.")

    @property
    def chosen_oracle(self) -> str:
        if self.oracle:
            return self.oracle
        if self.system == "eager":
            return "dynamic" if self.beam == 1 else "static"
        if self.beam == 1:
            return "nd-all"
        return "lazy" if self.system == "swap" else "static"

    @property
    def chosen_features(self) -> str:
        return self.features or ("eager" if self.system == "eager" else "swap")

    @property
    def chosen_step(self) -> float:
        """The longest step of the passive-aggressive learner, as found on the English dev set; with a beam, whose
        steps are short by themselves, hardly a limit.
        """
        return self.step or (0.01 if self.beam == 1 else 0.05)

    def to_toml(self) -> str:
        lines = [f"{name} = {_toml(value)}" for name, value in asdict(self).items()]
        return "[parser]\n" + "\n".join(lines) + "\n"

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], place: str = "") -> ParserOptions:
        """Strict: an unknown name is an error that names the nearest known one."""
        for name, value in values.items():
            wanted = _type_of(name, place)
            accepted = (int, float) if wanted is float else wanted
            if not isinstance(value, accepted) or isinstance(value, bool):
                raise InputError(f"{place}{name} must be {_DESCRIBED[wanted]}, not {value!r}.")
        return cls(**values)

    @classmethod
    def from_toml(cls, text: str, place: str = "") -> ParserOptions:
        """The table [parser] of a TOML file, and nothing else."""
        return cls.from_dict(read_table(text, place), place)


def read_table(text: str, place: str = "") -> dict[str, Any]:
    """The options of a TOML file, their names and types checked."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{place}not TOML: {error}.") from None
    table = document.get("parser")
    if set(document) != {"parser"} or not isinstance(table, dict):
        raise InputError(f"{place}one table [parser] is expected.")
    ParserOptions.from_dict(table, place)
    return table


def parse_setting(text: str) -> tuple[str, str | int | float]:
    """`NAME=VALUE` as name and value."""
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"NAME=VALUE is expected, not {text!r}.")
    wanted = _type_of(name)
    try:
        return name, wanted(value)
    except ValueError:
        raise InputError(f"{name} must be {_DESCRIBED[wanted]}, not {value!r}.") from None


_DESCRIBED = {int: "a whole number", float: "a number", str: "text"}


def _type_of(name: str, place: str = "") -> type[str] | type[int] | type[float]:
    defaults = asdict(ParserOptions())
    known: dict[str, type[str] | type[int] | type[float]] = {name: type(defaults[name]) for name in defaults}
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else f" Available: {', '.join(known)}."
        raise InputError(f"{place}No option {name!r}.{hint}")
    return known[name]


def _toml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)  # for text and numbers TOML is like JSON
