"""Words per second against the number of workers: `plait parse --jobs` from folder to folder, and Spark.

    python benchmarks/cluster.py TREEBANK.conllu [--workers 1,2] [--words 20000000] [--engines jobs,spark] [--weak]

The corpus is the text of a treebank, cut into documents of about 20,000 words and repeated, so all words but those of
the first round are known to the caches of a model: speeds are those of a long run. `--weak` gives every number of
workers a share of the words, as many times that of one. Of every run we tell the time and the CPU time of all, from
which follow two efficiencies: that of the clock, `speed / (workers * speed of one)`, true only where each worker has a
core of its own, and that of the work, `CPU time per word of one / CPU time per word`, which a busy machine can tell.
Starting (the interpreter, Java, loading the model) is measured by a run over next to nothing and taken off.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import plait

DOCUMENT = 20_000  # words
FILES = 32  # of Parquet: tasks of Spark, for some workers each


class Cost(NamedTuple):
    """Seconds by the clock, and of all processors together."""

    clock: float
    cpu: float

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.clock - other.clock, self.cpu - other.cpu)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--workers", default="1,2", metavar="N,N")
    parser.add_argument("--words", type=int, default=20_000_000)
    parser.add_argument("--engines", default="jobs,spark")
    parser.add_argument("--model", default="en")
    parser.add_argument(
        "--weak", action="store_true", help="the words are those of the most workers, others get a share"
    )
    parser.add_argument(
        "--folder", type=Path, help="where to put the corpus and what is made of it; must not exist"
    )
    parser.add_argument("--json", type=Path, help="write the figures here too")
    arguments = parser.parse_args()
    workers = [int(each) for each in arguments.workers.split(",")]
    texts = list(documents(arguments.treebank))
    engines = {"jobs": jobs, "spark": spark}
    figures = []
    with TemporaryDirectory(dir=arguments.folder) as place:
        for name in arguments.engines.split(","):
            engine = engines[name]
            one = None
            for count in workers:
                words = arguments.words * count // max(workers) if arguments.weak else arguments.words
                repeats = max(1, round(words / sum(size for size, _ in texts)))
                words = repeats * sum(size for size, _ in texts)
                start, cost = engine(texts, repeats, count, arguments.model, Path(place))
                used = cost - start
                speed, work = words / used.clock, used.cpu / words
                one = one or (speed / count, work)
                row = {
                    "engine": name,
                    "workers": count,
                    "words": words,
                    "seconds": round(used.clock, 1),
                    "cpu_seconds": round(used.cpu, 1),
                    "start_seconds": round(start.clock, 1),
                    "words_per_second": round(speed),
                    "words_per_cpu_second": round(1 / work),
                    "efficiency": round(speed / count / one[0], 3),
                    "efficiency_of_work": round(one[1] / work, 3),
                }
                figures.append(row)
                print(row, flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def documents(treebank: Path) -> Iterator[tuple[int, str]]:
    """Texts, with how many words the treebank counts in each."""
    lines: list[str] = []
    words = 0
    for sentence in plait.stream(treebank):
        lines.append(sentence.text)
        words += len(sentence)
        if words >= DOCUMENT:
            yield words, "\n".join(lines) + "\n"
            lines, words = [], 0
    if lines:
        yield words, "\n".join(lines) + "\n"


def jobs(
    texts: list[tuple[int, str]], repeats: int, count: int, model: str, place: Path
) -> tuple[Cost, Cost]:
    """`plait parse corpus/ -o parsed/ --jobs N`: what starting costs, and what all costs."""

    def run(copies: int, some: list[tuple[int, str]]) -> Cost:
        corpus, parsed = place / "corpus", place / "parsed"
        corpus.mkdir()
        for number, (_, text) in enumerate(some):
            (corpus / f"{number:03}-00000.txt").write_text(text, encoding="utf-8")
            for copy in range(1, copies):
                os.link(corpus / f"{number:03}-00000.txt", corpus / f"{number:03}-{copy:05}.txt")
        command = [sys.executable, "-m", "plait", "parse", f"{corpus}", "-o", f"{parsed}/", "-m", model]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.perf_counter()
        subprocess.run([*command, "--jobs", str(count)], check=True, stderr=subprocess.DEVNULL)
        clock = time.perf_counter() - begin
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        shutil.rmtree(corpus)
        shutil.rmtree(parsed)
        return Cost(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    return run(count, [(0, "One.\n")]), run(repeats, texts)


def spark(
    texts: list[tuple[int, str]], repeats: int, count: int, model: str, place: Path
) -> tuple[Cost, Cost]:
    """`annotate` from Parquet to Parquet on a cluster of so many executors with a core each."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql import SparkSession

    from plait.integrations.spark import annotate

    corpus, output = place / "corpus.parquet", place / "trees.parquet"
    corpus.mkdir()
    rows = [text for _, text in texts] * repeats
    for number in range(FILES):
        table = pa.table({"id": range(number, len(rows), FILES), "text": rows[number::FILES]})
        pq.write_table(table, corpus / f"{number:03}.parquet")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local-cluster[{count},1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executorEnv.PYTHONPATH", str(Path(plait.__file__).parents[1]))
        .config("spark.sql.files.maxPartitionBytes", 1 << 20)
        .config("spark.sql.files.openCostInBytes", 1 << 20)  # a task for every file
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")

    def run(action: Callable[[], object]) -> Cost:
        before, begin = _of_descendants(), time.perf_counter()
        action()
        return Cost(time.perf_counter() - begin, _of_descendants() - before)

    few = session.createDataFrame([("One.",)] * count, "text string").repartition(count)
    run(lambda: annotate(few, "text", model=model).write.format("noop").mode("overwrite").save())
    again = run(lambda: annotate(few, "text", model=model).write.format("noop").mode("overwrite").save())
    frame = session.read.parquet(str(corpus))
    cost = run(lambda: annotate(frame, "text", model=model).write.parquet(str(output)))
    assert session.read.parquet(str(output)).count() == len(rows)
    session.stop()
    shutil.rmtree(corpus)
    shutil.rmtree(output)
    return again, cost


def _of_descendants() -> float:
    """CPU seconds so far of all processes below this one, and of those below them that have ended."""
    ticks = 0
    waiting = [os.getpid()]
    while waiting:
        pid = waiting.pop()
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, children.read_text().split()):
                waiting.append(child)
                stat = Path(f"/proc/{child}/stat").read_text().rpartition(") ")[2].split()
                ticks += sum(map(int, stat[11:15]))  # of its own, and of children it has waited for
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
