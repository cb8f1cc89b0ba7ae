"""Plait beside other parsers on one treebank: python benchmarks/parsing.py --treebank FOLDER

Trains and parses with every candidate, each in a process of its own and on one thread, and prints accuracy,
speed, training time, memory and model size as a table; --results also gets it as Markdown and as a picture.
What is finished there is not measured again. Packages that are not installed are skipped and named.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from parsing_candidates import PACKAGES, Files, split
from parsing_report import report

ROUNDS = 3
DEFAULTS = ("plait-greedy", "plait-beam8", "udpipe-greedy", "udpipe-beam5", "spacy-forms", "spacy-tags")
QUICK = {"train": 200, "dev": 100}  # sentences
QUICK_EPOCHS = 2
DISTRIBUTIONS = {"plait": "plait", "udpipe": "ufal.udpipe", "spacy": "spacy"}
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)


def main() -> None:
    options = read_options()
    if options.stage:
        run_stage(options)
        return
    folder = options.results / options.treebank.name
    files = prepare(options.treebank, folder, options.quick)
    for candidate in options.candidates:
        package, model, _ = split(candidate)
        if not is_installed(PACKAGES[package].module):
            print(f"{candidate}: skipped, {PACKAGES[package].module} is not installed", file=sys.stderr)
            continue
        trained, parsed = folder / "models" / f"{model}.json", folder / f"{candidate}.json"
        if options.parse_again:
            parsed.unlink(missing_ok=True)
        if not trained.exists() and not start("train", candidate, files, options):
            continue
        if not parsed.exists():
            start("parse", candidate, files, options)
    report(folder)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--treebank",
        type=Path,
        required=True,
        help="a folder with one file each whose name holds train and dev",
    )
    parser.add_argument(
        "--candidates",
        nargs="+",
        default=list(DEFAULTS),
        metavar="NAME",
        help=f"of {', '.join(DEFAULTS)}; any beam",
    )
    parser.add_argument(
        "--epochs", type=int, help="passes over the training set, for all; else each its own default"
    )
    parser.add_argument("--threads", type=int, default=1, help="with which Plait parses")
    parser.add_argument(
        "--quick", action="store_true", help="a small slice and two passes, to see that all works"
    )
    parser.add_argument("--results", type=Path, default=Path("benchmark-results"), help="a folder")
    parser.add_argument(
        "--parse-again", action="store_true", help="measure parsing again with the models there"
    )
    parser.add_argument("--stage", choices=("train", "parse"), help=argparse.SUPPRESS)
    parser.add_argument("--files", type=Path, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    for candidate in options.candidates:
        try:
            split(candidate)
        except ValueError:
            parser.error(f"no candidate {candidate!r}; there are {', '.join(DEFAULTS)}")
    if options.quick:
        options.epochs = options.epochs or QUICK_EPOCHS
        options.results = options.results / "quick"
    return options


def is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


def prepare(treebank: Path, folder: Path, quick: bool) -> Files:
    """CoNLL-U files that all candidates read; copied if they are cut or come in another format."""
    (folder / "models").mkdir(parents=True, exist_ok=True)
    paths = {}
    for part, size in QUICK.items():
        found = [
            path for path in treebank.glob(f"*{part}*") if path.name.endswith((".conllu", ".conll", ".gz"))
        ]
        if len(found) != 1:
            sys.exit(f"{treebank}: {len(found)} files whose name holds {part!r}, not one")
        paths[part] = found[0]
        if quick or found[0].suffix != ".conllu":
            paths[part] = folder / f"{part}.conllu"
            convert(found[0], paths[part], size if quick else None)
    return Files(**paths)


def convert(source: Path, copy: Path, sentences: int | None) -> None:
    """In a process of its own: what this one has in memory counts for those it starts."""
    pid = os.fork()
    if not pid:
        import plait

        plait.write(islice(plait.stream(source), sentences), copy, format="conllu")
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        sys.exit(f"{source}: cannot be converted")


def start(stage: str, candidate: str, files: Files, options: argparse.Namespace) -> bool:
    print(f"{candidate}: {stage}", file=sys.stderr, flush=True)
    command = [sys.executable, __file__, "--stage", stage, "--candidates", candidate]
    command += ["--treebank", str(options.treebank), "--files", str(files.train), str(files.dev)]
    command += ["--threads", str(options.threads)]
    command += ["--epochs", str(options.epochs)] if options.epochs else []
    # A quick run's results already stand in their own folder.
    command += ["--results", str(options.results)]
    done = subprocess.run(command, env=os.environ | ONE_THREAD, check=False, capture_output=True, text=True)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        print(f"{candidate}: failed to {stage}: {reason}", file=sys.stderr)
    return not done.returncode


def run_stage(options: argparse.Namespace) -> None:
    """In the process of its own."""
    (candidate,) = options.candidates
    package, model, _ = split(candidate)
    folder = options.results / options.treebank.name
    files = Files(*options.files)
    path = folder / "models" / model
    load = os.getloadavg()[0]
    if options.stage == "train":
        wall, cpu = time.perf_counter(), time.process_time()
        facts = PACKAGES[package].train(candidate, files, path, options.epochs)
        facts |= {
            "seconds": time.perf_counter() - wall,
            "cpu_seconds": time.process_time() - cpu,
            "model_mb": size_of(path) / 1e6,
        }
        target = path.with_name(f"{model}.json")
    else:
        facts = measure_parsing(candidate, files, path, folder, options.threads)
        facts["training"] = json.loads((folder / "models" / f"{model}.json").read_text())
        target = folder / f"{candidate}.json"
    facts |= {
        "candidate": candidate,
        "version": version(DISTRIBUTIONS[package]),
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "load_before": load,
    }
    # Scored last, so that the scorer's memory is not the candidate's.
    if options.stage == "parse":
        facts |= score(files.dev, folder / f"{candidate}.conllu")
    target.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def measure_parsing(candidate: str, files: Files, model: Path, folder: Path, threads: int) -> dict[str, Any]:
    package = split(candidate)[0]
    loaded = PACKAGES[package].load(candidate, files, model, threads)
    copy = folder / f"{candidate}.conllu"
    facts: dict[str, Any] = {"threads": threads if package == "plait" else 1, "rounds": ROUNDS}
    if loaded.core:
        facts["core_seconds"] = best_of(loaded.core)
    if loaded.file:
        facts["file_seconds"] = best_of(lambda: loaded.file(copy) if loaded.file else None)
    facts["memory_seconds"] = best_of(loaded.memory, loaded.prepare)
    loaded.write(copy)
    return facts


def best_of(work: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> float:
    """Seconds of the best round; one more goes before them and warms everything up."""
    rounds = []
    for _ in range(ROUNDS + 1):
        prepare()
        start = time.perf_counter()
        work()
        rounds.append(time.perf_counter() - start)
    return min(rounds[1:])


def score(gold: Path, system: Path) -> dict[str, Any]:
    import plait

    scores = plait.evaluate(plait.read(gold), plait.read(system))
    return {"las": scores.las, "uas": scores.uas, "words": scores.metrics["words"].gold}


def size_of(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(each.stat().st_size for each in files if each.is_file())


if __name__ == "__main__":
    main()
