"""`plait-spark`: a folder of text or Parquet becomes Parquet with trees, on a cluster of Spark.

spark-submit "$(plait-spark --where)" corpus/ trees.parquet
"""

from __future__ import annotations

from pathlib import Path

import click

from plait.errors import InputError, PlaitError
from plait.integrations.libraries import library

_TEXT, _PARQUET = "text", "parquet"


@click.command()
@click.argument("source", metavar="INPUT", required=False)
@click.argument("output", metavar="OUTPUT", required=False)
@click.option("-m", "--model", default="en", show_default=True,
              help="The name of a model in the package, or one that is sent to the workers.")  # fmt: skip
@click.option("--from", "from_format", type=click.Choice([_TEXT, _PARQUET]), default=_TEXT, show_default=True,
              help="Text files, each of which is one row (path, text), or Parquet.")  # fmt: skip
@click.option("--column", default="text", show_default=True, help="The column with the texts.")
@click.option("--partitions", type=click.IntRange(1), metavar="N",
              help="Deal the rows out anew, for input with fewer partitions than cores: a shuffle.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace the output that is there.")
@click.option("--where", is_flag=True, help="Print the path of this job, for spark-submit.")
def job(
    source: str | None,
    output: str | None,
    model: str,
    from_format: str,
    column: str,
    partitions: int | None,
    force: bool,
    where: bool,
) -> None:
    """Parse the texts of INPUT and write all rows with their sentences to OUTPUT, as Parquet.

    INPUT and OUTPUT are paths or addresses that Spark knows (file:, hdfs:, s3a:).
    """
    if where:
        click.echo(Path(__file__).resolve())
        return
    if source is None or output is None:
        raise click.UsageError("INPUT and OUTPUT are needed.")
    try:
        run(source, output, model, from_format, column, partitions, force=force)
    except PlaitError as error:
        click.echo(f"plait-spark: {error}", err=True)
        raise click.exceptions.Exit(2 if isinstance(error, InputError) else 1) from None


def run(
    source: str,
    output: str,
    model: str = "en",
    from_format: str = _TEXT,
    column: str = "text",
    partitions: int | None = None,
    *,
    force: bool = False,
) -> None:
    """The job itself, in the session that there is or in a new one."""
    sql, functions = (library(each, "spark") for each in ("pyspark.sql", "pyspark.sql.functions"))

    from plait.integrations.spark import annotate

    spark = sql.SparkSession.builder.appName("plait-spark").getOrCreate()
    if from_format == _PARQUET:
        texts = spark.read.parquet(source)
    else:
        files = spark.read.text(source, wholetext=True, recursiveFileLookup=True)
        texts = files.select(
            functions.col("_metadata.file_path").alias("path"), functions.col("value").alias(column)
        )
    if partitions:
        texts = texts.repartition(partitions)
    annotate(texts, column, model=model).write.mode("overwrite" if force else "errorifexists").parquet(output)


main = job

if __name__ == "__main__":
    main()
