"""A lemmatizer as it is used: the lexicon, and the classifier for words that are not in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from plait import _core
from plait.cancel import Cancel
from plait.components.lemmatizer.candidates import Candidates
from plait.components.lemmatizer.encoding import Encoded, make_program
from plait.components.lemmatizer.lexicon import Key, Lexicon, keys_of
from plait.features.full_forms import FullForms
from plait.features.memory import Memory
from plait.learning.weights import PackedWeights
from plait.sentence import EMPTY, Sentence


class Setup:
    """What a lemmatizer is before it has learned to choose."""

    def __init__(self, lexicon: Lexicon, bits: int, full_forms: FullForms | None = None) -> None:
        """ValueError if the lexicon does not fit together, as one of a damaged file."""
        self.lexicon = lexicon
        self.full_forms = full_forms
        self.bits = bits
        self.lemmas = lexicon.lemmas()
        self.program = make_program(seed=1)
        # The shared scripts, what only a single word does, and one weight that all classes share.
        self.width = lexicon.shared + 2

    @cached_property
    def untagged(self) -> dict[Key, str]:
        """Made when a word comes that has no XPOS and no FEATS."""
        return _without_tags(self.lemmas)

    def known(self, key: Key) -> str | None:
        """The lemma that the lexicon has."""
        found = self.lemmas.get(key)
        return self.untagged.get(key) if found is None and key[2] == key[3] == EMPTY else found

    @cached_property
    def candidates(self) -> Candidates:
        """Made when a word comes that is not in the lexicon."""
        return Candidates(self.lexicon, self.lemmas, self.full_forms)

    @property
    def cells(self) -> int:
        """The size of the table of weights."""
        return (1 << self.bits) + self.width


class Model:
    """A setup and its weights. What it found once it remembers."""

    def __init__(self, setup: Setup, weights: PackedWeights) -> None:
        self.setup = setup
        self.weights = weights
        self._core = weights.to_core(setup.bits, setup.width)
        self._remembered: Memory[Key, str] = Memory()

    def lemmatize(self, sentences: Sequence[Sentence], cancel: Cancel | None = None) -> list[list[str]]:
        """The lemmas of sentences; new words are classified together."""
        remembered = self._remembered
        keys = [list(keys_of(sentence)) for sentence in sentences]
        # Word by word: the difference of two sets would go through all that is remembered.
        new = {key for line in keys for key in line if key not in remembered}
        if new:
            remembered.learn(self._look_up(new, cancel))
            if remembered.is_full:
                self._remembered = Memory()
        return [[remembered[key] for key in line] for line in keys]

    def _look_up(self, keys: Iterable[Key], cancel: Cancel | None) -> dict[Key, str]:
        """Lemmas from the lexicon, and from the classifier for what is not in it."""
        found = {key: lemma for key in keys if (lemma := self.setup.known(key)) is not None}
        return found | self.choose([key for key in keys if key not in found], cancel)

    def choose(self, keys: Sequence[Key], cancel: Cancel | None = None) -> dict[Key, str]:
        """What the classifier says, all in the core and without the GIL."""
        candidates = [self.setup.candidates.of(key) for key in keys]
        encoded = Encoded.of(keys, candidates)
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
        return {key: found[place].lemma for key, found, place in zip(keys, candidates, best, strict=True)}


def _without_tags(lemmas: Mapping[Key, str]) -> dict[Key, str]:
    """The most frequent lemma of forms with their UPOS only, and without any tag."""
    found: dict[Key, str] = {}
    for (form, upos, _, _), lemma in lemmas.items():
        found.setdefault((form, upos, EMPTY, EMPTY), lemma)
        found.setdefault((form, EMPTY, EMPTY, EMPTY), lemma)
    return found
