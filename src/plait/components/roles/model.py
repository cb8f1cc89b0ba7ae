"""A role labeler as the core runs it: what it looks at, a table of weights per step, and the steps in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel
from plait.components.roles.encoding import NONE, Proposed, Words, bare
from plait.components.roles.frame_list import FrameList
from plait.components.roles.options import RoleOptions
from plait.components.roles.senses import Allowed, Senses, hash_key, key_of
from plait.components.roles.templates import LABEL, LISTED, RoleTemplates
from plait.features.encoding import Encoder, hash_text
from plait.features.memory import Memory
from plait.layers import Argument, Frame, Frames
from plait.learning.weights import PackedWeights
from plait.sentence import EMPTY, Sentence

_NOBODY_KNOWS, _LISTED, _LISTED_OTHERWISE, _NOT_LISTED = range(2, 6)


class Setup:
    """What a role labeler is before it has learned anything. `roles` are those of the treebank; those of the numbers in
    `single` stand once at most with a predicate.
    """

    def __init__(
        self,
        options: RoleOptions,
        templates: RoleTemplates,
        roles: Sequence[str],
        single: Sequence[int],
        senses: Senses,
        frames: FrameList | None = None,
    ) -> None:
        """ValueError if something does not fit, as in a damaged file."""
        if len(set(roles)) != len(roles) or not all(0 <= number < len(roles) for number in single):
            raise ValueError("the lists of roles do not fit together")
        self.options = options
        self.templates = templates
        self.roles = list(roles)
        self.single = list(single)
        self.senses = senses
        self.frames = frames
        self.allowed = Allowed(senses, frames)
        self._listed_keys: Memory[str, int] = Memory(self._find_listed)
        self.columns = templates.columns
        self.label = self.columns.index(LABEL)
        self.encoder = Encoder([name for name in self.columns if name != LISTED])
        compiled = (templates.compile(step, self.columns, options.hash_seed) for step in self.binary)
        self.programs = dict(zip(self.binary, compiled, strict=True))
        self.core = np.full(len(roles) + 1, -1, np.int32)
        self.core[[number + 1 for number in single]] = range(len(single))
        self.model = _core.RoleModel(
            *templates.compile_roles(self.columns, options.hash_seed),
            self.core,
            options.margin > 0,
            options.beam,
        )
        self.role_number = {name: number for number, name in enumerate(self.roles, 1)}

    def encode(self, sentences: Sequence[Sentence]) -> Words:
        return Words.of(sentences, self.encoder, self._listed if LISTED in self.columns else None)

    def _listed(self, sentence: Sentence, word: int) -> int:
        if self.frames is None:
            return _NOBODY_KNOWS
        if self._listed_keys.is_full:
            self._listed_keys = Memory(self._find_listed)
        return self._listed_keys[key_of(sentence, word)]

    def _find_listed(self, key: str) -> int:
        assert self.frames is not None
        if self.frames.has(key):
            return _LISTED
        return _LISTED_OTHERWISE if self.frames.has(key[2:]) else _NOT_LISTED

    binary = ("predicates", "arguments", "senses")  # steps with a program of their own

    @property
    def shapes(self) -> dict[str, tuple[int, int]]:
        """The steps that learn, with the bits and the width of their tables."""
        options = self.options
        found = {
            "predicates": (options.small_bits, 1),
            "arguments": (options.bits, 1),
            "roles": (options.bits, len(self.roles) + 1),
            "senses": (options.small_bits, self.senses.width),
        }
        return found | ({"sets": (options.small_bits, 1)} if options.rerank else {})

    def cells(self, step: str) -> int:
        bits, width = self.shapes[step]
        return (1 << bits) + width

    def sense_lists(self, keys: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
        """For the core: which lists, and how long they are."""
        found = [self.senses.find(key) for key in keys]
        return (
            np.array([hash_key(key) for key, _ in found], np.uint32),
            np.array([len(senses) for _, senses in found], np.int32),
        )


@dataclass(frozen=True, slots=True)
class Leaning:
    """How much must speak for a predicate, and against an argument: what makes precision and recall meet. And how much
    the scores of whole sets count.
    """

    predicate: float = 0.0
    refusal: float = 0.0
    sets: float = 1.0


class Model:
    """A setup and its weights: what annotates."""

    def __init__(
        self, setup: Setup, weights: Mapping[str, PackedWeights], leaning: Leaning | None = None
    ) -> None:
        self.setup = setup
        self.weights = dict(weights)
        self.leaning = leaning or Leaning()

    def leaning_to(self, leaning: Leaning) -> Model:
        """With the same weights."""
        twin = copy(self)
        twin.leaning = leaning
        return twin

    @cached_property
    def _core(self) -> dict[str, Any]:
        """Weights as the core has them, all of one kind; made when they are needed first."""
        return {name: self.weights[name].to_core(*self.setup.shapes[name]) for name in self.weights}

    def annotate(
        self, sentences: Sequence[Sentence], *, keep_predicates: bool = False, cancel: Cancel | None = None
    ) -> list[Frames]:
        """The frames of sentences, all in the core and without the GIL."""
        setup = self.setup
        words = setup.encode(sentences)
        if keep_predicates:
            given = [sentence.find(Frames) or () for sentence in sentences]
            predicates = [[frame.predicate for frame in frames] for frames in given]
        else:
            predicates = self._predicates(words, cancel)
        found = bare(predicates)
        pairs = [
            (sentence, word) for sentence, each in zip(sentences, predicates, strict=True) for word in each
        ]
        keys = [key_of(sentence, word) for sentence, word in pairs]
        senses: list[str] = []
        if setup.options.senses_first:
            senses = self._senses(found, words, pairs, keys, cancel)
            if setup.templates.sees_senses:
                found = replace(found, senses=np.array([hash_text(sense) for sense in senses], np.uint32))
        found = self.arguments(found, words, cancel)
        found = self._roles(found, words, cancel)
        if not setup.options.senses_first:
            senses = self._senses(found, words, pairs, keys, cancel)
        return self._frames(found, senses)

    def _predicates(self, words: Words, cancel: Cancel | None) -> list[list[int]]:
        batch = bare([()] * (len(words.offsets) - 1)).batch(words, self.setup.label)
        scores = _core.score_predicates(
            self._core["predicates"], self.setup.programs["predicates"], batch, cancel
        )
        bounds = words.offsets.tolist()
        return [
            (np.flatnonzero(scores[first:last] >= self.leaning.predicate) + 1).tolist()
            for first, last in pairwise(bounds)
        ]

    def arguments(self, found: Proposed, words: Words, cancel: Cancel | None = None) -> Proposed:
        bounds, chosen, _ = _core.find_arguments(
            self._core["arguments"],
            self.setup.programs["arguments"],
            found.batch(words, self.setup.label),
            -self.setup.options.margin,
            self.setup.options.reach,
            cancel,
        )
        return found.with_words(bounds, chosen)

    def _roles(self, found: Proposed, words: Words, cancel: Cancel | None) -> Proposed:
        options = self.setup.options
        _, roles, _ = _core.find_roles(
            self._core["roles"],
            self.setup.model,
            found.batch(words, self.setup.label),
            options.rerank or 1,
            self.leaning.refusal,
            self.leaning.sets,
            self._core.get("sets"),
            cancel,
        )
        return replace(found, roles=roles)

    def best_sets(
        self, found: Proposed, words: Words
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Several per predicate, to learn from: where they begin, a role per word, what they score."""
        batch = found.batch(words, self.setup.label)
        return _core.find_roles(self._core["roles"], self.setup.model, batch, self.setup.options.rerank)

    def _senses(
        self,
        found: Proposed,
        words: Words,
        places: Sequence[tuple[Sentence, int]],
        keys: Sequence[str],
        cancel: Cancel | None,
    ) -> list[str]:
        """Of those that are allowed the best one that was seen, or else the first; `_` if there is none."""
        setup = self.setup
        allowed = [setup.allowed.of(*place, key) for place, key in zip(places, keys, strict=True)]
        seen = [setup.senses.find(key)[1] for key in keys]
        flags = [sense in may for senses, may in zip(seen, allowed, strict=True) for sense in senses]
        chosen = _core.choose_senses(
            self._core["senses"],
            setup.programs["senses"],
            found.batch(words, setup.label),
            found.roles,
            setup.core,
            *setup.sense_lists(keys),
            np.array(flags, np.uint8),
            cancel,
        )
        return [
            senses[number] if number >= 0 else (may[0] if may else EMPTY)
            for number, senses, may in zip(chosen.tolist(), seen, allowed, strict=True)
        ]

    def _frames(self, found: Proposed, senses: Sequence[str]) -> list[Frames]:
        frames = self.setup.frames
        names = [EMPTY, *self.setup.roles]
        bounds, words, roles = found.bounds.tolist(), found.words.tolist(), found.roles.tolist()
        each = []
        for number, (predicate, sense) in enumerate(zip(found.predicates.tolist(), senses, strict=True)):
            arguments = [
                Argument(
                    words[at],
                    names[roles[at]],
                    frames.meaning_of(sense, names[roles[at]]) if frames else "",
                )
                for at in range(bounds[number], bounds[number + 1])
                if roles[at] != NONE
            ]
            each.append(Frame(predicate, sense, tuple(arguments), frames.meaning(sense) if frames else ""))
        firsts = found.firsts.tolist()
        return [Frames(tuple(each[first:last])) for first, last in pairwise(firsts)]
