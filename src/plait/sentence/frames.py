"""Predicates of a sentence and their arguments, as views of its frames."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plait.layers import Argument, Frame
from plait.sentence.words import Word, below

if TYPE_CHECKING:
    from plait.sentence.sentence import Sentence


@dataclass(frozen=True, slots=True)
class PredicateFrame:
    """A predicate of a sentence: a view of its `Frame`."""

    sentence: Sentence = field(repr=False)
    frame: Frame

    @property
    def predicate(self) -> Word:
        return self.sentence[self.frame.predicate]

    @property
    def sense(self) -> str:
        return self.frame.sense

    @property
    def meaning(self) -> str:
        """What a list of frames tells of the sense; empty if there is none."""
        return self.frame.meaning

    @property
    def arguments(self) -> list[FrameArgument]:
        return [FrameArgument(self.sentence, self.frame.predicate, each) for each in self.frame.arguments]


@dataclass(frozen=True, slots=True)
class FrameArgument:
    """An argument of a predicate: a view."""

    sentence: Sentence = field(repr=False)
    predicate: int
    argument: Argument

    @property
    def role(self) -> str:
        return self.argument.role

    @property
    def meaning(self) -> str:
        """What the role means for this sense, such as "seller"; empty if no list of frames tells."""
        return self.argument.meaning

    @property
    def word(self) -> Word:
        """Its head."""
        return self.sentence[self.argument.word]

    @property
    def span(self) -> tuple[int, ...]:
        """The numbers of its words: all that the head dominates, but for the predicate. They need not be
        neighbours.
        """
        found = below(self.sentence.heads, self.argument.word)
        return tuple(word for word in found if word != self.predicate)

    @property
    def segments(self) -> list[tuple[int, int]]:
        """The span as runs of neighbours: first and last word of each."""
        runs: list[tuple[int, int]] = []
        for word in self.span:
            runs[-1:] = (
                [(runs[-1][0], word)] if runs and runs[-1][1] == word - 1 else [*runs[-1:], (word, word)]
            )
        return runs

    @property
    def text(self) -> str:
        """Its words, with … where others stand between."""
        forms = self.sentence.forms
        return " … ".join(" ".join(forms[first - 1 : last]) for first, last in self.segments)
