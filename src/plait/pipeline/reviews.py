"""Sentences of reviews through a pipeline, and back as the file has them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from plait.errors import InputError
from plait.formats.semeval import Review, aspects_of, review_of
from plait.layers import Aspects
from plait.learning.request import PLAIN, Request
from plait.pipeline.pipeline import Pipeline
from plait.sentence import Sentence

LAYER = "aspects"
_BELOW = frozenset({"tags", "lemmas", "tree"})
_LINE_ENDS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def require_aspects(pipeline: Pipeline, model: str) -> None:
    if pipeline.giving(LAYER) is None:
        raise InputError(f"{model}: this model finds no aspects; plait aspects train makes one that does.")


def lessons_of(pipeline: Pipeline, reviews: Sequence[Review]) -> list[Sentence]:
    """Parsed sentences with the aspects they have, to learn from; those without a word are left out."""
    return [sentence for _, sentence in _annotated(pipeline, reviews, _BELOW, PLAIN) if sentence is not None]


def find_aspects(
    pipeline: Pipeline, reviews: Sequence[Review], request: Request = PLAIN
) -> Iterator[tuple[Review, Sentence | None]]:
    """The same sentences with the aspects that are found, and their words, if there are any. With `keep_aspects` terms
    and categories are those of the file, to the character.
    """
    pipeline.check(request, {LAYER})
    found = _annotated(pipeline, reviews, _BELOW | {LAYER}, request)
    for review, sentence in found:
        if sentence is None:
            yield replace(review, terms=(), categories=()), None
        elif request.keep_aspects:
            yield _as_given(review, sentence), sentence
        else:
            yield review_of(sentence, review.text, review.id), sentence


def _annotated(
    pipeline: Pipeline, reviews: Sequence[Review], layers: Collection[str], request: Request
) -> Iterator[tuple[Review, Sentence | None]]:
    """In order; a text without a word has no sentence."""
    own = [_words(pipeline, review) for review in reviews]
    annotated = pipeline.annotate(filter(None, own), request, layers=layers)
    for review, sentence in zip(reviews, own, strict=True):
        yield review, sentence and next(annotated)


def _words(pipeline: Pipeline, review: Review) -> Sentence | None:
    """The one sentence of a text."""
    found = pipeline.tokenizer.tokenize(_LINE_ENDS.sub(" ", review.text), lines=True)
    if not found:
        return None
    found[0].put(aspects_of(review, found[0]))
    return found[0]


def _as_given(review: Review, sentence: Sentence) -> Review:
    """The characters that were given, with the polarities that were found for the words there."""
    found = sentence.find(Aspects) or Aspects()
    told = {(term.first, term.last): term.polarity for term in found.terms}
    spans = []
    for span in review.terms:
        words = aspects_of(replace(review, terms=(span,)), sentence).terms
        spans.append(span._replace(polarity=told.get(words[0][:2], "") if words else ""))
    polarities = {category.name: category.polarity for category in found.categories}
    categories = (each._replace(polarity=polarities.get(each.name, "")) for each in review.categories)
    return replace(review, terms=tuple(spans), categories=tuple(categories))
