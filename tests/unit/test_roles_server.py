"""Roles from the server: as JSON, and as CoNLL-09."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from plait import Pipeline
from plait.components.roles import RoleLabeler
from serving import serving, toy_pipeline
from toy import framed, written


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("starlette")
    toy = toy_pipeline()
    labeler = RoleLabeler(bits=14, small_bits=12, epochs=3, folds=2, fold_epochs=1).fit(framed(written(120)))
    with serving({"toy": Pipeline({**toy.components, "roles": labeler}, toy.model)}) as url:
        yield url


def posted(url: str, body: bytes, kind: str) -> Any:
    with urlopen(Request(url, body, {"content-type": kind})) as answer:
        return json.load(answer)


def test_frames_in_json(address: str) -> None:
    body = json.dumps({"text": "The dog saw a cat today that slept."}).encode()
    (sentence,) = posted(f"{address}/api/parse", body, "application/json")["sentences"]
    frame = sentence["frames"][0]
    assert (frame["predicate"], frame["sense"]) == (3, "see.02")
    first = frame["arguments"][0]
    assert (first["role"], first["word"], first["segments"]) == ("A0", 2, [[1, 2], [7, 8]])
    assert [each["role"] for each in frame["segments"]] == ["A0", "V", "A1", "AM-TMP", "A0", ""]
    assert "Sense=see.02" in sentence["conllu"]


def test_conll09_from_rest(address: str) -> None:
    form = {"data": "The dog saw a cat.", "tokenizer": "", "tagger": "", "parser": "", "output": "conll09"}
    answer = posted(f"{address}/process", urlencode(form).encode(), "application/x-www-form-urlencoded")
    rows = [line.split("\t") for line in answer["result"].strip().split("\n")]
    assert rows[2][12:] == ["Y", "see.01", "_"]
    assert [row[14] for row in rows] == ["_", "A0", "_", "_", "A1", "_"]
