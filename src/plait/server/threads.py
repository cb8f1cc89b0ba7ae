"""The threads that do the work: few, since only one at a time can run Python, and the shortest work first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Any, TypeVar

Result = TypeVar("Result")
_Task = tuple["Future[Any]", Callable[[], Any]]

_QUICK_ONES = 8  # in a row; then what is long has a turn, or it would never have one


class Threads:
    """Take what is quick before what is long."""

    def __init__(self, count: int) -> None:
        self._wake = Condition()
        self._quick: deque[_Task] = deque()
        self._long: deque[_Task] = deque()
        self._in_a_row = 0
        self._closed = False
        self._threads = [Thread(target=self._work, name=f"plait-{i}", daemon=True) for i in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, work: Callable[[], Result], *, is_long: bool) -> Future[Result]:
        future: Future[Result] = Future()
        with self._wake:
            (self._long if is_long else self._quick).append((future, work))
            self._wake.notify()
        return future

    def close(self, seconds: float) -> None:
        """What has not begun never will; what has, may end within this time."""
        with self._wake:
            self._closed = True
            for future, _ in (*self._quick, *self._long):
                future.cancel()
            self._quick.clear()
            self._long.clear()
            self._wake.notify_all()
        for thread in self._threads:
            thread.join(seconds)

    def _next(self) -> _Task | None:
        with self._wake:
            while not self._quick and not self._long and not self._closed:
                self._wake.wait()
            if self._closed:
                return None
            takes_quick = bool(self._quick) and (not self._long or self._in_a_row < _QUICK_ONES)
            self._in_a_row = self._in_a_row + 1 if takes_quick else 0
            return (self._quick if takes_quick else self._long).popleft()

    def _work(self) -> None:
        while (task := self._next()) is not None:
            future, work = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = work()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
            del task, future, work  # or an idle thread would hold what it did last
