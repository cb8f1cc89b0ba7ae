"""An experiment as its TOML file names it: treebanks, systems, oracles, beams, seeds. Read strictly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

from plait.components.transition.options import TransitionOptions
from plait.errors import InputError
from plait.experiments.document import DocumentReader, TreebankFiles, read_document
from plait.transitions.table import NON_PROJECTIVE, SYSTEM_FACTS
from plait.trees.lifting import ENCODINGS

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
_FROM_THE_GRID = ("system", "oracle", "beam", "seed", "epochs", "projectivize", "metric")


@dataclass(frozen=True, slots=True)
class Cell:
    """One parser to train: the smallest unit of work, and of what is kept when a run is interrupted."""

    treebank: TreebankFiles
    options: TransitionOptions

    @property
    def name(self) -> str:
        """Also the name of its files."""
        options = self.options
        return f"{self.treebank.name}.{options.system}.{options.oracle}.beam{options.beam}.seed{options.seed}"

    @property
    def leaves(self) -> tuple[str, ...]:
        return (f"models/{self.name}",)

    def origin(self) -> dict[str, Any]:
        return {"options": asdict(self.options)}

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
    document = read_document(path)
    return _Reader(Path(path)).experiment(document)


class _Reader(DocumentReader):
    """Checks the file of a grid."""

    def experiment(self, document: dict[str, Any]) -> Experiment:
        self.known(document, _KEYS, "key")
        treebanks = tuple(self.treebanks(document))
        systems = tuple(self.names(document, "systems", SYSTEM_FACTS, ["swap"]))
        available = dict.fromkeys(oracle for system in systems for oracle in SYSTEM_FACTS[system].oracles)
        oracles = tuple(self.names(document, "oracles", available, list(available)))
        beams = tuple(self.numbers(document, "beams", 1, [1]))
        metric = self.text(document, "metric", "las")
        self.known([metric], METRICS, "metric")
        output = self.path.parent / self.text(document, "output")
        cells = tuple(self._cells(document, treebanks, systems, oracles, beams, metric))
        return Experiment(output, treebanks, systems, oracles, beams, cells, metric)

    def _cells(
        self,
        document: dict[str, Any],
        treebanks: Iterable[TreebankFiles],
        systems: Iterable[str],
        oracles: Iterable[str],
        beams: Iterable[int],
        metric: str,
    ) -> Iterator[Cell]:
        seeds = self.numbers(document, "seeds", 0, [1])
        epochs = self.number(document.get("epochs", 15), "epochs", 1)
        encoding = self.text(document, "projectivize", "")
        self.known([encoding], ("", *ENCODINGS), "projectivize")
        if encoding and set(systems) <= set(NON_PROJECTIVE):
            raise self.error(
                f"projectivize goes with other systems; {min(systems)!r} builds crossing arcs itself"
            )
        # A learning curve needs every pass, so nothing stops early unless asked.
        common = {"patience": epochs, "metric": metric} | self._parser_options(document)
        for treebank, system, beam, oracle, seed in product(treebanks, systems, beams, oracles, seeds):
            if oracle in SYSTEM_FACTS[system].oracles:
                grid = {"system": system, "oracle": oracle, "beam": beam, "seed": seed, "epochs": epochs}
                if encoding and system not in NON_PROJECTIVE:
                    grid["projectivize"] = encoding
                yield Cell(treebank, self._options(common | grid))

    def _options(self, values: dict[str, Any]) -> TransitionOptions:
        try:
            return TransitionOptions.from_dict(values)
        except InputError as error:
            raise InputError(f"{self.path}: {error}") from None

    def _parser_options(self, document: dict[str, Any]) -> dict[str, Any]:
        options = document.get("parser", {})
        if not isinstance(options, dict):
            raise self.error("parser must be a table of options")
        for name in options:
            if name in _FROM_THE_GRID:
                raise self.error(f"{name} stands outside the table [parser], because it is the experiment's")
        own = options.get("features")
        if isinstance(own, str) and (self.path.parent / own).is_file():
            return options | {"features": str(self.path.parent / own)}
        return options
