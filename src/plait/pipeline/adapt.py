"""A pipeline that fits another kind of text than that of its treebank, without new trees (Pekar, Yu, El-karef and
Bohnet 2014): norms of words, clusters from raw text, a lexicon, and sentences of that text that other parsers annotate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any

from plait.components.normalizer import Normalizer
from plait.errors import InputError
from plait.evaluation import evaluate
from plait.features.clusters import Clusters
from plait.features.encoding import norms_of
from plait.features.lexicon import COLUMN, TagLexicon
from plait.learning import registry
from plait.learning.component import through
from plait.learning.composite import teach
from plait.learning.lessons import Lessons
from plait.learning.plan import Plan
from plait.learning.request import Request
from plait.learning.watch import SILENT, Watch
from plait.learning.workshop import Workshop
from plait.pipeline.agreement import LEAST, MOST, agreed
from plait.pipeline.pipeline import Pipeline
from plait.pipeline.recipe import Recipe
from plait.pipeline.train import InterruptedTraining, Training, measure
from plait.sentence import Sentence, Treebank
from plait.trees.voting import vote

NORMS, CLUSTERS, AGREEMENT, DISTILLATION = USES = ("norms", "clusters", "agreement", "distillation")
LEARNED = (
    CLUSTERS,
)  # by default, where there is a treebank to learn from: what proved itself (docs/adaptation.md)
_LONGEST = 120  # words; what is longer is hardly a sentence
_COMPARED = 2_000  # sentences of the text, before and after
SCORES = ("upos", "uas", "las")

# Parsers that differ: exact search, and three ways to build a tree step by step. They only teach: small tables will do.
_SMALL = {"bits": 22, "epochs": 6}
SOURCES: Mapping[str, Mapping[str, Any]] = {
    "graph": {"kind": "graph", **_SMALL, "epochs": 4},
    "swap": {"kind": "transition", **_SMALL, "beam": 1},
    "eager": {"kind": "transition", **_SMALL, "beam": 1, "system": "eager", "projectivize": "head"},
    "spine": {"kind": "transition", **_SMALL, "beam": 1, "system": "spine-swap"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Adaptation:
    """What is used, of `USES`. With `agreement`, sentences of at least so many words on which all `sources` agree are
    added to the treebank, with `distillation` all sentences as the sources vote; at most so many. There are as many
    `clusters` of the words that occur `fewest` times.
    """

    uses: tuple[str, ...] = (NORMS,)
    sources: tuple[str, ...] = ("graph", "swap", "eager")
    least: int = LEAST
    most: int = MOST
    clusters: int = 400
    fewest: int = 3
    spellings: str = "web"

    def __post_init__(self) -> None:
        for names, known in ((self.uses, USES), (self.sources, SOURCES)):
            for name in names:
                if name not in known:
                    raise InputError(f"No {name!r} to adapt with. Available: {', '.join(known)}.")
        if AGREEMENT in self.uses and DISTILLATION in self.uses:
            raise InputError("Either agreement or distillation: what is distilled holds what is agreed on.")
        if self.adds and len(self.sources) < 2:
            raise InputError("Parsers agree or vote: two sources are needed, or more.")

    @property
    def adds(self) -> str:
        return next((use for use in self.uses if use in (AGREEMENT, DISTILLATION)), "")


@dataclass(frozen=True, slots=True)
class AdaptationReport:
    """What was read and learned, and what is different: shares of words of the text (in percent) whose tag, head or
    label changed, and scores of the dev set before and after.
    """

    sentences: int
    words: int
    unknown: float  # share of words that the model does not know by name, in percent
    norms: tuple[tuple[str, str], ...] = ()  # forms and norms, the most frequent ones
    changed_words: int = 0
    clusters: int = 0
    added: int = 0
    added_words: int = 0
    changed: dict[str, float] = field(default_factory=dict)
    before: dict[str, float] = field(default_factory=dict)
    after: dict[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        rounded = {name: round(share, 2) for name, share in self.changed.items()}
        return asdict(self) | {"unknown": round(self.unknown, 2), "changed": rounded}


def adapt(
    model: Pipeline,
    raw: Iterable[Sentence],
    *,
    how: Adaptation,
    gold: Sequence[Sentence] | None = None,
    dev: Sequence[Sentence] | None = None,
    lexicon: TagLexicon | None = None,
    threads: int = 1,
    watch: Watch = SILENT,
    workshop: Workshop | None = None,
    sources: str = "",
) -> tuple[Pipeline, AdaptationReport]:
    """A pipeline for text like `raw`, and a report. A model does not hold its trees: what is learned needs its
    treebank, `gold`; norms are all that helps without one. `sources` tells on the card where the text is from.
    """
    text = list(_fresh(raw))
    if not text:
        raise InputError("There is no sentence in the raw text to adapt to.")
    learns = [use for use in how.uses if use != NORMS] + (["a lexicon"] if lexicon else [])
    if learns and gold is None:
        raise InputError(
            f"A model does not hold the trees it learned from: {' and '.join(learns)} need its treebank "
            "(--treebank); without one, a model can get norms of words."
        )
    report = _read(model, text)
    if gold is None:
        adapted = _with_norms(model, how)
    else:
        adapted, report = _Relearning(
            model, text, how, gold, dev, lexicon, threads, watch, workshop or Workshop(), sources
        ).run(report)
    return adapted, _compare(model, adapted, text, dev, report, threads)


def _fresh(raw: Iterable[Sentence]) -> Iterable[Sentence]:
    """Every sentence once, with nothing but its words; in the order of the text."""
    seen: set[tuple[str, ...]] = set()
    for sentence in raw:
        key = tuple(sentence.forms)
        if 1 < len(key) <= _LONGEST and key not in seen:
            seen.add(key)
            yield Sentence(forms=sentence.forms, misc=sentence.misc)


def _read(model: Pipeline, text: Sequence[Sentence]) -> AdaptationReport:
    known = {word.lower() for each in model.components.values() for word in each.words()}
    forms = [form for sentence in text for form in sentence.forms]
    unknown = sum(form.lower() not in known for form in forms) if known else 0
    return AdaptationReport(len(text), len(forms), 100 * unknown / len(forms))


def _with_norms(model: Pipeline, how: Adaptation) -> Pipeline:
    """The model as it is, with a normalizer before all that looks at words."""
    normalizer = Normalizer(spellings=how.spellings)
    normalizer.learn_words(word for each in model.components.values() for word in each.words())
    adapted = Pipeline(model=model.model)
    for name, component in _in_order(model.components, normalizer).items():
        adapted.add(name, component)
    adapted.origin_ = model.origin_
    return adapted


def _in_order(components: Mapping[str, Any], normalizer: Any) -> dict[str, Any]:
    """With a normalizer after what gives tokens; one that was there is replaced."""
    others = {name: each for name, each in components.items() if each.kind != Normalizer.kind}
    first = [name for name, each in others.items() if "tokens" in registry.find(each.kind).provides]
    before = {name: others.pop(name) for name in first}
    return before | {Normalizer.usual_name: normalizer} | others


class _Relearning:
    """Everything between tokenizer and parser is learned from the treebank anew, the parser from more."""

    def __init__(
        self,
        model: Pipeline,
        text: Sequence[Sentence],
        how: Adaptation,
        gold: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        lexicon: TagLexicon | None,
        threads: int,
        watch: Watch,
        workshop: Workshop,
        sources: str,
    ) -> None:
        self._model, self._text, self._how, self._gold, self._dev = model, text, how, gold, dev
        self._lexicon, self._threads, self._watch, self._shop = lexicon, threads, watch, workshop
        self._sources = sources
        self._recipe = _recipe(model, how)

    def run(self, report: AdaptationReport) -> tuple[Pipeline, AdaptationReport]:
        recipe, how = self._recipe, self._how
        clusters = None
        if CLUSTERS in how.uses:
            self._watch.on_component("clusters", None)
            texts = chain((each.forms for each in self._text), (each.forms for each in self._gold))
            clusters = Clusters.learn(texts, clusters=how.clusters, least=how.fewest)
        columns = {COLUMN: self._lexicon.column(self._gold)} if self._lexicon else None
        gold = Lessons.of(self._gold, clusters, columns)
        dev = None if self._dev is None else Lessons.of(self._dev, clusters, columns)
        # What cuts text into words learns nothing from more of it.
        cutting = Pipeline(
            {each: own for each, own in self._model.components.items() if "tokens" in own.provides}
        )
        training = Training(
            gold,
            dev,
            recipe,
            threads=self._threads,
            watch=self._watch,
            workshop=self._shop.room("front"),
            fixed=frozenset(cutting.components),
        )
        name = recipe.parser
        pipeline = training.run(cutting, until=name)
        plan = recipe.plan(name)
        parser = registry.find(plan.kind).from_plan(plan)
        shown, shown_dev = training.lessons_of(parser)
        added = self._added(pipeline, shown)
        whole = shown.showing([*shown, *added], shown.seen, _folds(shown, len(added)))
        learned = teach(parser, name, whole, shown_dev, self._watch, self._threads, self._shop.room(name))
        if not learned.ready:
            raise InterruptedTraining
        pipeline.add(name, learned)
        for later, component in self._model.components.items():
            if later not in pipeline and component.kind not in ("normalizer", learned.kind):
                pipeline.add(later, component)
        words = sum(map(len, added))
        origin = gold.origin(dev, recipe.model.licence)
        if added:
            told = f"{how.adds} of {', '.join(how.sources)}"
            origin = replace(origin, teacher=told, labelled=words, sources=self._sources)
        pipeline.origin_ = replace(origin, treebank=recipe.model.treebank or origin.treebank)
        if self._dev is not None:
            pipeline.scores_ = measure(pipeline, self._dev)
        found = len(set(clusters.mapping.values())) if clusters else 0
        return pipeline, replace(report, clusters=found, added=len(added), added_words=words)

    def _added(self, front: Pipeline, shown: Lessons) -> list[Sentence]:
        how = self._how
        if not how.adds:
            return []
        request = Request(threads=self._threads)
        text = self._text[: how.most] if how.adds == DISTILLATION else self._text
        tagged = list(through(front.working(), (each.copy() for each in text), request))
        parses = []
        for name in how.sources:
            plan = Plan.of(SOURCES[name])
            source = registry.find(plan.kind).from_plan(plan)
            place = self._shop.room(f"source-{name}")
            learned = teach(source, f"source {name}", shown, None, self._watch, self._threads, place)
            if not learned.ready or learned.interrupted_:
                raise InterruptedTraining
            parses.append(list(learned.annotate((each.copy() for each in tagged), request)))
        if how.adds == AGREEMENT:
            return list(agreed(parses, least=how.least, most=how.most))
        return list(vote(parses))


def _recipe(model: Pipeline, how: Adaptation) -> Recipe:
    """How the model was made, with a normalizer if there is to be one."""
    recipe = model.recipe
    name = recipe.parser
    if name not in model:
        raise InputError("The model has no parser, so there is nothing to adapt.")
    if registry.find(recipe.plan(name).kind).draws:
        raise InputError(
            "The parser of this model is a net, which is not learned anew here: without --treebank it gets norms of "
            "words; a net for your text is learned by `plait teach MODEL --raw TEXT --treebank FOLDER --student small`."
        )
    plans = dict(recipe.plans)
    order = recipe.model.order
    if NORMS in how.uses:
        plans = _in_order(plans, Plan.of({"spellings": how.spellings}, Normalizer.kind))
        order = list(_in_order({each: recipe.plan(each) for each in order}, None))
    kept = order[: order.index(name) + 1]  # what comes after the parser is taken as it is
    return replace(recipe, plans=plans, model=recipe.model.updated({"components": ",".join(kept)}))


def _folds(shown: Lessons, more: int) -> list[int] | None:
    if shown.folds is None:
        return None
    count = max(shown.folds) + 1
    return [*shown.folds, *(number % count for number in range(more))]


def _compare(
    model: Pipeline,
    adapted: Pipeline,
    text: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    report: AdaptationReport,
    threads: int,
) -> AdaptationReport:
    some = text[:_COMPARED]
    old, new = (each.parse(some, threads=threads) for each in (model, adapted))
    norms: Counter[tuple[str, str]] = Counter()
    normalizer = adapted.giving("norms")
    if normalizer is not None:
        for sentence in normalizer.apply(text):
            pairs = zip(sentence.forms, norms_of(sentence), strict=True)
            norms.update((form, norm) for form, norm in pairs if form != norm)
    report = replace(
        report,
        norms=tuple(pair for pair, _ in norms.most_common(10)),
        changed_words=sum(norms.values()),
        changed={name: _share(old, new, name) for name in ("upos", "heads", "deprels")},
    )
    if dev is None:
        return report
    right = Treebank(list(dev))
    before, after = (evaluate(right, each.parse(dev, threads=threads)) for each in (model, adapted))
    return replace(report, before=_scores(before), after=_scores(after))


def _share(old: Treebank, new: Treebank, column: str) -> float:
    pairs: list[tuple[Any, Any]] = [
        (a, b)
        for one, other in zip(old, new, strict=True)
        for a, b in zip(getattr(one, column), getattr(other, column), strict=True)
    ]
    return 100 * sum(bool(a != b) for a, b in pairs) / max(1, len(pairs))


def _scores(scores: Any) -> dict[str, float]:
    return {name: round(getattr(scores, name), 2) for name in SCORES}
