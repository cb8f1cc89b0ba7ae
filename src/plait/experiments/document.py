"""The TOML file of an experiment, read strictly: what all kinds of experiments have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from plait import checks
from plait.errors import InputError


@dataclass(frozen=True, slots=True)
class TreebankFiles:
    """A treebank's name in the tables, and where its parts are, and a lexicon of its language. With `sentences`, the
    first so many are learned from.
    """

    name: str
    train: Path
    dev: Path
    test: Path | None
    lexicon: Path | None = None
    sentences: int | None = None


def read_document(path: str | Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        return checks.parse_toml(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}.") from None
    except ValueError as error:
        raise InputError(f"{path}: not TOML: {error}.") from None


class DocumentReader:
    """Checks one document; every message names the file and the key."""

    parts: tuple[str, ...] = ("train", "dev", "test")  # of a treebank; the first two are needed
    sizes: tuple[str, ...] = ()  # what else may be said of one, in whole numbers

    def __init__(self, path: Path) -> None:
        self.path = path

    def treebanks(self, document: dict[str, Any]) -> Iterator[TreebankFiles]:
        tables = document.get("treebanks")
        if not isinstance(tables, dict) or not tables:
            raise self.error("no treebank: a table such as [treebanks.Gothic] with train and dev is needed")
        for name, table in tables.items():
            if not re.fullmatch(r"[\w-]+", name):
                raise self.error(f"{name!r} cannot name a treebank: letters, digits, - and _ only")
            if not isinstance(table, dict):
                raise self.error(f"treebanks.{name} must be a table with train and dev")
            self.known(table, (*self.parts, *self.sizes), f"part of treebanks.{name}")
            missing = [part for part in self.parts[:2] if part not in table]
            if missing:
                raise self.error(f"treebanks.{name} has no {' and no '.join(missing)}")
            sizes = {
                size: self.number(table[size], f"treebanks.{name}.{size}", 1)
                for size in table
                if size in self.sizes
            }
            paths = {
                part: self.file(table[part], f"treebanks.{name}.{part}")
                for part in table
                if part not in sizes
            }
            yield TreebankFiles(
                name,
                paths["train"],
                paths["dev"],
                paths.get("test"),
                paths.get("lexicon"),
                sizes.get("sentences"),
            )

    def file(self, value: object, key: str) -> Path:
        if not isinstance(value, str):
            raise self.error(f"{key} must be a path, not {value!r}")
        path = self.path.parent / value
        if not path.is_file():
            raise self.error(f"{key}: there is no file {path}")
        return path

    def text(self, table: dict[str, Any], key: str, default: str | None = None) -> str:
        if key not in table and default is None:
            raise self.error(f"no {key}")
        value = table.get(key, default)
        if not isinstance(value, str):
            raise self.error(f"{key} must be text, not {value!r}")
        return value

    def several(self, table: dict[str, Any], key: str, default: list[Any]) -> list[Any]:
        values = table.get(key, default)
        if not isinstance(values, list) or not values:
            raise self.error(f"{key} must be a list of one or more")
        for value in values:
            if values.count(value) > 1:
                raise self.error(f"{key} names {value!r} twice")
        return values

    def names(
        self, table: dict[str, Any], key: str, available: Iterable[str], default: list[str]
    ) -> list[str]:
        names = self.several(table, key, default)
        self.known(names, available, key.removesuffix("s"))
        return names

    def numbers(self, table: dict[str, Any], key: str, least: int, default: list[int]) -> list[int]:
        return [self.number(value, key, least) for value in self.several(table, key, default)]

    def number(self, value: object, key: str, least: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.error(f"{key}: {value!r} is not a whole number of at least {least}")
        return value

    def known(self, names: Iterable[Any], available: Iterable[str], what: str) -> None:
        known = list(available)
        for name in names:
            if name not in known:
                near = get_close_matches(str(name), known, n=1)
                hint = f"Did you mean {near[0]!r}?" if near else f"Available: {', '.join(known)}."
                raise InputError(f"{self.path}: no {what} {name!r}. {hint}")

    def error(self, message: str) -> InputError:
        return InputError(f"{self.path}: {message}.")
