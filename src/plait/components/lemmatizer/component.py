"""Lemmas from forms and tags, by edit scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.components.lemmatizer.learner import LemmaLearner
from plait.components.lemmatizer.lexicon import Lexicon
from plait.components.lemmatizer.model import Model, Setup
from plait.components.lemmatizer.options import LemmatizerOptions
from plait.errors import InputError
from plait.features.full_forms import FullForms, read_full_forms
from plait.layers import Candidates
from plait.learning.candidates import relemmatized, spread
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import EMPTY, Sentence


@dataclass(frozen=True, slots=True)
class LemmatizerFacts:
    """Beside the lexicon and the weights."""

    unit: float


class Lemmatizer(Component[Model]):
    """A word the treebank has with the same tags gets the lemma it has there most often. For others a linear classifier
    chooses among the lemmas that a list of full forms has (option `lexicon`), or else among productive edit scripts
    (Chrupała 2006), trained on every word of the treebank as if it were new. Where words
    have several candidates for their tags, each of these gets its lemma.
    """

    kind = "lemmatizer"
    title = "A lemmatizer"
    topics = ("lemmatization",)
    usual_name = "lemmatizer"
    Options = LemmatizerOptions
    Facts = LemmatizerFacts
    requires = frozenset({"tokens", "tags"})
    provides = frozenset({"lemmas"})
    accepts = frozenset({"keep_tags"})

    def check(self, lessons: Lessons) -> None:
        if all(lemma == EMPTY for sentence in lessons for lemma in sentence.lemmas):
            raise InputError(f"{lessons.place}: there are no lemmas to learn from.")
        read_full_forms(self.options.lexicon)

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> LemmaLearner:
        self.check(lessons)
        listed = read_full_forms(self.options.lexicon)
        full_forms = FullForms.of(listed) if listed else None
        setup = Setup(Lexicon.of(lessons), self.options.bits, full_forms)
        return LemmaLearner(setup, self.options, dev)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        """With several threads, one reads while another works."""

        def work(batch: list[Sentence]) -> list[list[str]]:
            return self.state.lemmatize([spread(sentence) for sentence in batch], request.cancel)

        for batch, rows in apply(work, batches(sentences, 1), overlap=request.threads > 1):
            for sentence, lemmas in zip(batch, rows, strict=True):
                choice = sentence.find(Candidates)
                if choice is not None:
                    lemmas, choice = relemmatized(
                        lemmas, choice, sentence.lemmas if request.keep_tags else None
                    )
                    sentence.put(choice)
                if request.keep_tags:
                    pairs = zip(sentence.lemmas, lemmas, strict=True)
                    lemmas = [found if given == EMPTY else given for given, found in pairs]
                sentence.lemmas = lemmas
                yield sentence

    def lemma(self, form: str, upos: str, xpos: str = EMPTY, feats: str = EMPTY) -> str:
        """The lemma of one word."""
        word = Sentence(forms=[form], upos=[upos], xpos=[xpos], feats=[feats])
        return self.state.lemmatize([word])[0][0]

    def pack(self) -> tuple[LemmatizerFacts, Tensors]:
        weights, setup = self.state.weights, self.state.setup
        listed = setup.full_forms.tensors() if setup.full_forms else {}
        return LemmatizerFacts(weights.unit), weights.tensors() | setup.lexicon.tensors() | listed

    def unpack(self, facts: LemmatizerFacts, tensors: Tensors) -> None:
        setup = Setup(Lexicon.from_tensors(tensors), self.options.bits, FullForms.from_tensors(tensors))
        self._state = Model(setup, PackedWeights.from_tensors(tensors, setup.cells, facts.unit))

    def method(self) -> str:
        return "The lemma of a word follows from its form, UPOS, XPOS and FEATS as they are in the input."
