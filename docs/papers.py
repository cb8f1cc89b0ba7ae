"""Makes docs/papers.md from what is stored in docs/papers: python docs/papers.py [FILE]

docs/papers/README.md explains the files. Nothing is measured here: who measures anew stores the result and runs this.
"""

from __future__ import annotations

import argparse
import ast
import csv
import operator
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

FOLDER = Path(__file__).parent / "papers"
PAGE = Path(__file__).parent / "papers.md"
_KEYS = {
    "": {"authors", "year", "called", "title", "venue", "pages", "what", "tables", "slips", "unchecked"},
    "tables": {
        "name",
        "about",
        "command",
        "columns",
        "rows",
        "results",
        "beam",
        "scores",
        "picture",
        "shows",
        "note",
    },
    "slips": {"where", "printed", "right", "arithmetic", "why"},
    "unchecked": {"what", "why"},
}
_OPERATIONS: dict[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
}
_INTRODUCTION = """\
# Every printed number, checked

<!-- Made by docs/papers.py from docs/papers/: change the files there and run it. -->

Plait implements {papers} papers. Here every number of theirs that public data can check stands beside ours, with
the command that gives it; then the slips of the papers that came to light, and what cannot be checked, and why.

How to read it:

- *paper* is what is printed. *ours* is measured with plait on the data that the line above the table names. Where
  these are not the data of the paper, the two are not the same test: what can be compared is the order of rows and
  the size of differences.
- Scores are of **dev sets**, on which epochs were chosen too, unless a line says *test*. One seed, unless a line
  says how many.
- LAS is that of CoNLL 2018 (labels without subtypes, punctuation counted) unless a line says otherwise.
- Commands are run in the root of the repository, with the treebanks where the files in `experiments/` look for
  them; `FOLDER/` is wherever you keep the data.

{slips} slips are named below. Arithmetic in a slip is done by the program that makes this page.
"""


class PapersError(Exception):
    """A stored file is not as it should be."""


@dataclass(frozen=True)
class Paper:
    """What is stored of one paper."""

    name: str
    values: Mapping[str, Any]

    @property
    def title(self) -> str:
        """With `called`, where authors and year are those of another paper too."""
        return str(self.values.get("called") or f"{self.values['authors']} ({self.values['year']})")

    @property
    def anchor(self) -> str:
        kept = (c if c.isalnum() or c in "-_" else "-" if c == " " else "" for c in self.title.lower())
        return "".join(kept)


def read_papers(folder: Path = FOLDER) -> list[Paper]:
    """All of them, by year and author; PapersError where a file has an unknown or a missing key."""
    papers = []
    for path in sorted(folder.glob("*.toml")):
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        _check(path.name, values, _KEYS[""])
        missing = {"authors", "year", "title", "venue", "what"} - set(values)
        if missing:
            raise PapersError(f"{path.name}: no {', '.join(sorted(missing))}")
        for key in ("tables", "slips", "unchecked"):
            for entry in values.get(key, []):
                _check(f"{path.name}, {key}", entry, _KEYS[key])
        papers.append(Paper(path.stem, values))
    return sorted(papers, key=lambda paper: (paper.values["year"], paper.values["authors"], paper.name))


def page(folder: Path = FOLDER) -> str:
    papers = read_papers(folder)
    slips = sum(len(paper.values.get("slips", [])) for paper in papers)
    parts = [_INTRODUCTION.format(papers=len(papers), slips=slips)]
    parts.append(
        _table(
            ["paper", "tables", "slips"],
            [
                [
                    f"[{paper.title}](#{paper.anchor}): {paper.values['title']}",
                    str(len(paper.values.get("tables", []))),
                    str(len(paper.values.get("slips", [])) or ""),
                ]
                for paper in papers
            ],
        )
    )
    for paper in papers:
        parts += _section(paper, folder)
    return "\n".join(parts).rstrip() + "\n"


