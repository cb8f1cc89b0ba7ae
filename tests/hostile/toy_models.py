"""Small models of every kind, for attacks: they train in a second and are copied in no time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import plait
from plait import GraphParser, Lemmatizer, Pipeline, Recipe, Stack, Tagger, Tokenizer, TransitionParser, Vote
from plait.features.clusters import Clusters
from plait.learning.component import Component
from plait.learning.lessons import Lessons
from toy import toy, written
from toy_text import toy_text

_RECIPE = Recipe().updated(
    {
        "model": {"tags": "gold", "folds": 2},
        "tokenizer": {"bits": 10, "epochs": 1},
        "tagger": {"bits": 10, "epochs": 1},
        "lemmatizer": {"bits": 10, "epochs": 1},
        "parser": {
            "kind": "stack",
            "levels": {"guide": {"bits": 10, "epochs": 1}, "parser": {"bits": 10, "epochs": 1, "beam": 1}},
        },
    }
)


def save_models(folder: Path) -> list[Path]:
    """One folder for each."""
    text, dev = written(20), written(8, seed=2)
    clusters = Clusters.learn([sentence.forms for sentence in text], clusters=4)
    lessons = Lessons.of(text, clusters)
    few: dict[str, Any] = {"bits": 10, "epochs": 1}
    beam, graph = TransitionParser(**few, beam=2), GraphParser(**few)
    guide, guided = TransitionParser(**few, beam=1), TransitionParser(**few, beam=1, guided=True)
    models: dict[str, Component[Any] | Pipeline] = {
        "parser": TransitionParser(**few, beam=1, filter_labels=True).fit(lessons, dev=dev),
        "exact": TransitionParser(**few, beam=2, precision="float32", completion="2a,3a").fit(toy(20)),
        "eager": TransitionParser(**few, beam=1, system="eager", projectivize="head").fit(toy(20)),
        "spine": TransitionParser(**few, beam=2, system="spine-swap").fit(toy(20)),
        "graph": GraphParser(**few).fit(lessons, dev=dev),
        "vote": Vote({"beam": beam, "graph": graph}).fit(lessons, dev=dev),
        "stack": Stack({"guide": guide, "parser": guided}, folds=2).fit(text, dev=dev),
        "tagger": Tagger(**few).fit(lessons, dev=dev),
        "lemmatizer": Lemmatizer(**few).fit(text, dev=dev),
        "tokenizer": Tokenizer(**few).fit(toy_text(30), dev=toy_text(9, 2)),
        "pipeline": plait.train(text, dev=dev, recipe=_RECIPE),
    }
    for name, model in models.items():
        model.save(folder / name)
    return [folder / name for name in models]
