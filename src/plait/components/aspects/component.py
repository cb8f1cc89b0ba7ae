"""Aspects in sentences of reviews: which terms and categories, and what is thought of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.cancel import Watching, check_cancelled
from plait.checks import Name
from plait.components.aspects import lexicon as lexicons
from plait.components.aspects.learner import AspectLearner
from plait.components.aspects.model import AspectState
from plait.components.aspects.options import AspectOptions
from plait.errors import InputError
from plait.layers import Aspects
from plait.learning.component import Component
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.sentence import Sentence


@dataclass(frozen=True, slots=True)
class AspectFacts:
    """Beside the arrays."""

    recipe: Name


class AspectFinder(Component[AspectState]):
    """Aspect terms, aspect categories and the polarity of each (SemEval-2014 task 4)."""

    kind = "aspects"
    title = "A finder of aspects and opinions"
    topics = ("aspect-based-sentiment-analysis",)
    usual_name = "aspects"
    Options = AspectOptions
    Facts = AspectFacts
    requires = frozenset({"tokens", "tags", "lemmas", "tree"})
    provides = frozenset({"aspects"})
    accepts = frozenset({"keep_aspects"})

    def check(self, lessons: Lessons) -> None:
        if not any(sentence.find(Aspects) for sentence in lessons):
            raise InputError(f"{lessons.path or 'The sentences'}: there are no aspects to learn from.")

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> AspectLearner:
        self.check(lessons)
        folder = self.options.lexicons
        lexicon = lexicons.from_folder(folder) if folder else lexicons.packaged()
        return AspectLearner(lessons, dev, lexicon, self.options)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        state = self.state
        for sentence in sentences:
            with Watching(request.cancel):
                check_cancelled()
                sentence.put(state.find(sentence, keep=request.keep_aspects))
            yield sentence

    def pack(self) -> tuple[AspectFacts, Tensors]:
        return AspectFacts(self.state.model.recipe), self.state.pack()

    def unpack(self, facts: AspectFacts, tensors: Tensors) -> None:
        self._state = AspectState.unpack(facts.recipe, tensors, trees=self.options.trees)

    def method(self) -> str:
        words = len(self.state.lexicon.words)
        told = {
            "learned": "A chain of labels finds terms, linear classifiers the rest",
            "paper": "Candidates, clauses, classifiers and rules (Pekar, Afzal and Bohnet 2014)",
            "baseline": "A dictionary of terms, and sentences that are alike (the baseline of SemEval-2014)",
        }[self.state.model.recipe]
        source = (
            " The model holds words of the lexicons it was given; their licences (General Inquirer: academic use "
            "only) bind it too."
            if self.options.lexicons
            else " Opinion words: Hu and Liu (2004), CC BY 4.0, and words scored out of reviews, CC BY 4.0."
        )
        return f"{told}; {words:,} opinion words.{source}"
