"""What a parser learns from: the trees of a treebank, with tags and guides as a new text will have them.

Taggers and guides are better on sentences they have learned from than on new ones. A parser that learned from those
would trust them too much, so the training set is annotated by jackknifing (Bohnet and Nivre 2012, section 4.1; Nivre
and McDonald 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from plait.clusters import Clusters
from plait.graph import GraphParser
from plait.lemmas import Lemmatizer
from plait.parser import Candidates, Parser
from plait.parser.candidates import NO_CHOICE
from plait.pipeline.candidates import Chooser
from plait.pipeline.estimator import Pipeline
from plait.pipeline.jackknife import Annotator, assign, jackknife
from plait.sentence import Sentence, Treebank
from plait.tagger import Tagger

OnFold = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Lessons:
    """Gold trees under the tags a parser sees, to learn from and to be judged by.

    `folds` has one number per sentence of `train`: sentences with the same one are annotated together. A joint parser
    chooses among candidates.
    """

    train: Sequence[Sentence]
    dev: Sequence[Sentence] | None
    folds: list[int]
    candidates: Sequence[Candidates] | None = None
    dev_candidates: Sequence[Candidates] | None = None


@dataclass(frozen=True, slots=True)
class Guides:
    """The same sentences with the trees of a guide."""

    train: Sequence[Sentence]
    dev: Sequence[Sentence] | None


def make_lessons(
    pipeline: Pipeline,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    *,
    tagged: Sequence[Sentence] | None = None,
    threads: int = 1,
    clusters: Clusters | None = None,
    on_fold: OnFold | None = None,
) -> Lessons:
    """The training and dev set with tags and lemmas as the recipe wants them.

    With `both`, a parser knows how far it may trust predicted tags, and what they are worth when they are right.
    `tagged` are the sentences as `jackknife_tags` gives them, if that was done before; a joint parser needs its own.
    """
    recipe = pipeline.recipe
    folds = assign(sentences, recipe.model.folds)
    if pipeline.tagger is None and pipeline.lemmatizer is None:
        return Lessons(sentences, dev, folds)
    candidates: dict[int, Candidates] | None = None
    dev_candidates: list[Candidates] | None = None
    if recipe.learns_tags:
        tagged_dev, dev_candidates = (None, None) if dev is None else _with_candidates(pipeline, dev)
    else:
        tagged_dev = None if dev is None else _tagged(pipeline, dev)
    if recipe.model.tags == "gold":
        return Lessons(sentences, tagged_dev, folds)
    if recipe.learns_tags:
        candidates = {}
        tagged = jackknife_tags(
            pipeline, sentences, threads=threads, clusters=clusters, on_fold=on_fold, candidates=candidates
        )
    elif tagged is None:
        tagged = jackknife_tags(pipeline, sentences, threads=threads, clusters=clusters, on_fold=on_fold)
    choice = None if candidates is None else [candidates[id(sentence)] for sentence in tagged]
    if recipe.model.tags == "both":
        if choice is not None:
            choice += [NO_CHOICE] * len(sentences)
        tagged, folds = [*tagged, *sentences], folds * 2
    return Lessons(_treebank(tagged, sentences), tagged_dev, folds, choice, dev_candidates)


def jackknife_tags(
    pipeline: Pipeline,
    sentences: Sequence[Sentence],
    *,
    threads: int = 1,
    clusters: Clusters | None = None,
    on_fold: OnFold | None = None,
    candidates: dict[int, Candidates] | None = None,
) -> list[Sentence]:
    """The sentences with the tags and lemmas of models that have not learned from them. What else these consider is
    put into `candidates`, by the identity of the sentences that are returned.
    """
    recipe = pipeline.recipe

    def learn(others: list[Sentence]) -> Annotator:
        """Taggers like the one that is kept, for as many epochs."""
        twin = Pipeline(recipe)
        if pipeline.tagger:
            options = asdict(replace(recipe.tagger, epochs=pipeline.tagger.best_epoch_))
            twin.tagger = Tagger(**options).fit(others, columns=clusters.columns() if clusters else None)
        if pipeline.lemmatizer:
            options = asdict(replace(recipe.lemmatizer, epochs=pipeline.lemmatizer.best_epoch_))
            twin.lemmatizer = Lemmatizer(**options).fit(others)
        if candidates is None or twin.tagger is None:
            return twin.tag
        return partial(_choose, Chooser(twin.tagger, twin.lemmatizer, recipe.parser), candidates)

    return jackknife(sentences, learn, folds=recipe.model.folds, threads=threads, on_fold=on_fold)


def _choose(
    chooser: Chooser, candidates: dict[int, Candidates], sentences: Iterable[Sentence]
) -> Iterator[Sentence]:
    for sentence, choice in chooser.annotate_to_learn(sentences):
        candidates[id(sentence)] = choice
        yield sentence


def _with_candidates(pipeline: Pipeline, sentences: Sequence[Sentence]) -> tuple[Treebank, list[Candidates]]:
    assert pipeline.tagger is not None
    chooser = Chooser(pipeline.tagger, pipeline.lemmatizer, pipeline.recipe.parser)
    pairs = list(chooser.annotate(sentence.copy() for sentence in sentences))
    return _treebank([sentence for sentence, _ in pairs], sentences), [choice for _, choice in pairs]


def make_guides(
    guide: Parser | GraphParser,
    lessons: Lessons,
    *,
    threads: int = 1,
    clusters: Clusters | None = None,
    on_fold: OnFold | None = None,
) -> Guides:
    """The lessons with the trees of guides that have not learned from them; the dev set with those of the guide."""

    def learn(others: list[Sentence]) -> Annotator:
        """Guides like the one that is kept, for as many epochs."""
        options = asdict(replace(guide.options, epochs=guide.best_epoch_))
        return type(guide)(**options).fit(others, clusters=clusters).annotate

    train = jackknife(
        lessons.train,
        learn,
        folds=max(lessons.folds) + 1,
        threads=threads,
        on_fold=on_fold,
        fold_of=lessons.folds,
    )
    return Guides(train, None if lessons.dev is None else guide.parse(lessons.dev))


def _tagged(pipeline: Pipeline, sentences: Sequence[Sentence]) -> Treebank:
    """Only tags and lemmas are replaced: the trees are to learn from."""
    copies = (sentence.copy() for sentence in sentences)
    return _treebank(list(pipeline.tag(copies)), sentences)


def _treebank(sentences: Sequence[Sentence], origin: Sequence[Sentence]) -> Treebank:
    return Treebank(sentences, path=origin.path if isinstance(origin, Treebank) else "")
