"""`python failing.py MOST MODEL...`: models at work while one allocation of the core after the other fails.

They are loaded, used and saved. What comes is an error or the right result, and afterwards everything works again.
Prints how many allocations there were and how many of those that failed became an error; ends with a message if
something else came.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from plait.cancel import Cancel
from plait.cli.trial import load_any, try_out
from plait.errors import PlaitError

_CORE = ctypes.CDLL(None)
_CORE.plait_allocations.restype = ctypes.c_long


def places(count: int, most: int) -> list[int]:
    """Which fail: the first ones, and as many of the others, far from each other."""
    first = min(count, most)
    return [*range(first), *range(first, count, max(1, (count - first) // most))]


def failing(work: Callable[[], object], check: Callable[[], object], most: int) -> tuple[int, int, int]:
    """Allocations, those that were let fail, and those whose failure was told."""
    work()
    before = _CORE.plait_allocations()
    work()
    count = _CORE.plait_allocations() - before
    tried = told = 0
    for after in (False, True):
        for place in places(count, most):
            _CORE.plait_fail(ctypes.c_long(place), ctypes.c_int(after))
            try:
                work()
            except (PlaitError, MemoryError):
                told += 1
            finally:
                _CORE.plait_fail(ctypes.c_long(-1), ctypes.c_int(0))
            tried += 1
            check()
    return count, tried, told


def main(model: Path, most: int) -> None:
    # What binds the core to Python keeps a table of objects, and ends the process where that cannot grow: here it is
    # large enough from the beginning.
    del [Cancel() for _ in range(10_000)][:]
    with TemporaryDirectory() as name:
        folder = Path(name)
        saved = folder / "saved"

        def use() -> None:
            try_out(model)

        def save() -> None:
            load_any(model).save(saved, force=True)

        def whole() -> None:
            left = sorted(each.name for each in folder.iterdir())
            if left not in ([], ["saved"]):
                raise AssertionError(f"{left} is left of {model.name}")
            if left:
                load_any(saved)

        for what, work, check in (("used", use, lambda: None), ("saved", save, whole)):
            count, tried, told = failing(work, check, most)
            try_out(model)
            print(f"{model.name} {what}: {count:,} allocations, {tried:,} failed, {told:,} told", flush=True)


if __name__ == "__main__":
    for argument in sys.argv[2:]:
        main(Path(argument), int(sys.argv[1]))
