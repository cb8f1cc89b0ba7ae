"""Small models of every kind, for attacks: they train in a second and are copied in no time."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import plait
from components.quick import LESSONS, PLANS
from mention_texts import grec, people
from nets import (
    CLASSES,
    ENCODER,
    LETTERS,
    PIECES,
    SHAPES,
    WORDS,
    make_encoder_net,
    make_net,
    model_of,
    neural_of,
)
from plait import GraphParser, Lemmatizer, Pipeline, Recipe, Stack, Tagger, Tokenizer, TransitionParser, Vote
from plait.components.neural.model import Model, Net
from plait.features.clusters import Clusters
from plait.formats.grec import read_mentions
from plait.generation.mentions import MentionFiller
from plait.generation.mentions.learners import LEARNERS
from plait.generation.refer import made
from plait.generation.refer.model import Referrer
from plait.generation.refer.options import ReferOptions
from plait.learning import registry
from plait.learning.component import Component
from plait.learning.lessons import Lessons
from plait.learning.plan import Plan
from serving import toy_pipeline
from toy import framed, toy, written
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
# Those whose lessons are more than words, tags and trees, or that go the other way.
LATER = (
    *("roles", "deep", "aspects", "relabel", "normalizer"),
    *("function_words", "graph2tree", "lifter", "order", "inflector", "ngrams"),
)
_REALIZER = ("graph2tree", "function_words", "lifter", "order", "inflector", "ngrams")
_SCIKIT = ("tree", "perceptron")  # learn with scikit-learn (extra `research`)
# The names of models that are no pipelines begin so.
REFER, MENTION = "refer-", "mention-"


def save_models(folder: Path) -> list[Path]:
    """One folder for each."""
    text, dev = written(20), written(8, seed=2)
    clusters = Clusters.learn([sentence.forms for sentence in text], clusters=4)
    lessons = Lessons.of(text, clusters)
    few: dict[str, Any] = {"bits": 10, "epochs": 1}
    beam, graph = TransitionParser(**few, beam=2), GraphParser(**few)
    guide, guided = TransitionParser(**few, beam=1), TransitionParser(**few, beam=1, guided=True)
    models: dict[str, Any] = {
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
    models |= {kind: _component(kind) for kind in LATER}
    models["realizer"] = Pipeline({kind: models[kind] for kind in _REALIZER})
    models |= _nets()
    for name, model in models.items():
        model.save(folder / name)
    others = _save_referrers(folder) + _save_fillers(folder, folder / "pipeline")
    return [*(folder / name for name in models), *others]


def toy_pipelines() -> dict[str, Pipeline]:
    """What verbs are given as models, by name."""
    toy = toy_pipeline()

    def on_top(kind: str) -> Pipeline:
        return Pipeline({**toy.components, kind: _component(kind)}, toy.model)

    realizer = Pipeline({kind: _component(kind) for kind in _REALIZER})
    return {
        "toy": toy,
        "realizer": realizer,
        **{
            name: on_top(kind)
            for name, kind in (("reviews", "aspects"), ("deep", "deep"), ("roles", "roles"))
        },
    }


def toy_fillers(folder: Path) -> dict[str, MentionFiller]:
    """By task; the parser is whatever a pipeline is loaded as."""
    found = {}
    for task, text in (("msr", grec(6)), ("neg", people(6))):
        (folder / f"{task}.xml").write_text(text, encoding="utf-8")
        filler = MentionFiller(task=task, learner="chain", min_count=1)
        found[task] = filler.fit(read_mentions(folder / f"{task}.xml"))
    return found


def _nets() -> dict[str, Component[Any]]:
    """Of every shape, with weights by chance: what they find is not looked at, but what they write."""

    def net(name: str) -> Net:
        shape = SHAPES[name]
        letters = LETTERS if shape.spelling == "characters" else None
        return Net(shape, WORDS, make_net(1, shape=shape), letters)

    found = {f"net {name}": Model(CLASSES, [net(name)]) for name in SHAPES}
    found["net of several"] = Model(CLASSES, [net("sru"), net("spelt sru"), net("lstm")])
    found["net with a head"] = model_of()
    for name, distances in (("net encoder", False), ("net encoder of distances", True)):
        arrays = make_encoder_net(1, distances=distances)
        found[name] = Model(CLASSES, [Net(ENCODER, WORDS, arrays, LETTERS, PIECES)])
    return {name.replace(" ", "-"): neural_of(model) for name, model in found.items()}


def _component(kind: str) -> Component[Any]:
    add = LESSONS.get(kind, lambda sentences: sentences)
    small = {name: value for name, value in {"bits": 10, "epochs": 1}.items() if name in PLANS[kind]}
    component = registry.find(kind).from_plan(Plan.of({**PLANS[kind], **small}, kind))
    return component.fit(add(framed(written(20))), dev=add(framed(written(8, seed=2))))


def _save_referrers(folder: Path) -> list[Path]:
    found = []
    for method in ("log-linear", "is-fp"):
        found.append(folder / f"{REFER}{method}")
        Referrer.fit(made.make_trials(1, 3), ReferOptions(method=method, epochs=3)).save(found[-1])
    return found


def _save_fillers(folder: Path, parser: Path) -> list[Path]:
    found = []
    for name, text in (("msr", grec(6)), ("neg", people(6))):
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
    learners = [each for each in LEARNERS if each not in _SCIKIT or find_spec("sklearn")]
    for task, learner in (("msr", "chain"), ("neg", "chain"), *(("msr", each) for each in learners)):
        filler = MentionFiller(task=task, learner=learner, parser=str(parser), min_count=1)
        found.append(folder / f"{MENTION}{task}-{learner}")
        filler.fit(read_mentions(folder / f"{task}.xml")).save(found[-1])
    return found
