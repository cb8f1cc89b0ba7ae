"""The tagger as users know estimators: options in the constructor, `fit`, `tag`, `save`, `load`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path, PurePath
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from plait import store
from plait.errors import InputError
from plait.flow import apply, batches
from plait.sentence import Sentence, Treebank
from plait.tagger import templates
from plait.tagger.card import write_card
from plait.tagger.encoding import EncodedText
from plait.tagger.lexicon import Lexicon
from plait.tagger.model import Model, Setup
from plait.tagger.options import Settings, TaggerOptions
from plait.tagger.tags import NO_TAG, Indices, ScoredTag, Tag, Tags
from plait.tagger.training import Epoch, Judge, Progress, Training, best_of
from plait.texts import pack_texts, unpack_texts
from plait.weights import PackedWeights

# What a model knows of its origin.
_ABOUT: dict[str, Callable[[Any], Any]] = {
    "treebank": str,
    "dev": str,
    "sentences": int,
    "words": int,
    "licence": str,
}
# What can go wrong with a manifest that is JSON but no longer what was written.
_DAMAGE = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, InputError)
_Found = tuple[Sequence[Sentence], tuple[Indices, NDArray[np.float32]]]


class Tagger:
    """Gives words UPOS, XPOS and FEATS (see `TaggerOptions` for what the arguments mean).

    Learned attributes: `tags_`, `history_` (one `Epoch` per pass), `best_epoch_`, `scores_` (of the dev set, as in
    CoNLL 2018), `about_` (what it learned from), `interrupted_`.
    """

    def __init__(self, **options: Unpack[Settings]) -> None:
        self.options = TaggerOptions.from_dict(options)
        self.tags_: list[Tag] = []
        self.history_: list[Epoch] = []
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
        columns: Mapping[str, Mapping[str, str]] | None = None,
        on_epoch: Callable[[Epoch], None] | None = None,
        on_progress: Progress | None = None,
    ) -> Tagger:
        """Learn from `train`; with `dev`, keep the epoch with the best AllTags there and stop after `patience`
        epochs without a better one. An interrupt (Ctrl-C) after the first epoch ends training early and keeps
        the best. `columns` are attributes of words from outside, by name: for each a word's value. Templates may
        name them; the lists that come with plait know `cluster`, `cluster4` and `cluster6`.
        """
        mapped = {name: dict(values) for name, values in (columns or {}).items()}
        for name in mapped:
            if name in templates.WORD_COLUMNS or not name.isidentifier():
                raise InputError(f"A column cannot be called {name!r}.")
        options = self.options
        tags = Tags.of(train, _path(train))
        features = templates.load(options.features, mapped)
        forms = chain.from_iterable(sentence.forms for sentence in train)
        lexicon = Lexicon.of(forms, tags.numbers(train).tolist())
        try:
            setup = Setup(options, tags, features, lexicon, mapped)
        except ValueError as error:  # more templates or tags than the core can hold
            raise InputError(f"{options.features}, {_path(train) or 'the treebank'}: {error}.") from None
        training = Training(setup, train, Judge(setup, dev) if dev is not None else None)
        training.run(on_epoch, on_progress)
        assert training.best is not None
        self._adopt(Model(setup, setup.pack(training.best)))
        self.interrupted_ = training.interrupted
        self.history_ = training.epochs
        best = best_of(training.epochs)
        self.best_epoch_ = best.number
        found = {name: getattr(best, name) for name in ("upos", "xpos", "ufeats", "alltags")}
        self.scores_ = {} if dev is None else {f"dev_{name}": score for name, score in found.items()}
        self.about_ = {
            "treebank": PurePath(_path(train)).name,
            "dev": PurePath(_path(dev)).name if dev is not None else "",
            "sentences": len(train),
            "words": sum(map(len, train)),
        }
        return self

    def tag(self, sentences: Iterable[Sentence], *, threads: int = 1) -> Treebank:
        """New sentences with tags; those given are left as they are."""
        copies = (sentence.copy() for sentence in sentences)
        return Treebank(list(self.annotate(copies, threads=threads)))

    def annotate(self, sentences: Iterable[Sentence], *, threads: int = 1) -> Iterator[Sentence]:
        """Put tags into the sentences themselves, batch by batch, in order and in constant memory. A column that
        is empty in the treebank the tagger learned from becomes empty here.
        """
        columns = [np.array(column, object) for column in zip(*self.tags_, strict=True)]
        for batch, (tags, _) in self._flow(sentences, 1, threads):
            upos, xpos, feats = (column[tags[:, 0]].tolist() for column in columns)
            start = 0
            for sentence in batch:
                end = start + len(sentence.forms)
                sentence.upos = upos[start:end]
                sentence.xpos = xpos[start:end]
                sentence.feats = feats[start:end]
                start = end
                yield sentence

    def kbest(
        self, sentences: Iterable[Sentence], k: int, *, margin: float | None = None, threads: int = 1
    ) -> Iterator[tuple[Sentence, list[list[ScoredTag]]]]:
        """Every sentence, untouched, with the best tags of each word, at most `k`, the best first, and with
        `margin` only those that score at most so much less than the best (the α of Bohnet and Nivre 2012).

        A score is of the local decision: that of the tag after the best tags of the words before. A word that
        has only one candidate gets it with the score 0.
        """
        if margin is not None and not margin >= 0:
            raise InputError(f"margin is {margin} but must not be negative.")
        for batch, (tags, scores) in self._flow(sentences, k, threads):
            if margin is not None:
                tags = np.where(scores < scores[:, :1] - margin, NO_TAG, tags)
            numbers, values = iter(tags.tolist()), iter(scores.tolist())
            for sentence in batch:
                yield (
                    sentence,
                    [
                        [
                            self._scored(number, score)
                            for number, score in zip(next(numbers), next(values), strict=True)
                            if number != NO_TAG
                        ]
                        for _ in sentence.forms
                    ],
                )

    def save(self, path: str | Path, *, licence: str = "") -> None:
        """Write a model folder."""
        model = self._fitted
        setup = model.setup
        manifest = {
            **self.about_,
            "licence": licence or self.about_.get("licence", ""),
            "tags": self.tags_,
            "features": setup.templates.source,
            "columns": list(setup.mapped),
            "bits": self.options.bits,
            "step": model.weights.step,
            "best_epoch": self.best_epoch_,
            "scores": self.scores_,
            # Times are for the eyes of whoever trains; a model is the same whenever it is made.
            "history": [asdict(replace(epoch, seconds=0.0)) for epoch in self.history_],
        }
        tensors = model.weights.tensors() | setup.lexicon.tensors()
        for name, values in setup.mapped.items():
            tensors |= {f"{name}.words": pack_texts(values), f"{name}.values": pack_texts(values.values())}
        store.save(
            path,
            kind="tagger",
            about=manifest,
            tensors=tensors,
            config=self.options.to_toml(),
            card=write_card(manifest, self.options),
        )

    @classmethod
    def load(cls, path: str | Path) -> Tagger:
        """Read a model folder. Nothing in it is executed; what does not fit is an error that names it."""
        stored = store.load(path, "tagger")
        about, tensors = stored.about, stored.tensors
        tagger = cls()
        try:
            tagger.options = TaggerOptions.from_toml(stored.config)
            tagger.about_ = {name: kind(about[name]) for name, kind in _ABOUT.items()}
            tags = Tags([Tag(str(upos), str(xpos), str(feats)) for upos, xpos, feats in about["tags"]])
            mapped = {
                str(name): dict(
                    zip(
                        unpack_texts(tensors[f"{name}.words"]),
                        unpack_texts(tensors[f"{name}.values"]),
                        strict=True,
                    )
                )
                for name in about["columns"]
            }
            setup = Setup(
                tagger.options,
                tags,
                templates.parse(about["features"], "features", mapped),
                Lexicon.from_tensors(tensors, len(tags)),
                mapped,
            )
            weights = PackedWeights.from_tensors(tensors, setup.cells, float(about["step"]))
            tagger._adopt(Model(setup, weights))
            tagger.best_epoch_ = int(about["best_epoch"])
            tagger.scores_ = {str(name): float(score) for name, score in about["scores"].items()}
            tagger.history_ = [Epoch(**epoch) for epoch in about["history"]]
        except _DAMAGE as error:
            raise InputError(f"{path}: the model is damaged or incomplete: {error}.") from None
        return tagger

    @property
    def _fitted(self) -> Model:
        if self._model is None:
            raise InputError("The tagger has not learned anything yet: call fit first, or load a model.")
        return self._model

    def _scored(self, number: int, score: float) -> ScoredTag:
        tag = self.tags_[number]
        return ScoredTag(tag.upos, tag.xpos, tag.feats, score)

    def _adopt(self, model: Model) -> None:
        self._model = model
        self.tags_ = model.setup.tags.triples

    def _flow(self, sentences: Iterable[Sentence], best: int, threads: int) -> Iterator[_Found]:
        """Batches through the core. With several threads one of them is Python's own, which reads and writes."""
        model = self._fitted
        for name, value in ("k", best), ("threads", threads):
            if not 1 <= value <= 4096:
                raise InputError(f"{name} is {value} but must be from 1 to 4,096.")
        in_core = max(1, threads - 1)

        def work(item: tuple[Sequence[Sentence], EncodedText]) -> tuple[Indices, NDArray[np.float32]]:
            return model.search(item[1], best, in_core)

        encoded = ((batch, model.encode(batch)) for batch in batches(sentences, best, in_core))
        for (batch, _), found in apply(work, encoded, overlap=threads > 1):
            yield batch, found


def _path(sentences: Sequence[Sentence] | None) -> str:
    return sentences.path if isinstance(sentences, Treebank) else ""
