"""The lemmatizer as users know estimators: options in the constructor, `fit`, `annotate`, `save`, `load`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path, PurePath
from typing import Any, Unpack

from plait import store
from plait.errors import InputError
from plait.flow import apply, batches
from plait.lemmas.card import write_card
from plait.lemmas.lexicon import Lexicon
from plait.lemmas.model import Model, Setup
from plait.lemmas.options import LemmatizerOptions, Settings
from plait.lemmas.trainer import Epoch, Trainer, best_of
from plait.sentence import EMPTY, Sentence, Treebank
from plait.weights import PackedWeights

# What a model knows of its origin.
_ABOUT: dict[str, Callable[[Any], Any]] = {
    "treebank": str,
    "dev": str,
    "sentences": int,
    "words": int,
    "licence": str,
}
# What can go wrong with a manifest that is JSON, and tensors that are tensors, but no longer what was written.
_DAMAGE = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, InputError)


class Lemmatizer:
    """Lemmas from forms and tags (see `LemmatizerOptions` for what the arguments mean).

    A word the treebank has with the same tags gets the lemma it has there most often. For others a linear
    classifier chooses among edit scripts (Chrupała 2006), trained on every word of the treebank as if it were
    new. Learned attributes: `history_` (one `Epoch` per pass), `best_epoch_`, `scores_`, `about_`.
    """

    def __init__(self, **options: Unpack[Settings]) -> None:
        self.options = LemmatizerOptions.from_dict(options)
        self.history_: list[Epoch] = []
        self.best_epoch_ = 0
        self.scores_: dict[str, float] = {}
        self.about_: dict[str, Any] = {}
        self._model: Model | None = None

    def fit(
        self,
        train: Sequence[Sentence],
        *,
        dev: Sequence[Sentence] | None = None,
        on_epoch: Callable[[Epoch], None] | None = None,
    ) -> Lemmatizer:
        """Learn from forms, tags and lemmas of `train`; with `dev`, keep the epoch with the best lemmas there and
        stop after `patience` epochs without a better one.
        """
        if all(lemma == EMPTY for sentence in train for lemma in sentence.lemmas):
            raise InputError(f"{_path(train) or 'the treebank'}: there are no lemmas to learn from.")
        setup = Setup(Lexicon.of(train), self.options.bits)
        trainer = Trainer(setup, self.options)
        best: Model | None = None
        while not trainer.is_done:
            epoch = trainer.run_epoch()
            model = Model(setup, PackedWeights.rounded(trainer.averaged))
            if dev is not None:
                epoch = replace(epoch, accuracy=_accuracy(model, dev))
            trainer.epochs.append(epoch)
            if best_of(trainer.epochs) is epoch:
                best = model
            if on_epoch:
                on_epoch(epoch)
        self._model = best
        self.history_ = trainer.epochs
        chosen = best_of(trainer.epochs)
        self.best_epoch_ = chosen.number
        self.scores_ = {} if chosen.accuracy is None else {"dev_lemmas": chosen.accuracy}
        self.about_ = {
            "treebank": PurePath(_path(train)).name,
            "dev": PurePath(_path(dev)).name if dev is not None else "",
            "sentences": len(train),
            "words": sum(map(len, train)),
        }
        return self

    def annotate(self, sentences: Iterable[Sentence], *, threads: int = 1) -> Iterator[Sentence]:
        """Put lemmas into the sentences themselves, batch by batch, in order and in constant memory. With several
        threads, one reads while another works.
        """
        model = self._fitted
        if not 1 <= threads <= 4096:
            raise InputError(f"threads is {threads} but must be from 1 to 4,096.")
        for batch, lemmas in apply(model.lemmatize, batches(sentences, 1), overlap=threads > 1):
            for sentence, column in zip(batch, lemmas, strict=True):
                sentence.lemmas = column
                yield sentence

    def lemma(self, form: str, upos: str, xpos: str = EMPTY, feats: str = EMPTY) -> str:
        """The lemma of one word."""
        word = Sentence(forms=[form], upos=[upos], xpos=[xpos], feats=[feats])
        return self._fitted.lemmatize([word])[0][0]

    def save(self, path: str | Path, *, licence: str = "") -> None:
        """Write a model folder."""
        model = self._fitted
        manifest = {
            **self.about_,
            "licence": licence or self.about_.get("licence", ""),
            "step": model.weights.step,
            "best_epoch": self.best_epoch_,
            "scores": self.scores_,
            # Times are for the eyes of whoever trains; a model is the same whenever it is made.
            "history": [asdict(replace(epoch, seconds=0.0)) for epoch in self.history_],
        }
        store.save(
            path,
            kind="lemmatizer",
            about=manifest,
            tensors=model.weights.tensors() | model.setup.lexicon.tensors(),
            config=self.options.to_toml(),
            card=write_card(manifest, self.options),
        )

    @classmethod
    def load(cls, path: str | Path) -> Lemmatizer:
        """Read a model folder. Nothing in it is executed; what does not fit is an error that names it."""
        stored = store.load(path, "lemmatizer")
        about = stored.about
        lemmatizer = cls()
        try:
            lemmatizer.options = LemmatizerOptions.from_toml(stored.config)
            lemmatizer.about_ = {name: kind(about[name]) for name, kind in _ABOUT.items()}
            setup = Setup(Lexicon.from_tensors(stored.tensors), lemmatizer.options.bits)
            weights = PackedWeights.from_tensors(stored.tensors, setup.cells, float(about["step"]))
            lemmatizer._model = Model(setup, weights)
            lemmatizer.best_epoch_ = int(about["best_epoch"])
            lemmatizer.scores_ = {str(name): float(score) for name, score in about["scores"].items()}
            lemmatizer.history_ = [Epoch(**epoch) for epoch in about["history"]]
        except _DAMAGE as error:
            raise InputError(f"{path}: the model is damaged or incomplete: {error}.") from None
        return lemmatizer

    @property
    def _fitted(self) -> Model:
        if self._model is None:
            raise InputError("The lemmatizer has not learned anything yet: call fit first, or load a model.")
        return self._model


def _accuracy(model: Model, dev: Sequence[Sentence]) -> float:
    """In percent; as Lemmas in CoNLL 2018: where the treebank has no lemma, any is right."""
    right = words = 0
    for batch in batches(dev, 1):
        for sentence, lemmas in zip(batch, model.lemmatize(batch), strict=True):
            words += len(lemmas)
            right += sum(gold in (EMPTY, lemma) for gold, lemma in zip(sentence.lemmas, lemmas, strict=True))
    return 100 * right / words if words else 0.0


def _path(sentences: Sequence[Sentence] | None) -> str:
    return sentences.path if isinstance(sentences, Treebank) else ""
