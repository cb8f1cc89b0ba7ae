"""Norms of words, as a layer that features look at (Pekar et al. 2014; see `plait.features.spelling`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import chain
from pathlib import Path

from plait.components.normalizer import lists as own_lists
from plait.components.normalizer.learner import WordLearner
from plait.errors import InputError
from plait.features.memory import Memory
from plait.features.spelling import Spelling
from plait.layers import Norms
from plait.learning.component import Component, NoFacts
from plait.learning.lessons import Lessons
from plait.learning.options import LearningOptions
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.sentence import Sentence

_BUILT_IN = "web"


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizerOptions(LearningOptions):
    """`spellings` are files of lines of spelling, standard and perhaps kind, with commas between their names; `web` is
    a short list that comes with plait.
    """

    spellings: str = _BUILT_IN
    epochs: int = 1


class Normalizer(Component[Spelling]):
    """Gives every sentence the layer `Norms`. The words that it learns from are the known ones, which stay as they
    are; that is all it learns.
    """

    kind = "normalizer"
    title = "A normalizer"
    topics = ("text-normalization",)
    usual_name = "normalizer"
    Options = NormalizerOptions
    requires = frozenset({"tokens"})
    provides = frozenset({"norms"})
    early = True

    def check(self, lessons: Lessons) -> None:  # noqa: ARG002
        self._lists()

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> WordLearner:  # noqa: ARG002
        if not lessons:
            raise InputError("There is no sentence to learn words from.")
        return WordLearner(self._lists(), chain.from_iterable(sentence.forms for sentence in lessons))

    def learn_words(self, words: Iterable[str]) -> None:
        """Let these be the known words, where there is no treebank."""
        self.change(self._lists().knowing(words), {})

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:  # noqa: ARG002
        norms: Memory[str, str] = Memory(self.state.norm)
        for sentence in sentences:
            sentence.put(Norms(tuple(map(norms.__getitem__, sentence.forms))))
            if norms.is_full:
                norms = Memory(self.state.norm)
            yield sentence

    def pack(self) -> tuple[NoFacts, Tensors]:
        return NoFacts(), self.state.tensors()

    def unpack(self, facts: NoFacts, tensors: Tensors) -> None:  # noqa: ARG002
        self._state = Spelling.from_tensors(tensors)

    def method(self) -> str:
        spelling = self.state
        return (
            f"{len(spelling.pairs) + len(spelling.doubtful):,} spellings; {len(spelling.known):,} words are known. "
            "Forms are left as they are."
        )

    def _lists(self) -> Spelling:
        names = [name.strip() for name in self.options.spellings.split(",") if name.strip()]
        paths = [_built_in() if name == _BUILT_IN else Path(name) for name in names]
        return Spelling.load(*paths)


def _built_in() -> Path:
    return Path(str(resources.files(own_lists) / "web.tsv"))
