"""The answers of UDPipe's service to `/process`, so that its clients work unchanged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from plait.cancel import Cancel
from plait.errors import InputError
from plait.formats import FORMATS
from plait.learning.request import Request as Asked
from plait.sentence import Sentence
from plait.server.forms import Form
from plait.server.limits import Limits
from plait.server.messages import Begin
from plait.server.models import Models, ServedModel
from plait.server.normal import normalized
from plait.server.sentences import (
    READABLE,
    Annotate,
    cut,
    few_at_a_time,
    read_all,
    read_sentences,
    tokenized,
)
from plait.server.tally import Tally

FIELDS = ("data", "model", "tokenizer", "tagger", "parser", "input", "output")
_MOST_FIELDS = 2 * len(FIELDS)


WRITERS: dict[str, Callable[[Sentence], str]] = {
    "conllu": FORMATS["conllu"].render,
    "conll09": FORMATS["conll09"].render,
    "horizontal": FORMATS["horizontal"].render,
    "plaintext": FORMATS["text"].render,
    "vertical": FORMATS["vertical"].render,
}
_TOKENIZED = "generic_tokenizer"  # UDPipe's name of the input that a tokenizer reads


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be done with the data. A step is wanted if it is named, even without a value; `None` if it is not."""

    model: str
    tokenizer: str | None
    tagger: str | None
    parser: str | None
    input: str
    output: str

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> Wish:
        if "data" not in fields:
            raise InputError("Required argument 'data' is missing.")
        for name in fields:
            if name not in FIELDS:
                raise InputError(f"No argument {name[:80]!r}. Available: {', '.join(FIELDS)}.")
        steps = {name: fields.get(name) for name in ("tokenizer", "tagger", "parser")}
        given = fields.get("input", "")
        wish = cls(
            model=fields.get("model", ""),
            **{name: None if value == "none" else value for name, value in steps.items()},
            input=_plain(given) or "conllu",
            output=_plain(fields.get("output", "")) or "conllu",
        )
        if wish.input != _TOKENIZED and wish.input not in READABLE:
            raise InputError(
                f"No input {wish.input[:80]!r}. Available: {', '.join((*READABLE, _TOKENIZED))}."
            )
        if wish.output not in WRITERS:
            raise InputError(f"No output {wish.output[:80]!r}. Available: {', '.join(WRITERS)}.")
        return wish

    @property
    def tokenizes(self) -> bool:
        return self.tokenizer is not None or self.input == _TOKENIZED


def _plain(name: str) -> str:
    """The name of a format without its options (`conllu=v2`)."""
    return name.partition("=")[0]


class Rest:
    """What is answered to `/process`."""

    def __init__(self, models: Models, limits: Limits, tally: Tally) -> None:
        self._models = models
        self._limits = limits
        self._tally = tally

    def answer(self, asked: Begin, cancel: Cancel) -> Iterator[str]:
        """The answer as JSON, piece by piece."""
        form = Form(query=asked.query, kind=asked.kind, body=asked.body, most=_MOST_FIELDS)
        yield from form.read()
        wish = Wish.of(form.fields)
        model = self._models.find(wish.model)
        _require_steps(wish, model)
        pieces: list[str] = []
        yield from normalized(form.fields.pop("data"), pieces)
        data = "".join(pieces)
        pieces.clear()
        found: list[Iterable[Sentence]] = []
        yield from self._sentences(wish, data, model, cancel, found)
        head = {"model": model.name, "acknowledgements": model.acknowledgements, "result": ""}
        yield json.dumps(head, ensure_ascii=False).removesuffix('"}')
        write = WRITERS[wish.output]
        for batch in few_at_a_time(found[0], _steps(wish, model, cancel)):
            self._tally.count(batch)
            yield json.dumps("".join(map(write, batch)), ensure_ascii=False)[1:-1]
        yield '"}'

    def _sentences(
        self, wish: Wish, data: str, model: ServedModel, cancel: Cancel, into: list[Iterable[Sentence]]
    ) -> Iterator[str]:
        most = self._limits.document_sizes(model.beam)
        if not wish.tokenizes:
            sentences: list[Sentence] = []
            yield from read_all(read_sentences(data, wish.input, most), sentences)
            into.append(sentences)
            return
        options = (wish.tokenizer or "").replace(",", ";").split(";")
        lines, ranges = "presegmented" in options, "ranges" in options

        def tokenize() -> Iterator[Sentence]:
            return model.pipeline.tokenize(cut(data), lines=lines, ranges=ranges, cancel=cancel)

        yield from tokenized(tokenize, len(data), most, into)


def _steps(wish: Wish, model: ServedModel, cancel: Cancel) -> Annotate:
    pipeline = model.pipeline
    if wish.tagger is not None and wish.parser is not None:
        return partial(pipeline.annotate, request=model.request(cancel=cancel))
    if wish.tagger is not None:
        return partial(pipeline.annotate, request=Asked(cancel=cancel), layers=("tags", "lemmas"))
    if wish.parser is not None:
        return partial(pipeline.annotate, request=model.request(cancel=cancel), layers=("tree",))
    return iter


def _require_steps(wish: Wish, model: ServedModel) -> None:
    wanted = {
        "tokenizer": wish.tokenizes,
        "tagger": wish.tagger is not None,
        "parser": wish.parser is not None,
    }
    for name, wants in wanted.items():
        if wants and name not in model.abilities:
            raise InputError(f"The model {model.name!r} has no {name}. It has: {', '.join(model.abilities)}.")
