"""An inflector as it is used: the lexicon, the classifier, and what makes a text of words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from plait import _core
from plait.cancel import Cancel
from plait.components.inflector.agreement import Agreement
from plait.components.inflector.candidates import Candidates, Classes
from plait.components.inflector.encoding import Encoder, make_program
from plait.components.inflector.lexicon import Lexicon, keys_of
from plait.components.inflector.spacing import Spacing
from plait.features.full_forms import FullForms
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence


class Setup:
    """What there is before anything is learned by passes."""

    def __init__(
        self, lexicon: Lexicon, full_forms: FullForms, agreement: Agreement, spacing: Spacing, bits: int
    ) -> None:
        self.lexicon = lexicon
        self.agreement = agreement
        self.full_forms = full_forms
        self.classes = Classes(full_forms)
        self.spacing = spacing
        self.bits = bits
        self.program = make_program(seed=1)
        self.encoder = Encoder()

    @property
    def cells(self) -> int:
        return (1 << self.bits) + self.width

    @property
    def width(self) -> int:
        """The classes, and one weight that all share."""
        return len(self.classes) + 1

    @cached_property
    def candidates(self) -> Candidates:
        return Candidates(self.lexicon, self.full_forms, self.classes)


class Model:
    """A setup and its weights."""

    def __init__(self, setup: Setup, weights: PackedWeights) -> None:
        self.setup = setup
        self.weights = weights
        self._core = weights.to_core(setup.bits, setup.width)

    def inflect(self, sentences: Sequence[Sentence], cancel: Cancel | None = None) -> list[list[str]]:
        """The forms of words that stand in their order, without regard to where a sentence begins. Words that
        lack features agree with those around them.
        """
        sentences = [self.setup.agreement.completed(sentence) for sentence in sentences]
        candidates = [self.setup.candidates.of(key) for sentence in sentences for key in keys_of(sentence)]
        encoded = self.setup.encoder.encode(sentences, candidates)
        places = _core.choose_candidates(
            self._core,
            self.setup.program,
            encoded.values,
            encoded.offsets,
            encoded.classes,
            encoded.sights,
            cancel,
        )
        best = (places - encoded.offsets[:-1]).tolist()
        forms = iter([found[place].form for found, place in zip(candidates, best, strict=True)])
        return [[next(forms) for _ in sentence.lemmas] for sentence in sentences]
