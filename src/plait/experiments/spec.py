"""An experiment as its TOML file names it: treebanks, systems, oracles, beams, seeds. Read strictly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from plait.components.transition.completion import short_name
from plait.components.transition.options import TransitionOptions
from plait.errors import InputError
from plait.experiments.document import DocumentReader, TreebankFiles, read_document
from plait.experiments.measures import COLUMNS, METRICS, convention
from plait.experiments.shelf import named
from plait.experiments.tagging import Tagging, usual_tagging
from plait.transitions.table import CLOSING, NON_PROJECTIVE, SYSTEM_FACTS
from plait.trees.lifting import ENCODINGS

NON_DETERMINISTIC = ("nd-swap", "nd-all", "dynamic")
_KEYS = (
    *(
        "output",
        "treebanks",
        "systems",
        "oracles",
        "beams",
        "seeds",
        "epochs",
        "metric",
        "columns",
        "against",
    ),
    *("projectivize", "completion", "tags", "folds", "clusters", "parser", "system"),
)
_FROM_THE_GRID = ("system", "oracle", "beam", "seed", "epochs", "projectivize", "metric")


@dataclass(frozen=True, slots=True)
class Cell:
    """One parser to train: the smallest unit of work, and of what is kept when a run is interrupted. With `tagging`, it
    sees predicted tags; without `keeps_model`, its parser may be gone when its scores are there.
    """

    treebank: TreebankFiles
    options: TransitionOptions
    tagging: Tagging | None = None
    clusters: Path | None = None
    keeps_model: bool = False

    @property
    def system(self) -> str:
        """With what is done to crossing arcs, where the system cannot build them, and with the completion model."""
        return system_name(self.options.system, self.options.projectivize, self.options.completion)

    @property
    def row(self) -> str:
        """The parser without treebank, beam and seed."""
        return f"{self.system} {self.options.oracle}"

    @property
    def name(self) -> str:
        """Also the name of its files."""
        options = self.options
        return f"{self.treebank.name}.{self.system}.{options.oracle}.beam{options.beam}.seed{options.seed}"

    @property
    def leaves(self) -> tuple[str, ...]:
        return (f"models/{self.name}",) if self.keeps_model else ()

    def origin(self) -> dict[str, Any]:
        return {
            "options": asdict(self.options),
            "tags": self.tagging.folds if self.tagging else "gold",
            "clusters": sha256(self.clusters.read_bytes()).hexdigest() if self.clusters else "",
        }

    def __str__(self) -> str:
        options = self.options
        return (
            f"{self.treebank.name}, {self.system}, {options.oracle}, {search_name(options.beam)}, "
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
    columns: tuple[str, ...] = ("las",)
    against: str = ""

    @property
    def convention(self) -> str:
        tags = "predicted tags" if any(cell.tagging for cell in self.cells) else "gold tags"
        return f"{convention(self.metric)}; {tags}"

    @property
    def rows(self) -> tuple[str, ...]:
        """The parsers without treebank, beam and seed."""
        return tuple(dict.fromkeys(cell.row for cell in self.cells))

    def keeping_models(self) -> Experiment:
        """For test sets, which need the parsers themselves."""
        return replace(self, cells=tuple(replace(cell, keeps_model=True) for cell in self.cells))

    def only(self, patterns: Iterable[str]) -> Experiment:
        """The cells whose names fit one of the patterns, such as `Gothic.*.beam1.*`."""
        return replace(self, cells=tuple(named(self.cells, patterns)))


def search_name(beam: int) -> str:
    return "greedy" if beam == 1 else f"beam {beam}"


def system_name(system: str, encoding: str, completion: str) -> str:
    return "-".join(filter(None, (system, encoding, completion and short_name(completion))))


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment. Paths in it are relative to the file; whatever does not fit is an `InputError`."""
    document = read_document(path)
    return _Reader(Path(path)).experiment(document)


