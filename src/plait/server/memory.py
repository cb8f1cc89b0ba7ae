"""Memory that is free goes back to the system: a long document should not make a server larger for ever.

glibc keeps what was freed, more of it the larger the blocks were that it has seen, and in a heap per thread.
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

# The parameters of mallopt (malloc.h), and what they are set to; setting one keeps glibc from raising it.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_SETTINGS = ((_TRIM_THRESHOLD, 1 << 18), (_MMAP_THRESHOLD, 1 << 17), (_ARENA_MAX, 2))


def keep_little() -> None:
    """For this process from now on; before its threads start. Elsewhere than on glibc it does nothing."""
    with suppress(AttributeError, OSError, TypeError):
        library = ctypes.CDLL(None)
        for parameter, value in _SETTINGS:
            library.mallopt(parameter, value)


def keep_what_is_there() -> None:
    """What a process has when it begins to work stays for good: to look for garbage in it takes a tenth of a second."""
    gc.collect()
    gc.freeze()
