"""The JSON interface: parses, derivations and lattices, for the page and for programs."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from plait.drawing.lattice import draw_lattice
from plait.drawing.player import track_of_derivation, track_of_trace
from plait.drawing.tree import draw_tree
from plait.errors import InputError, NotATreeError
from plait.formats import FORMATS
from plait.parser import Parser
from plait.sentence import Sentence
from plait.server.models import Models
from plait.server.questions import (
    DerivationQuestion,
    LatticeQuestion,
    ParseQuestion,
    Question,
    TraceQuestion,
    TreeQuestion,
)
from plait.server.sentences import cut, few_at_a_time, nth_sentence, read_all, read_conllu
from plait.server.work import Workers
from plait.transitions import ORACLES, SYSTEMS, build_lattice, derive, find_oracle
from plait.transitions.registry import oracle_name

Handler = Callable[[Request], Awaitable[Response]]
Asked = TypeVar("Asked", bound=Question)


class Api:
    """The routes under /api."""

    def __init__(self, models: Models, workers: Workers) -> None:
        self._models = models
        self._workers = workers
        self._limits = workers.limits

    def routes(self) -> dict[str, tuple[type[Question], Handler]]:
        """What can be asked, by path."""
        return {
            "/api/parse": (ParseQuestion, partial(self._ask, ParseQuestion, self._parse)),
            "/api/tree": (TreeQuestion, partial(self._ask, TreeQuestion, self._tree)),
            "/api/trace": (TraceQuestion, partial(self._ask, TraceQuestion, self._trace)),
            "/api/derivation": (DerivationQuestion, partial(self._ask, DerivationQuestion, self._derivation)),
            "/api/lattice": (LatticeQuestion, partial(self._ask, LatticeQuestion, self._lattice)),
        }

    async def about(self, request: Request) -> Response:  # noqa: ARG002
        """What there is to choose from."""
        return JSONResponse(
            {
                "version": version("plait"),
                "models": [
                    {
                        "name": model.name,
                        "abilities": model.abilities,
                        "title": str(model.pipeline.about_.get("language") or model.name),
                        "acknowledgements": model.acknowledgements,
                        "beam": model.beam,
                    }
                    for model in self._models
                ],
                "systems": [
                    {
                        "name": system.name,
                        "title": system.title,
                        "oracles": list(ORACLES[system.name]),
                        "default": oracle_name(system.name, None),
                    }
                    for system in SYSTEMS.values()
                ],
            }
        )

    async def _ask(
        self, kind: type[Asked], answer: Callable[[Asked], Iterator[str]], request: Request
    ) -> Response:
        with self._workers.admitted(request) as job:
            question = kind.read(await job.in_time(request.body()))
            return await job.answer(request, answer(question))

    def _parse(self, asked: ParseQuestion) -> Iterator[str]:
        model = self._models.find(asked.model)
        pipeline = model.pipeline
        annotate = partial(pipeline.annotate, beam=asked.beam or model.beam)
        yield f'{{"model": {json.dumps(model.name)}, "sentences": ['
        drawn, between = 0, ""
        for batch in few_at_a_time(pipeline.tokenize(cut(asked.text)), annotate):
            self._workers.metrics.count(batch)
            for sentence in batch:
                draws = asked.draw and drawn < self._limits.sentences_drawn
                drawn += draws
                yield between + _dump(_sentence(sentence, asked.width if draws else None))
                between = ", "
        yield "]}"

    def _tree(self, asked: TreeQuestion) -> Iterator[str]:
        sentences: list[Sentence] = []
        yield from read_all(read_conllu(asked.conllu), sentences)
        yield '{"sentences": ['
        for number, sentence in enumerate(sentences):
            width = asked.width if number < self._limits.sentences_drawn else None
            yield (", " if number else "") + _dump(_sentence(sentence, width))
        yield "]}"

    def _trace(self, asked: TraceQuestion) -> Iterator[str]:
        model = self._models.find(asked.model)
        parser = model.pipeline.parser
        if not isinstance(parser, Parser):
            raise InputError(f"The model {model.name!r} has no transition-based parser.")
        sentence = _short_sentence(asked.conllu, asked.sentence, self._limits.trace_words)
        (sentence,) = model.pipeline.put_guide([sentence])
        trace = parser.trace(sentence, beam=asked.beam or model.beam, alternatives=asked.alternatives)
        yield _dump({"tracks": [track_of_trace(trace)]})

    def _derivation(self, asked: DerivationQuestion) -> Iterator[str]:
        names = asked.oracles or [""]
        for name in names:
            find_oracle(asked.system, name or None)
        sentence = _short_sentence(asked.conllu, asked.sentence, self._limits.oracle_words)
        tracks = []
        for name in names:
            derivation = derive(
                sentence, system=asked.system, oracle=name or None, budget=self._limits.minimal_budget
            )
            tracks.append(track_of_derivation(derivation))
            yield ""
        yield _dump({"tracks": tracks})

    def _lattice(self, asked: LatticeQuestion) -> Iterator[str]:
        sentence = _short_sentence(asked.conllu, asked.sentence, self._limits.oracle_words)
        lattice = build_lattice(
            sentence, system=asked.system, oracle=asked.oracle or None, limit=self._limits.lattice_states
        )
        yield _dump(
            {
                "svg": draw_lattice(lattice),
                "derivations": str(lattice.derivations),  # may be more than a JSON number can tell
                "states": len(lattice.states),
                "transitions": len(lattice.edges),
            }
        )


def _short_sentence(conllu: str, number: int, most: int) -> Sentence:
    sentence = nth_sentence(conllu, number)
    if len(sentence) > most:
        raise InputError(f"The sentence has {len(sentence):,} words; up to {most:,} can be shown.")
    return sentence


def _sentence(sentence: Sentence, width: int | None) -> dict[str, Any]:
    """A sentence as JSON; with a width, its picture too, if its heads can be drawn."""
    found: dict[str, Any] = {
        "text": sentence.text,
        "conllu": FORMATS["conllu"].render(sentence),
        "words": [
            {
                "id": word.id,
                "form": word.form,
                "lemma": word.lemma,
                "upos": word.upos,
                "xpos": word.xpos,
                "feats": word.feats,
                "head": word.head,
                "deprel": word.deprel,
            }
            for word in sentence
        ],
        "svg": None,
    }
    if width is not None:
        with suppress(NotATreeError):
            found["svg"] = draw_tree(sentence, width=width)
    return found


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
