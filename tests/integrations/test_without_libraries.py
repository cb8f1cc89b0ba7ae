"""Bridges where the library of the other side is not installed: they are no burden, and name the extra to install."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from pkgutil import walk_packages

import pytest

import plait.integrations

EXTRAS = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]["optional-dependencies"]
LIBRARIES = ("datasets", "networkx", "nltk", "pandas", "pyarrow", "pyspark", "spacy")


def run_without(libraries: tuple[str, ...], code: str) -> subprocess.CompletedProcess[str]:
    """A program for which these libraries cannot be imported."""
    code = f"import sys; sys.modules.update(dict.fromkeys({libraries!r}))\n{code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("library", "extra", "code"),
    [
        ("networkx", "networkx", "s.to_networkx()"),
        ("nltk", "nltk", "s.to_nltk()"),
        ("pandas", "pandas", "s.to_pandas()"),
        ("spacy", "spacy", "plait.Document([s], 'a').to_spacy()"),
        ("spacy", "spacy", "import plait.integrations.spacy"),
        (
            "datasets",
            "datasets",
            "from plait.integrations import datasets as b; b.Annotator('en').features()",
        ),
        ("pyarrow", "datasets", "from plait.integrations import datasets as b; b.Annotator('en')"),
        ("pyarrow", "arrow", "from plait.integrations.columns import add_sentences"),
        ("pyspark", "spark", "from plait.integrations.spark import annotate"),
    ],
)
def test_the_error_names_the_extra(library: str, extra: str, code: str) -> None:
    done = run_without((library,), f"import plait; s = plait.Sentence(forms=['a'], heads=[0])\n{code}")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"plait.errors.PlaitError: {library} is not installed: pip install 'plait[{extra}]'."
    )
    assert any(each.startswith(library) for each in EXTRAS[extra]) or (library, extra) == (
        "pyarrow",
        "datasets",  # which needs it itself
    )


def test_no_bridge_takes_its_library_for_granted() -> None:
    """All modules can be imported where no library is, or say what to install."""
    modules = [each.name for each in walk_packages(plait.integrations.__path__, "plait.integrations.")]
    assert "plait.integrations.spark" in modules
    done = run_without(
        LIBRARIES,
        f"""
from importlib import import_module
from plait.errors import PlaitError
for name in {modules!r}:
    try:
        import_module(name)
    except PlaitError as error:
        print(error)
""",
    )
    assert done.returncode == 0, done.stderr
    assert all("is not installed: pip install 'plait[" in line for line in done.stdout.splitlines())


def test_the_job_of_spark_names_the_extra() -> None:
    done = run_without(
        ("pyspark",), "from plait.integrations.jobs.plait_spark import main; main(['texts', 'trees'])"
    )
    assert done.stderr == "plait-spark: pyspark is not installed: pip install 'plait[spark]'.\n"
    assert done.returncode == 1
