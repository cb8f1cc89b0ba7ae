"""A lemmatizer as it is used: the lexicon, and the classifier for words that are not in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from plait import _core
from plait.lemmas.candidates import Candidates
from plait.lemmas.encoding import Encoded, make_program
from plait.lemmas.lexicon import Key, Lexicon, keys_of
from plait.sentence import EMPTY, Sentence
from plait.weights import PackedWeights

_MOST_REMEMBERED = 1 << 17  # words; then start anew, so that memory stays flat
_MOST_CHARACTERS = 1 << 22  # of forms; or some very long ones would fill the memory


class Setup:
    """What a lemmatizer is before it has learned to choose."""

    def __init__(self, lexicon: Lexicon, bits: int) -> None:
        """ValueError if the lexicon does not fit together, as one of a damaged file."""
        self.lexicon = lexicon
        self.bits = bits
        self.lemmas = lexicon.lemmas()
        self.known = _without_tags(self.lemmas) | self.lemmas
        self.program = make_program(seed=1)
        # The shared scripts, what only a single word does, and one weight that all classes share.
        self.width = lexicon.shared + 2

    @cached_property
    def candidates(self) -> Candidates:
        """Made when a word comes that is not in the lexicon."""
        return Candidates(self.lexicon, self.lemmas)

    @property
    def cells(self) -> int:
        """The size of the table of weights."""
        return (1 << self.bits) + self.width


class Model:
    """A setup and its weights. What it found once it remembers: most words cost a look into a dictionary."""

    def __init__(self, setup: Setup, weights: PackedWeights) -> None:
        self.setup = setup
        self.weights = weights
        self._core = weights.to_core(setup.bits, setup.width)
        self._remembered: dict[Key, str] = {}
        self._characters = 0

    def lemmatize(self, sentences: Sequence[Sentence]) -> list[list[str]]:
        """The lemmas of sentences; new words are classified together."""
        remembered = self._remembered
        keys = [list(keys_of(sentence)) for sentence in sentences]
        # Word by word: the difference of two sets would go through all that is remembered.
        new = {key for line in keys for key in line if key not in remembered}
        if new:
            remembered |= self._look_up(new)
            self._characters += sum(len(key[0]) for key in new)
            if len(remembered) > _MOST_REMEMBERED or self._characters > _MOST_CHARACTERS:
                self._remembered, self._characters = {}, 0
        return [[remembered[key] for key in line] for line in keys]

    def _look_up(self, keys: Iterable[Key]) -> dict[Key, str]:
        """Lemmas from the lexicon, and from the classifier for what is not in it."""
        known = self.setup.known
        found = {key: known[key] for key in keys if key in known}
        return found | self.choose([key for key in keys if key not in known])

    def choose(self, keys: Sequence[Key]) -> dict[Key, str]:
        """What the classifier says, all in the core and without the GIL."""
        candidates = [self.setup.candidates.of(key) for key in keys]
        encoded = Encoded.of(keys, candidates)
        places = _core.choose(
            self._core, self.setup.program, encoded.values, encoded.offsets, encoded.classes, encoded.sights
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
