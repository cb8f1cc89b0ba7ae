"""Which release of plait this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def release() -> str:
    """Its number; a copy that was never installed has none, and works all the same."""
    try:
        return version("plait")
    except PackageNotFoundError:
        return "unreleased"
