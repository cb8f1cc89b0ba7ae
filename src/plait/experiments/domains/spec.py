"""An experiment on domains as its TOML file names it: a treebank whose sentences tell their genre, what is learned from
and what is parsed, what is known beside the treebank, and rows that use it. Read strictly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from plait.experiments.document import DocumentReader, TreebankFiles, read_document
from plait.learning.plan import Plan
from plait.pipeline.agreement import LEAST, MOST

KNOWLEDGE = ("norms", "lexicon", "clusters")
ADDITIONS = ("", "agreement", "vote")
_KEYS = (
    "output",
    "treebanks",
    "seeds",
    "folds",
    "epochs",
    "settings",
    "raw",
    "knowledge",
    "sources",
    "learner",
    "rows",
)
_RAW_KEYS = ("tokenizer", "most", "texts")
_KNOWN_KEYS = ("spellings", "lexicon", "clusters", "least", "texts")
_ROW_KEYS = ("knows", "adds", "sources", "least", "most", "gold")
_LINES = re.compile(r"(.+):(\d+)-(\d+)")


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines of a file, counted from 1, or all of them."""

    path: Path
    first: int = 1
    last: int | None = None

    def __str__(self) -> str:
        return f"{self.path.name}:{self.first}-{self.last or ''}"


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known beside the treebank, for rows that ask for it."""

    spellings: tuple[Path, ...] = ()
    lexicon: tuple[Path, ...] = ()
    clusters: int = 800
    least: int = 3
    texts: tuple[Lines, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """Genres to learn from, and the one to parse, of which there is raw text."""

    name: str
    train: tuple[str, ...]
    target: str
    texts: tuple[Lines, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """What is known beside the treebank, and what is added to it: sentences on which `sources` agree, all sentences as
    they vote, or none. With `gold`, the trees of the target genre are learned from: what adaptation could reach.
    """

    name: str
    knows: tuple[str, ...] = ()
    adds: str = ""
    sources: tuple[str, ...] = ()
    least: int = LEAST
    most: int = MOST
    gold: bool = False


@dataclass(frozen=True, slots=True)
class Domains:
    """Everything the TOML file says, checked."""

    output: Path
    treebank: TreebankFiles
    seeds: tuple[int, ...]
    folds: int
    settings: tuple[Setting, ...]
    rows: tuple[Row, ...]
    knowledge: Knowledge
    sources: Mapping[str, Plan]
    learner: Plan
    tokenizer: str
    most: int  # sentences of raw text

    @property
    def cells(self) -> Iterator[tuple[Setting, Row, int]]:
        return product(self.settings, self.rows, self.seeds)


def is_domains(document: Mapping[str, Any]) -> bool:
    """Whether the file of an experiment is one of this kind."""
    return "settings" in document


def read_domains(path: str | Path) -> Domains:
    """Read an experiment. Paths in it are relative to the file; whatever does not fit is an `InputError`."""
    return _Reader(Path(path)).domains(read_document(path))


class _Reader(DocumentReader):
    """Checks the file."""

    def domains(self, document: dict[str, Any]) -> Domains:
        self.known(document, _KEYS, "key")
        treebanks = list(self.treebanks(document))
        if len(treebanks) != 1:
            raise self.error("one treebank is expected, whose sentences are of several genres")
        raw = self.table(document, "raw", _RAW_KEYS)
        texts = {genre: self.texts(table, genre) for genre, table in self.table(raw, "texts", None).items()}
        epochs = self.number(document.get("epochs", 6), "epochs", 1)
        plans = {
            name: self.plan(table, f"sources.{name}", epochs)
            for name, table in self.table(document, "sources", None).items()
        }
        return Domains(
            self.path.parent / self.text(document, "output"),
            treebanks[0],
            tuple(self.numbers(document, "seeds", 0, [1])),
            self.number(document.get("folds", 5), "folds", 2),
            tuple(self.settings(document, texts)),
            tuple(self.rows(document, plans)),
            self.knowledge(self.table(document, "knowledge", _KNOWN_KEYS)),
            plans,
            self.plan(document.get("learner", {}), "learner", epochs),
            self.text(raw, "tokenizer", "en"),
            self.number(raw.get("most", 20_000), "raw.most", 1),
        )

    def table(self, document: dict[str, Any], key: str, known: tuple[str, ...] | None) -> dict[str, Any]:
        value = document.get(key, {})
        if not isinstance(value, dict):
            raise self.error(f"{key} must be a table")
        if known:
            self.known(value, known, f"key of {key}:")
        return value

    def settings(self, document: dict[str, Any], texts: Mapping[str, tuple[Lines, ...]]) -> Iterator[Setting]:
        for name, values in self.table(document, "settings", None).items():
            if not re.fullmatch(r"[\w+-]+", name):
                raise self.error(f"{name!r} cannot name a setting: letters, digits, +, - and _ only")
            self.known(values, ("train", "target"), f"key of settings.{name}:")
            target = self.text(values, "target")
            train = tuple(self.several(values, "train", []))
            if target in train:
                raise self.error(f"settings.{name}: {target!r} is the target, so it is not learned from")
            yield Setting(name, train, target, texts.get(target, ()))

    def rows(self, document: dict[str, Any], plans: Mapping[str, Plan]) -> Iterator[Row]:
        for name, values in self.table(document, "rows", None).items():
            self.known(values, _ROW_KEYS, f"key of rows.{name!r}:")
            knows = self.names(values, "knows", KNOWLEDGE, []) if "knows" in values else []
            adds = self.text(values, "adds", "")
            self.known([adds], ADDITIONS, "addition")
            sources = self.names(values, "sources", plans, []) if adds else []
            if adds and len(sources) < 2:
                raise self.error(f"rows.{name!r}: two sources are needed, or more")
            yield Row(
                name,
                tuple(each for each in KNOWLEDGE if each in knows),
                adds,
                tuple(sources),
                self.number(values.get("least", LEAST if adds == "agreement" else 2), "least", 1),
                self.number(values.get("most", MOST), "most", 1),
                bool(values.get("gold", False)),
            )

    def knowledge(self, values: dict[str, Any]) -> Knowledge:
        def files(key: str) -> tuple[Path, ...]:
            return tuple(self.file(each, f"knowledge.{key}") for each in values.get(key, []))

        return Knowledge(
            files("spellings"),
            files("lexicon"),
            self.number(values.get("clusters", 800), "knowledge.clusters", 1),
            self.number(values.get("least", 3), "knowledge.least", 1),
            self.texts(values.get("texts", []), "knowledge.texts"),
        )

    def texts(self, values: object, key: str) -> tuple[Lines, ...]:
        if not isinstance(values, list):
            raise self.error(
                f"{key}: a list of files is expected, each perhaps with lines, such as a.txt:1-500"
            )
        found = []
        for value in values:
            cut = _LINES.fullmatch(str(value))
            path = self.file(cut[1] if cut else value, key)
            found.append(Lines(path, int(cut[2]), int(cut[3])) if cut else Lines(path))
        return tuple(found)

    def plan(self, values: object, key: str, epochs: int) -> Plan:
        if not isinstance(values, dict):
            raise self.error(f"{key} must be a table of options")
        return Plan.of({"epochs": epochs} | values, "transition", f"{self.path}: [{key}] ")
