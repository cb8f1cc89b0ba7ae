"""A whole pipeline from a treebank: each part in turn, the parser from jackknifed tags."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from pathlib import Path, PurePath
from typing import Any, Protocol

from plait.clusters import Clusters
from plait.evaluation import evaluate
from plait.lemmas import Lemmatizer
from plait.parser import Parser
from plait.pipeline.estimator import PARTS, Pipeline
from plait.pipeline.jackknife import Annotator, jackknife
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
    parts: Collection[str] = tuple(PARTS),
    threads: int = 1,
    clusters: Clusters | None = None,
    follower: Follower | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
) -> Pipeline:
    """Learn the parts of a pipeline from a treebank.

    With `dev`, every part keeps its best epoch there, and the scores of the whole are measured on it. The number of
    `threads` changes the time only. Tagger and parser look at `clusters` of words, if there are any. `checkpoint` and
    `resume` are about the parser, which takes longest: see `Parser.fit`.
    """
    recipe = recipe or Recipe()
    follower = follower or Silence()
    pipeline = Pipeline(recipe)
    for name in PARTS:
        if name not in parts:
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
            lessons, tagged = _with_tags(pipeline, recipe, sentences, dev, threads, clusters, follower)
            pipeline.parser = Parser(**asdict(recipe.parser))
            pipeline.parser.fit(
                lessons,
                dev=tagged,
                on_epoch=follower.on_epoch,
                on_progress=follower.on_progress,
                checkpoint=checkpoint,
                resume=resume,
                clusters=clusters,
                threads=threads,
            )
    pipeline.about_ = {
        **{name: value for name, value in asdict(recipe.model).items() if name not in ("tags", "folds")},
        "treebank": recipe.model.treebank or PurePath(_path(sentences)).name,
        "sentences": len(sentences),
        "words": sum(map(len, sentences)),
        "dev": PurePath(_path(dev)).name if dev is not None else "",
    }
    if dev is not None and set(parts) == set(PARTS):
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


def _with_tags(
    pipeline: Pipeline,
    recipe: Recipe,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    threads: int,
    clusters: Clusters | None,
    follower: Follower,
) -> tuple[Sequence[Sentence], Sequence[Sentence] | None]:
    """The training and dev set with tags and lemmas as a new text will have them (Bohnet and Nivre 2012, section
    4.1): the parser then knows how far it may trust them. With the gold tags too, it also knows what they are worth
    when they are right.
    """
    if pipeline.tagger is None and pipeline.lemmatizer is None:
        return sentences, dev
    # Without a parser yet, only tags and lemmas are replaced.
    tagged = None if dev is None else pipeline.parse(dev)
    if recipe.model.tags == "gold":
        return sentences, tagged

    def learn(others: list[Sentence]) -> Annotator:
        """Taggers like the one that is kept, for as many epochs."""
        twin = Pipeline(recipe)
        if pipeline.tagger:
            options = asdict(replace(recipe.tagger, epochs=pipeline.tagger.best_epoch_))
            twin.tagger = Tagger(**options).fit(others, columns=clusters.columns() if clusters else None)
        if pipeline.lemmatizer:
            options = asdict(replace(recipe.lemmatizer, epochs=pipeline.lemmatizer.best_epoch_))
            twin.lemmatizer = Lemmatizer(**options).fit(others)
        return twin.tag

    lessons = jackknife(sentences, learn, folds=recipe.model.folds, threads=threads, on_fold=follower.on_fold)
    if recipe.model.tags == "both":
        lessons += sentences
    return Treebank(lessons, path=_path(sentences)), tagged


def _path(sentences: Sequence[Sentence] | None) -> str:
    return sentences.path if isinstance(sentences, Treebank) else ""
