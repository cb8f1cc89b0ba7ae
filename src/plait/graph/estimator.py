"""The graph-based parser as users know estimators: options in the constructor, `fit`, `parse`, `save`, `load`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Unpack

from plait import store
from plait.clusters import Clusters
from plait.errors import InputError
from plait.features import parts
from plait.features.encoding import silent_columns
from plait.flow import apply, batches
from plait.graph.card import write_card
from plait.graph.filter import LabelFilter
from plait.graph.model import Model, RankingWeights, Setup, load_templates
from plait.graph.options import GraphOptions, Settings
from plait.graph.training import BEAM, GraphEpoch, Judge, Training
from plait.parser.about import DAMAGE, describe, path_of, restore
from plait.parser.data import EncodedWords, Labels, Trees
from plait.parser.guide import guided, what_is_seen
from plait.parser.mixture import Progress
from plait.parser.trainer import best_of
from plait.sentence import Sentence, Treebank
from plait.weights import PackedWeights

KIND = "graph-parser"


class GraphParser:
    """A second-order graph-based parser (Bohnet 2010; see `GraphOptions` for what the arguments mean).

    Learned attributes: `labels_`, `history_` (one `GraphEpoch` per pass), `best_epoch_`, `scores_`, `about_` (what
    it learned from), `columns_` (what it looks at), `interrupted_`.
    """

    def __init__(self, **options: Unpack[Settings]) -> None:
        self.options = GraphOptions.from_dict(options)
        self.labels_: list[str] = []
        self.history_: list[GraphEpoch] = []
        self.best_epoch_ = 0
        self.scores_: dict[str, float] = {}
        self.about_: dict[str, Any] = {}
        self.interrupted_ = False
        self._model: Model | None = None

    def fit(
        self,
        train: Sequence[Sentence],
        *,
        dev: Sequence[Sentence] | None = None,
        on_epoch: Callable[[GraphEpoch], None] | None = None,
        on_progress: Progress | None = None,
        clusters: Clusters | None = None,
        guides: Sequence[Sentence] | None = None,
        dev_guides: Sequence[Sentence] | None = None,
        threads: int = 1,
    ) -> GraphParser:
        """Learn from `train`; with `dev`, keep the epoch with the best LAS there and stop after `patience`
        epochs without a better one. An interrupt (Ctrl-C) after the first epoch ends training early and
        keeps the best. With `clusters` of words, the parser looks at them too, and keeps them. A `guided`
        parser needs `guides` and `dev_guides`: the same sentences with the trees of another parser, one that has not
        learned from them. Where several sets of weights are mixed, so many `threads` learn them; their number changes
        the time only.
        """
        options = self.options
        gold = Trees.of(train, path_of(train))
        labels = gold.inventory("swap")
        templates, ranking = load_templates(options, clusters), parts.load_ranking(guided=options.guided)
        columns = list(dict.fromkeys([*templates.columns, *ranking.columns]))
        seen = what_is_seen(options.guided, train, guides, path_of(train))
        silent = silent_columns(seen, columns, clusters.columns() if clusters else None)
        try:
            setup = Setup(
                options,
                labels,
                LabelFilter.of(train, gold, labels),
                templates.without(silent),
                ranking.without(silent),
                single_root=gold.wants_single_root(options.single_root),
                clusters=clusters,
            )
        except ValueError as error:  # more labels than the core can hold
            raise InputError(f"{path_of(train) or 'the treebank'}: {error}.") from None
        judge = Judge(setup, dev, path_of(dev), dev_guides) if dev is not None else None
        words = EncodedWords(*setup.encoder.encode(seen))
        training = Training(setup, gold.encode(words, labels), judge, threads)
        training.run(on_epoch, on_progress)
        self._adopt(training.best)
        self.interrupted_ = training.interrupted
        self.history_ = training.epochs
        best = best_of(training.epochs)
        self.best_epoch_ = best.number
        self.scores_ = {} if best.las is None else {"dev_las": best.las, "dev_uas": best.uas or 0.0}
        self.about_ = describe(train, dev, silent)
        return self

    def parse(self, sentences: Iterable[Sentence], *, threads: int = 1) -> Treebank:
        """New sentences with trees; those given are left as they are."""
        copies = (sentence.copy() for sentence in sentences)
        return Treebank(list(self.annotate(copies, threads=threads)))

    def annotate(
        self,
        sentences: Iterable[Sentence],
        *,
        beam: int | None = None,  # noqa: ARG002
        threads: int = 1,
        keep_heads: bool = False,
        confidence: bool = False,
    ) -> Iterator[Sentence]:
        """Put trees into the sentences themselves, batch by batch, in order and in constant memory.

        The enhanced graph (DEPS, empty nodes) belongs to the old tree and is removed. Search is exact, so a `beam`
        changes nothing.
        """
        model = self._fitted
        if keep_heads:
            raise InputError("The graph-based parser cannot keep given heads; the transition-based one can.")
        if confidence:
            raise InputError(
                "The graph-based parser does not know how sure it is; the transition-based one does."
            )
        if not 1 <= threads <= 4096:
            raise InputError(f"threads is {threads} but must be from 1 to 4,096.")
        if self.options.guided:
            sentences = guided(sentences)
        encoded = (model.setup.encode(batch) for batch in batches(sentences, BEAM, threads))
        found = apply(lambda batch: model.search(batch, threads), encoded, overlap=threads > 1)
        for batch, result in found:
            for sentence, parse in zip(batch.sentences, model.trees(batch, result), strict=True):
                parse.annotate(sentence)
                yield sentence

    def save(self, path: str | Path, *, licence: str = "") -> None:
        """Write a model folder."""
        model = self._fitted
        setup = model.setup
        manifest = {
            **self.about_,
            "licence": licence or self.about_.get("licence", ""),
            "single_root": setup.single_root,
            "labels": asdict(setup.labels),
            "features": dict(setup.templates.sources),
            "ranking": dict(setup.ranking.sources),
            "bits": self.options.bits,
            "step": model.weights.step,
            "ranking_step": model.ranking.packed.step,
            "best_epoch": self.best_epoch_,
            "scores": self.scores_,
            # Times are for the eyes of whoever trains; a model is the same whenever it is made.
            "history": [asdict(replace(epoch, seconds=0.0)) for epoch in self.history_],
        }
        store.save(
            path,
            kind=KIND,
            about=manifest,
            tensors=model.weights.tensors()
            | model.ranking.tensors()
            | setup.filter.tensors()
            | (setup.clusters.tensors() if setup.clusters else {}),
            config=self.options.to_toml(),
            card=write_card(manifest, self.options),
        )

    @classmethod
    def load(cls, path: str | Path) -> GraphParser:
        """Read a model folder. Nothing in it is executed; what does not fit is an error that names it."""
        stored = store.load(path, KIND)
        about = stored.about
        parser = cls()
        try:
            parser.options = GraphOptions.from_toml(stored.config)
            parser.about_ = restore(about)
            silent = parser.about_["silent"]
            labels = Labels(**about["labels"])
            setup = Setup(
                parser.options,
                labels,
                LabelFilter.from_tensors(stored.tensors, len(labels)),
                parts.parse(about["features"]).without(silent),
                parts.parse(about["ranking"]).without(silent),
                single_root=bool(about["single_root"]),
                clusters=Clusters.from_tensors(stored.tensors),
            )
            weights = PackedWeights.from_tensors(stored.tensors, setup.cells, float(about["step"]))
            ranking = RankingWeights.from_tensors(stored.tensors, float(about["ranking_step"]))
            parser._adopt(Model(setup, weights, ranking))
            parser.best_epoch_ = int(about["best_epoch"])
            parser.scores_ = {str(name): float(score) for name, score in about["scores"].items()}
            parser.history_ = [GraphEpoch(**epoch) for epoch in about["history"]]
        except DAMAGE as error:
            raise InputError(f"{path}: the model is damaged or incomplete: {error}.") from None
        return parser

    @property
    def columns_(self) -> list[str]:
        """The attributes of words that the parser looks at, by their names in templates."""
        return self._fitted.setup.columns

    @property
    def _fitted(self) -> Model:
        if self._model is None:
            raise InputError("The parser has not learned anything yet: call fit first, or load a model.")
        return self._model

    def _adopt(self, model: Model) -> None:
        self._model = model
        self.labels_ = model.setup.labels.names
