"""`python -m hostile --cases 10000`, from the folder above: long runs, in processes that may die.

Every attack is a module with a class `Attack`: a context, whose `run(case)` gives a finding or none, always the same
for the same case.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import queue
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

from hostile.report import Finding

ATTACKS = ("models", "inputs", "requests", "kills")
_SILENCE = 120  # seconds without a word from a worker: it hangs where no alarm reaches it
_MEMORY = 8 << 30
_BLOCK = 200  # cases of one process


def main() -> int:
    parser = argparse.ArgumentParser(prog="hostile")
    parser.add_argument("--attack", choices=(*ATTACKS, "all"), default="all")
    parser.add_argument("--cases", type=int, default=100, help="of each attack")
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    stop = given.start + given.cases
    if given.work:
        work(given.attack, given.start, stop)
        return 0
    found: list[Finding] = []
    for name in ATTACKS if given.attack == "all" else (given.attack,):
        if find_spec(f"hostile.{name}") is None:
            print(f"{name}: there is no such attack yet")
            continue
        begin = time.monotonic()
        with ThreadPoolExecutor(given.jobs) as pool:
            blocks = [(first, min(first + _BLOCK, stop)) for first in range(given.start, stop, _BLOCK)]
            results = list(pool.map(lambda block, name=name: list(run_block(name, *block)), blocks))
        findings = [finding for block in results for finding in block]
        for finding in findings:
            print(f"{name} {finding.case}: {finding.kind}: {finding.detail}")
        kinds = Counter(finding.kind for finding in findings)
        told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "nothing found"
        print(f"{name}: {given.cases:,} cases in {time.monotonic() - begin:.0f} s: {told}", flush=True)
        found += findings
    return 1 if found else 0


def run_block(name: str, first: int, stop: int) -> Iterator[Finding]:
    """The findings of some cases; a worker that dies or hangs is one, and another goes on after it."""
    while first < stop:
        arguments = ("--work", "--attack", name, "--start", str(first), "--cases", str(stop - first))
        with (
            tempfile.TemporaryFile("w+") as errors,
            subprocess.Popen(
                [sys.executable, "-m", "hostile", *arguments],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            ) as worker,
        ):
            last, silent = first - 1, False
            for line in _lines(worker):
                if line is None:
                    silent = True
                    worker.kill()
                    break
                told = json.loads(line)
                last = told["case"]
                if "kind" in told:
                    yield Finding(**told)
            status = worker.wait()
            errors.seek(0)
            why = errors.read()[-2000:].strip()
        if silent:
            yield Finding(name, max(last, first), "hang", f"no word for {_SILENCE} s. {why}")
        elif status:
            yield Finding(name, max(last, first), "crash", f"the worker ended with {status}. {why}")
        else:
            return
        first = max(last, first) + 1


def _lines(worker: subprocess.Popen[str]) -> Iterator[str | None]:
    """What the worker prints; None, once, if nothing comes for too long."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert worker.stdout
        for line in worker.stdout:
            lines.put(line)
        lines.put("")

    Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=_SILENCE)
        except queue.Empty:
            yield None
            return
        if not line:
            return
        yield line


def work(name: str, first: int, stop: int) -> None:
    """Run cases one after the other, and say which before each."""
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    attack = import_module(f"hostile.{name}").Attack
    with tempfile.TemporaryDirectory() as folder, attack(Path(folder)) as running:
        for case in range(first, stop):
            print(json.dumps({"case": case}), flush=True)
            finding = running.run(case)
            if finding:
                print(json.dumps(asdict(finding)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
