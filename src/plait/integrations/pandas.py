"""Sentences as data frames of pandas, a row for every word, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plait.errors import InputError
from plait.formats.jsonl import known_places
from plait.integrations.cells import cell_of, head_of, is_cell
from plait.integrations.libraries import library
from plait.sentence import EMPTY, Sentence, Treebank

# Columns of a frame by those of a sentence; `_` is a missing value, but of forms.
CELLS = {
    "lemma": "lemmas",
    "upos": "upos",
    "xpos": "xpos",
    "feats": "feats",
    "deprel": "deprels",
    "deps": "deps",
    "misc": "misc",
}
NUMBERS = ("head", "start", "end")  # they may be missing, too
COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc", "start", "end")


def to_pandas(given: Sentence | Treebank) -> Any:
    """A frame with the columns `COLUMNS`; for a treebank or a document, also `sentence`, which counts from 0.

    `start` and `end` are characters in the text of the document, or, without one, of the sentence.
    """
    pandas = library("pandas", "pandas")
    sentences = [given] if isinstance(given, Sentence) else given.sentences
    columns: dict[str, list[Any]] = {name: [] for name in ("sentence", *COLUMNS)}
    for place, sentence in enumerate(sentences):
        size = len(sentence)
        columns["sentence"] += [place] * size
        columns["id"] += range(1, size + 1)
        columns["form"] += sentence.forms
        columns["head"] += sentence.heads
        for name, source in CELLS.items():
            columns[name] += [None if cell == EMPTY else cell for cell in getattr(sentence, source)]
        starts, ends = (
            zip(*known_places(sentence) or [(None, None)] * size, strict=True) if size else ((), ())
        )
        columns["start"] += starts
        columns["end"] += ends
    kinds = dict.fromkeys(NUMBERS, "Int64") | dict.fromkeys(("form", *CELLS), "string")
    frame = {
        name: pandas.array(values, dtype=kinds.get(name, "int64"))
        for name, values in columns.items()
        if name != "sentence" or not isinstance(given, Sentence)
    }
    return pandas.DataFrame(frame)


def from_pandas(frame: Any) -> Treebank:
    """The sentences of a frame with a column `form`, and whichever others of `to_pandas` it has: `sentence` tells them
    apart. Multiword tokens, empty nodes, comments and layers have no place in a frame.
    """
    pandas = library("pandas", "pandas")
    if "form" not in frame.columns:
        raise InputError("A frame with a column 'form' is needed.")
    rows = {name: _values(pandas, frame, name) for name in ("sentence", *COLUMNS) if name in frame.columns}
    size = len(rows["form"])
    found = []
    for start, end in _runs(rows.get("sentence", [0] * size)):
        found.append(_sentence({name: values[start:end] for name, values in rows.items()}, start))
    return Treebank(found)


def _values(pandas: Any, frame: Any, name: str) -> list[Any]:
    return [None if pandas.isna(value) else value for value in frame[name].tolist()]


def _runs(names: list[Any]) -> Iterator[tuple[int, int]]:
    """Where each sentence begins and ends; its rows stand together."""
    seen: set[Any] = set()
    start = 0
    for end in range(1, len(names) + 1):
        if end < len(names) and names[end] == names[start]:
            continue
        if names[start] in seen:
            raise InputError(f"The rows of the sentence {names[start]!r} do not stand together.")
        seen.add(names[start])
        yield start, end
        start = end


def _sentence(rows: dict[str, list[Any]], place: int) -> Sentence:
    size = len(rows["form"])
    for row, (form, number) in enumerate(zip(rows["form"], rows.get("id", range(1, size + 1)), strict=True)):
        if not is_cell(form):
            raise InputError(f"Row {place + row} has no form that can stand in a treebank.")
        if number != row + 1:
            raise InputError(
                f"Row {place + row} has the id {number!r}, not {row + 1}: words count from 1, in order."
            )
    heads = [
        head_of(head, size, f"The head in row {place + row}")
        for row, head in enumerate(rows.get("head", [None] * size))
    ]
    columns: dict[str, Any] = {
        source: [cell_of(cell, f"{name} in row {place + row}") for row, cell in enumerate(rows[name])]
        for name, source in CELLS.items()
        if name in rows
    }
    return Sentence(forms=list(rows["form"]), heads=heads, **columns)
