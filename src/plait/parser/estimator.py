"""The parser as users know estimators: options in the constructor, `fit`, `parse`, `save`, `load`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from plait import store
from plait.clusters import Clusters
from plait.errors import InputError
from plait.features import templates
from plait.features.parts import parse as parse_parts
from plait.flow import apply
from plait.parser.about import DAMAGE, describe, path_of, restore
from plait.parser.candidates import (
    Candidates,
    batches_with,
    check_lengths,
    require_joint,
    right_ranks,
)
from plait.parser.card import write_card
from plait.parser.confidence import Calibration
from plait.parser.data import Labels, Trees
from plait.parser.filter import LabelFilter
from plait.parser.given import checked
from plait.parser.guide import guided, what_is_seen
from plait.parser.judge import Judge
from plait.parser.mixture import Progress
from plait.parser.model import Batch, Found, Model, Parse, Search, Setup
from plait.parser.options import ParserOptions, Settings
from plait.parser.setup import make_setup
from plait.parser.trace import Trace
from plait.parser.trainer import Epoch, best_of
from plait.parser.training import Training
from plait.sentence import EMPTY, Sentence, Treebank
from plait.weights import PackedWeights

_MOST_PRUNING = 10  # steps of a weight; beyond that it always hurts


class Parser:
    """A transition-based parser (see `ParserOptions` for what the arguments mean).

    Learned attributes: `labels_`, `history_` (one `Epoch` per pass), `best_epoch_`, `scores_`, `about_` (what
    it learned from), `columns_` (what it looks at), `interrupted_`.
    """

    def __init__(self, **options: Unpack[Settings]) -> None:
        self.options = ParserOptions.from_dict(options)
        self.labels_: list[str] = []
        self.history_: list[Epoch] = []
        self.best_epoch_ = 0
        self.scores_: dict[str, float] = {}
        self.about_: dict[str, Any] = {}
        self.interrupted_ = False
        self._model: Model | None = None
        self._calibrations: dict[str, Calibration] = {}

    def fit(
        self,
        train: Sequence[Sentence],
        *,
        dev: Sequence[Sentence] | None = None,
        on_epoch: Callable[[Epoch], None] | None = None,
        on_progress: Progress | None = None,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        clusters: Clusters | None = None,
        candidates: Sequence[Candidates] | None = None,
        dev_candidates: Sequence[Candidates] | None = None,
        guides: Sequence[Sentence] | None = None,
        dev_guides: Sequence[Sentence] | None = None,
        threads: int = 1,
    ) -> Parser:
        """Learn from `train`; with `dev`, keep the epoch with the best LAS there and stop after `patience`
        epochs without a better one. An interrupt (Ctrl-C) after the first epoch ends training early and
        keeps the best. With `checkpoint`, a file, every epoch is kept there, and `resume` goes on from the
        last one: the result is the same as without the interruption. With `clusters` of words, the parser looks
        at them too, and keeps them. A joint parser chooses among the `candidates` of every sentence, of which the
        tags in the sentence are the first; without them there is nothing to choose. A `guided` parser needs `guides`
        and `dev_guides`: the same sentences with the trees of another parser, one that has not learned from them.
        Where several sets of weights are mixed, so many `threads` learn them; their number changes the time only.
        """
        options = self.options
        check_lengths(
            options.joint, ("candidates", train, candidates), ("dev_candidates", dev, dev_candidates)
        )
        gold = Trees.of(train, path_of(train), options.projectivize)
        seen = what_is_seen(options.guided, train, guides, path_of(train))
        setup, silent = make_setup(options, train, gold, seen, clusters, candidates)
        judge = Judge(setup, dev, path_of(dev), dev_candidates, dev_guides) if dev is not None else None
        training = Training(
            setup,
            gold.encode(
                setup.encode_words(seen, candidates),
                setup.labels,
                None if candidates is None else right_ranks(candidates, train),
            ),
            judge,
            Path(checkpoint) if checkpoint else None,
            threads,
        )
        if resume:
            training.resume()
        training.run(on_epoch, on_progress)
        self._adopt(Model(setup, setup.pack(training.best)))
        self.interrupted_ = training.interrupted
        self.history_ = training.epochs
        best = best_of(training.epochs)
        self.best_epoch_ = best.number
        self.scores_ = {} if best.las is None else {"dev_las": best.las, "dev_uas": best.uas or 0.0}
        self._calibrations = judge.calibrate(self._fitted) if judge else {}
        self.about_ = describe(train, dev, silent)
        return self

    def compact(
        self,
        dev: Sequence[Sentence] | None = None,
        *,
        most_loss: float = 0.1,
        dev_candidates: Sequence[Candidates] | None = None,
        dev_guides: Sequence[Sentence] | None = None,
    ) -> float:
        """Round the weights to int8 and leave out small ones, as many as cost at most `most_loss` LAS on `dev`
        (without it, those that are rounded to nothing). Returns the loss.
        """
        model = self._fitted
        setup, weights = model.setup, model.weights
        if not weights.step:
            weights = PackedWeights.rounded(np.asarray(weights.table, np.float32))
        chosen, loss = Model(setup, weights), 0.0
        if dev is not None:
            judge = Judge(setup, dev, path_of(dev), dev_candidates, dev_guides)
            before = judge.score(model).las
            loss = before - judge.score(chosen).las
            for least in range(2, _MOST_PRUNING):
                candidate = Model(setup, weights.pruned(least))
                candidate_loss = before - judge.score(candidate).las
                if candidate_loss <= most_loss:
                    chosen, loss = candidate, candidate_loss
            self.scores_ = dict(zip(("dev_las", "dev_uas"), judge.score(chosen), strict=True))
            self._calibrations = judge.calibrate(chosen)
        self._adopt(chosen)
        return loss

    def parse(
        self,
        sentences: Iterable[Sentence],
        *,
        beam: int | None = None,
        threads: int = 1,
        keep_heads: bool = False,
        confidence: bool = False,
        candidates: Iterable[Candidates] | None = None,
    ) -> Treebank:
        """New sentences with trees; those given are left as they are."""
        copies = (sentence.copy() for sentence in sentences)
        return Treebank(
            list(
                self.annotate(
                    copies,
                    beam=beam,
                    threads=threads,
                    keep_heads=keep_heads,
                    confidence=confidence,
                    candidates=candidates,
                )
            )
        )

    def annotate(
        self,
        sentences: Iterable[Sentence],
        *,
        beam: int | None = None,
        threads: int = 1,
        keep_heads: bool = False,
        confidence: bool = False,
        candidates: Iterable[Candidates] | None = None,
    ) -> Iterator[Sentence]:
        """Put trees into the sentences themselves, batch by batch, in order and in constant memory.

        The enhanced graph (DEPS, empty nodes) belongs to the old tree and is removed. With `keep_heads`, heads
        and labels that are there stay. With `confidence`, MISC tells how sure the parser is of every head. A joint
        parser chooses among the `candidates` of every sentence and puts tags and lemmas into it too; without them,
        words keep the tags they have. For a `guided` parser, the trees that are there are those of its guide.
        """
        curve = self._calibration(beam or self.options.beam) if confidence else None
        for batch, found in self._flow(sentences, beam, 1, threads, keep_heads, candidates):
            bounds = batch.words.offsets.tolist()
            for i, parses in enumerate(self._fitted.trees(batch, found)):
                sentence = batch.sentences[i]
                parses[0].annotate(sentence)
                if curve:
                    shares = curve.confidences(found.margins[bounds[i] : bounds[i + 1]])
                    sentence.misc = [
                        _with_entry(cell, f"Confidence={share:.3f}")
                        for cell, share in zip(sentence.misc, shares, strict=True)
                    ]
                yield sentence

    def nbest(
        self,
        sentences: Iterable[Sentence],
        best: int,
        *,
        beam: int | None = None,
        threads: int = 1,
        keep_heads: bool = False,
        candidates: Iterable[Candidates] | None = None,
    ) -> Iterator[tuple[Sentence, list[Parse]]]:
        """Every sentence, untouched, with its best trees that differ, at most `best`; the beam is at least as
        wide. Of a joint parser every tree comes with the tags it goes best with.
        """
        for batch, found in self._flow(sentences, beam, best, threads, keep_heads, candidates):
            yield from zip(batch.sentences, self._fitted.trees(batch, found), strict=True)

    def trace(self, sentence: Sentence, *, beam: int | None = None, alternatives: int = 5) -> Trace:
        """How the parser comes to the tree of a sentence: every step with the best so many `alternatives` and
        their scores, and with a beam all hypotheses of every round. Slower than parsing, for one to look at. A
        joint parser shows how it parses with the tags the sentence has.
        """
        width = beam or self.options.beam
        for name, value in ("beam", width), ("alternatives", alternatives):
            _require_size(name, value)
        if self.options.guided:
            (sentence,) = guided([sentence])
        return self._fitted.trace(sentence, width, alternatives)

    def save(self, path: str | Path, *, licence: str = "") -> None:
        """Write a model folder."""
        model = self._fitted
        clusters = model.setup.clusters
        manifest = {
            "system": self.options.system,
            "oracle": self.options.chosen_oracle,
            "beam": self.options.beam,
            **self.about_,
            "licence": licence or self.about_.get("licence", ""),
            "single_root": model.setup.single_root,
            "labels": asdict(model.setup.labels),
            "features": model.setup.templates.source,
            "parts": dict(model.setup.parts.sources),
            "bits": self.options.bits,
            "filter": asdict(model.setup.label_filter) if model.setup.label_filter else None,
            "step": model.weights.step,
            "calibrations": {name: asdict(curve) for name, curve in self._calibrations.items()},
            "best_epoch": self.best_epoch_,
            "scores": self.scores_,
            # Times are for the eyes of whoever trains; a model is the same whenever it is made.
            "history": [asdict(replace(epoch, seconds=0.0)) for epoch in self.history_],
        }
        store.save(
            path,
            kind="parser",
            about=manifest,
            tensors=model.weights.tensors() | (clusters.tensors() if clusters else {}),
            config=self.options.to_toml(),
            card=write_card(manifest, self.options),
        )

    @classmethod
    def load(cls, path: str | Path) -> Parser:
        """Read a model folder. Nothing in it is executed; what does not fit is an error that names it."""
        stored = store.load(path, "parser")
        about = stored.about
        parser = cls()
        try:
            parser.options = ParserOptions.from_toml(stored.config)
            parser.about_ = restore(about)
            options = parser.options
            features = templates.parse(
                about["features"], "features", system=options.system, joint=options.joint
            )
            label_filter = LabelFilter(**about["filter"]) if about.get("filter") else None
            setup = Setup(
                parser.options,
                Labels(**about["labels"]),
                features.without(parser.about_["silent"]),
                single_root=bool(about["single_root"]),
                parts=parse_parts(about.get("parts", {})).without(parser.about_["silent"]),
                clusters=Clusters.from_tensors(stored.tensors),
                label_filter=label_filter,
            )
            weights = PackedWeights.from_tensors(stored.tensors, setup.cells, float(about["step"]))
            parser._adopt(Model(setup, weights))
            parser._calibrations = {
                str(name): Calibration(**curve) for name, curve in about["calibrations"].items()
            }
            parser.best_epoch_ = int(about["best_epoch"])
            parser.scores_ = {str(name): float(score) for name, score in about["scores"].items()}
            parser.history_ = [Epoch(**epoch) for epoch in about["history"]]
        except DAMAGE as error:
            raise InputError(f"{path}: the model is damaged or incomplete: {error}.") from None
        return parser

    @property
    def columns_(self) -> list[str]:
        """The attributes of words that the parser looks at, by their names in templates."""
        return self._fitted.setup.encoder.columns

    @property
    def _fitted(self) -> Model:
        if self._model is None:
            raise InputError("The parser has not learned anything yet: call fit first, or load a model.")
        return self._model

    def _adopt(self, model: Model) -> None:
        self._model = model
        self.labels_ = model.setup.labels.names

    def _calibration(self, beam: int) -> Calibration:
        if not self._calibrations:
            raise InputError(
                "The parser was trained without a dev set, so how sure it is was never measured."
            )
        return self._calibrations["greedy" if beam == 1 else "beam"]

    def _flow(
        self,
        sentences: Iterable[Sentence],
        beam: int | None,
        best: int,
        threads: int,
        keep_heads: bool,
        candidates: Iterable[Candidates] | None,
    ) -> Iterator[tuple[Batch, Found]]:
        """Batches through the core. With several threads one of them is Python's own, which reads and writes;
        with a beam that is so little work that the core has all of them.
        """
        model = self._fitted
        for name, value in ("beam", beam), ("nbest", best), ("threads", threads):
            if value is not None:
                _require_size(name, value)
        if keep_heads and self.options.projectivize:
            raise InputError(
                "Heads cannot be kept by a pseudo-projective parser: its arcs are moved afterwards."
            )
        if self.options.guided:
            if keep_heads:
                raise InputError(
                    "Heads cannot be kept by a guided parser: it takes them for those of its guide."
                )
            sentences = guided(sentences)
        width = max(beam or self.options.beam, best)
        search = Search(width, best, threads if width > 1 else max(1, threads - 1))
        if keep_heads:
            sentences = checked(sentences)
        if candidates is not None:
            require_joint(self.options.joint)
        encoded = (
            model.setup.encode(batch, choice, keep_heads=keep_heads)
            for batch, choice in batches_with(sentences, candidates, width, search.threads)
        )
        return apply(lambda batch: model.search(batch, search), encoded, overlap=threads > 1)


def _require_size(name: str, value: int) -> None:
    if not 1 <= value <= 4096:
        raise InputError(f"{name} is {value} but must be from 1 to 4,096.")


def _with_entry(cell: str, entry: str) -> str:
    return entry if cell == EMPTY else f"{cell}|{entry}"
