"""A whole pipeline from a treebank: each part in turn, the parser from jackknifed tags."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from pathlib import Path, PurePath
from typing import Any, Protocol

from plait.clusters import Clusters
from plait.errors import InputError
from plait.evaluation import evaluate
from plait.graph import GraphOptions, GraphParser
from plait.lemmas import Lemmatizer
from plait.parser import Parser, ParserOptions
from plait.pipeline.estimator import PARTS, Pipeline
from plait.pipeline.lessons import Guides, Lessons, make_guides, make_lessons
from plait.pipeline.recipe import Recipe
from plait.sentence import Sentence, Treebank
from plait.tagger import Tagger
from plait.text import Tokenizer, raw_text

SCORES = (
    "words",
    "sentences",
    "upos",
    "xpos",
    "ufeats",
    "alltags",
    "lemmas",
    "uas",
    "las",
    "clas",
    "mlas",
    "blex",
)
# What can be asked for: a guide and those who vote come with the parser.
LEARNED = tuple(name for name in PARTS if name not in ("guide", "second", "third"))
_NOT_TOLD = ("tags", "folds", "guide", "parser", "vote")  # by the card: how the parts are joined


class Follower(Protocol):
    """Whoever watches a training."""

    def on_part(self, name: str, recipe: Recipe) -> None: ...
    def on_epoch(self, epoch: Any) -> None: ...
    def on_progress(self, number: int, done: int, total: int) -> None: ...
    def on_fold(self, fold: int) -> None: ...


class Silence:
    """Nobody watches."""

    def on_part(self, name: str, recipe: Recipe) -> None: ...
    def on_epoch(self, epoch: Any) -> None: ...
    def on_progress(self, number: int, done: int, total: int) -> None: ...
    def on_fold(self, fold: int) -> None: ...


def train(
    sentences: Sequence[Sentence],
    *,
    dev: Sequence[Sentence] | None = None,
    recipe: Recipe | None = None,
    parts: Collection[str] = LEARNED,
    threads: int = 1,
    clusters: Clusters | None = None,
    follower: Follower | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    ready: Pipeline | None = None,
    lessons: Lessons | None = None,
) -> Pipeline:
    """Learn the parts of a pipeline from a treebank.

    With `dev`, every part keeps its best epoch there, and the scores of the whole are measured on it. The number of
    `threads` changes the time only. Tagger and parser look at `clusters` of words, if there are any. `checkpoint` and
    `resume` are about the transition-based parser, which takes longest: see `Parser.fit`. Where the recipe has a guide,
    it is learned with the parser.

    What was learned before need not be learned again: parts that are `ready` are taken as they are, and the parser
    learns from the `lessons` that are given (see `make_lessons`).
    """
    recipe = recipe or Recipe()
    if resume and recipe.model.parser == "graph":
        raise InputError("The training of a graph-based parser keeps no checkpoint, so it cannot be resumed.")
    if "parser" in parts and recipe.learns_tags:
        _check_joint(recipe, parts)
    follower = follower or Silence()
    pipeline = Pipeline(recipe)
    for name in _in_order(parts, recipe):
        if ready and name in ready.parts:
            setattr(pipeline, name, ready.parts[name])
            continue
        follower.on_part(name, recipe)
        if name == "tokenizer":
            pipeline.tokenizer = Tokenizer(**asdict(recipe.tokenizer))
            pipeline.tokenizer.fit(sentences, dev=dev, on_epoch=follower.on_epoch)
        elif name == "tagger":
            pipeline.tagger = Tagger(**asdict(recipe.tagger))
            pipeline.tagger.fit(
                sentences,
                dev=dev,
                columns=clusters.columns() if clusters else None,
                on_epoch=follower.on_epoch,
                on_progress=follower.on_progress,
            )
        elif name == "lemmatizer":
            pipeline.lemmatizer = Lemmatizer(**asdict(recipe.lemmatizer))
            pipeline.lemmatizer.fit(sentences, dev=dev, on_epoch=follower.on_epoch)
        else:
            if lessons is None:
                lessons = make_lessons(
                    pipeline, sentences, dev, threads=threads, clusters=clusters, on_fold=follower.on_fold
                )
            if name == "guide":
                pipeline.guide = _new_parser(recipe.model.guide, recipe.guide, recipe.graph)
                _fit(pipeline.guide, lessons, follower, clusters, threads)
                continue
            if name == "second":
                pipeline.second = GraphParser(**asdict(recipe.graph))
                _fit(pipeline.second, lessons, follower, clusters, threads)
                continue
            if name == "third":
                pipeline.third = Parser(**asdict(recipe.third))
                _fit(
                    pipeline.third,
                    replace(lessons, candidates=None, dev_candidates=None),
                    follower,
                    clusters,
                    threads,
                )
                continue
            guides = None
            if pipeline.guide:
                guides = make_guides(
                    pipeline.guide, lessons, threads=threads, clusters=clusters, on_fold=follower.on_fold
                )
            pipeline.parser = _new_parser(recipe.model.parser, recipe.parser, recipe.graph)
            _fit(pipeline.parser, lessons, follower, clusters, threads, guides, checkpoint, resume)
    pipeline.about_ = {
        **{name: value for name, value in asdict(recipe.model).items() if name not in _NOT_TOLD},
        "treebank": recipe.model.treebank or PurePath(_path(sentences)).name,
        "sentences": len(sentences),
        "words": sum(map(len, sentences)),
        "dev": PurePath(_path(dev)).name if dev is not None else "",
    }
    if dev is not None and set(parts) == set(LEARNED):
        follower.on_part("scores", recipe)
        pipeline.scores_ = measure(pipeline, dev)
    return pipeline


def measure(pipeline: Pipeline, gold: Sequence[Sentence]) -> dict[str, dict[str, float]]:
    """The CoNLL-18 scores of a whole pipeline: from the gold tokens, and from nothing but the text."""
    ways = {
        "gold tokens": pipeline.parse(gold),
        "raw text": list(pipeline.stream([raw_text(gold).text])),
    }
    scores = {way: evaluate(gold, parsed) for way, parsed in ways.items()}
    return {way: {name: round(getattr(found, name), 2) for name in SCORES} for way, found in scores.items()}


def _check_joint(recipe: Recipe, parts: Collection[str]) -> None:
    if "tagger" not in parts:
        raise InputError("A joint parser chooses among the tags of a tagger: train both.")
    if recipe.model.tags == "gold":
        raise InputError("A joint parser learns from predicted tags: model.tags must be predicted or both.")


def _new_parser(kind: str, transition: ParserOptions, graph: GraphOptions) -> Parser | GraphParser:
    return GraphParser(**asdict(graph)) if kind == "graph" else Parser(**asdict(transition))


def _fit(
    parser: Parser | GraphParser,
    lessons: Lessons,
    follower: Follower,
    clusters: Clusters | None,
    threads: int,
    guides: Guides | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
) -> None:
    if isinstance(parser, GraphParser):
        parser.fit(
            lessons.train,
            dev=lessons.dev,
            on_epoch=follower.on_epoch,
            on_progress=follower.on_progress,
            clusters=clusters,
            guides=guides.train if guides else None,
            dev_guides=guides.dev if guides else None,
            threads=threads,
        )
        return
    parser.fit(
        lessons.train,
        dev=lessons.dev,
        on_epoch=follower.on_epoch,
        on_progress=follower.on_progress,
        checkpoint=checkpoint,
        resume=resume,
        clusters=clusters,
        candidates=lessons.candidates,
        dev_candidates=lessons.dev_candidates,
        guides=guides.train if guides else None,
        dev_guides=guides.dev if guides else None,
        threads=threads,
    )


def _in_order(parts: Collection[str], recipe: Recipe) -> list[str]:
    """The parts to learn, each after those it looks at."""
    beside = {"guide": bool(recipe.model.guide), "second": recipe.model.vote, "third": recipe.model.vote}
    return [name for name in PARTS if name in parts or ("parser" in parts and beside.get(name))]


def _path(sentences: Sequence[Sentence] | None) -> str:
    return sentences.path if isinstance(sentences, Treebank) else ""
