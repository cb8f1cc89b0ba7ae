"""Datasets of Hugging Face: a function for `dataset.map(…, batched=True)`, and the types of what it gives.

annotated = dataset.map(Annotator("en"), batched=True)
annotated = annotate(dataset, model="en", num_proc=2)   # the same, with types and processes
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plait.errors import InputError
from plait.integrations.libraries import library
from plait.pipeline.identity import identity_of
from plait.release import release

INTO = "sentences"


class Annotator:
    """Gives texts of a column their sentences: records with text, place, words and frames (`columns.SENTENCES`). A text
    that is missing has none.

    It holds the name of the model only: processes that it is sent to load the model themselves, and the cache of a
    dataset knows what was made by another model, or by another release.
    """

    def __init__(self, model: str = "en", column: str = "text", *, into: str = INTO) -> None:
        self.model = str(model)
        self.column = column
        self.into = into
        self.release = release()
        self.identity = identity_of(self.model)
        _ = _columns().loaded(self.model).tokenizer  # what is wrong is said here, and not by every process

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        if self.column not in batch:
            raise InputError(f"There is no column {self.column!r}, only {', '.join(batch)}.")
        texts = batch[self.column]
        if isinstance(texts, str):
            raise InputError("Batches of texts are needed, and this is one: dataset.map(…, batched=True).")
        columns = _columns()
        found = columns.loaded(self.model).pipe(text for text in texts if text is not None)
        documents = (None if text is None else next(found) for text in texts)
        return {self.into: columns.sentences_column(documents).to_pylist()}

    def features(self) -> dict[str, Any]:
        """The types of the column that it adds."""
        schema = library("pyarrow", "datasets").schema([(self.into, _columns().SENTENCES)])
        return dict(library("datasets", "datasets").Features.from_arrow_schema(schema))


def annotate(
    dataset: Any, column: str = "text", *, model: str = "en", into: str = INTO, **options: Any
) -> Any:
    """`dataset.map` with an `Annotator` and the types of its column, which a batch of empty texts would not tell;
    `options` are those of `map`: `num_proc`, `batch_size`, `remove_columns` …
    """
    datasets = library("datasets", "datasets")
    annotator = Annotator(model, column, into=into)
    left = options.get("remove_columns") or ()
    known = {
        name: kind
        for name, kind in (dataset.features or {}).items()
        if name not in ([left] if isinstance(left, str) else left)
    }
    types = datasets.Features(known | annotator.features()) if dataset.features else None
    return dataset.map(annotator, batched=True, features=types, **options)


def _columns() -> Any:
    """What holds sentences as Arrow does; imported on use, since `datasets` brings the library that it needs."""
    library("pyarrow", "datasets")
    return library("plait.integrations.columns", "datasets")
