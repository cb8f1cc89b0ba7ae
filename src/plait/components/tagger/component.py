"""Tags of words: UPOS, XPOS and FEATS, one greedy pass on the hash kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plait.checks import Name, is_cell
from plait.components.tagger import templates
from plait.components.tagger.choice import considered, put_candidates
from plait.components.tagger.encoding import EncodedText
from plait.components.tagger.learner import TagLearner
from plait.components.tagger.lexicon import Lexicon
from plait.components.tagger.model import Model, Setup
from plait.components.tagger.options import TaggerOptions
from plait.components.tagger.tags import NO_TAG, Indices, ScoredTag, Tag, Tags, scored
from plait.errors import InputError, excerpt
from plait.features.encoding import seen_words
from plait.features.lexicon import Lexicon as WordList
from plait.features.lexicon import word_class
from plait.features.texts import pack_texts, unpack_texts
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import EMPTY, Sentence

_Found = tuple[Sequence[Sentence], tuple[Indices, NDArray[np.float32]]]


@dataclass(frozen=True, slots=True)
class TaggerFacts:
    """Beside the lexicon and the weights."""

    tags: list[tuple[Name, Name, Name]]
    features: str
    columns: list[Name]
    unit: float


class Tagger(Component[Model]):
    """Gives words UPOS, XPOS and FEATS. A column that is empty in the treebank it learned from becomes empty. Where a
    later component chooses among tags, sentences get the layer `Candidates`.
    """

    kind = "tagger"
    title = "A tagger"
    topics = ("part-of-speech-tagging", "morphology")
    usual_name = "tagger"
    Options = TaggerOptions
    Facts = TaggerFacts
    requires = frozenset({"tokens"})
    provides = frozenset({"tags"})
    accepts = frozenset({"keep_tags"})

    def check(self, lessons: Lessons) -> None:
        Tags.of(lessons, lessons.path)
        templates.load(self.options.features, self._columns(lessons))

    def _columns(self, lessons: Lessons) -> dict[str, dict[str, str]]:
        """What is known of words from outside: clusters, possible tags."""
        columns = {name: dict(values) for name, values in lessons.columns.items()}
        if self.options.lexicon:
            lexicon = WordList.read(self.options.lexicon)
            columns["lexicon"] = lexicon.possible_tags(lessons)
            columns["lexclass"] = lexicon.possible_tags(lessons, word_class)
        return columns

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> TagLearner:
        """Templates may name the columns of clusters of words, if the lessons have any."""
        mapped = self._columns(lessons)
        for name in mapped:
            if name in templates.WORD_COLUMNS or not name.isidentifier():
                raise InputError(f"A column cannot be called {name!r}.")
            for text in chain(*mapped[name].items()):
                if not is_cell(text):
                    raise InputError(f"No model can keep the text {excerpt(text)} of the column {name}.")
        tags = Tags.of(lessons, lessons.path)
        features = templates.load(self.options.features, mapped)
        forms = chain.from_iterable(map(seen_words, lessons))
        lexicon = Lexicon.of(forms, tags.numbers(lessons).tolist())
        try:
            setup = Setup(self.options, tags, features, lexicon, mapped)
        except ValueError as error:  # more templates or tags than the core can hold
            raise InputError(f"{self.options.features}, {lessons.place}: {error}.") from None
        return TagLearner(setup, lessons, dev)

    def words(self) -> Iterable[str]:
        return self.state.setup.lexicon.forms

    @property
    def tags_(self) -> list[Tag]:
        """All tags that it knows."""
        return self.state.setup.tags.triples

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        if request.choice:
            most, margin = considered(request.choice)
            found = self.kbest(sentences, most, margin=margin, request=request)
            for sentence, lists in found:
                put_candidates(sentence, lists, request.choice, keep_tags=request.keep_tags)
                yield sentence
            return
        columns = [np.array(column, object) for column in zip(*self.tags_, strict=True)]
        for batch, (tags, _) in self._flow(sentences, 1, request):
            rows = [column[tags[:, 0]].tolist() for column in columns]
            start = 0
            for sentence in batch:
                end = start + len(sentence.forms)
                given = (sentence.upos, sentence.xpos, sentence.feats)
                own = [row[start:end] for row in rows]
                if request.keep_tags:
                    own = _kept(given, own)
                sentence.upos, sentence.xpos, sentence.feats = own
                start = end
                yield sentence

    def kbest(
        self, sentences: Iterable[Sentence], k: int, *, margin: float | None = None, request: Request = PLAIN
    ) -> Iterator[tuple[Sentence, list[list[ScoredTag]]]]:
        """Every sentence, untouched, with the best tags of each word, at most `k`, the best first, and with
        `margin` only those that score at most so much less than the best (the α of Bohnet and Nivre 2012).

        A score is of the local decision: that of the tag after the best tags of the words before. A word that
        has only one candidate gets it with the score 0.
        """
        if not 1 <= k <= 4096:
            raise InputError(f"k is {k} but must be from 1 to 4,096.")
        if margin is not None and not margin >= 0:
            raise InputError(f"margin is {margin} but must not be negative.")
        triples = self.tags_
        for batch, (tags, scores) in self._flow(sentences, k, request):
            if margin is not None:
                tags = np.where(scores < scores[:, :1] - margin, NO_TAG, tags)
            numbers, values = iter(tags.tolist()), iter(scores.tolist())
            for sentence in batch:
                yield (
                    sentence,
                    [
                        [
                            scored(triples[number], score)
                            for number, score in zip(next(numbers), next(values), strict=True)
                            if number != NO_TAG
                        ]
                        for _ in sentence.forms
                    ],
                )

    def _flow(self, sentences: Iterable[Sentence], best: int, request: Request) -> Iterator[_Found]:
        """Batches through the core. With several threads one of them is Python's own, which reads and writes."""
        model = self.state
        in_core = max(1, request.threads - 1)

        def work(item: tuple[Sequence[Sentence], EncodedText]) -> tuple[Indices, NDArray[np.float32]]:
            return model.search(item[1], best, in_core, request.cancel)

        encoded = ((batch, model.encode(batch)) for batch in batches(sentences, best, in_core))
        for (batch, _), found in apply(work, encoded, overlap=request.threads > 1):
            yield batch, found

    def pack(self) -> tuple[TaggerFacts, Tensors]:
        setup, weights = self.state.setup, self.state.weights
        tensors = weights.tensors() | setup.lexicon.tensors()
        for name, values in setup.mapped.items():
            tensors |= {f"{name}.words": pack_texts(values), f"{name}.values": pack_texts(values.values())}
        tags = [(tag.upos, tag.xpos, tag.feats) for tag in self.tags_]
        return TaggerFacts(tags, setup.templates.source, list(setup.mapped), weights.unit), tensors

    def unpack(self, facts: TaggerFacts, tensors: Tensors) -> None:
        tags = Tags([Tag(*tag) for tag in facts.tags])
        mapped = {
            name: dict(
                zip(
                    unpack_texts(tensors[f"{name}.words"]),
                    unpack_texts(tensors[f"{name}.values"]),
                    strict=True,
                )
            )
            for name in facts.columns
        }
        features = templates.parse(facts.features, "features", mapped)
        setup = Setup(self.options, tags, features, Lexicon.from_tensors(tensors, len(tags)), mapped)
        self._state = Model(setup, PackedWeights.from_tensors(tensors, setup.cells, facts.unit))

    def method(self) -> str:
        return (
            f"{len(self.tags_):,} tags (UPOS, XPOS and FEATS together); features `{self.options.features}`, seed "
            f"{self.options.seed}. The words of the treebank and their tags are stored in the model."
        )


def _kept(given: Sequence[list[str]], found: Sequence[list[str]]) -> list[list[str]]:
    """Words that have one of the columns filled keep all of them."""
    kept = [any(value != EMPTY for value in values) for values in zip(*given, strict=True)]
    return [
        [old if keep else new for keep, old, new in zip(kept, before, after, strict=True)]
        for before, after in zip(given, found, strict=True)
    ]
