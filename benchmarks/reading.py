"""Reading and writing a treebank, beside the `conllu` package: python benchmarks/reading.py FILE.conllu

Each runs in a process of its own, so that memory is its own; best of three.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 3


def with_plait(path: str, copy: str) -> None:
    import plait

    plait.write(plait.read(path), copy)


def with_plait_streaming(path: str, copy: str) -> None:
    import plait

    plait.write(plait.stream(path), copy)


def with_conllu(path: str, copy: str) -> None:
    import conllu

    with open(path, encoding="utf-8") as source:  # noqa: PTH123
        sentences = conllu.parse(source.read())
    with open(copy, "w", encoding="utf-8") as sink:  # noqa: PTH123
        sink.writelines(sentence.serialize() for sentence in sentences)


CANDIDATES = {"plait": with_plait, "plait, streaming": with_plait_streaming, "conllu": with_conllu}


def measure_once(name: str, path: str, copy: str) -> None:
    """In the process of its own: seconds (imports left out) and MB."""
    __import__("conllu" if name == "conllu" else "plait")
    start = time.perf_counter()
    CANDIDATES[name](path, copy)
    seconds = time.perf_counter() - start
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    if len(sys.argv) == 4:
        measure_once(*sys.argv[1:])
        return
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = sys.argv[1]
    copy = "/tmp/plait-benchmark-copy.conllu"
    size = Path(path).stat().st_size / 1e6
    results = {}
    for name in CANDIDATES:
        runs = []
        for _ in range(ROUNDS):
            done = subprocess.run(
                [sys.executable, __file__, name, path, copy], capture_output=True, text=True, check=False
            )
            if done.returncode:
                print(f"{name}: skipped ({done.stderr.strip().splitlines()[-1]})")
                break
            runs.append(tuple(map(float, done.stdout.split())))
        else:
            identical = Path(copy).read_bytes() == Path(path).read_bytes()
            results[name] = (min(runs)[0], min(run[1] for run in runs), identical)
    print(f"Reading and writing {path} ({size:.1f} MB), best of {ROUNDS}:")
    slowest = max(seconds for seconds, _, _ in results.values())
    for name, (seconds, memory, identical) in results.items():
        same = "every byte the same" if identical else "not byte-identical"
        print(
            f"{name:18} {seconds:6.2f} s {size / seconds:6.1f} MB/s {slowest / seconds:5.1f}x {memory:5.0f} MB  {same}"
        )


if __name__ == "__main__":
    main()
