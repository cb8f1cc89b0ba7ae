"""Scripts that no other test runs ask plait only for what it has."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from plait.errors import PlaitError

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(
    path for folder in ("benchmarks", "docs", "models") for path in (ROOT / folder).rglob("*.py")
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_it_imports_is_there(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or (node.module or "").partition(".")[0] != "plait":
            continue
        assert node.module is not None
        try:
            found = import_module(node.module)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("plait"):
                raise
            continue  # what trains nets is there only with torch
        except PlaitError as error:
            if "is not installed" not in str(error):
                raise
            continue  # a bridge without its library
        for name in node.names:
            assert hasattr(found, name.name) or import_module(f"{node.module}.{name.name}")
