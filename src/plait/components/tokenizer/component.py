"""Sentences and words in raw text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.cancel import Cancel
from plait.components.tokenizer.learner import Cutter, SegmentationLearner
from plait.components.tokenizer.multiword import Multiwords
from plait.components.tokenizer.options import TokenizerOptions
from plait.components.tokenizer.raw import raw_text
from plait.components.tokenizer.tensors import (
    multiwords_from,
    multiwords_to,
    segmenter_from,
    segmenter_to,
)
from plait.errors import InputError
from plait.learning.component import Component
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.sentence import Sentence


@dataclass(frozen=True, slots=True)
class TokenizerFacts:
    """Beside the weights and the multiword tokens."""

    unit: float
    bias: float
    context_unit: float
    spaces_guessed: bool


class Tokenizer(Component[Cutter]):
    """Finds sentences and words: `tokenize` for a text, `stream` for one that comes in pieces. Sentences that have
    their words already are left as they are.
    """

    kind = "tokenizer"
    title = "A tokenizer"
    topics = ("tokenization", "sentence-splitting")
    usual_name = "tokenizer"
    Options = TokenizerOptions
    Facts = TokenizerFacts
    requires = frozenset({"text"})
    provides = frozenset({"tokens"})

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> SegmentationLearner:
        raw = raw_text(lessons)
        if not raw.text:
            raise InputError("A tokenizer cannot be trained on a treebank without words.")
        multiwords = Multiwords.learn(lessons, self.options.seed)
        return SegmentationLearner(self.options, raw, multiwords, dev)

    def tokenize(
        self, text: str, *, lines: bool = False, ranges: bool = False, cancel: Cancel | None = None
    ) -> list[Sentence]:
        """The sentences of a text. With `lines`, every line is one; with `ranges`, MISC tells where every token
        is in the text. White space is kept in MISC, so that `restore` gives back the text.
        """
        return list(self.stream([text], lines=lines, ranges=ranges, cancel=cancel))

    def stream(
        self,
        pieces: Iterable[str],
        *,
        lines: bool = False,
        ranges: bool = False,
        first: int = 1,
        cancel: Cancel | None = None,
    ) -> Iterator[Sentence]:
        """The same for a text that comes in pieces, such as the lines of a file: in order, in constant memory.

        `sent_id`s count from `first`, for texts that follow others.
        """
        return self.state.stream(pieces, lines=lines, ranges=ranges, first=first, cancel=cancel)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:  # noqa: ARG002
        return iter(sentences)

    def pack(self) -> tuple[TokenizerFacts, Tensors]:
        segmenter, multiwords = self.state.segmenter, self.state.multiwords
        context_unit = multiwords.context.weights.unit if multiwords.context else 0.0
        facts = TokenizerFacts(
            segmenter.weights.unit, segmenter.bias, context_unit, self.state.spaces_guessed
        )
        return facts, segmenter_to(segmenter) | multiwords_to(multiwords)

    def unpack(self, facts: TokenizerFacts, tensors: Tensors) -> None:
        segmenter = segmenter_from(tensors, self.options, facts.unit, facts.bias)
        multiwords = multiwords_from(tensors, facts.context_unit)
        self._state = Cutter(segmenter, multiwords, facts.spaces_guessed)

    def method(self) -> str:
        guessed = self.state.spaces_guessed if self.ready else False
        return "The treebank does not tell where its spaces are: they were guessed." if guessed else ""
