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
class Tagged:
    """Sentences with tags and lemmas of models that have not learned from them, and what else these considered."""

    sentences: Sequence[Sentence]
    candidates: Sequence[Candidates] | None = None


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
    tagged: Tagged | None = None,
    threads: int = 1,
    clusters: Clusters | None = None,
    on_fold: OnFold | None = None,
) -> Lessons:
    """The training and dev set with tags and lemmas as the recipe wants them.

    With `both`, a parser knows how far it may trust predicted tags, and what they are worth when they are right.
    `tagged` is what `jackknife_tags` gives, if that was done before.
    """
    recipe = pipeline.recipe
    folds = assign(sentences, recipe.model.folds)
    if pipeline.tagger is None and pipeline.lemmatizer is None:
        return Lessons(sentences, dev, folds)
    joint = recipe.learns_tags
    new = None if dev is None else tag_as_new(pipeline, dev)
    tagged_dev, dev_candidates = (new.sentences, new.candidates) if new else (None, None)
    if recipe.model.tags == "gold":
        return Lessons(sentences, tagged_dev, folds)
    if tagged is None:
        tagged = jackknife_tags(
            pipeline, sentences, threads=threads, clusters=clusters, on_fold=on_fold, candidates=joint
        )
    lessons, candidates = [*tagged.sentences], [*(tagged.candidates or ())]
    if recipe.model.tags == "both":
        lessons += sentences
        candidates += [NO_CHOICE] * len(sentences)
        folds = folds * 2
    return Lessons(
        _treebank(lessons, sentences), tagged_dev, folds, candidates if joint else None, dev_candidates
    )


def jackknife_tags(
    pipeline: Pipeline,
    sentences: Sequence[Sentence],
    *,
    threads: int = 1,
    clusters: Clusters | None = None,
    on_fold: OnFold | None = None,
    candidates: bool = False,
) -> Tagged:
    """The sentences tagged by models that have not learned from them; with `candidates`, as the options of the parser
    say.
    """
    recipe = pipeline.recipe
    found: dict[int, Candidates] = {}  # by the identity of sentences, which live as long as this

    def learn(others: list[Sentence]) -> Annotator:
        """Taggers like the one that is kept, for as many epochs."""
        twin = Pipeline(recipe)
        if pipeline.tagger:
            options = asdict(replace(recipe.tagger, epochs=pipeline.tagger.best_epoch_))
            twin.tagger = Tagger(**options).fit(others, columns=clusters.columns() if clusters else None)
        if pipeline.lemmatizer:
            options = asdict(replace(recipe.lemmatizer, epochs=pipeline.lemmatizer.best_epoch_))
            twin.lemmatizer = Lemmatizer(**options).fit(others)
        if not candidates or twin.tagger is None:
            return twin.tag
        return partial(_choose, Chooser(twin.tagger, twin.lemmatizer, recipe.parser), found)

    tagged = jackknife(sentences, learn, folds=recipe.model.folds, threads=threads, on_fold=on_fold)
    return Tagged(tagged, [found[id(sentence)] for sentence in tagged] if candidates else None)


def _choose(
    chooser: Chooser, found: dict[int, Candidates], sentences: Iterable[Sentence]
) -> Iterator[Sentence]:
    for sentence, choice in chooser.annotate_to_learn(sentences):
        found[id(sentence)] = choice
        yield sentence


def tag_as_new(pipeline: Pipeline, sentences: Sequence[Sentence]) -> Tagged:
    """The sentences as a parser sees those of a new text: tagged by the pipeline, with their gold trees."""
    copies = (sentence.copy() for sentence in sentences)
    if pipeline.tagger is None or not pipeline.recipe.learns_tags:
        return Tagged(_treebank(list(pipeline.tag(copies)), sentences))
    chooser = Chooser(pipeline.tagger, pipeline.lemmatizer, pipeline.recipe.parser)
    pairs = list(chooser.annotate(copies))
    return Tagged(_treebank([sentence for sentence, _ in pairs], sentences), [choice for _, choice in pairs])


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


def _treebank(sentences: Sequence[Sentence], origin: Sequence[Sentence]) -> Treebank:
    return Treebank(sentences, path=origin.path if isinstance(origin, Treebank) else "")
