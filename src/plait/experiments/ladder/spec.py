"""A ladder as its TOML file names it: treebanks, rows, kinds of tags, seeds. Read strictly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from plait.errors import InputError
from plait.experiments.document import DocumentReader, TreebankFiles, read_document
from plait.experiments.shelf import named
from plait.experiments.tagging import Tagging
from plait.pipeline import Recipe

TAGS = ("gold", "predicted")
_KEYS = ("output", "treebanks", "tags", "seeds", "epochs", "recipe", "rows")
_OF_ROW = ("preset", "tags", "vote", "over", "lexicon")  # beside the tables of a recipe


@dataclass(frozen=True, slots=True)
class Row:
    """A recipe by its name in the tables; or, without one, a vote of other rows. It is compared with the first row, and
    with the one that it is `over`, such as the step before it. With `lexicon`, its taggers know the lexicons of those
    treebanks that have one.
    """

    name: str
    tags: tuple[str, ...]
    recipe: Recipe | None
    vote: tuple[str, ...] = ()
    over: str = ""
    lexicon: bool = False

    @property
    def stem(self) -> str:
        """The name as part of a file's."""
        return re.sub(r"[^\w+-]+", "-", self.name)


@dataclass(frozen=True, slots=True)
class LadderCell:
    """One row on one treebank with one kind of tags and one seed. `members` are the cells that vote. It is measured on
    the dev set; a cell whose `part` is test, on the test set.
    """

    treebank: TreebankFiles
    tags: str
    row: Row
    seed: int
    recipe: Recipe | None
    members: tuple[LadderCell, ...] = ()
    part: str = "dev"

    @property
    def name(self) -> str:
        """Also the name of its files."""
        return f"{self.treebank.name}.{self.tags}.{self.row.stem}.seed{self.seed}"

    @property
    def gold(self) -> Path:
        """What it is measured on."""
        return self.treebank.test if self.part == "test" and self.treebank.test else self.treebank.dev

    @property
    def parsed(self) -> str:
        """That file as it was parsed, in the format in which it was."""
        return f"{'parsed' if self.part == 'dev' else 'parsed-test'}/{self.name}{self.gold.suffix}"

    @property
    def leaves(self) -> tuple[str, ...]:
        return (self.parsed,) if self.members else (f"models/{self.name}", self.parsed)

    @property
    def tagging(self) -> Tagging | None:
        """What must be there before it can begin."""
        return Tagging(self.treebank, self.recipe) if self.tags == "predicted" and self.recipe else None

    def origin(self) -> dict[str, Any]:
        if self.recipe is None:
            return {"vote": [member.origin() for member in self.members]}
        return {"tags": self.tags, "recipe": self.recipe.to_toml()}

    def __str__(self) -> str:
        return f"{self.treebank.name}, {self.tags} tags, {self.row.name}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Ladder:
    """Everything the TOML file says, checked."""

    output: Path
    treebanks: tuple[TreebankFiles, ...]
    tags: tuple[str, ...]
    rows: tuple[Row, ...]
    cells: tuple[LadderCell, ...]

    def only(self, patterns: Iterable[str]) -> Ladder:
        """The cells whose names fit one of the patterns, such as `Gothic.*.seed1`, and those that vote in them."""
        chosen = named(self.cells, patterns)
        names = {each.name for cell in chosen for each in (cell, *cell.members)}
        return replace(self, cells=tuple(cell for cell in self.cells if cell.name in names))


def is_ladder(document: Mapping[str, Any]) -> bool:
    """Whether the file of an experiment is one of this kind."""
    return "rows" in document


def read_ladder(path: str | Path) -> Ladder:
    """Read a ladder. Paths in it are relative to the file; whatever does not fit is an `InputError`."""
    return _Reader(Path(path)).ladder(read_document(path))


