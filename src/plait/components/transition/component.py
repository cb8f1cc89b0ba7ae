"""The transition-based parser: greedy and with a beam, and jointly with tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plait.cancel import Cancel
from plait.components.transition.candidates import right_ranks
from plait.components.transition.confidence import CALIBRATED, Calibration
from plait.components.transition.learner import Judge, TreeLearner
from plait.components.transition.model import Batch, Found, Model, Search, Setup
from plait.components.transition.options import TransitionOptions
from plait.components.transition.setup import load_templates, make_setup
from plait.errors import InputError
from plait.features import templates
from plait.features.clusters import Clusters
from plait.features.morphology import Morphology
from plait.features.parts import parse as parse_parts
from plait.layers import Alternatives, Candidates
from plait.learning.arcs import LabelledTrees, Labels, check_labels
from plait.learning.attachment import attach, tell_confidence, with_guides
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.given import checked
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request, TagChoice, refusal
from plait.learning.seen_labels import SeenLabels
from plait.learning.tensors import Tensors
from plait.learning.tracing import check_widths
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence
from plait.transitions.trace import Trace
from plait.trees.lifting import BASELINE

_MOST_PRUNING = 10  # units of a weight; beyond that it always hurts


@dataclass(frozen=True, slots=True)
class TransitionFacts:
    """Beside the weights."""

    single_root: bool
    labels: Labels
    features: str
    parts: dict[str, str]
    silent: list[str]
    filter: SeenLabels | None
    unit: float
    calibrations: dict[str, Calibration]


class TransitionParser(Component[Model]):
    """Builds trees by transitions (see `TransitionOptions`). The enhanced graph (DEPS, empty nodes) belongs to the old
    tree and is removed. A joint parser chooses among the `Candidates` of every sentence and puts tags and lemmas into
    it too; words without candidates keep the tags they have. A guided parser looks at the `GuideTree` of every
    sentence.
    """

    kind = "transition"
    title = "A parser"
    topics = ("dependency-parsing",)
    usual_name = "parser"
    Options = TransitionOptions
    Facts = TransitionFacts
    requires = frozenset({"tokens"})
    provides = frozenset({"tree"})
    accepts = frozenset({"beam", "confidence", "keep_heads", "nbest"})
    sees_predicted = frozenset({"tags", "lemmas"})

    def check(self, lessons: Lessons) -> None:
        check_labels(lessons, self.options.system, self.options.projectivize)
        load_templates(self.options, lessons)
        Morphology.of(self.options.keep_feats, self.options.lexicon, ())

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> TreeLearner:
        options = self.options
        gold = LabelledTrees.of(lessons, lessons.path, options.projectivize)
        if options.guided:
            list(with_guides(lessons, lessons.path))
            list(with_guides(dev or (), dev.path if dev else ""))
        setup = make_setup(options, lessons, gold)
        ranks = right_ranks(lessons) if options.joint else None
        encoded = gold.encode(setup.encode_words(lessons), setup.labels, ranks)
        return TreeLearner(setup, encoded, dev, lessons.distinct)

    def choice(self) -> TagChoice | None:
        options = self.options
        if not options.joint:
            return None
        feats = options.feats_per_word
        return TagChoice(
            options.tags_per_word, options.tag_margin, feats, options.feats_margin if feats else 0.0
        )

    def lacks(self) -> Mapping[str, str]:
        lacking = {}
        if self.options.guided:
            lacking["keep_heads"] = "it is guided, and follows the heads of its guide"
        if self.options.projectivize not in ("", BASELINE):
            lacking["keep_heads"] = "it is pseudo-projective, and its arcs are moved afterwards"
        if self.ready and not self.state.calibrations:
            lacking["confidence"] = "it was trained without a dev set, so how sure it is was never measured"
        return lacking

    @property
    def labels_(self) -> list[str]:
        return self.state.setup.labels.names

    @property
    def columns_(self) -> list[str]:
        """The attributes of words that the parser looks at, by their names in templates."""
        return self.state.setup.encoder.columns

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        curve = self._calibration(request) if request.confidence else None
        for batch, found in self._flow(sentences, request):
            bounds = batch.words.offsets.tolist()
            for i, parses in enumerate(self.state.trees(batch, found, request.cancel)):
                sentence = batch.sentences[i]
                attach(sentence, parses[0])
                sentence.take(Candidates)
                if request.nbest > 1:
                    sentence.put(Alternatives(tuple(parses)))
                if curve:
                    shares = curve.confidences(found.margins[bounds[i] : bounds[i + 1]])
                    tell_confidence(sentence, shares)
                yield sentence

    def trace(
        self,
        sentence: Sentence,
        *,
        beam: int | None = None,
        alternatives: int = 5,
        cancel: Cancel | None = None,
    ) -> Trace:
        """How the parser comes to the tree of a sentence: every step with the best so many `alternatives` and
        their scores, and with a beam all hypotheses of every round. Slower than parsing, for one to look at. A
        joint parser shows how it parses with the tags the sentence has.
        """
        width = beam or self.options.beam
        check_widths(beam=width, alternatives=alternatives)
        if self.options.guided:
            (sentence,) = with_guides([sentence])
        shown = sentence.copy()
        shown.take(Candidates)
        return self.state.trace(shown, width, alternatives, cancel)

    def compact(self, dev: Sequence[Sentence] | None = None, *, most_loss: float = 0.1) -> float:
        """Round the weights to int8 and leave out small ones, as many as cost at most `most_loss` LAS on `dev`
        (without it, those that are rounded to nothing). Returns the loss. The scores are those of the new weights.
        """
        model = self.state
        weights = model.weights
        if not weights.unit:
            weights = PackedWeights.rounded(np.asarray(weights.table, np.float32))
        chosen, loss = Model(model.setup, weights), 0.0
        if dev is None:
            self.change(chosen, {})
            return loss
        lessons = Lessons.of(dev)
        judge = Judge(model.setup, lessons, lessons.path)
        before = judge.score(model)["las"]
        loss = before - judge.score(chosen)["las"]
        for least in range(2, _MOST_PRUNING):
            candidate = Model(model.setup, weights.pruned(least))
            candidate_loss = before - judge.score(candidate)["las"]
            if candidate_loss <= most_loss:
                chosen, loss = candidate, candidate_loss
        self.change(chosen.calibrated(judge.calibrate(chosen)), judge.score(chosen))
        return loss

    def stand_in(self) -> TransitionParser:
        """A greedy one: its trees are nearly as good, after a fifth of the time."""
        twin = self.twin()
        if not twin.options.joint:
            twin.options = twin.options.updated({"beam": 1, "completion": "", "parts": "", "mix": 1})
        return twin

    def pack(self) -> tuple[TransitionFacts, Tensors]:
        model = self.state
        setup, clusters = model.setup, model.setup.clusters
        facts = TransitionFacts(
            setup.single_root,
            setup.labels,
            setup.templates.source,
            dict(setup.parts.sources),
            setup.silent,
            setup.label_filter,
            model.weights.unit,
            dict(model.calibrations),
        )
        tensors = model.weights.tensors() | setup.morphology.tensors()
        return facts, tensors | (clusters.tensors() if clusters else {})

    def unpack(self, facts: TransitionFacts, tensors: Tensors) -> None:
        options = self.options
        features = templates.parse(facts.features, "features", system=options.system, joint=options.joint)
        setup = Setup(
            options,
            facts.labels,
            features.without(facts.silent),
            single_root=facts.single_root,
            parts=parse_parts(facts.parts).without(facts.silent),
            silent=facts.silent,
            clusters=Clusters.from_tensors(tensors),
            label_filter=facts.filter,
            morphology=Morphology.from_tensors(options.keep_feats, tensors),
        )
        weights = PackedWeights.from_tensors(tensors, setup.cells, facts.unit)
        if facts.calibrations and set(facts.calibrations) != CALIBRATED:
            raise ValueError("the calibrations are of other searches")
        self._state = Model(setup, weights, facts.calibrations)

    def method(self) -> str:
        options = self.options
        return (
            f"System `{options.system}`, oracle `{options.chosen_oracle}`, beam {options.beam}, seed {options.seed}; "
            f"{len(self.labels_)} labels."
        )

    def _calibration(self, request: Request) -> Calibration:
        curves = self.state.calibrations
        if request.nbest > 1:
            raise InputError("How sure the parser is, is told of one tree, not of several.")
        if not curves:
            raise refusal("confidence", (), self.lacks()["confidence"])
        return curves["greedy" if (request.beam or self.options.beam) == 1 else "beam"]

    def _flow(self, sentences: Iterable[Sentence], request: Request) -> Iterator[tuple[Batch, Found]]:
        """Batches through the core. With several threads one of them is Python's own, which reads and writes;
        with a beam that is so little work that the core has all of them.
        """
        model = self.state
        if self.options.guided:
            sentences = with_guides(sentences)
        width = max(request.beam or self.options.beam, request.nbest)
        threads = request.threads if width > 1 else max(1, request.threads - 1)
        search = Search(width, request.nbest, threads, request.cancel)
        if request.keep_heads:
            sentences = checked(sentences)
        encoded = (
            model.setup.encode(batch, keep_heads=request.keep_heads)
            for batch in batches(sentences, width, search.threads)
        )
        return apply(lambda batch: model.search(batch, search), encoded, overlap=request.threads > 1)
