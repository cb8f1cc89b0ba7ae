"""The parser as users know estimators: options in the constructor, `fit`, `parse`, `save`, `load`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait import _core, store
from plait.errors import InputError
from plait.features.compiler import compile_templates
from plait.features.encoding import Encoder
from plait.features.templates import Templates, load, parse
from plait.lifting import deprojectivize
from plait.parser.card import write_card
from plait.parser.confidence import Calibration
from plait.parser.data import GoldTrees, Labels, Trees, flags
from plait.parser.given import GivenArcs, mend
from plait.parser.options import SYSTEMS, ParserOptions
from plait.parser.training import Epoch, Trainer
from plait.parser.weights import PackedWeights
from plait.sentence import EMPTY, Sentence, Treebank

BATCH = 512  # sentences that go through the core at a time


@dataclass(frozen=True, slots=True)
class Parse:
    """One tree of a sentence."""

    heads: list[int]
    labels: list[str]
    score: float
    margins: list[float]


class Parser:
    """A transition-based parser (see `ParserOptions` for what the arguments mean).

    Learned attributes: `labels_`, `history_` (one `Epoch` per pass), `best_epoch_`, `scores_`.
    """

    def __init__(self, **options: Any) -> None:
        self.options = ParserOptions.from_dict(options)
        self.labels_: Labels | None = None
        self.history_: list[Epoch] = []
        self.best_epoch_ = 0
        self.scores_: dict[str, float] = {}
        self.about_: dict[str, Any] = {}
        self._templates: Templates | None = None
        self._single_root = False
        self._weights: PackedWeights | None = None
        self._calibration = Calibration()

    def fit(
        self,
        train: Sequence[Sentence],
        *,
        dev: Sequence[Sentence] | None = None,
        on_epoch: Callable[[Epoch], None] | None = None,
        on_progress: Callable[[int, int], None] | None = None,
        checkpoint: str | Path | None = None,
        resume: bool = False,
    ) -> Parser:
        """Learn from `train`; with `dev`, keep the epoch with the best LAS there and stop after `patience`
        epochs without a better one. An interrupt (Ctrl-C) after the first epoch ends training early and
        keeps the best. With `checkpoint`, a folder, every epoch is saved and `resume` goes on from the last.
        """
        options = self.options
        self._templates = load(options.chosen_features, system=options.system)
        gold = Trees.of(train, _path(train), options.projectivize)
        self.labels_ = gold.inventory()
        self._single_root = (
            gold.has_single_roots() if options.single_root == "auto" else options.single_root == "yes"
        )
        self._prepare()
        trainer = Trainer(self._model, options, gold.encode(train, self._encoder, self.labels_))
        folder = Path(checkpoint) if checkpoint else None
        if resume:
            if folder is None:
                raise InputError("resume needs a checkpoint folder.")
            trainer.restore(folder)
        judge = _Judge(self, dev) if dev is not None else None
        best: tuple[float, NDArray[np.float32]] | None = None
        if resume and folder is not None and trainer.epochs:
            best = (_best(trainer.epochs), np.load(folder / "best.npy"))
        try:
            while len(trainer.epochs) < options.epochs and not self._is_done(trainer.epochs):
                epoch = trainer.run_epoch(on_progress)
                weights = trainer.weights
                if judge:
                    epoch = judge.score(epoch, self._pack(weights))
                trainer.epochs.append(epoch)
                if best is None or epoch.las is None or epoch.las > best[0]:
                    best = (epoch.las or 0.0, weights)
                    if folder:
                        folder.mkdir(parents=True, exist_ok=True)
                        np.save(folder / "best.npy", weights)
                if folder:
                    trainer.save(folder)
                if on_epoch:
                    on_epoch(epoch)
        except KeyboardInterrupt:
            if best is None:
                raise
        assert best is not None
        self.history_ = trainer.epochs
        self._weights = self._pack(best[1])
        self._load_core()
        if judge:
            self.best_epoch_ = max(self.history_, key=lambda epoch: (epoch.las or 0.0, -epoch.number)).number
            self._calibration = judge.calibrate()
            chosen = self.history_[self.best_epoch_ - 1]
            self.scores_ = {"dev_las": chosen.las or 0.0, "dev_uas": chosen.uas or 0.0}
        else:
            self.best_epoch_ = len(self.history_)
        self.about_ = {"treebank": _path(train), "sentences": len(train), "words": sum(map(len, train))}
        return self

    def compact(self, dev: Sequence[Sentence] | None = None, *, most_loss: float = 0.1) -> float:
        """Round the weights to int8 and leave out small ones, as many as cost at most `most_loss` LAS on `dev`
        (without it, those that are rounded to nothing). Returns the loss.
        """
        weights = self._fitted()
        if not weights.step:
            weights = PackedWeights.rounded(np.asarray(weights.table, np.float32))
        judge = _Judge(self, dev) if dev is not None else None
        before = judge.las(self._fitted()) if judge else 0.0
        chosen, loss = weights, before - judge.las(weights) if judge else 0.0
        for least in range(2, 32) if judge else ():
            candidate = weights.pruned(least)
            candidate_loss = before - judge.las(candidate) if judge else 0.0
            if candidate_loss > most_loss:
                break
            chosen, loss = candidate, candidate_loss
        self._weights = chosen
        self._load_core()
        return loss

    def parse(
        self,
        sentences: Iterable[Sentence],
        *,
        beam: int | None = None,
        threads: int = 1,
        keep_heads: bool = False,
        confidence: bool = False,
    ) -> Treebank:
        """New sentences with trees; those given are left as they are."""
        copies = (sentence.copy() for sentence in sentences)
        return Treebank(
            list(
                self.annotate(
                    copies, beam=beam, threads=threads, keep_heads=keep_heads, confidence=confidence
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
    ) -> Iterator[Sentence]:
        """Put trees into the sentences themselves, batch by batch, in order and in constant memory.

        The enhanced graph (DEPS, empty nodes) belongs to the old tree and is removed. With `keep_heads`, heads
        and labels that are there stay. With `confidence`, MISC tells how sure the parser is of every head.
        """
        stream = iter(sentences)
        while batch := list(islice(stream, BATCH)):
            given = (
                GivenArcs.of(batch, self._fitted_labels(), self.options.projectivize) if keep_heads else None
            )
            for sentence, found in zip(batch, self._parse_batch(batch, beam, threads, 1, given), strict=True):
                _annotate(sentence, found[0])
                if confidence:
                    shares = self._calibration.confidences(found[0].margins)
                    sentence.misc = [
                        _with_entry(cell, f"Confidence={share:.3f}")
                        for cell, share in zip(sentence.misc, shares, strict=True)
                    ]
                yield sentence

    def parse_nbest(
        self, sentences: Sequence[Sentence], best: int, *, beam: int | None = None, threads: int = 1
    ) -> list[list[Parse]]:
        """The best trees of every sentence that differ, at most `best`, with their scores."""
        return list(self._parse_batch(sentences, max(beam or self.options.beam, best), threads, best, None))

    def save(self, path: str | Path, *, about: dict[str, Any] | None = None) -> None:
        """Write a model folder."""
        weights = self._fitted()
        labels = self._fitted_labels()
        assert self._templates is not None
        manifest = {
            "system": self.options.system,
            "oracle": self.options.chosen_oracle,
            "beam": self.options.beam,
            "single_root": self._single_root,
            "labels": asdict(labels),
            "features": self._templates.source,
            "bits": self.options.bits,
            "step": weights.step,
            "calibration": asdict(self._calibration),
            "best_epoch": self.best_epoch_,
            "scores": self.scores_,
            # Times are for the eyes of whoever trains; a model is the same whenever it is made.
            "history": [asdict(replace(epoch, seconds=0.0)) for epoch in self.history_],
        } | (self.about_ | (about or {}))
        store.save(
            path,
            kind="parser",
            about=manifest,
            tensors=weights.tensors(),
            config=self.options.to_toml(),
            card=write_card(manifest, self.options),
        )

    @classmethod
    def load(cls, path: str | Path) -> Parser:
        """Read a model folder. Nothing in it is executed; what does not fit is an error that names it."""
        stored = store.load(path, "parser")
        parser = cls()
        about = stored.about
        try:
            parser.options = ParserOptions.from_toml(stored.config, f"{path}: ")
            parser.labels_ = Labels(**about["labels"])
            parser._templates = parse(about["features"], f"{path}: features", system=parser.options.system)
            parser._single_root = bool(about["single_root"])
            parser._calibration = Calibration(**about["calibration"])
            parser.best_epoch_ = about["best_epoch"]
            parser.scores_ = about["scores"]
            parser.history_ = [Epoch(**epoch) for epoch in about["history"]]
            known = {"treebank", "sentences", "words", "licence", "command", "name"}
            parser.about_ = {name: about[name] for name in about if name in known}
            parser._prepare()
            cells = (1 << parser.options.bits) + parser._model.transitions
            parser._weights = PackedWeights.from_tensors(stored.tensors, cells, float(about["step"]))
            parser._load_core()
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InputError(f"{path}: the model is damaged or incomplete: {error}.") from None
        return parser

    # The model in the core.

    def _prepare(self) -> None:
        labels = self._fitted_labels()
        assert self._templates is not None
        size = len(labels)
        self._encoder = Encoder(self._templates.columns)
        self._model = _core.ParserModel(
            SYSTEMS[self.options.system],
            self._single_root,
            compile_templates(self._templates, self.options.hash_seed),
            np.array(labels.left, np.int32),
            np.array(labels.right, np.int32),
            flags(labels.of_root, size),
            flags(labels.of_words, size),
        )

    def _load_core(self) -> None:
        self._core = self._fitted().to_core(self.options.bits, self._model.transitions)

    def _pack(self, weights: NDArray[np.float32]) -> PackedWeights:
        if self.options.precision == "float32":
            return PackedWeights.exact(weights)
        return PackedWeights.rounded(weights)

    def _fitted(self) -> PackedWeights:
        if self._weights is None:
            raise InputError("The parser has not learned anything yet: call fit first, or load a model.")
        return self._weights

    def _fitted_labels(self) -> Labels:
        if self.labels_ is None:
            self._fitted()
        assert self.labels_ is not None
        return self.labels_

    def _is_done(self, epochs: list[Epoch]) -> bool:
        if not epochs or epochs[-1].las is None:
            return False
        best = max(epochs, key=lambda epoch: (epoch.las or 0.0, -epoch.number))
        return len(epochs) - best.number >= self.options.patience

    def _parse_batch(
        self, batch: Sequence[Sentence], beam: int | None, threads: int, best: int, given: GivenArcs | None
    ) -> Iterator[list[Parse]]:
        self._fitted()
        values, offsets = self._encoder.encode(batch)
        heads, labels, margins, scores = self._core.parse(
            self._model,
            values,
            offsets,
            beam or self.options.beam,
            best,
            threads,
            given.heads if given else None,
            given.labels if given else None,
        )
        words = int(offsets[-1])
        names = self._fitted_labels().names
        head_list, label_list, margin_list = heads.tolist(), labels.tolist(), margins.tolist()
        for i, sentence in enumerate(batch):
            begin, end = int(offsets[i]), int(offsets[i + 1])
            found = []
            for rank in range(best):
                score = float(scores[rank * len(batch) + i])
                if rank and score == -np.inf:
                    break
                span = slice(rank * words + begin, rank * words + end)
                tree, tags = head_list[span], [names[label] for label in label_list[span]]
                if self.options.projectivize:
                    tree, tags = deprojectivize(tree, tags, self.options.projectivize)
                if given:
                    tree, tags = mend(tree, tags, sentence, self._single_root)
                found.append(Parse(tree, tags, score, margin_list[begin:end]))
            yield found


class _Judge:
    """Scores weights on a dev set."""

    def __init__(self, parser: Parser, dev: Sequence[Sentence]) -> None:
        self._parser = parser
        self._dev = dev
        plain = Trees.of(dev, _path(dev))
        self._gold: GoldTrees = plain.encode(dev, parser._encoder, parser._fitted_labels())
        self._heads = [head for heads in plain.heads for head in heads]
        self._labels = [name.split(":")[0] for names in plain.labels for name in names]

    def _parses(self, weights: PackedWeights) -> Iterator[Parse]:
        parser = self._parser
        parser._weights = weights
        parser._load_core()
        for first in range(0, len(self._dev), BATCH):
            for found in parser._parse_batch(self._dev[first : first + BATCH], None, 1, 1, None):
                yield found[0]

    def score(self, epoch: Epoch, weights: PackedWeights) -> Epoch:
        heads: list[int] = []
        labels: list[str] = []
        self._margins: list[float] = []
        for found in self._parses(weights):
            heads += found.heads
            labels += found.labels
            self._margins += found.margins
        right = [ours == gold for ours, gold in zip(heads, self._heads, strict=True)]
        both = sum(
            same and label.split(":")[0] == gold
            for same, label, gold in zip(right, labels, self._labels, strict=True)
        )
        self._right = right
        return replace(epoch, las=100 * both / len(right), uas=100 * sum(right) / len(right))

    def las(self, weights: PackedWeights) -> float:
        return self.score(Epoch(0, 0, 0, 0, 0, 0), weights).las or 0.0

    def calibrate(self) -> Calibration:
        """From how sure the parser was of every head and whether it was right, with the weights kept."""
        self.score(Epoch(0, 0, 0, 0, 0, 0), self._parser._fitted())
        return Calibration.fit(self._margins, self._right)


def _annotate(sentence: Sentence, found: Parse) -> None:
    sentence.heads = list(found.heads)
    sentence.deprels = found.labels
    sentence.deps = [EMPTY] * len(sentence)
    sentence.empty_nodes = []


def _with_entry(cell: str, entry: str) -> str:
    return entry if cell == EMPTY else f"{cell}|{entry}"


def _path(sentences: Sequence[Sentence]) -> str:
    return sentences.path if isinstance(sentences, Treebank) else ""


def _best(epochs: list[Epoch]) -> float:
    return max((epoch.las or 0.0) for epoch in epochs)
