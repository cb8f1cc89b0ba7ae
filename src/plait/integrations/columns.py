"""Documents as Arrow columns: what engines and data frames hold of trees. Needs the extra `arrow`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Unpack

from plait import formats
from plait.document import Document
from plait.errors import InputError
from plait.integrations.libraries import library
from plait.learning.request import Wishes
from plait.pipeline import Pipeline, load
from plait.pipeline.identity import identity_of
from plait.sentence import EMPTY, Sentence

library("pyarrow", "arrow")
import pyarrow as pa  # noqa: E402
import pyarrow.compute as pc  # noqa: E402

ARGUMENT = pa.struct([("word", pa.int32()), ("role", pa.string())])
FRAME = pa.struct([("predicate", pa.int32()), ("sense", pa.string()), ("arguments", pa.list_(ARGUMENT))])
WORD = pa.struct(
    [
        ("id", pa.int32()),
        *((name, pa.string()) for name in ("form", "lemma", "upos", "xpos", "feats")),
        ("head", pa.int32()),
        ("deprel", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
    ]
)
SENTENCE = pa.struct(
    [
        ("text", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("words", pa.list_(WORD)),
        ("frames", pa.list_(FRAME)),
    ]
)
SENTENCES = pa.list_(SENTENCE)
_CHARACTERS = 200_000  # of texts that are in memory as trees at the same time, unless one alone is longer
_COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats")


_loaded: dict[str, Pipeline] = {}  # in a process that works: the one model it works with, by its identity


def loaded(model: str | Path) -> Pipeline:
    """A model that stays in memory for the next task of the same process."""
    mark = identity_of(model)
    if mark not in _loaded:
        _loaded.clear()
        _loaded[mark] = load(model)
    return _loaded[mark]


def add_sentences(
    table: pa.Table, column: str, *, model: str | Path = "en", into: str = "sentences"
) -> pa.Table:
    """A table with a column more: the sentences of its texts; null where the text is null, empty where it has no word.
    A process loads the model once.
    """
    if column not in table.column_names:
        raise InputError(f"There is no column {column!r}. Available: {', '.join(table.column_names)}.")
    if into in table.column_names:
        raise InputError(f"There is a column {into!r} already; say another name (into=…).")
    nlp = loaded(model)
    schema = table.schema.append(pa.field(into, SENTENCES))
    pieces = (piece for batch in table.to_batches() for piece in annotated(nlp, batch, column, into))
    return pa.Table.from_batches(pieces, schema)


def annotated(
    nlp: Pipeline, batch: pa.RecordBatch, column: str, into: str = "sentences", **wishes: Unpack[Wishes]
) -> Iterator[pa.RecordBatch]:
    """A batch of rows in order, in pieces that are not too large, with a column of their sentences: null where the text
    is null, empty where no word is in it.
    """
    texts = batch.column(column).to_pylist()
    for first, last in _pieces(texts):
        with formats.without_garbage_collection():
            given = texts[first:last]
            found = nlp.pipe((text for text in given if text is not None), **wishes)
            documents = [None if text is None else next(found) for text in given]
            trees = sentences_column(documents)
            for document in documents:  # its sentences know it: a cycle, which nobody looks for now
                if document is not None:
                    document.sentences.clear()
        piece = batch.slice(first, last - first)
        yield pa.RecordBatch.from_arrays(
            [*piece.columns, trees], schema=piece.schema.append(pa.field(into, trees.type))
        )


def _pieces(texts: Sequence[str | None]) -> Iterator[tuple[int, int]]:
    first = size = 0
    for place, text in enumerate(texts):
        if place > first and size + len(text or "") > _CHARACTERS:
            yield first, place
            first, size = place, 0
        size += len(text or "")
    if first < len(texts) or not texts:
        yield first, len(texts)


def sentences_column(documents: Iterable[Document | None]) -> pa.Array:
    """The sentences of every document, as `SENTENCES`; of none, null. `start` and `end` are characters of the text
    (`text[start:end]`, as `sentence.offsets` has them). What a treebank writes as `_` is null.
    """
    found = list(documents)
    given = [[] if document is None else document.sentences for document in found]
    sentences = [sentence for each in given for sentence in each]
    places = [sentence.offsets for sentence in sentences]
    column = pa.ListArray.from_arrays(
        _bounds(map(len, given)),
        pa.StructArray.from_arrays(
            [
                pa.array([sentence.text for sentence in sentences], pa.string()),
                pa.array([place[0][0] if place else 0 for place in places], pa.int32()),
                pa.array([place[-1][1] if place else 0 for place in places], pa.int32()),
                _words(sentences, places),
                _frames(sentences),
            ],
            fields=list(SENTENCE),
        ),
        mask=pa.array([document is None for document in found], pa.bool_()),
    )
    return column.cast(SENTENCES)


def _words(sentences: Sequence[Sentence], places: Sequence[Sequence[tuple[int, int]]]) -> pa.Array:
    texts = {
        name: pa.array([cell for sentence in sentences for cell in getattr(sentence, name)], pa.string())
        for name in (*_COLUMNS, "deprels")
    }
    known = [texts["forms"], *(_or_null(texts[name]) for name in _COLUMNS[1:])]
    flat = pa.StructArray.from_arrays(
        [
            pa.array(
                [number for sentence in sentences for number in range(1, len(sentence) + 1)], pa.int32()
            ),
            *known,
            pa.array([head for sentence in sentences for head in sentence.heads], pa.int32()),
            _or_null(texts["deprels"]),
            pa.array([start for each in places for start, _ in each], pa.int32()),
            pa.array([end for each in places for _, end in each], pa.int32()),
        ],
        fields=list(WORD),
    )
    return pa.ListArray.from_arrays(_bounds(map(len, sentences)), flat)


def _or_null(texts: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(texts, EMPTY), pa.scalar(None, pa.string()), texts)


def _frames(sentences: Sequence[Sentence]) -> pa.Array:
    given = [sentence.frames for sentence in sentences]
    frames = [frame.frame for each in given for frame in each]
    arguments = [argument for frame in frames for argument in frame.arguments]
    flat = pa.StructArray.from_arrays(
        [
            pa.array([argument.word for argument in arguments], pa.int32()),
            pa.array([argument.role for argument in arguments], pa.string()),
        ],
        fields=list(ARGUMENT),
    )
    whole = pa.StructArray.from_arrays(
        [
            pa.array([frame.predicate for frame in frames], pa.int32()),
            pa.array([frame.sense for frame in frames], pa.string()),
            pa.ListArray.from_arrays(_bounds(len(frame.arguments) for frame in frames), flat),
        ],
        fields=list(FRAME),
    )
    return pa.ListArray.from_arrays(_bounds(map(len, given)), whole)


def _bounds(sizes: Iterable[int]) -> pa.Array:
    bounds = [0]
    for size in sizes:
        bounds.append(bounds[-1] + size)
    return pa.array(bounds, pa.int32())
