"""Which senses a predicate may have: those of its lemma in the treebank, or what a list of frames has.

The lemma of a sense may be another than that of the word (*service*, serve.02): the map is learned.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plait.checks import vector
from plait.components.roles.frame_list import LIGHT, FrameList
from plait.features.encoding import hash_text
from plait.features.texts import pack_texts, unpack_texts
from plait.layers import Frames
from plait.sentence import EMPTY, Sentence

_LETTERS = {"V": "v", "M": "v", "A": "v", "N": "n", "P": "n", "J": "j"}
_FIRST = "01"
_PARTICLE = frozenset({"compound:prt", "advmod", "PRT", "prt", "svp"})  # in UD, CoNLL-09, Stanford, Alpino
_MOST = 256  # senses of a word: rarer ones are left out


class Allowed:
    """Which senses the predicates of sentences may have: those that a list of frames has for the lemma; with a particle
    (`v:pass_away`) if it depends on the predicate; light verbs that were seen; and of a lemma that the list does not
    have those that were seen with it. Without a list, all that were seen, or the first sense of an unknown lemma.
    """

    def __init__(self, senses: Senses, frames: FrameList | None) -> None:
        self._senses = senses
        self._frames = frames

    def of(self, sentence: Sentence, word: int, key: str) -> list[str]:
        """In the order of preference where none was seen."""
        lemma = key.partition(":")[2]
        known = self._senses.find(key)[1]
        if self._frames is None:
            return known or [f"{lemma}.{_FIRST}"]
        frames = self._frames
        particles = {
            form.lower()
            for form, head, label in zip(sentence.forms, sentence.heads, sentence.deprels, strict=True)
            if head == word and label in _PARTICLE
        }
        with_particle = frames.senses(key, particles) if particles else []
        if with_particle:
            return with_particle
        light = [sense for sense in known if sense == lemma + LIGHT]
        return [*frames.senses(key), *light] or [sense for sense in known if frames.meaning(sense)]


def key_of(sentence: Sentence, word: int) -> str:
    """The lemma in small letters with what kind of word it is, as in lists of frames: `v:come`."""
    tag = sentence.xpos[word - 1]
    if tag == EMPTY:
        tag = sentence.upos[word - 1]
    letter = "j" if tag == "ADJ" else _LETTERS.get(tag[:1], "v")
    lemma = sentence.lemmas[word - 1]
    return f"{letter}:{(lemma if lemma != EMPTY else sentence.forms[word - 1]).lower()}"


@dataclass(frozen=True, slots=True)
class Senses:
    """By key, the senses seen, the most frequent first. A lemma alone has those of the key it is seen with most."""

    lists: dict[str, list[str]]
    width: int
    _lemmas: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key in self.lists:
            self._lemmas.setdefault(key.partition(":")[2], key)

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Senses:
        counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            for frame in sentence.find(Frames) or ():
                counted[key_of(sentence, frame.predicate)][frame.sense] += 1
        totals = {key: counts.total() for key, counts in counted.items()}
        keys = sorted(counted, key=lambda key: (-totals[key], key))
        lists = {
            key: sorted(counted[key], key=lambda sense: (-counted[key][sense], sense))[:_MOST] for key in keys
        }
        return cls(lists, max(map(len, lists.values()), default=1))

    def find(self, key: str) -> tuple[str, list[str]]:
        """The key whose senses these are, and the senses; none if the lemma was never seen."""
        if key not in self.lists:
            key = self._lemmas.get(key.partition(":")[2], "")
        return key, self.lists.get(key, [])

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        names = list(dict.fromkeys(sense for senses in self.lists.values() for sense in senses))
        number = {name: i for i, name in enumerate(names)}
        return {
            "senses.keys": pack_texts(self.lists),
            "senses.names": pack_texts(names),
            "senses.sizes": np.array([len(senses) for senses in self.lists.values()], np.uint16),
            "senses.numbers": np.array(
                [number[s] for senses in self.lists.values() for s in senses], np.int32
            ),
        }

    @classmethod
    def from_tensors(cls, tensors: dict[str, NDArray[np.generic]]) -> Senses:
        """ValueError if the pieces do not fit together."""
        keys, names = unpack_texts(tensors["senses.keys"]), unpack_texts(tensors["senses.names"])
        sizes: Sequence[int] = vector(tensors["senses.sizes"], np.uint16, "sizes").tolist()
        numbers: Sequence[int] = vector(tensors["senses.numbers"], np.int32, "numbers").tolist()
        if len(sizes) != len(keys) or sum(sizes) != len(numbers) or len(set(keys)) != len(keys):
            raise ValueError("the lists of senses do not fit together")
        if (
            any(not 0 <= number < len(names) for number in numbers)
            or not all(sizes)
            or max(sizes, default=1) > _MOST
        ):
            raise ValueError("the lists of senses name others")
        lists, at = {}, 0
        for key, size in zip(keys, sizes, strict=True):
            lists[key] = [names[number] for number in numbers[at : at + size]]
            at += size
        return cls(lists, max(sizes, default=1))


def hash_key(key: str) -> int:
    return hash_text(f"senses {key}")
