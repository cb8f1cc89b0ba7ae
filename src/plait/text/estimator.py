"""The tokenizer as users know estimators: options in the constructor, `fit`, `tokenize`, `save`, `load`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePath
from typing import Any, Unpack

from plait import store
from plait.errors import InputError
from plait.evaluation import evaluate
from plait.sentence import Sentence, Treebank
from plait.text.assembly import Assembler
from plait.text.card import write_card
from plait.text.flow import tokenize_pieces
from plait.text.multiword import Multiwords
from plait.text.options import Settings, TokenizerOptions
from plait.text.raw import raw_text
from plait.text.segmentation import Segmenter, SegmenterTraining
from plait.text.tensors import multiwords_from, multiwords_to, segmenter_from, segmenter_to

_BIASES = (-0.5, -0.25, 0.25, 0.5)
# What a model knows of its origin; `spaces_guessed`: the treebank does not tell where its spaces are.
_ABOUT: dict[str, Callable[[Any], Any]] = {
    "treebank": str,
    "dev": str,
    "sentences": int,
    "words": int,
    "spaces_guessed": bool,
    "licence": str,
}
# What can go wrong with a manifest that is JSON but no longer what was written.
_DAMAGE = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, InputError)


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the training text. Scores are F1 on the dev set's raw text, as in CoNLL 2018."""

    number: int
    seconds: float
    decisions: int
    updates: int
    words: float | None = None
    sentences: float | None = None


