"""For those who correct trees: the rest of a tree of which some heads are given, what a model has wrong, and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from plait.cancel import Cancel, Watching
from plait.drawing.comparison import draw_comparison
from plait.drawing.difference import Difference, difference
from plait.drawing.tikz import draw_tikz
from plait.errors import FormatError, InputError, Problem
from plait.formats import FORMATS
from plait.learning.given import fault_of
from plait.sentence import Sentence
from plait.server.limits import Limits
from plait.server.models import Models
from plait.server.questions import CompareQuestion, CompleteQuestion, TikzQuestion
from plait.server.sentences import few_at_a_time, read_all, read_sentences
from plait.server.showing import Showing, dump
from plait.server.tally import Tally


class Annotation:
    """Answers to three questions of the JSON interface."""

    def __init__(self, models: Models, limits: Limits, tally: Tally, showing: Showing) -> None:
        self._models = models
        self._tally = tally
        self._limits = limits
        self._showing = showing

    def complete(self, asked: CompleteQuestion, cancel: Cancel) -> Iterator[str]:
        """Sentences whose given heads, labels and tags stay; what else a model finds is found where it was there."""
        model = self._models.find(asked.model)
        request = model.request(asked.beam, cancel, keep=True)
        model.pipeline.check(request)
        sentences: list[Sentence] = []
        yield from self._read(asked.conllu, model.beam if request.beam is None else request.beam, sentences)
        for sentence in sentences:
            if reason := fault_of(sentence):
                raise FormatError(Problem(reason, "data", sentence.line, sentence.sent_id))
        # Who corrects a treebank without roles does not want any in it; where they are, they follow the new tree.
        layers = None if any(sentence.frames for sentence in sentences) else ("tags", "lemmas", "tree")
        annotate = partial(model.pipeline.annotate, request=request, layers=layers)
        yield f'{{"model": {json.dumps(model.name)}, "sentences": ['
        done = 0
        for batch in few_at_a_time(sentences, annotate):
            self._tally.count(batch)
            for sentence in batch:
                width = asked.width if asked.draw and done < self._limits.sentences_drawn else None
                yield (", " if done else "") + self._showing.sentence(sentence, width, cancel)
                done += 1
        yield "]}"

    def compare(self, asked: CompareQuestion, cancel: Cancel) -> Iterator[str]:
        """Gold trees beside those that a model makes of their words, or beside others that are given."""
        model = self._models.find(asked.model)
        if not asked.system and "parser" not in model.abilities:
            raise InputError(f"The model {model.name!r} has no parser.")
        request = model.request(asked.beam, cancel)
        gold: list[Sentence] = []
        yield from self._read(asked.conllu, model.beam if request.beam is None else request.beam, gold)
        given: list[Sentence] = []
        if asked.system:
            yield from self._read(asked.system, 1, given)
            _require_same(gold, given)
            name = ""
            batches = few_at_a_time(given, iter)
        else:
            name = model.name
            annotate = partial(model.pipeline.annotate, request=request)
            batches = few_at_a_time((sentence.copy() for sentence in gold), annotate)
        yield f'{{"model": {json.dumps(name)}, "sentences": ['
        done, right = 0, [0, 0, 0]
        for batch in batches:
            self._tally.count([] if given else batch)
            for system in batch:
                found = difference(gold[done], system)
                counts = found.words, found.heads_right, found.labels_right
                right = [total + count for total, count in zip(right, counts, strict=True)]
                drawn = done < self._limits.sentences_drawn
                yield (", " if done else "") + self._compared(gold[done], system, found, asked, drawn, cancel)
                done += 1
        words, heads_right, labels_right = right
        yield f'], "words": {words}, "heads_right": {heads_right}, "labels_right": {labels_right}}}'

    def _compared(
        self,
        gold: Sentence,
        system: Sentence,
        found: Difference,
        asked: CompareQuestion,
        drawn: bool,
        cancel: Cancel,
    ) -> str:
        svg = None
        if asked.draw and drawn and len(gold) <= self._limits.words_drawn:
            with suppress(InputError), Watching(cancel):  # gold heads that form no tree
                svg = draw_comparison(gold, system, width=asked.width or None)
        return dump(
            {
                "text": gold.text,
                "gold": FORMATS["conllu"].render(gold),
                "conllu": FORMATS["conllu"].render(system),
                "verdicts": [verdict.value for verdict in found.verdicts],
                "words": found.words,
                "heads_right": found.heads_right,
                "labels_right": found.labels_right,
                "svg": svg,
            }
        )

    def tikz(self, asked: TikzQuestion, cancel: Cancel) -> Iterator[str]:
        sentences: list[Sentence] = []
        for data in (asked.conllu, asked.against):
            if data:
                yield from self._read(data, 1, sentences)
        if len(sentences) != 1 + bool(asked.against):
            raise InputError("A picture for LaTeX is made of one sentence, or of one and another beside it.")
        if len(sentences[0]) > self._limits.words_drawn:
            raise InputError(
                f"The sentence has {len(sentences[0]):,} words; up to {self._limits.words_drawn:,} can be shown."
            )
        with Watching(cancel):
            drawn = draw_tikz(sentences[0], against=sentences[1] if asked.against else None)
        yield dump({"tikz": drawn})

    def _read(self, conllu: str, beam: int, into: list[Sentence]) -> Iterator[str]:
        return read_all(read_sentences(conllu, "conllu", self._limits.sizes(beam)), into)


def _require_same(gold: list[Sentence], system: list[Sentence]) -> None:
    """All is looked at before an answer begins."""
    if len(gold) != len(system):
        raise InputError(
            f"The gold data have {len(gold):,} sentences and the system's {len(system):,}; they must be the same text."
        )
    for number, (one, other) in enumerate(zip(gold, system, strict=True), 1):
        try:
            difference(one, other)
        except InputError as error:
            raise InputError(f"sentence {number:,}: {error}") from None
