"""A whole pipeline from a treebank: each component in turn, from what those before it will show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from plait.components.tokenizer import raw_text
from plait.components.transition import TransitionParser
from plait.errors import InputError
from plait.evaluation import evaluate
from plait.evaluation.roles import ROLE_SCORES
from plait.features.clusters import Clusters
from plait.layers import Frames
from plait.learning import registry
from plait.learning.component import Component, through
from plait.learning.composite import teach
from plait.learning.jackknife import assign, jackknife
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request, TagChoice
from plait.learning.watch import SILENT, Watch
from plait.learning.workshop import Workshop
from plait.pipeline.pipeline import Pipeline
from plait.pipeline.recipe import Recipe
from plait.sentence import Sentence, Treebank, require_sentences

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
_TREE_FOLDS = 4


class InterruptedTraining(KeyboardInterrupt):
    """Ctrl-C before there is a whole model; a workshop has kept what is finished."""


def train(
    sentences: Sequence[Sentence],
    *,
    dev: Sequence[Sentence] | None = None,
    recipe: Recipe | None = None,
    clusters: Clusters | None = None,
    threads: int = 1,
    watch: Watch = SILENT,
    workshop: Workshop | None = None,
    ready: Pipeline | None = None,
    labelled: Iterable[Sentence] | None = None,
) -> Pipeline:
    """Learn the components of a recipe from a treebank.

    With `dev`, every component keeps its best epoch there, and the scores of the whole are measured on it. The number
    of `threads` changes the time only. Components may look at `clusters` of words, if there are any. In a `workshop`,
    a folder, all that is finished is kept, and a training that was interrupted goes on there. Components that are
    `ready` are taken as they are. Sentences that a teacher has `labelled` are learned from too: by nets, which draw
    some for every epoch, and by all others as if they were part of the treebank.
    """
    require_sentences(sentences, dev)
    recipe = recipe or Recipe()
    lessons = Lessons.of(sentences, clusters)
    drawn = None
    if labelled is not None:
        drawn = replace(lessons, labelled=labelled)
        learning = [registry.find(plan.kind) for name, plan in recipe if not (ready and name in ready)]
        if not all(kind.draws for kind in learning):
            whole = Treebank([*sentences, *labelled], path=lessons.path)
            lessons = replace(Lessons.of(whole, clusters), distinct=lessons.distinct, words=lessons.words)
    return Training(
        lessons,
        None if dev is None else Lessons.of(dev, clusters),
        recipe,
        drawn=drawn,
        threads=threads,
        watch=watch,
        workshop=workshop,
        fixed=frozenset(ready.components if ready else ()),
    ).run(ready)


class Training:
    """The treebank, and the pipeline as far as it has come."""

    def __init__(
        self,
        gold: Lessons,
        dev: Lessons | None,
        recipe: Recipe,
        *,
        threads: int = 1,
        watch: Watch = SILENT,
        workshop: Workshop | None = None,
        folds: Workshop | None = None,
        drawn: Lessons | None = None,
        fixed: frozenset[str] = frozenset(),
    ) -> None:
        """Annotated folds are kept in the workshop, or in one of their own that several trainings may share. What draws
        from labelled text learns from `drawn`. Components that are `fixed` cannot be taught anew, as jackknifing would.
        """
        self.pipeline = Pipeline(model=recipe.model)
        self._gold = gold
        self._drawn = drawn
        self._dev = dev
        self._recipe = recipe
        self._threads = threads
        self._watch = watch
        self._workshop = workshop or Workshop()
        self._fold_shop = folds or self._workshop.room("folds")
        self._folds = assign(gold, recipe.model.folds)
        self._fixed = fixed
        # By who predicted, and the tags to choose from: all that look at the same see the same.
        self._predicted: dict[str, list[Sentence]] = {}

    def run(self, ready: Pipeline | None = None, *, until: str = "") -> Pipeline:
        """Components that are `ready` are taken as they are; those from the one called `until` on are left out."""
        planned = {name: registry.find(plan.kind).from_plan(plan) for name, plan in self._recipe}
        self._check(planned, ready)
        pipeline = self.pipeline
        for name, component in planned.items():
            if name == until:
                return pipeline
            if ready and name in ready:
                pipeline.add(name, ready[name])
                if ready[name].early:
                    self._show(ready[name])
                continue
            lessons, dev = self.lessons_of(component)
            place = self._workshop.room(name)
            learned = teach(component, name, lessons, dev, self._watch, self._threads, place)
            if not learned.ready or (learned.interrupted_ and name != self._recipe.model.order[-1]):
                raise InterruptedTraining
            pipeline.add(name, learned)
            if learned.early:
                self._show(learned)
        treebank = self._recipe.model.treebank
        origin = self._gold.origin(self._dev, self._recipe.model.licence)
        pipeline.origin_ = replace(origin, treebank=treebank or origin.treebank)
        given = _given(pipeline.components.values())
        if self._dev is not None and "tree" in given and given & {"tokens", "frames"}:
            self._watch.on_component("scores", None)
            pipeline.scores_ = measure(pipeline, self._dev)
        return pipeline

    def _show(self, component: Component[Any]) -> None:
        """Let all that learn from now on see what this one writes."""

        def shown(lessons: Lessons) -> Lessons:
            copies = (sentence.copy() for sentence in lessons)
            return replace(lessons, sentences=list(component.annotate(copies)))

        self._gold = shown(self._gold)
        self._dev = None if self._dev is None else shown(self._dev)
        if self._drawn is not None:
            self._drawn = shown(self._drawn)

    def lessons_of(self, component: Component[Any]) -> tuple[Lessons, Lessons | None]:
        """The training and the dev set as a component will see new texts; with `both`, the training set also as it is:
        it then knows how far it may trust others, and what they are worth when they are right.
        """
        before = {
            name: each
            for name, each in self.pipeline.components.items()
            if each.provides & component.sees_predicted
        }
        if component.draws and self._drawn is not None:
            return self._drawn, self._dev
        if not before:
            return replace(self._gold, folds=self._folds), self._dev
        choice = component.choice()
        dev = self._dev
        if dev is not None:
            copies = (sentence.copy() for sentence in dev)
            found = list(through(before.values(), copies, Request(choice=choice)))
            dev = dev.showing(found, "predicted")
        seen = component.shown or self._recipe.model.tags
        if seen == "gold":
            return replace(self._gold, folds=self._folds), dev
        predicted = self._jackknifed(before, choice)
        if seen == "predicted":
            return self._gold.showing(predicted, seen, self._folds), dev
        return self._gold.showing([*predicted, *self._gold], seen, [*self._folds, *self._folds]), dev

    def _jackknifed(self, before: Mapping[str, Component[Any]], choice: TagChoice | None) -> list[Sentence]:
        key = "-".join([*before, *([choice.key] if choice else [])])
        if key not in self._predicted and before.keys() <= self._fixed:
            # It annotates what it may have learned from itself.
            copies = (sentence.copy() for sentence in self._gold)
            self._predicted[key] = list(through(before.values(), copies))
        last = list(before.values())[-1]
        if key not in self._predicted and any(
            each.provides & last.sees_predicted for each in before.values()
        ):
            # It learns from others itself, so those that stand in for it do; few folds are enough.
            lessons = self.lessons_of(last)[0]
            self._predicted[key] = jackknife(
                [last],
                lessons,
                [fold % _TREE_FOLDS for fold in lessons.folds or ()],
                threads=self._threads,
                watch=self._watch,
                workshop=self._fold_shop.room(key),
                wanted=len(self._gold),
            )
        if key not in self._predicted:
            request = Request(choice=replace(choice, learning=True)) if choice else PLAIN
            self._predicted[key] = jackknife(
                list(before.values()),
                self._gold,
                self._folds,
                request=request,
                threads=self._threads,
                watch=self._watch,
                workshop=self._fold_shop.room(key),
            )
        return self._predicted[key]

    def _check(self, planned: dict[str, Component[Any]], ready: Pipeline | None) -> None:
        """What must hold before the first epoch."""
        given: set[str] = set()
        for name, component in planned.items():
            if component.choice() and "tags" not in given:
                raise InputError(f"{name}: it chooses among the tags of a tagger: train both.")
            if component.choice() and self._recipe.model.tags == "gold":
                raise InputError(
                    f"{name}: what chooses among tags learns from predicted ones: tags must be predicted or both."
                )
            if not (ready and name in ready):
                component.check(self._gold)
            given |= component.provides


def compact(pipeline: Pipeline, dev: Sequence[Sentence] | None) -> float:
    """Make the parser small (see `TransitionParser.compact`), as it sees the dev set when the components before it have
    annotated it; what was measured of the whole is measured anew. Returns the loss of the parser.
    """
    parser = pipeline.giving("tree")
    if not isinstance(parser, TransitionParser):
        raise InputError(
            "Only a transition-based parser can be compacted, and the model has none that is alone."
        )
    if dev is None:
        pipeline.scores_ = {}
        return parser.compact()
    before = [each for each in pipeline.working() if each.provides & parser.sees_predicted]
    copies = (sentence.copy() for sentence in dev)
    shown = Lessons.of(dev).showing(
        list(through(before, copies, Request(choice=parser.choice()))), "predicted"
    )
    loss = parser.compact(shown)
    if pipeline.scores_:
        pipeline.scores_ = measure(pipeline, dev)
    return loss


def measure(pipeline: Pipeline, gold: Sequence[Sentence]) -> dict[str, dict[str, float]]:
    """The CoNLL-18 scores of a whole pipeline, and those of roles if both have some: from the gold tokens, and from
    nothing but the text if it has a tokenizer.
    """
    ways = {"gold tokens": pipeline.parse(gold)}
    if pipeline.giving("tokens"):
        ways["raw text"] = Treebank(list(pipeline.stream([raw_text(gold).text])))
    scores = {way: evaluate(gold, parsed) for way, parsed in ways.items()}
    found = {way: {name: round(getattr(each, name), 2) for name in SCORES} for way, each in scores.items()}
    if pipeline.giving("frames") and any(sentence.find(Frames) for sentence in gold):
        for way, each in scores.items():
            if each.roles:
                found[way] |= {name: round(getattr(each.roles, name), 2) for name in ROLE_SCORES}
    return found


def _given(components: Any) -> set[str]:
    return {layer for component in components for layer in component.provides}