class Tokenizer:
    """Finds sentences and words in raw text (see `TokenizerOptions` for what the arguments mean).

    Learned attributes: `history_` (one `Epoch` per pass), `best_epoch_`, `scores_`, `about_` (what it learned
    from).
    """

    def __init__(self, **options: Unpack[Settings]) -> None:
        self.options = TokenizerOptions.from_dict(options)
        self.history_: list[Epoch] = []
        self.best_epoch_ = 0
        self.scores_: dict[str, float] = {}
        self.about_: dict[str, Any] = {}
        self._segmenter: Segmenter | None = None
        self._multiwords: Multiwords | None = None

    def fit(
        self,
        train: Sequence[Sentence],
        *,
        dev: Sequence[Sentence] | None = None,
        on_epoch: Callable[[Epoch], None] | None = None,
    ) -> Tokenizer:
        """Learn from `train`; with `dev`, keep the epoch with the best F1 of words and of sentences there, and
        the bias for sentence ends that is best there.
        """
        raw = raw_text(train)
        if not raw.text:
            raise InputError("A tokenizer cannot be trained on a treebank without words.")
        self._multiwords = Multiwords.learn(train, self.options.seed)
        training = SegmenterTraining(self.options, raw)
        judge = _Judge(dev) if dev is not None else None
        self.history_, best_scores = [], (-1.0, 0.0, 0.0)
        for number in range(1, self.options.epochs + 1):
            start = time.perf_counter()
            decisions, updates = training.run_epoch(number)
            epoch = Epoch(number, time.perf_counter() - start, decisions, updates)
            if judge or number == self.options.epochs:
                segmenter = training.segmenter()
                scores = judge.scores(segmenter, self._multiwords) if judge else (0.0, 0.0, 0.0)
                if judge:
                    epoch = replace(epoch, words=scores[1], sentences=scores[2])
                if scores > best_scores:
                    self._segmenter, best_scores, self.best_epoch_ = segmenter, scores, number
            self.history_.append(epoch)
            if on_epoch:
                on_epoch(epoch)
        if judge:
            best_scores = self._choose_bias(judge, best_scores)
        self.scores_ = {"dev_words": best_scores[1], "dev_sentences": best_scores[2]} if judge else {}
        self.about_ = {
            "treebank": PurePath(_path(train)).name,
            "dev": PurePath(_path(dev)).name if dev is not None else "",
            "sentences": len(train),
            "words": sum(map(len, train)),
            "spaces_guessed": raw.guessed,
        }
        return self

    def tokenize(self, text: str, *, lines: bool = False, ranges: bool = False) -> list[Sentence]:
        """The sentences of a text. With `lines`, every line is one; with `ranges`, MISC tells where every token
        is in the text. White space is kept in MISC, so that `restore` gives back the text.
        """
        return list(self.stream([text], lines=lines, ranges=ranges))

    def stream(
        self, pieces: Iterable[str], *, lines: bool = False, ranges: bool = False
    ) -> Iterator[Sentence]:
        """The same for a text that comes in pieces, such as the lines of a file: in order, in constant memory."""
        segmenter, multiwords = self._fitted
        return tokenize_pieces(segmenter, Assembler(multiwords, ranges=ranges), pieces, lines=lines)

    def save(self, path: str | Path, *, licence: str = "") -> None:
        """Write a model folder."""
        segmenter, multiwords = self._fitted
        manifest = {
            **self.about_,
            "licence": licence or self.about_.get("licence", ""),
            "step": segmenter.weights.step,
            "bias": segmenter.bias,
            "context_step": multiwords.context.weights.step if multiwords.context else 0.0,
            "best_epoch": self.best_epoch_,
            "scores": self.scores_,
            # Times are for the eyes of whoever trains; a model is the same whenever it is made.
            "history": [asdict(replace(epoch, seconds=0.0)) for epoch in self.history_],
        }
        store.save(
            path,
            kind="tokenizer",
            about=manifest,
            tensors=segmenter_to(segmenter) | multiwords_to(multiwords),
            config=self.options.to_toml(),
            card=write_card(manifest, self.options),
        )

    @classmethod
    def load(cls, path: str | Path) -> Tokenizer:
        """Read a model folder. Nothing in it is executed; what does not fit is an error that names it."""
        stored = store.load(path, "tokenizer")
        about = stored.about
        tokenizer = cls()
        try:
            tokenizer.options = TokenizerOptions.from_toml(stored.config)
            tokenizer.about_ = {name: kind(about[name]) for name, kind in _ABOUT.items()}
            tokenizer._segmenter = segmenter_from(
                stored.tensors, tokenizer.options, float(about["step"]), float(about["bias"])
            )
            tokenizer._multiwords = multiwords_from(stored.tensors, float(about["context_step"]))
            tokenizer.best_epoch_ = int(about["best_epoch"])
            tokenizer.scores_ = {str(name): float(score) for name, score in about["scores"].items()}
            tokenizer.history_ = [Epoch(**epoch) for epoch in about["history"]]
        except _DAMAGE as error:
            raise InputError(f"{path}: the model is damaged or incomplete: {error}.") from None
        return tokenizer

    @property
    def _fitted(self) -> tuple[Segmenter, Multiwords]:
        if self._segmenter is None or self._multiwords is None:
            raise InputError("The tokenizer has not learned anything yet: call fit first, or load a model.")
        return self._segmenter, self._multiwords

    def _choose_bias(self, judge: _Judge, best: tuple[float, float, float]) -> tuple[float, float, float]:
        segmenter, multiwords = self._fitted
        for bias in _BIASES:
            candidate = segmenter.with_bias(bias)
            scores = judge.scores(candidate, multiwords)
            if scores > best:
                self._segmenter, best = candidate, scores
        return best


class _Judge:
    """Scores on the raw text of a dev set: the sum, F1 of words, F1 of sentences."""

    def __init__(self, dev: Sequence[Sentence]) -> None:
        self._gold = [_with_chain(sentence) for sentence in dev]
        self._text = raw_text(dev).text

    def scores(self, segmenter: Segmenter, multiwords: Multiwords) -> tuple[float, float, float]:
        found = tokenize_pieces(segmenter, Assembler(multiwords, ranges=False), [self._text], lines=False)
        scores = evaluate(self._gold, [_with_chain(sentence) for sentence in found])
        words, sentences = scores.words, scores.sentences
        return words + sentences, words, sentences


def _with_chain(sentence: Sentence) -> Sentence:
    """The words with any tree: scores of words and sentences do not look at it, but cannot do without."""
    return Sentence(
        forms=sentence.forms,
        heads=list(range(len(sentence))),
        multiword_tokens=sentence.multiword_tokens,
    )


def _path(sentences: Sequence[Sentence] | None) -> str:
    return sentences.path if isinstance(sentences, Treebank) else ""
