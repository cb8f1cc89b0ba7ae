"""An experiment as its TOML file names it: treebanks, systems, oracles, beams, seeds. Read strictly."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Any

from plait.errors import InputError
from plait.lifting import ENCODINGS
from plait.parser.options import NON_PROJECTIVE, ORACLES_OF, ParserOptions

NON_DETERMINISTIC = ("nd-swap", "nd-all", "dynamic")
METRICS = {
    "las": "LAS as in CoNLL 2018: labels without subtypes, punctuation counted",
    "las_full": "LAS with whole labels, punctuation counted",
}
_KEYS = (
    "output",
    "treebanks",
    "systems",
    "oracles",
    "beams",
    "seeds",
    "epochs",
    "metric",
    "projectivize",
    "parser",
)
_PARTS = ("train", "dev", "test")
_FROM_THE_GRID = ("system", "oracle", "beam", "seed", "epochs", "projectivize")


@dataclass(frozen=True, slots=True)
class TreebankFiles:
    """A treebank's name in the tables, and where its parts are."""

    name: str
    train: Path
    dev: Path
    test: Path | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One parser to train: the smallest unit of work, and of what is kept when a run is interrupted."""

    treebank: TreebankFiles
    options: ParserOptions

    @property
    def name(self) -> str:
        """Also the name of its files."""
        options = self.options
        return f"{self.treebank.name}.{options.system}.{options.oracle}.beam{options.beam}.seed{options.seed}"

    def __str__(self) -> str:
        options = self.options
        return (
            f"{self.treebank.name}, {options.system}, {options.oracle}, {search_name(options.beam)}, "
            f"seed {options.seed}"
        )


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything the TOML file says, checked."""

    output: Path
    treebanks: tuple[TreebankFiles, ...]
    systems: tuple[str, ...]
    oracles: tuple[str, ...]
    beams: tuple[int, ...]
    cells: tuple[Cell, ...]
    metric: str = "las"

    @property
    def convention(self) -> str:
        return METRICS[self.metric]