class _Reader(DocumentReader):
    """Checks the file of a ladder."""

    parts = (*DocumentReader.parts, "lexicon")
    sizes = ("sentences",)

    def ladder(self, document: dict[str, Any]) -> Ladder:
        self.known(document, _KEYS, "key")
        treebanks = tuple(self.treebanks(document))
        tags = tuple(self.names(document, "tags", TAGS, list(TAGS)))
        seeds = self.numbers(document, "seeds", 0, [1])
        rows = tuple(self._rows(document, tags))
        output = self.path.parent / self.text(document, "output")
        return Ladder(output, treebanks, tags, rows, tuple(_cells(treebanks, tags, rows, seeds)))

    def _rows(self, document: dict[str, Any], tags: tuple[str, ...]) -> Iterator[Row]:
        tables = self._table(document.get("rows"), "rows")
        common = self._recipe(Recipe(), self._table(document.get("recipe", {}), "recipe"), "recipe")
        epochs = self.number(document.get("epochs", 15), "epochs", 1)
        seen: dict[str, str] = {}
        for name, values in tables.items():
            row = self._row(name, self._table(values, f"rows.{name!r}"), common, tags, epochs)
            if row.stem in seen:
                raise self.error(f"the rows {seen[row.stem]!r} and {name!r} would have the same files")
            seen[row.stem] = name
            for other in row.vote:
                self.known([other], [each for each in tables if "vote" not in tables[each]], "row to vote")
            if row.over:
                self.known([row.over], [each for each in tables if each != name], "row to be over")
            yield row

    def _row(
        self, name: str, values: dict[str, Any], common: Recipe, tags: tuple[str, ...], epochs: int
    ) -> Row:
        place = f"rows.{name!r}"
        if "vote" in values:
            self.known(values, ("vote", "tags", "over"), f"key of {place}, which is a vote:")
            recipe, voters = None, tuple(self.several(values, "vote", []))
        else:
            tables = {key: value for key, value in values.items() if key not in _OF_ROW}
            if "preset" in values:
                common = self._preset(self.text(values, "preset"), common, place)
            # Every parser of a row has as many epochs, unless the row says otherwise.
            planned = self._recipe(common, tables, place).throughout("parser", epochs=epochs)
            recipe, voters = self._recipe(planned, tables, place), ()
        own = self.names(values, "tags", TAGS, list(tags))
        over = self.text(values, "over") if "over" in values else ""
        lexicon = values.get("lexicon", False)
        if not isinstance(lexicon, bool):
            raise self.error(f"{place}: lexicon is true or false; its file stands with the treebank")
        return Row(name, tuple(each for each in tags if each in own), recipe, voters, over, lexicon)

    def _preset(self, name: str, common: Recipe, place: str) -> Recipe:
        try:
            return Recipe.preset(name, common)
        except InputError as error:
            raise InputError(f"{self.path}: {place}: {error}") from None

    def _recipe(self, recipe: Recipe, tables: dict[str, Any], place: str) -> Recipe:
        return recipe.updated(tables, f"{self.path}: {place}: ")

    def _table(self, value: object, key: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.error(f"{key} must be a table")
        return value


def _cells(
    treebanks: Iterable[TreebankFiles], tags: Iterable[str], rows: Iterable[Row], seeds: Iterable[int]
) -> Iterator[LadderCell]:
    for treebank, kind, seed in product(treebanks, tags, seeds):
        made: dict[str, LadderCell] = {}
        here = [row for row in rows if kind in row.tags]
        for row in sorted(here, key=lambda row: row.recipe is None):  # votes come after those who vote
            if row.recipe is not None:
                recipe = row.recipe.throughout("parser", seed=seed)
                if row.lexicon and treebank.lexicon:
                    recipe = recipe.with_lexicon(str(treebank.lexicon))
                made[row.name] = LadderCell(treebank, kind, row, seed, recipe)
            elif all(name in made for name in row.vote):
                members = tuple(made[name] for name in row.vote)
                made[row.name] = LadderCell(treebank, kind, row, seed, None, members)
        yield from (made[row.name] for row in here if row.name in made)
