"""The JSON interface: parses, derivations and lattices, for the page and for programs."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from plait.cancel import Cancel, Watching
from plait.drawing.frames import ink_of, segments
from plait.drawing.lattice import draw_lattice
from plait.drawing.picture import drawing_of
from plait.drawing.player import track_of_derivation, track_of_trace
from plait.drawing.tree import draw_tree
from plait.errors import InputError
from plait.formats import FORMATS
from plait.formats.detection import UNIVERSAL_TAGS
from plait.formats.shallow import hide_order
from plait.generation import Realizer
from plait.layers import DeepTree
from plait.meaning import SemanticStructure
from plait.release import release
from plait.semantics.convert import Converter
from plait.semantics.rules import load as load_rules
from plait.sentence import PredicateFrame, Sentence
from plait.server.aspects import aspects_as_json
from plait.server.circle import go_round
from plait.server.models import Models
from plait.server.questions import (
    CircleQuestion,
    DerivationQuestion,
    LatticeQuestion,
    ParseQuestion,
    Question,
    ReferQuestion,
    RulesQuestion,
    SayQuestion,
    SceneQuestion,
    TraceQuestion,
    TreeQuestion,
)
from plait.server.refer import make_scene, refer
from plait.server.sentences import cut, few_at_a_time, read_all, read_sentences, tokenized
from plait.server.work import Workers
from plait.server.workbench import Workbench
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
        self._converter = Converter(load_rules())
        self.workbench = Workbench(workers.limits)

    def routes(self) -> dict[str, tuple[type[Question], Handler]]:
        """What can be asked, by path."""
        return {
            "/api/parse": (ParseQuestion, partial(self._ask, ParseQuestion, self._parse)),
            "/api/tree": (TreeQuestion, partial(self._ask, TreeQuestion, self._tree)),
            "/api/trace": (TraceQuestion, partial(self._ask, TraceQuestion, self._trace)),
            "/api/derivation": (DerivationQuestion, partial(self._ask, DerivationQuestion, self._derivation)),
            "/api/lattice": (LatticeQuestion, partial(self._ask, LatticeQuestion, self._lattice)),
            "/api/say": (SayQuestion, partial(self._ask, SayQuestion, self._say)),
            "/api/circle": (CircleQuestion, partial(self._ask, CircleQuestion, self._circle)),
            "/api/scene": (SceneQuestion, partial(self._ask, SceneQuestion, make_scene)),
            "/api/refer": (ReferQuestion, partial(self._ask, ReferQuestion, refer)),
            "/api/rules": (RulesQuestion, partial(self._ask, RulesQuestion, self.workbench.answer)),
        }

    async def about(self, request: Request) -> Response:  # noqa: ARG002
        """What there is to choose from."""
        return JSONResponse(
            {
                "version": release(),
                "models": [
                    {
                        "name": model.name,
                        "abilities": model.abilities,
                        "title": model.pipeline.model.language or model.name,
                        "acknowledgements": model.acknowledgements,
                        "beam": model.beam,
                        "searches": model.searches,
                        "says": model.says,
                        "says_graphs": model.says_graphs,
                        "finds_roles": model.finds_roles,
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
        self, kind: type[Asked], answer: Callable[[Asked, Cancel], Iterator[str]], request: Request
    ) -> Response:
        async with self._workers.admitted(request) as job:
            body = await job.read_body()

            def work(cancel: Cancel) -> Iterator[str]:
                yield from answer(kind.read(body), cancel)

            return await job.answer(work)

    def _parse(self, asked: ParseQuestion, cancel: Cancel) -> Iterator[str]:
        model = self._models.find(asked.model)
        pipeline = model.pipeline
        request = model.request(asked.beam, cancel)
        found: list[Iterable[Sentence]] = []

        def tokenize() -> Iterator[Sentence]:
            return pipeline.tokenize(cut(asked.text), cancel=cancel)

        yield from tokenized(tokenize, len(asked.text), self._limits.words(request.beam or model.beam), found)
        yield f'{{"model": {json.dumps(model.name)}, "sentences": ['
        drawn, between = 0, ""
        for batch in few_at_a_time(found[0], partial(pipeline.annotate, request=request)):
            self._workers.metrics.count(batch)
            for sentence in batch:
                draws = asked.draw and drawn < self._limits.sentences_drawn
                drawn += draws
                width = asked.width if draws else None
                yield between + self._sentence(sentence, width, cancel, meaning=asked.meaning)
                between = ", "
        yield "]}"

    def _add_meaning(self, sentence: Sentence) -> None:
        """A graph of meaning, of sentences with predicates and a tree of Universal Dependencies."""
        if sentence.frames and not sentence.find(SemanticStructure) and set(sentence.upos) <= UNIVERSAL_TAGS:
            self._converter.convert(sentence)

    def _tree(self, asked: TreeQuestion, cancel: Cancel) -> Iterator[str]:
        sentences: list[Sentence] = []
        yield from read_all(read_sentences(asked.conllu, "conllu", self._limits.sentence_words), sentences)
        yield '{"sentences": ['
        for number, sentence in enumerate(sentences):
            width = asked.width if number < self._limits.sentences_drawn else None
            yield (", " if number else "") + self._sentence(sentence, width, cancel)
        yield "]}"

    def _trace(self, asked: TraceQuestion, cancel: Cancel) -> Iterator[str]:
        model = self._models.find(asked.model)
        found: list[Sentence] = []
        yield from self._find(asked.conllu, asked.sentence, self._limits.trace_words, found)
        trace = model.pipeline.trace(
            found[0], beam=asked.beam or model.asked_beam, alternatives=asked.alternatives, cancel=cancel
        )
        yield _dump({"tracks": [track_of_trace(trace)]})

    def _derivation(self, asked: DerivationQuestion, cancel: Cancel) -> Iterator[str]:
        names = asked.oracles or [""]
        for name in names:
            find_oracle(asked.system, name or None)
        found: list[Sentence] = []
        yield from self._find(asked.conllu, asked.sentence, self._limits.oracle_words, found)
        tracks = []
        for name in names:
            derivation = derive(
                found[0],
                system=asked.system,
                oracle=name or None,
                budget=self._limits.minimal_budget,
                cancel=cancel,
            )
            tracks.append(track_of_derivation(derivation))
            yield ""
        yield _dump({"tracks": tracks})

    def _lattice(self, asked: LatticeQuestion, cancel: Cancel) -> Iterator[str]:
        found: list[Sentence] = []
        yield from self._find(asked.conllu, asked.sentence, self._limits.oracle_words, found)
        with Watching(cancel):
            lattice = build_lattice(
                found[0], system=asked.system, oracle=asked.oracle or None, limit=self._limits.lattice_states
            )
        yield _dump(
            {
                "svg": draw_lattice(lattice),
                "derivations": str(lattice.derivations),  # may be more than a JSON number can tell
                "states": len(lattice.states),
                "transitions": len(lattice.edges),
            }
        )

    def _say(self, asked: SayQuestion, cancel: Cancel) -> Iterator[str]:
        realizer = Realizer(self._models.find_realizer(asked.model).pipeline)
        found: list[Sentence] = []
        yield from self._find(asked.conllu, asked.sentence, self._limits.trace_words, found)
        with Watching(cancel):
            (tree,) = hide_order(found, seed=asked.seed, places=False)
            domains = realizer.domains(tree)
        yield ""
        with Watching(cancel):
            (said,) = realizer.best([tree], asked.nbest)
        best = said[0].sentence
        yield _dump(
            {
                "shuffled": tree.forms,
                "domains": [[word - 1 for word in domain] for domain in domains],
                "best": [{"text": each.text, "score": round(each.score, 3)} for each in said],
                "conllu": FORMATS["conllu"].render(best),
            }
        )

    def _circle(self, asked: CircleQuestion, cancel: Cancel) -> Iterator[str]:
        def shown(sentence: Sentence, meaning: bool) -> str:
            return self._sentence(sentence, asked.width, cancel, meaning=meaning)

        return go_round(asked, self._models, self._limits.trace_words, cancel, shown)

    def _find(self, conllu: str, number: int, most: int, into: list[Sentence]) -> Iterator[str]:
        """The sentence with this number, which may not be longer."""
        seen = 0
        for seen, sentence in enumerate(read_sentences(conllu, "conllu", self._limits.sentence_words), 1):
            if seen == number:
                if len(sentence) > most:
                    raise InputError(
                        f"The sentence has {len(sentence):,} words; up to {most:,} can be shown."
                    )
                into.append(sentence)
                return
            if seen % 64 == 0:
                yield ""
        raise InputError(f"There is no sentence {number}: the data has {seen:,}.")

    def _sentence(
        self, sentence: Sentence, width: int | None, cancel: Cancel, *, meaning: bool = False
    ) -> str:
        """A sentence as JSON; with a width, its pictures too, if it is not too long and can be drawn."""
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
            "frames": [_frame(frame) for frame in sentence.frames],
            "aspects": aspects_as_json(sentence),
            "svg": None,
            "deep": None,
            "graph": None,
        }
        if width is not None and len(sentence) <= self._limits.words_drawn:
            with suppress(InputError), Watching(cancel):
                found["svg"] = draw_tree(sentence, width=width, frames=False)
            if meaning:
                self._add_meaning(sentence)
                for name, layer in (("deep", DeepTree), ("graph", SemanticStructure)):
                    if sentence.find(layer):
                        with suppress(InputError):
                            found[name] = drawing_of(sentence, layer, width=width, cancel=cancel).svg
        return _dump(found)


def _frame(frame: PredicateFrame) -> dict[str, Any]:
    """A predicate with its arguments, and the sentence in segments."""
    return {
        "predicate": frame.predicate.id,
        "sense": frame.sense,
        "meaning": frame.meaning,
        "arguments": [
            {
                "word": each.word.id,
                "role": each.role,
                "meaning": each.meaning,
                "segments": each.segments,
            }
            for each in frame.arguments
        ],
        "segments": [
            {
                "first": each.first,
                "last": each.last,
                "role": each.role,
                "meaning": each.meaning,
                "later": each.later,
                "ink": ink_of(each.role).name if each.role else "",
            }
            for each in segments(frame)
        ],
    }


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
