"""The recipes of the registry: each makes a whole pipeline from a slice of its treebank."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait
from plait import Recipe
from plait.catalogue import registry
from plait.formats.folder import find_sections

TREEBANKS = {
    "cs-cltt": "Czech-CLTT",
    "da": "Danish-CDT",
    "en-linear": "English-EWT",
    "got": "Gothic-PROIEL",
    "hu": "Hungarian-Szeged",
    "pl-mpdt": "Polish-MPDT",
    "pt": "Portuguese-Bosque",
}
# Taught elsewhere, or from trees with predicates; tests/unit/test_english.py looks at those of the package.
OTHERS = {"en", "en-fast", "en-large", "en-say"}
QUICK = {
    "model": {"folds": 2},
    "tokenizer": {"epochs": 2},
    "tagger": {"epochs": 2, "bits": 16},
    "lemmatizer": {"epochs": 2},
    "parser": {"bits": 18, "epochs": 2},
}


def test_every_recipe_is_tried() -> None:
    assert set(registry.entries()) == set(TREEBANKS) | OTHERS


@pytest.mark.parametrize("name", sorted(TREEBANKS))
def test_a_recipe_makes_a_pipeline(name: str, treebanks: Path, tmp_path: Path) -> None:
    recipe = Recipe.from_toml(registry.recipe_of(name).read_text(encoding="utf-8")).updated(QUICK)
    if recipe.plan("parser").kind == "transition":
        recipe = recipe.updated({"parser": {"beam": 2}})
    assert registry.find(name).differences(treebanks / TREEBANKS[name]) == []
    assert recipe.model.name == name
    assert recipe.model.licence
    files = find_sections(treebanks / TREEBANKS[name])
    train, dev = plait.read(files["train"][0])[:400], plait.read(files["dev"][0])[:60]
    pipeline = plait.train(train, dev=dev, recipe=recipe, threads=2)
    pipeline.save(tmp_path / "model")
    loaded = plait.load(tmp_path / "model")
    scores = loaded.scores_["raw text"]
    assert scores["words"] > 85
    assert scores["upos"] > 55
    assert scores["las"] > 25
    card = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert recipe.model.attribution in card
    assert recipe.model.limits in card
