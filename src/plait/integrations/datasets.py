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

_TEXTS = ("lemma", "upos", "xpos", "feats", "deprel")
INTO = "sentences"


@lru_cache(maxsize=2)
def _loaded(model: str) -> Pipeline:
    """Models, once per process."""
    return load(model)


class Annotator:
    """Gives texts of a column their sentences: records with text, place, words and frames. A text that is missing has
    none.

    It holds the name of the model only: processes that it is sent to load the model themselves, and the cache of a
    dataset knows what was made by a model of another name, or by another release.
    """

    def __init__(self, model: str = "en", column: str = "text", *, into: str = INTO) -> None:
        self.model = str(model)
        self.column = column
        self.into = into
        self.release = release()
        _ = _loaded(self.model).tokenizer  # what is wrong with it is said here, and not by every process

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        if self.column not in batch:
            raise InputError(f"There is no column {self.column!r}, only {', '.join(batch)}.")
        texts = batch[self.column]
        if isinstance(texts, str):
            raise InputError("Batches of texts are needed, and this is one: dataset.map(…, batched=True).")
        found = _loaded(self.model).pipe(text for text in texts if text is not None)
        return {self.into: [None if text is None else _sentences(next(found)) for text in texts]}

    def features(self) -> dict[str, Any]:
        """The types of the column that it adds."""
        value = library("datasets", "datasets").Value
        number, text = value("int32"), value("string")
        word = {"id": number, "form": text, **dict.fromkeys(_TEXTS, text)}
        word |= {"head": number, "start": number, "end": number}
        frame = {"predicate": number, "sense": text, "arguments": [{"word": number, "role": text}]}
        sentence = {"text": text, "start": number, "end": number, "words": [word], "frames": [frame]}
        return {self.into: [sentence]}


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


def _sentences(document: Document) -> list[dict[str, Any]]:
    return [
        {
            "text": sentence.text,
            "start": sentence.start,
            "end": sentence.end,
            "words": [
                {"id": word.id, "form": word.form, "head": word.head, "start": start, "end": end}
                | {name: _given(getattr(word, name)) for name in _TEXTS}
                for word, (start, end) in zip(sentence, sentence.offsets, strict=True)
            ],
            "frames": [
                {
                    "predicate": frame.predicate.id,
                    "sense": frame.sense,
                    "arguments": [{"word": each.word.id, "role": each.role} for each in frame.arguments],
                }
                for frame in sentence.frames
            ],
        }
        for sentence in document
    ]


def _given(cell: str) -> str | None:
    return None if cell == EMPTY else cell
