"""The REST interface of UDPipe's service: `/process` and `/models`, so that its clients work unchanged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from unicodedata import normalize
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from plait.errors import InputError
from plait.formats import FORMATS
from plait.sentence import Sentence
from plait.server.models import Models, ServedModel
from plait.server.security import ANY_ORIGIN
from plait.server.sentences import Annotate, cut, few_at_a_time, read_all, read_conllu
from plait.server.work import Workers

FIELDS = ("data", "model", "tokenizer", "tagger", "parser", "input", "output")
_MOST_FIELDS = 2 * len(FIELDS)
_NO_BREAK_SPACE = "\u00a0"


def _horizontal(sentence: Sentence) -> str:
    """One sentence per line; spaces within words are kept apart from those between them."""
    return " ".join(form.replace(" ", _NO_BREAK_SPACE) for form in sentence.forms) + "\n"


def _vertical(sentence: Sentence) -> str:
    return "\n".join(sentence.forms) + "\n\n"


def _read_horizontal(data: str) -> Iterator[Sentence]:
    for line in data.splitlines():
        if forms := [form.replace(_NO_BREAK_SPACE, " ") for form in line.split(" ") if form]:
            yield Sentence(forms=forms)


def _read_vertical(data: str) -> Iterator[Sentence]:
    forms: list[str] = []
    for line in [*data.splitlines(), ""]:
        if line:
            forms.append(line.split("\t")[0])
        elif forms:
            yield Sentence(forms=forms)
            forms = []


READERS: dict[str, Callable[[str], Iterator[Sentence]]] = {
    "conllu": read_conllu,
    "horizontal": _read_horizontal,
    "vertical": _read_vertical,
}
WRITERS: dict[str, Callable[[Sentence], str]] = {
    "conllu": FORMATS["conllu"].render,
    "horizontal": _horizontal,
    "plaintext": FORMATS["text"].render,
    "vertical": _vertical,
}
_TOKENIZED = "generic_tokenizer"  # UDPipe's name of the input that a tokenizer reads


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request asks for. A step is wanted if it is named, even without a value; `None` if it is not."""

    data: str
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
            data=normalize("NFC", fields["data"]),
            model=fields.get("model", ""),
            **{name: None if value == "none" else value for name, value in steps.items()},
            input=_plain(given) or "conllu",
            output=_plain(fields.get("output", "")) or "conllu",
        )
        if wish.input != _TOKENIZED and wish.input not in READERS:
            raise InputError(f"No input {wish.input[:80]!r}. Available: {', '.join((*READERS, _TOKENIZED))}.")
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
    """The two routes."""

    def __init__(self, models: Models, workers: Workers) -> None:
        self._models = models
        self._workers = workers

    async def models(self, request: Request) -> Response:  # noqa: ARG002
        found = {model.name: model.abilities for model in self._models}
        return JSONResponse(
            {"models": found, "default_model": self._models.default.name}, headers=dict(ANY_ORIGIN)
        )

    async def process(self, request: Request) -> Response:
        with self._workers.admitted(request) as job:
            wish = Wish.of(await job.in_time(_fields(request, self._workers.limits.request_bytes)))
            model = self._models.find(wish.model)
            _require_steps(wish, model)
            response = await job.answer(request, self._answer(wish, model))
            response.headers.update(ANY_ORIGIN)
            return response

    def _answer(self, wish: Wish, model: ServedModel) -> Iterator[str]:
        """The answer as JSON, piece by piece."""
        pipeline, write = model.pipeline, WRITERS[wish.output]
        sentences: Iterable[Sentence]
        if wish.tokenizes:
            options = (wish.tokenizer or "").replace(",", ";").split(";")
            sentences = pipeline.tokenize(
                cut(wish.data), lines="presegmented" in options, ranges="ranges" in options
            )
        else:
            sentences = []
            yield from read_all(READERS[wish.input](wish.data), sentences)
        head = {"model": model.name, "acknowledgements": model.acknowledgements, "result": ""}
        yield json.dumps(head, ensure_ascii=False).removesuffix('"}')
        for batch in few_at_a_time(sentences, _steps(wish, model)):
            self._workers.metrics.count(batch)
            yield json.dumps("".join(map(write, batch)), ensure_ascii=False)[1:-1]
        yield '"}'


def _steps(wish: Wish, model: ServedModel) -> Annotate:
    pipeline = model.pipeline
    if wish.tagger is not None and wish.parser is not None:
        return partial(pipeline.annotate, beam=model.beam)
    if wish.tagger is not None:
        return pipeline.tag
    if wish.parser is not None:
        return partial(pipeline.attach, beam=model.beam)
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


async def _fields(request: Request, limit: int) -> dict[str, str]:
    """The arguments of a request, from its address and from its body; files count as their content."""
    fields = dict(request.query_params)
    if request.method != "POST":
        return fields
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == "application/x-www-form-urlencoded":
            # Text that is not escaped is UTF-8 too: curl sends it so.
            body = (await request.body()).decode()
            fields.update(
                parse_qsl(body, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
            )
        elif kind == "multipart/form-data":
            async with request.form(
                max_files=_MOST_FIELDS, max_fields=_MOST_FIELDS, max_part_size=limit
            ) as form:
                for name, value in form.multi_items():
                    fields[name] = value if isinstance(value, str) else (await value.read()).decode()
        else:
            raise InputError("The body must be application/x-www-form-urlencoded or multipart/form-data.")
    except UnicodeDecodeError:
        raise InputError("The data are not UTF-8.") from None
    except ValueError as error:  # more fields than there are names
        raise InputError(f"The body cannot be read: {error}.") from None
    return fields
