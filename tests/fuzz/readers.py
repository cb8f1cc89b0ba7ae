"""`python readers.py CORPUS -max_total_time=60`: every reader of texts, with inputs that lead to new places in it.

The first byte says which reader; what comes is a result or an error that tells what is wrong.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))

from hostile.readers import READERS

NAMES = list(READERS)
FOLDER = Path(tempfile.mkdtemp(prefix="plait-fuzz-"))


def read(data: bytes) -> None:
    if data:
        name = NAMES[data[0] % len(NAMES)]
        READERS[name].on(name, data[1:].decode("utf-8", "surrogateescape"), FOLDER)()


def functions() -> Iterator[FunctionType]:
    """Those of the package that readers can come to, however it was imported."""
    for name in NAMES:
        import_module(f"plait.{name.partition(':')[0]}")
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "plait":
            for each in list(vars(module).values()):
                if getattr(each, "__module__", "") == name:
                    yield from _inside(each)


def _inside(value: Any) -> Iterator[FunctionType]:
    value = getattr(value, "__func__", value)
    if isinstance(value, FunctionType):
        yield value
    elif isinstance(value, type):
        for each in list(vars(value).values()):
            yield from _inside(each)


if __name__ == "__main__":
    for function in functions():
        atheris.instrument_func(function)
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()
