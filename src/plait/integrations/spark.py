"""Apache Spark: a column of texts becomes a column of sentences. Needs the extra `spark`.

No row leaves its partition (`mapInArrow`): nothing is shuffled, and a task that is lost is done again as a whole, so
that no row is missing or there twice.
"""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from plait.catalogue import packaged
from plait.errors import InputError
from plait.integrations.libraries import library
from plait.learning.request import Request
from plait.pipeline import Pipeline, load
from plait.pipeline.identity import identity_of, place_of

library("pyspark", "spark")
library("pyarrow", "spark")
import pyarrow as pa  # noqa: E402
from pyspark import SparkContext, SparkFiles  # noqa: E402
from pyspark.sql import DataFrame  # noqa: E402
from pyspark.sql import types as sql  # noqa: E402

from plait.integrations.columns import SENTENCES, annotated, loaded  # noqa: E402

_shipped: dict[tuple[str, str], str] = {}  # by application and identity: the name of a model in its files


def annotate(
    df: DataFrame, column: str, *, model: str | Path = "en", into: str = "sentences", beam: int | None = None
) -> DataFrame:
    """The same rows with one column more: an array of sentences, each with its text, words and frames; null where the
    text is null, and empty where no word is in it. `model` is the name of one in the package, or the path of another,
    which is sent to the workers; each of them loads it once.
    """
    _check_columns(df, column, into)
    nlp = load(model)  # what is wrong with it is said here, and not by every worker
    nlp.check(Request(beam=beam))
    _ = nlp.tokenizer
    whole = sql.StructType([*df.schema.fields, sql.StructField(into, spark_type(SENTENCES))])
    return df.mapInArrow(
        _Annotator(column, into, _ship(df.sparkSession.sparkContext, str(model)), beam), whole
    )


def _check_columns(df: DataFrame, column: str, into: str) -> None:
    kinds = {field.name: field.dataType for field in df.schema.fields}
    if column not in kinds:
        raise InputError(f"There is no column {column!r}. Available: {', '.join(kinds)}.")
    if not isinstance(kinds[column], sql.StringType):
        raise InputError(
            f"The column {column!r} holds {kinds[column].simpleString()}, and not texts (string)."
        )
    if into in kinds:
        raise InputError(f"There is a column {into!r} already; say another name (into=…).")


def spark_type(kind: pa.DataType) -> sql.DataType:
    """The type of Spark that an Arrow type of ours becomes."""
    if pa.types.is_list(kind):
        return sql.ArrayType(spark_type(kind.value_type))
    if pa.types.is_struct(kind):
        return sql.StructType([sql.StructField(field.name, spark_type(field.type)) for field in kind])
    return sql.IntegerType() if pa.types.is_int32(kind) else sql.StringType()


@dataclass(frozen=True, slots=True)
class _Model:
    """Where a worker finds the model, and how it knows that it is the same."""

    name: str
    identity: str
    is_shipped: bool

    def load(self) -> Pipeline:
        place = SparkFiles.get(self.name) if self.is_shipped else self.name
        if identity_of(place) != self.identity:
            raise InputError(
                f"The model {self.name!r} of this worker is not that of the driver: the versions of plait differ."
            )
        return loaded(place)


def _ship(context: SparkContext, model: str) -> _Model:
    """One of the package is there wherever plait is; another one is sent, once per application."""
    place, identity = place_of(model), identity_of(model)
    if packaged().get(model) == place:  # and not one's own model of the same name
        return _Model(model, identity, is_shipped=False)
    key = context.applicationId or "", identity
    if key not in _shipped:
        _shipped[key] = _send(context, place, f"plait-{identity[:16]}")
    return _Model(_shipped[key], identity, is_shipped=True)


def _send(context: SparkContext, place: Path, name: str) -> str:
    """Under which name the workers find a copy, which stays until the driver ends: those that start late ask for it
    too.
    """
    folder = mkdtemp(prefix=name)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    copy = str(Path(folder) / name)
    if place.is_dir():
        context.addArchive(f"{shutil.make_archive(copy, 'zip', place)}#{name}")
        return name
    context.addFile(shutil.copyfile(place, copy + place.suffix))
    return name + place.suffix


@dataclass(frozen=True, slots=True)
class _Annotator:
    """What travels to the workers."""

    column: str
    into: str
    model: _Model
    beam: int | None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        nlp = self.model.load()
        for batch in batches:
            yield from annotated(nlp, batch, self.column, self.into, beam=self.beam)
