"""Forged models of every kind: one lie is enough to be refused when they are loaded, or it does no harm in use."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from hostile.forge import forged
from hostile.toy_models import save_models
from plait.cli.trial import OTHERS, try_out
from plait.errors import InputError
from plait.learning.registry import KINDS

IN_USE = "using it fails"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return save_models(tmp_path_factory.mktemp("models"))


def test_there_are_models_of_every_kind(models: list[Path]) -> None:
    manifests = [path for model in models for path in model.rglob("manifest.json")]
    kinds = {json.loads(path.read_text(encoding="utf-8"))["kind"] for path in manifests}
    assert kinds == {*KINDS, *OTHERS, "pipeline"}


def test_whole_models_can_be_used(models: list[Path]) -> None:
    for model in models:
        try_out(model)


def test_what_is_forged_is_refused_or_harmless(models: list[Path], tmp_path: Path) -> None:
    found = []
    for model in models:
        for lie in forged(model, tmp_path / "model"):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)  # of numbers that no training gives
                    try_out(tmp_path / "model")
            except InputError as error:
                if IN_USE in str(error):
                    found.append(f"{model.name}: {lie}: {error}")
    assert found == []