def search_name(beam: int) -> str:
    return "greedy" if beam == 1 else f"beam {beam}"


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment. Paths in it are relative to the file; whatever does not fit is an `InputError`."""
    try:
        document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not TOML: {error}.") from None
    return _Reader(Path(path)).experiment(document)


class _Reader:
    """Checks one document; every message names the file and the key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def experiment(self, document: dict[str, Any]) -> Experiment:
        self._known(document, _KEYS, "key")
        treebanks = tuple(self._treebanks(document))
        systems = tuple(self._names(document, "systems", ORACLES_OF, ["swap"]))
        available = dict.fromkeys(oracle for system in systems for oracle in ORACLES_OF[system])
        oracles = tuple(self._names(document, "oracles", available, list(available)))
        beams = tuple(self._numbers(document, "beams", 1, [1]))
        metric = self._text(document, "metric", "las")
        self._known([metric], METRICS, "metric")
        output = self.path.parent / self._text(document, "output")
        cells = tuple(self._cells(document, treebanks, systems, oracles, beams))
        return Experiment(output, treebanks, systems, oracles, beams, cells, metric)

    def _cells(
        self,
        document: dict[str, Any],
        treebanks: Iterable[TreebankFiles],
        systems: Iterable[str],
        oracles: Iterable[str],
        beams: Iterable[int],
    ) -> Iterator[Cell]:
        seeds = self._numbers(document, "seeds", 0, [1])
        epochs = self._number(document.get("epochs", 15), "epochs", 1)
        encoding = self._text(document, "projectivize", "")
        self._known([encoding], ("", *ENCODINGS), "projectivize")
        if encoding and set(systems) <= set(NON_PROJECTIVE):
            raise self._error(
                f"projectivize goes with other systems; {min(systems)!r} builds crossing arcs itself"
            )
        # A learning curve needs every pass, so nothing stops early unless asked.
        common = {"patience": epochs} | self._parser_options(document)
        for treebank, system, beam, oracle, seed in product(treebanks, systems, beams, oracles, seeds):
            if oracle in ORACLES_OF[system]:
                grid = {"system": system, "oracle": oracle, "beam": beam, "seed": seed, "epochs": epochs}
                if encoding and system not in NON_PROJECTIVE:
                    grid["projectivize"] = encoding
                yield Cell(treebank, self._options(common | grid))

    def _options(self, values: dict[str, Any]) -> ParserOptions:
        try:
            return ParserOptions.from_dict(values)
        except InputError as error:
            raise InputError(f"{self.path}: {error}") from None

    def _parser_options(self, document: dict[str, Any]) -> dict[str, Any]:
        options = document.get("parser", {})
        if not isinstance(options, dict):
            raise self._error("parser must be a table of options")
        for name in options:
            if name in _FROM_THE_GRID:
                raise self._error(
                    f"{name} stands outside the table [parser], because the experiment varies it"
                )
        own = options.get("features")
        if isinstance(own, str) and (self.path.parent / own).is_file():
            return options | {"features": str(self.path.parent / own)}
        return options

    def _treebanks(self, document: dict[str, Any]) -> Iterator[TreebankFiles]:
        tables = document.get("treebanks")
        if not isinstance(tables, dict) or not tables:
            raise self._error("no treebank: a table such as [treebanks.Gothic] with train and dev is needed")
        for name, table in tables.items():
            if not re.fullmatch(r"[\w-]+", name):
                raise self._error(f"{name!r} cannot name a treebank: letters, digits, - and _ only")
            if not isinstance(table, dict):
                raise self._error(f"treebanks.{name} must be a table with train and dev")
            self._known(table, _PARTS, f"part of treebanks.{name}")
            missing = [part for part in _PARTS[:2] if part not in table]
            if missing:
                raise self._error(f"treebanks.{name} has no {' and no '.join(missing)}")
            paths = {part: self._file(table[part], f"treebanks.{name}.{part}") for part in table}
            yield TreebankFiles(name, paths["train"], paths["dev"], paths.get("test"))

    def _file(self, value: object, key: str) -> Path:
        if not isinstance(value, str):
            raise self._error(f"{key} must be a path, not {value!r}")
        path = self.path.parent / value
        if not path.is_file():
            raise self._error(f"{key}: there is no file {path}")
        return path

    def _text(self, table: dict[str, Any], key: str, default: str | None = None) -> str:
        if key not in table and default is None:
            raise self._error(f"no {key}")
        value = table.get(key, default)
        if not isinstance(value, str):
            raise self._error(f"{key} must be text, not {value!r}")
        return value

    def _list(self, table: dict[str, Any], key: str, default: list[Any]) -> list[Any]:
        values = table.get(key, default)
        if not isinstance(values, list) or not values:
            raise self._error(f"{key} must be a list of one or more")
        for value in values:
            if values.count(value) > 1:
                raise self._error(f"{key} names {value!r} twice")
        return values

    def _names(
        self, table: dict[str, Any], key: str, available: Iterable[str], default: list[str]
    ) -> list[str]:
        names = self._list(table, key, default)
        self._known(names, available, key.removesuffix("s"))
        return names

    def _numbers(self, table: dict[str, Any], key: str, least: int, default: list[int]) -> list[int]:
        return [self._number(value, key, least) for value in self._list(table, key, default)]

    def _number(self, value: object, key: str, least: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self._error(f"{key}: {value!r} is not a whole number of at least {least}")
        return value

    def _known(self, names: Iterable[Any], available: Iterable[str], what: str) -> None:
        known = list(available)
        for name in names:
            if name not in known:
                near = get_close_matches(str(name), known, n=1)
                hint = f"Did you mean {near[0]!r}?" if near else f"Available: {', '.join(known)}."
                raise InputError(f"{self.path}: no {what} {name!r}. {hint}")

    def _error(self, message: str) -> InputError:
        return InputError(f"{self.path}: {message}.")
