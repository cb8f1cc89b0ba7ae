"""The interface described in OpenAPI's terms: served at /openapi.json, and what the tests hold the server to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plait.release import release
from plait.server.questions import QUESTIONS, schemas
from plait.server.rest import FIELDS, WRITERS
from plait.server.sentences import READABLE

_TEXT = {"text/plain": {"schema": {"type": "string"}}}
_FIELD_TEXTS = {
    "data": "The text, or sentences in the format that `input` names.",
    "model": "The name of a model, or its beginning up to a dash; by default the first.",
    "tokenizer": "Cut the text into sentences and words. Options: presegmented, ranges.",
    "tagger": "Put in tags and lemmas.",
    "parser": "Put in trees.",
    "input": f"One of {', '.join(READABLE)}; with `tokenizer` the data are plain text.",
    "output": f"One of {', '.join(WRITERS)}.",
}
_NULLABLE = {"string": {"type": ["string", "null"]}, "integer": {"type": ["integer", "null"]}}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_STRING, _INTEGER = {"type": "string"}, {"type": "integer"}
_WORD = _object(
    id=_INTEGER, form=_STRING, lemma=_STRING, upos=_STRING, xpos=_STRING, feats=_STRING, deprel=_STRING,
    head=_NULLABLE["integer"],
)  # fmt: skip
_FRAME = _object(
    predicate=_INTEGER, sense=_STRING, meaning=_STRING,
    arguments=_list(_object(word=_INTEGER, role=_STRING, meaning=_STRING, segments=_list(_list(_INTEGER)))),
    segments=_list(_object(first=_INTEGER, last=_INTEGER, role=_STRING, meaning=_STRING,
                           later={"type": "boolean"}, ink=_STRING)),
)  # fmt: skip
_ASPECTS = _object(
    pieces=_list(_object(text=_STRING, polarity=_NULLABLE["string"])),
    categories=_list(_object(name=_STRING, polarity=_STRING)),
)
_SENTENCES = _list(
    _object(
        text=_STRING,
        conllu=_STRING,
        words=_list(_WORD),
        frames=_list(_FRAME),
        aspects={"anyOf": [_ASPECTS, {"type": "null"}]},
        svg=_NULLABLE["string"],
        deep=_NULLABLE["string"],
        graph=_NULLABLE["string"],
    )
)
_STEP = _object(name=_STRING, kind=_STRING, label=_NULLABLE["string"], arc={"type": ["array", "null"]})
_TRACKS = _object(
    tracks=_list(
        _object(
            name=_STRING, system=_STRING, forms=_list(_STRING), svg=_STRING, steps=_list(_STEP),
            states=_list(_list(_list(_INTEGER))),
        )
    )
)  # fmt: skip
_COMPARED = _object(
    text=_STRING, gold=_STRING, conllu=_STRING, verdicts=_list(_STRING), words=_INTEGER, heads_right=_INTEGER,
    labels_right=_INTEGER, svg=_NULLABLE["string"],
)  # fmt: skip
_ANSWERS = {
    "/api/complete": _object(model=_STRING, sentences=_SENTENCES),
    "/api/compare": _object(
        model=_STRING, sentences=_list(_COMPARED), words=_INTEGER, heads_right=_INTEGER, labels_right=_INTEGER,
    ),
    "/api/tikz": _object(tikz=_STRING),
    "/api/parse": _object(model=_STRING, sentences=_SENTENCES),
    "/api/tree": _object(sentences=_SENTENCES),
    "/api/trace": _TRACKS,
    "/api/derivation": _TRACKS,
    "/api/lattice": _object(svg=_STRING, derivations=_STRING, states=_INTEGER, transitions=_INTEGER),
    "/api/rules": _object(
        problems=_list(_object(file=_STRING, number=_INTEGER, line=_INTEGER, column=_INTEGER, severity=_STRING,
                               message=_STRING)),
        graphs=_list(_STRING), steps=_list({"type": "object"}), text=_STRING,
    ),
    "/api/say": _object(
        shuffled=_list(_STRING), domains=_list(_list(_INTEGER)), conllu=_STRING,
        best=_list(_object(text=_STRING, score={"type": "number"})),
    ),
    "/api/circle": _object(there=_SENTENCES["items"], back=_SENTENCES["items"]),
    "/api/scene": _object(scene={"type": "object"}, things=_list({"type": "object"}), speakers=_list(_STRING)),
    "/api/refer": _object(
        attributes={"type": "object"}, phrase=_STRING, speaker=_STRING, unique={"type": "boolean"},
    ),
}  # fmt: skip


def describe() -> dict[str, Any]:
    """The whole description."""
    asked, named = schemas()
    error = {"application/json": {"schema": _object(error=_STRING)}}
    fields = {name: {"type": "string", "description": _FIELD_TEXTS[name]} for name in FIELDS}
    form = {"type": "object", "properties": fields, "required": ["data"], "additionalProperties": False}
    parameters = [
        {
            "name": name,
            "in": "query",
            "required": name == "data",
            "description": _FIELD_TEXTS[name],
            "schema": {"type": "string"},
        }
        for name in FIELDS
    ]
    processed = _object(model=_STRING, acknowledgements=_list(_STRING), result=_STRING)
    listed = _object(models={"type": "object", "additionalProperties": _list(_STRING)}, default_model=_STRING)
    body = {"required": True, "content": {
        "application/x-www-form-urlencoded": {"schema": form}, "multipart/form-data": {"schema": form},
    }}  # fmt: skip
    process = {"responses": _responses(processed, _TEXT)}
    paths: dict[str, Any] = {
        "/process": {
            "get": {
                "summary": "Annotate a text, as UDPipe's service does.",
                "parameters": parameters,
                **process,
            },
            "post": {"summary": "The same with a longer text.", "requestBody": body, **process},
        },
        "/models": {"get": {"summary": "The models, and what they can do.", "responses": _ok(listed)}},
        "/health": {
            "get": {
                "summary": "Whether the server is there.",
                "responses": _ok(_object(status=_STRING, models=_list(_STRING))),
            }
        },
        "/metrics": {
            "get": {
                "summary": "Counts for Prometheus.",
                "responses": {"200": {"description": "Counts.", "content": _TEXT}},
            }
        },
        "/api/about": {
            "get": {
                "summary": "Models, transition systems and oracles to choose from.",
                "responses": _ok(
                    _object(version=_STRING, models=_list({}), systems=_list({}), examples=_list({}))
                )
                | _told(_ELSEWHERE, error),
            }
        },
        "/api/grammars": {
            "get": {
                "summary": "The grammars of the package: files of rules, and graphs to try them on.",
                "responses": _ok(_object(grammars=_list({"type": "object"}))) | _told(_ELSEWHERE, error),
            }
        },
    }
    for path, question in QUESTIONS.items():
        paths[path] = {
            "post": {
                "summary": question.__doc__,
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": asked[path]}},
                },
                "responses": _responses(_ANSWERS[path], error) | _told(_ELSEWHERE | _OTHER_KIND, error),
            }
        }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Plait",
            "version": release(),
            "description": "Dependency trees with crossing arcs.",
        },
        "paths": paths,
        "components": {"schemas": named},
    }


def _ok(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"200": {"description": "The answer.", "content": {"application/json": {"schema": schema}}}}


def _responses(schema: Mapping[str, Any], error: Mapping[str, Any]) -> dict[str, Any]:
    refusals = {
        "400": "Something is wrong with the request.",
        "413": "The request is too large.",
        "503": "The server is busy, or it took too long; Retry-After says when to try again.",
    }
    return _ok(schema) | _told(refusals, error)


_ELSEWHERE = {
    "403": "It comes from a page of another origin.",
    "421": "The server is not known by this Host.",
}
_OTHER_KIND = {"415": "The body is not declared as JSON."}


def _told(refusals: Mapping[str, str], error: Mapping[str, Any]) -> dict[str, Any]:
    return {status: {"description": text, "content": error} for status, text in refusals.items()}
