"""The answers of the JSON interface: parses, derivations and lattices, for the page and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from plait.cancel import Cancel, Watching
from plait.drawing.lattice import draw_lattice
from plait.drawing.player import track_of_derivation, track_of_trace
from plait.errors import InputError
from plait.formats import FORMATS
from plait.formats.shallow import hide_order
from plait.generation import Realizer
from plait.sentence import Sentence
from plait.server.annotation import Annotation
from plait.server.circle import go_round
from plait.server.limits import Limits
from plait.server.models import Models
from plait.server.questions import (
    CircleQuestion,
    DerivationQuestion,
    LatticeQuestion,
    ParseQuestion,
    SayQuestion,
    TraceQuestion,
    TreeQuestion,
)
from plait.server.refer import make_scene, refer
from plait.server.sentences import cut, few_at_a_time, read_all, read_sentences, tokenized
from plait.server.showing import Showing, dump
from plait.server.tally import Tally
from plait.server.workbench import Workbench
from plait.transitions import build_lattice, derive, find_oracle


class Api:
    """What is answered to the questions under /api."""

    def __init__(self, models: Models, limits: Limits, tally: Tally) -> None:
        self._models = models
        self._limits = limits
        self._tally = tally
        self._showing = Showing(limits)
        annotation = Annotation(models, limits, tally, self._showing)
        # By path; each takes the question that belongs to it (see `questions.QUESTIONS`).
        self.answers: dict[str, Callable[[Any, Cancel], Iterator[str]]] = {
            "/api/parse": self._parse,
            "/api/tree": self._tree,
            "/api/complete": annotation.complete,
            "/api/compare": annotation.compare,
            "/api/tikz": annotation.tikz,
            "/api/trace": self._trace,
            "/api/derivation": self._derivation,
            "/api/lattice": self._lattice,
            "/api/say": self._say,
            "/api/circle": self._circle,
            "/api/scene": make_scene,
            "/api/refer": refer,
            "/api/rules": Workbench(limits).answer,
        }

    def _parse(self, asked: ParseQuestion, cancel: Cancel) -> Iterator[str]:
        model = self._models.find(asked.model)
        pipeline = model.pipeline
        request = model.request(asked.beam, cancel)
        found: list[Iterable[Sentence]] = []

        def tokenize() -> Iterator[Sentence]:
            return pipeline.tokenize(cut(asked.text), cancel=cancel)

        yield from tokenized(tokenize, len(asked.text), self._limits.sizes(request.beam or model.beam), found)
        yield f'{{"model": {json.dumps(model.name)}, "sentences": ['
        drawn, between = 0, ""
        for batch in few_at_a_time(found[0], partial(pipeline.annotate, request=request)):
            self._tally.count(batch)
            for sentence in batch:
                draws = asked.draw and drawn < self._limits.sentences_drawn
                drawn += draws
                width = asked.width if draws else None
                yield between + self._showing.sentence(sentence, width, cancel, meaning=asked.meaning)
                between = ", "
        yield "]}"

    def _tree(self, asked: TreeQuestion, cancel: Cancel) -> Iterator[str]:
        sentences: list[Sentence] = []
        yield from read_all(read_sentences(asked.conllu, "conllu", self._limits.sizes()), sentences)
        yield '{"sentences": ['
        for number, sentence in enumerate(sentences):
            width = asked.width if number < self._limits.sentences_drawn else None
            yield (", " if number else "") + self._showing.sentence(sentence, width, cancel)
        yield "]}"

    def _trace(self, asked: TraceQuestion, cancel: Cancel) -> Iterator[str]:
        model = self._models.find(asked.model)
        found: list[Sentence] = []
        yield from self._find(asked.conllu, asked.sentence, self._limits.trace_words, found)
        trace = model.pipeline.trace(
            found[0], beam=asked.beam or model.asked_beam, alternatives=asked.alternatives, cancel=cancel
        )
        yield dump({"tracks": [track_of_trace(trace)]})

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
        yield dump({"tracks": tracks})

    def _lattice(self, asked: LatticeQuestion, cancel: Cancel) -> Iterator[str]:
        found: list[Sentence] = []
        yield from self._find(asked.conllu, asked.sentence, self._limits.oracle_words, found)
        with Watching(cancel):
            lattice = build_lattice(
                found[0], system=asked.system, oracle=asked.oracle or None, limit=self._limits.lattice_states
            )
        yield dump(
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
        yield dump(
            {
                "shuffled": tree.forms,
                "domains": [[word - 1 for word in domain] for domain in domains],
                "best": [{"text": each.text, "score": round(each.score, 3)} for each in said],
                "conllu": FORMATS["conllu"].render(best),
            }
        )

    def _circle(self, asked: CircleQuestion, cancel: Cancel) -> Iterator[str]:
        def shown(sentence: Sentence, meaning: bool) -> str:
            return self._showing.sentence(sentence, asked.width, cancel, meaning=meaning)

        return go_round(asked, self._models, self._limits.trace_words, cancel, shown)

    def _find(self, conllu: str, number: int, most: int, into: list[Sentence]) -> Iterator[str]:
        """The sentence with this number, which may not be longer."""
        seen = 0
        for seen, sentence in enumerate(read_sentences(conllu, "conllu", self._limits.sizes()), 1):
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