def _section(paper: Paper, folder: Path) -> Iterator[str]:
    values = paper.values
    yield f"\n## {paper.title}\n"
    pages = ", ".join(f"[{name.removesuffix('.md')}]({name})" for name in values.get("pages", []))
    yield f"*{values['title']}* ({values['venue']}). {values['what']}{f' See {pages}.' if pages else ''}\n"
    for table in values.get("tables", []):
        yield from _checked(paper, table, folder)
    if values.get("slips"):
        yield "**Slips**\n"
        yield from (f"- {_slip(paper, slip)}" for slip in values["slips"])
        yield ""
    if values.get("unchecked"):
        yield "**Not checked**\n"
        yield from (f"- {entry['what']}: {entry['why']}" for entry in values["unchecked"])
        yield ""


def _checked(paper: Paper, table: Mapping[str, Any], folder: Path) -> Iterator[str]:
    yield f"**{table['name']}.** {table.get('about', '')}\n"
    if "command" in table:
        yield f"```sh\n{table['command'].strip()}\n```\n"
    if "rows" in table:
        width = len(table["columns"])
        for row in table["rows"]:
            if len(row) != width:
                raise PapersError(f"{paper.name}, {table['name']}: {row} has not {width} cells")
        yield _table(table["columns"], table["rows"])
    if "results" in table:
        yield _results(table, folder)
    if "picture" in table:
        if "shows" not in table:
            raise PapersError(f"{paper.name}, {table['name']}: a picture needs shows, what it is in words")
        yield f"![{table['shows']}](pictures/{table['picture']})\n"
    if "note" in table:
        yield f"{table['note'].strip()}\n"


def _results(table: Mapping[str, Any], folder: Path) -> str:
    """The cells of an experiment (`cells.csv`, or `test-cells.csv`), a line per treebank and row: means over seeds."""
    path = folder / table["results"]
    if not path.is_file():
        return "*Not run yet.*\n"
    with path.open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    groups: dict[tuple[str, str], list[dict[str, str]]] = {}
    for cell in cells:
        if "row" in cell:  # of a ladder
            groups.setdefault((cell["treebank"], cell["row"]), []).append(cell)
        elif int(cell["beam"]) == table.get("beam", 1):
            groups.setdefault((cell["treebank"], f"{cell['system']} {cell['oracle']}"), []).append(cell)
    scores = table["scores"]
    lines = [
        [treebank, f"`{row}`", *(_mean(group, column) for column in scores), str(len(group))]
        for (treebank, row), group in groups.items()
    ]
    return _table(["treebank", "row", *scores.values(), "seeds"], lines)


def _mean(group: Sequence[Mapping[str, str]], column: str) -> str:
    values = [float(cell[column]) for cell in group]
    spread = f" ({min(values):.2f}–{max(values):.2f})" if len(values) > 1 else ""
    return f"{fmean(values):.2f}{spread}"


def _slip(paper: Paper, slip: Mapping[str, Any]) -> str:
    text = f"{slip['where']}: printed {slip['printed']}"
    if "arithmetic" in slip:
        try:
            value = evaluate(slip["arithmetic"])
        except (ValueError, SyntaxError) as error:
            raise PapersError(f"{paper.name}: {slip['arithmetic']}: {error}") from None
        text += f", but {slip['arithmetic']} = {value:.2f}"
    if "right" in slip:
        text += f", right is {slip['right']}"
    return f"{text}. {slip['why']}" if "why" in slip else f"{text}."


def evaluate(expression: str) -> float:
    """Numbers, + - * / and brackets; nothing else can be meant."""

    def value(node: ast.AST) -> float:
        if isinstance(node, ast.Expression):
            return value(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return float(node.value)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
            return _OPERATIONS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATIONS:
            return _OPERATIONS[type(node.op)](value(node.operand))
        raise ValueError("not arithmetic")

    return value(ast.parse(expression, mode="eval"))


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [_line(columns), "|" + "---|" * len(columns), *map(_line, rows)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _check(where: str, values: Mapping[str, Any], known: set[str]) -> None:
    unknown = set(values) - known
    if unknown:
        raise PapersError(f"{where}: no key {', '.join(sorted(unknown))}")


def main() -> None:
    arguments = argparse.ArgumentParser(description="Make docs/papers.md from docs/papers.")
    arguments.add_argument("file", nargs="?", type=Path, default=PAGE)
    arguments.parse_args().file.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
