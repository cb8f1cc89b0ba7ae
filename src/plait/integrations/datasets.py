"""Datasets of Hugging Face: a function for `dataset.map(…, batched=True)`, and the types of what it gives.

annotated = dataset.map(Annotator("en"), batched=True)
annotated = annotate(dataset, model="en", num_proc=2)   # the same, with types and processes
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from plait.document import Document
from plait.errors import InputError
from plait.integrations.libraries import library
from plait.pipeline.pipeline import Pipeline, load
from plait.release import release
from plait.sentence import EMPTY

_TEXTS = ("form", "lemma", "upos", "xpos", "feats", "deprel")
_NUMBERS = ("sentence", "id", "head", "start", "end")


@lru_cache(maxsize=2)
def _loaded(model: str) -> Pipeline:
    """Models, once per process."""
    return load(model)


class Annotator:
    """Gives texts of a column their `words`, and `frames` if the model finds them: lists of records.

    It holds the name of the model only: processes that it is sent to load the model themselves, and the cache of a
    dataset knows what was made by another model of another name, or by another release.
    """

    def __init__(self, model: str = "en", column: str = "text") -> None:
        self.model = str(model)
        self.column = column
        self.release = release()
        self.has_frames = _loaded(self.model).giving("frames") is not None

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[list[dict[str, Any]]]]:
        if self.column not in batch:
            raise InputError(f"There is no column {self.column!r}, only {', '.join(batch)}.")
        texts = batch[self.column]
        if isinstance(texts, str):
            raise InputError("Batches of texts are needed, and this is one: dataset.map(…, batched=True).")
        documents = list(_loaded(self.model).pipe("" if text is None else text for text in texts))
        found = {"words": [_words(document) for document in documents]}
        if self.has_frames:
            found["frames"] = [_frames(document) for document in documents]
        return found

    def features(self) -> dict[str, Any]:
        """The types of the columns that it adds."""
        value = library("datasets", "datasets").Value
        word = {name: value("int32") for name in _NUMBERS} | {name: value("string") for name in _TEXTS}
        found: dict[str, Any] = {"words": [word]}
        if self.has_frames:
            argument = {"word": value("int32"), "role": value("string")}
            frame = {"sentence": value("int32"), "predicate": value("int32"), "sense": value("string")}
            found["frames"] = [frame | {"arguments": [argument]}]
        return found


def annotate(dataset: Any, column: str = "text", *, model: str = "en", **options: Any) -> Any:
    """`dataset.map` with an `Annotator` and the types of its columns, which a batch of empty texts would not tell;
    `options` are those of `map`: `num_proc`, `batch_size`, `remove_columns` …
    """
    datasets = library("datasets", "datasets")
    annotator = Annotator(model, column)
    left = options.get("remove_columns") or ()
    known = {
        name: kind
        for name, kind in (dataset.features or {}).items()
        if name not in ([left] if isinstance(left, str) else left)
    }
    types = datasets.Features(known | annotator.features()) if dataset.features else None
    return dataset.map(annotator, batched=True, features=types, **options)


def _words(document: Document) -> list[dict[str, Any]]:
    """Records as `to_pandas` has rows: `sentence` counts from 0, `id` from 1."""
    return [
        {"sentence": place, "id": word.id, "head": word.head, "start": start, "end": end}
        | {name: _given(getattr(word, name)) for name in _TEXTS}
        | {"form": word.form}
        for place, sentence in enumerate(document.sentences)
        for word, (start, end) in zip(sentence, sentence.offsets, strict=True)
    ]


def _frames(document: Document) -> list[dict[str, Any]]:
    return [
        {
            "sentence": place,
            "predicate": frame.predicate.id,
            "sense": _given(frame.sense),
            "arguments": [{"word": each.word.id, "role": each.role} for each in frame.arguments],
        }
        for place, sentence in enumerate(document.sentences)
        for frame in sentence.frames
    ]


def _given(cell: str) -> str | None:
    return None if cell == EMPTY else cell
