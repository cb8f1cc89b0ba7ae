"""Greedy parsers that look at any choice of the templates of one list, learned from states that are kept.

A static oracle without exploration walks through the same states whatever was learned, so that all templates are hashed
once and a choice of them learns from the hashes alone (for Ballesteros and Bohnet 2014, who try hundreds of choices).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.transition.model import BUDGET
from plait.components.transition.options import TransitionOptions
from plait.components.transition.setup import make_setup
from plait.errors import InputError
from plait.learning.arcs import EncodedWords, Indices, LabelledTrees
from plait.learning.learner import Weights, epoch_order
from plait.learning.lessons import Lessons
from plait.sentence import Sentence
from plait.transitions.table import ORACLE_CODES

STATIC = ("lazy", "eager", "minimal", "static")
_WITHOUT = ("joint", "guided", "completion", "projectivize")  # what walks through other states, or sees more


class CachedParser:
    """What greedy parsers learn from some sentences of a treebank, and find in others. Templates are numbered as
    `lines` has them, sentences as the `lessons` have them.
    """

    def __init__(self, options: TransitionOptions, lessons: Lessons) -> None:
        if not can_cache(options):
            raise InputError("States are kept for greedy parsers with a static oracle and nothing else.")
        gold = LabelledTrees.of(lessons, lessons.path)
        self._setup = make_setup(options, lessons, gold)
        encoded = gold.encode(self._setup.encode_words(lessons), self._setup.labels)
        self._states = _core.CachedStates(
            self._setup.core,
            ORACLE_CODES[options.chosen_oracle],
            BUDGET,
            encoded.words.values,
            encoded.words.offsets,
            encoded.words.classes,
            encoded.heads,
            encoded.labels,
        )

    @property
    def lines(self) -> Sequence[object]:
        """The templates, as they are where some columns say nothing."""
        return self._setup.templates.of_states

    def learn(self, chosen: Sequence[int], sentences: Sequence[int], seed: int, passes: int) -> Weights:
        """The mean of the weights, of a parser that looks at these templates."""
        options = self._setup.options
        trainer = _core.CachedTrainer(
            self._states,
            np.array(chosen, np.int32),
            options.bits,
            options.learner == "passive-aggressive",
            options.chosen_step,
        )
        numbers = np.array(sentences, np.int64)
        for number in range(1, passes + 1):
            trainer.learn(numbers[epoch_order(seed, number, len(numbers))])
        return trainer.averaged()

    def encode(self, sentences: Sequence[Sentence]) -> EncodedWords:
        return self._setup.encode_words(sentences)

    def parse(
        self, chosen: Sequence[int], weights: Weights, words: EncodedWords
    ) -> tuple[Indices, NDArray[np.object_]]:
        """Heads and labels of all words."""
        setup = self._setup
        found = _core.parse_by_transitions(
            self._kernel(weights),
            setup.core_of(chosen),
            words.values,
            words.offsets,
            words.starts,
            words.classes,
            words.row_tags,
            words.priors,
        )
        return found[0], setup.names[found[1]]

    def rank(self, weights: Weights, sentences: Sequence[int]) -> list[int]:
        """For every template, how many of the right transitions of sentences are lost when a parser that learned with
        all is not shown it.
        """
        right = _core.right_without(self._states, self._kernel(weights), np.array(sentences, np.int64))
        lost: list[int] = (right[-1] - right[:-1]).tolist()
        return lost

    def _kernel(self, weights: Weights) -> _core.Weights:
        return _core.Weights(self._setup.options.bits, len(self._setup.repertoire), weights)


def can_cache(options: TransitionOptions) -> bool:
    """Whether the states of such a parser can be kept."""
    return (
        options.beam == 1
        and options.chosen_oracle in STATIC
        and not options.filter_labels
        and not options.system.startswith("spine")
        and not any(getattr(options, name) for name in _WITHOUT)
    )