class _Reader(DocumentReader):
    """Checks the file of a grid."""

    def experiment(self, document: dict[str, Any]) -> Experiment:
        self.known(document, _KEYS, "key")
        treebanks = tuple(self.treebanks(document))
        systems = tuple(self._systems(document))
        available = dict.fromkeys(oracle for system, *_ in systems for oracle in SYSTEM_FACTS[system].oracles)
        oracles = tuple(self.names(document, "oracles", available, list(available)))
        beams = tuple(self.numbers(document, "beams", 1, [1]))
        metric = self.text(document, "metric", "las")
        self.known([metric], METRICS, "metric")
        columns = tuple(self.names(document, "columns", COLUMNS, [metric]))
        output = self.path.parent / self.text(document, "output")
        cells = tuple(self._cells(document, treebanks, systems, oracles, beams, metric))
        against = self.text(document, "against", "")
        if against:
            self.known([against], dict.fromkeys(cell.row for cell in cells), "row to compare with")
        names = tuple(dict.fromkeys(cell.system for cell in cells))
        return Experiment(output, treebanks, names, oracles, beams, cells, metric, columns, against)

    def _systems(self, document: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
        """Every system, with every way to do without crossing arcs if it cannot build them, and with every completion
        model if its arcs close a word.
        """
        systems = self.names(document, "systems", SYSTEM_FACTS, ["swap"])
        encodings = document.get("projectivize", [""])
        if isinstance(encodings, str):
            document = document | {"projectivize": [encodings]}
        encodings = self.several(document, "projectivize", [""])
        self.known(encodings, ("", *ENCODINGS), "projectivize")
        if any(encodings) and set(systems) <= set(NON_PROJECTIVE):
            raise self.error(
                f"projectivize goes with other systems; {min(systems)!r} builds crossing arcs itself"
            )
        completions = self._completions(document)
        if any(completions) and set(systems).isdisjoint(CLOSING):
            raise self.error(f"completion goes with the systems {' and '.join(CLOSING)}")
        for system in systems:
            yield from product(
                [system],
                [""] if system in NON_PROJECTIVE else encodings,
                completions if system in CLOSING else [""],
            )

    def _completions(self, document: dict[str, Any]) -> list[str]:
        """Those that are tried, each as a system of its own; otherwise `[parser]` may have one for all."""
        parser = document.get("parser", {})
        if "completion" in document and isinstance(parser, dict) and "completion" in parser:
            raise self.error("completion stands outside the table [parser], or in it, but not twice")
        return self.several(document, "completion", [""])

    def _cells(
        self,
        document: dict[str, Any],
        treebanks: Iterable[TreebankFiles],
        systems: Iterable[tuple[str, str, str]],
        oracles: Iterable[str],
        beams: Iterable[int],
        metric: str,
    ) -> Iterator[Cell]:
        seeds = self.numbers(document, "seeds", 0, [1])
        epochs = self.number(document.get("epochs", 15), "epochs", 1)
        folds = self._folds(document)
        clusters = self.file(document["clusters"], "clusters") if "clusters" in document else None
        own = self._tables_of_systems(document, {system for system, *_ in systems})
        # A learning curve needs every pass, so nothing stops early unless asked.
        common = {"patience": epochs, "metric": metric} | self._parser_options(document, "parser")
        for treebank, (system, encoding, completion), beam, oracle, seed in product(
            treebanks, systems, beams, oracles, seeds
        ):
            if oracle in SYSTEM_FACTS[system].oracles:
                grid = {"system": system, "oracle": oracle, "beam": beam, "seed": seed, "epochs": epochs}
                grid["projectivize"] = encoding
                if "completion" in document:
                    grid["completion"] = completion
                options = self._options(common | own.get(system, {}) | grid)
                yield Cell(treebank, options, usual_tagging(treebank, folds) if folds else None, clusters)

    def _folds(self, document: dict[str, Any]) -> int:
        """Of the training set, for predicted tags; 0 for gold ones."""
        tags = self.text(document, "tags", "gold")
        self.known([tags], ("gold", "predicted"), "kind of tags")
        if tags == "gold" and "folds" in document:
            raise self.error('folds are for predicted tags: tags = "predicted" is missing')
        return self.number(document.get("folds", 10), "folds", 2) if tags == "predicted" else 0

    def _tables_of_systems(self, document: dict[str, Any], systems: set[str]) -> dict[str, dict[str, Any]]:
        tables = document.get("system", {})
        if not isinstance(tables, dict):
            raise self.error("system must hold tables, such as [system.swap], with options of parsers")
        self.known(tables, sorted(systems), "system")
        return {name: self._parser_options(tables, name) for name in tables}

    def _options(self, values: dict[str, Any]) -> TransitionOptions:
        try:
            return TransitionOptions.from_dict(values)
        except InputError as error:
            raise InputError(f"{self.path}: {error}") from None

    def _parser_options(self, tables: dict[str, Any], key: str) -> dict[str, Any]:
        options = tables.get(key, {})
        if not isinstance(options, dict):
            raise self.error(f"{key} must be a table of options")
        for name in options:
            if name in _FROM_THE_GRID:
                raise self.error(f"{name} stands outside the table [{key}], because it is the experiment's")
        own = options.get("features")
        if isinstance(own, str) and (self.path.parent / own).is_file():
            return options | {"features": str(self.path.parent / own)}
        return options
