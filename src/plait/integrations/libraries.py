"""Libraries that not everybody has: imported on use, and an error that names the extra of the package."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from plait.errors import PlaitError


def library(name: str, extra: str) -> Any:
    """A module of another library; PlaitError if the library is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != package:
            raise  # it is there, and lacks something itself
        raise PlaitError(f"{package} is not installed: pip install 'plait[{extra}]'.") from None
