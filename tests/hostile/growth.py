"""How time grows with the length of an input: it may double with it, not become four times as long.

Processor time is measured, of this thread alone, and what looks suspicious is measured again, so that a machine that is
busy with something else makes no difference.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_LIMIT = 5.0  # seconds of work at once: more is no question of growth any more
_TIMES = 3  # the shortest of which counts
_WORTH_MEASURING = 0.02  # seconds: shorter times say nothing
_SURELY_LESS = 7.0  # times as long for one four times as long; what grows with the square takes 16
_MOST = 3.0  # times as long for an input twice as long; what grows with the square takes 4


class _TooLongError(BaseException):
    """Nothing on the way takes it for one of its own."""


def grows(work: Callable[[int], Callable[[], object]], size: int, patience: float) -> str:
    """What is wrong with how work grows, `work(size)` being what is to be done for an input of a size: nothing if it
    takes no longer than `patience` seconds, or at most about twice as long for twice as much.
    """
    first = _seconds(work(size), times=1)
    if first < patience:
        return ""
    if first >= _LIMIT:
        return f"{size:,} take more than {_LIMIT:g} s"
    if first < _SURELY_LESS * _seconds(work(size // 4), times=2):
        return ""
    found = []
    while True:
        found.append(_seconds(work(size)))
        if found[-1] >= _LIMIT:
            return f"{size:,} take more than {_LIMIT:g} s"
        if len(found) >= 3 and found[-3] >= _WORTH_MEASURING:
            break
        size *= 2
    ratios = [after / before for before, after in zip(found[-3:], found[-2:], strict=False)]
    if min(ratios) < _MOST:
        return ""
    return f"{size:,} take {found[-1]:.2f} s, half of them {found[-2]:.2f} s, a quarter {found[-3]:.2f} s"


def _seconds(work: Callable[[], object], times: int = _TIMES) -> float:
    """The shortest of several times; the limit if it is reached."""
    best = _LIMIT
    for _ in range(times):
        try:
            with _at_most(_LIMIT):
                begin = time.thread_time()
                work()
                best = min(best, time.thread_time() - begin)
        except _TooLongError:
            return _LIMIT
        if best > 1:
            break
    return best


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    def stop(_: int, __: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
