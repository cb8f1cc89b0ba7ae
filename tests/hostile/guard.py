"""Work on something hostile: a clear message is a good end, everything else is a finding."""

from __future__ import annotations

import re
import signal
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from hostile.report import Finding
from plait.errors import PlaitError

SECONDS = 10  # of work: a machine that is busy with something else is no fault
MEGABYTES = 512
_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class _Hang(BaseException):
    """Not an Exception: nothing on the way may take it for one of its own."""


def attempt(attack: str, case: int, work: Callable[[], str | None]) -> Finding | None:
    """Do the work, which may say what is invalid about its result, in bounded time and memory."""

    def ring(_: int, __: FrameType | None) -> None:
        raise _Hang

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    least = _reset_peak()
    try:
        fault = work()
        found = Finding(attack, case, "invalid output", fault) if fault else None
    except _Hang:
        found = Finding(attack, case, "hang", f"more than {SECONDS} s of work: {_place()}")
    except MemoryError:
        found = Finding(attack, case, "memory", _place())
    except PlaitError as error:
        # What a limit on memory becomes while a model is loaded.
        too_large = "there is too much of it" in str(error)
        found = Finding(attack, case, "memory", str(error)) if too_large else None
    except Exception:
        found = Finding(attack, case, "traceback", traceback.format_exc(limit=-4).strip())
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    taken = _peak() - least
    if found is None and taken > MEGABYTES:
        return Finding(attack, case, "memory", f"{taken:,} MB")
    return found


def _place() -> str:
    return traceback.format_exc(limit=-2).strip()


def _reset_peak() -> int:
    if _CLEAR.exists():
        _CLEAR.write_text("5")
    return _peak()


def _peak() -> int:
    """Of the memory of this process, in megabytes; always 0 where nobody tells."""
    found = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text()) if _STATUS.exists() else None
    return int(found[1]) >> 10 if found else 0
