"""Locks that a process made by `fork` finds free.

A fork copies the memory and only the thread that forks. A lock that another thread holds at that moment is held for
ever in the child, where nobody is left to give it back. What these locks guard is whole between any two steps of
Python, so the child can go on with it.
"""

from __future__ import annotations

import os
import sys
import threading
from functools import cached_property
from types import TracebackType
from weakref import WeakSet


class Lock:
    """As `threading.Lock`, in a `with` statement."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _ALL.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def _renew(self) -> None:
        self._lock = threading.Lock()


_ALL: WeakSet[Lock] = WeakSet()


def _renew_all() -> None:
    for lock in list(_ALL):
        lock._renew()
    if sys.version_info < (3, 12):
        _renew_properties()


def _renew_properties() -> None:
    """Up to Python 3.11 every `cached_property` has a lock, which one slow call holds against all objects."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "plait":
            continue
        for kind in list(vars(module).values()):
            if isinstance(kind, type) and kind.__module__ == name:
                for each in list(vars(kind).values()):
                    if isinstance(each, cached_property):
                        each.lock = threading.RLock()  # type: ignore[attr-defined]


if hasattr(os, "register_at_fork"):  # where there are forks
    os.register_at_fork(after_in_child=_renew_all)
