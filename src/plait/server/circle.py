"""A sentence on its way round, for the page: its tree, its meaning, and how that is said again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from plait.cancel import Cancel, Watching
from plait.errors import InputError
from plait.generation.circle import Circle
from plait.generation.realizer import Realizer
from plait.learning.request import Request
from plait.sentence import Sentence
from plait.server.models import Models
from plait.server.questions import CircleQuestion

# A sentence as JSON, with pictures of this width; with its meaning or without.
Shown = Callable[[Sentence, bool], str]


def go_round(
    asked: CircleQuestion, models: Models, most_words: int, cancel: Cancel, shown: Shown
) -> Iterator[str]:
    """The first sentence of a text, there and back."""
    model = models.find(asked.model)
    circle = Circle(model.pipeline, Realizer(models.find_realizer(asked.realizer).pipeline))
    with Watching(cancel):
        sentence = next(model.pipeline.tokenize([asked.text], cancel=cancel), None)
        if sentence is None:
            raise InputError("There is no sentence in the text.")
        if len(sentence) > most_words:
            raise InputError(f"The sentence has {len(sentence):,} words; up to {most_words:,} can be shown.")
    yield ""
    with Watching(cancel):
        [there] = model.pipeline.annotate([sentence], Request(cancel=cancel))
        [back] = circle.back([there.copy()], request=Request(cancel=cancel))
    yield '{"there": '
    yield shown(there, True)
    yield ', "back": '
    yield shown(back, False)
    yield "}"
