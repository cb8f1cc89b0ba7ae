"""Apache Spark, on a cluster of two executors: types, nulls, models that are sent, and processes that are killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import plait

pytest.importorskip("pyspark")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("Spark needs Java", allow_module_level=True)

import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from plait.integrations.columns import SENTENCES, sentences_column
from plait.integrations.jobs import plait_spark
from plait.integrations.spark import annotate, spark_type

pytestmark = pytest.mark.filterwarnings("ignore")  # of pyspark's own
MODEL = "en-fast"
TEXTS = ["Who did you send it to?", None, "", "The dog saw a cat. A hearing is scheduled on the issue today."]


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executorEnv.PYTHONPATH", str(Path(plait.__file__).parents[1]))
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def nlp() -> plait.Pipeline:
    return plait.load(MODEL)


def frame(spark: SparkSession) -> DataFrame:
    rows = [(number, text, [number / 2]) for number, text in enumerate(TEXTS)]
    return spark.createDataFrame(rows, "id int, text string, more array<double>")


def expected(nlp: plait.Pipeline, texts: list[str | None]) -> list[Any]:
    found: list[Any] = sentences_column([None if text is None else nlp(text) for text in texts]).to_pylist()
    return found


def plain(value: Any) -> Any:
    """Rows as dictionaries."""
    if hasattr(value, "asDict"):
        return {name: plain(each) for name, each in value.asDict().items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def test_a_typed_column_is_added_and_all_others_stay(spark: SparkSession, nlp: plait.Pipeline) -> None:
    found = annotate(frame(spark), "text", model=MODEL)
    assert [(each.name, each.dataType) for each in found.schema.fields[:3]] == [
        (each.name, each.dataType) for each in frame(spark).schema.fields
    ]
    assert found.schema["sentences"].dataType == spark_type(SENTENCES)
    rows = found.orderBy("id").collect()
    assert [(row.id, row.text, row.more) for row in rows] == [
        (i, text, [i / 2]) for i, text in enumerate(TEXTS)
    ]
    assert [plain(row.sentences) for row in rows] == expected(nlp, TEXTS)
    words = found.selectExpr("explode(sentences) s").selectExpr("explode(s.words) w").select("w.*")
    assert words.where("upos = 'VERB'").count() == 3


def test_a_model_that_is_no_part_of_the_package_is_sent(spark: SparkSession, tmp_path: Path) -> None:
    model = plait.Pipeline(dict(plait.load(MODEL).components))
    model.save(tmp_path / "mine")
    found = annotate(frame(spark), "text", model=tmp_path / "mine", into="trees")
    shutil.rmtree(tmp_path / "mine")  # the workers have no other way to it
    assert [len(row.trees or ()) for row in found.orderBy("id").collect()] == [1, 0, 0, 2]


def test_what_cannot_be_done_is_said_at_once(
    spark: SparkSession, nlp: plait.Pipeline, tmp_path: Path
) -> None:
    df = frame(spark)
    with pytest.raises(plait.InputError, match=r"no column 'body'\. Available: id, text, more"):
        annotate(df, "body")
    with pytest.raises(plait.InputError, match="'id' holds int"):
        annotate(df, "id")
    with pytest.raises(plait.InputError, match="column 'more' already"):
        annotate(df, "text", into="more")
    with pytest.raises(plait.InputError, match="no such model"):
        annotate(df, "text", model=tmp_path / "none.plait")
    plait.Pipeline({"parser": nlp["neural"]}).save(tmp_path / "parser")
    with pytest.raises(plait.InputError, match="no tokenizer"):
        annotate(df, "text", model=tmp_path / "parser")


def test_the_job_reads_folders_and_writes_parquet(
    spark: SparkSession, nlp: plait.Pipeline, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"a.txt": "The dog saw a cat.", "b.txt": "Who did you\nsend it to?\n", "sub/c.txt": "Hello."}
    for name, text in texts.items():
        (tmp_path / "corpus" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "corpus" / name).write_text(text)
    corpus, output = str(tmp_path / "corpus"), str(tmp_path / "trees")
    plait_spark.run(corpus, output, MODEL)
    rows = spark.read.parquet(output).collect()
    assert {row.path.rpartition("/corpus/")[2]: row.text for row in rows} == texts
    assert all(plain(row.sentences) == expected(nlp, [row.text])[0] for row in rows)
    with pytest.raises(Exception, match=r"(?i)already exists"):
        plait_spark.run(corpus, output, MODEL)
    again = str(tmp_path / "again")
    spark.read.parquet(output).drop("sentences").write.parquet(again)
    plait_spark.run(again, output, MODEL, "parquet", partitions=2, force=True)
    assert sorted(row.path for row in spark.read.parquet(output).collect()) == sorted(
        row.path for row in rows
    )
    plait_spark.main(["--where"], standalone_mode=False)
    assert Path(capsys.readouterr().out.strip()) == Path(plait_spark.__file__).resolve()


# Processes that are killed.


def descendants(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield child
            yield from descendants(child)


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode().replace("\0", " ")
    except OSError:
        return ""


def executors() -> list[int]:
    return [each for each in descendants(os.getpid()) if "CoarseGrainedExecutorBackend" in command(each)]


def python_workers() -> list[int]:
    """Those that work: the children of the daemons."""
    daemons = [each for each in descendants(os.getpid()) if "pyspark.daemon" in command(each)]
    return [
        each for each in daemons if any(each in descendants(daemon) for daemon in daemons if daemon != each)
    ]


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end, "this takes too long"
        time.sleep(0.01)


def test_after_kills_no_row_is_lost_and_none_is_there_twice(
    spark: SparkSession, nlp: plait.Pipeline, tmp_path: Path
) -> None:
    texts: list[str | None] = [f"Text {number}. " + f"{TEXTS[0]} {TEXTS[3]} " * 60 for number in range(64)]
    df = spark.createDataFrame(list(enumerate(texts)), "id int, text string").repartition(16)
    failure: list[BaseException] = []

    def job() -> None:
        try:
            annotate(df, "text", model=MODEL).write.parquet(str(tmp_path / "trees"))
        except BaseException as error:
            failure.append(error)

    def completed() -> int:
        tracker = spark.sparkContext.statusTracker()
        stages = [tracker.getStageInfo(each) for each in tracker.getActiveStageIds()]
        return max((each.numCompletedTasks for each in stages if each and each.numTasks == 16), default=0)

    working = Thread(target=job)
    working.start()
    until(lambda: completed() >= 2 and python_workers())
    os.kill(python_workers()[0], signal.SIGKILL)
    until(lambda: completed() >= 5)
    os.kill(executors()[0], signal.SIGKILL)
    working.join(300)
    assert not working.is_alive()
    assert not failure, failure
    rows = sorted(spark.read.parquet(str(tmp_path / "trees")).collect(), key=lambda row: row.id)
    assert [(row.id, row.text) for row in rows] == list(enumerate(texts))
    assert [plain(row.sentences) for row in rows] == expected(nlp, texts)


def test_the_job_goes_through_spark_submit(nlp: plait.Pipeline, tmp_path: Path) -> None:
    submit = shutil.which("spark-submit") or str(Path(sys.executable).with_name("spark-submit"))
    if not Path(submit).exists():
        pytest.skip("no spark-submit here")
    text = str(TEXTS[3])
    (tmp_path / "a.txt").write_text(text)
    path = str(Path(plait.__file__).parents[1])
    done = subprocess.run(
        [submit, "--master", "local[1]", plait_spark.__file__, str(tmp_path / "a.txt"), "out", "-m", MODEL],
        cwd=tmp_path,
        capture_output=True,
        timeout=300,
        check=False,
        env=os.environ | {"PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable},
    )
    assert done.returncode == 0, done.stderr
    (row,) = pq.read_table(tmp_path / "out").to_pylist()
    assert row.pop("path").endswith(f"{tmp_path}/a.txt")
    assert row == {"text": text, "sentences": expected(nlp, [text])[0]}
