"""Deep trees and graphs of meaning from the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest

from plait import Pipeline
from plait.components.deep import Deep
from plait.components.roles import RoleLabeler
from serving import serving, toy_pipeline
from toy import framed, written
from toy_deep import with_content

TEXT = "The dog saw a cat today that slept."


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("starlette")
    toy = toy_pipeline()
    roles = RoleLabeler(bits=14, small_bits=12, epochs=3, folds=2, fold_epochs=1).fit(framed(written(120)))
    deep = Deep(rules="ud", bits=12, epochs=2).fit(with_content(written(60)))
    whole = Pipeline({**toy.components, "roles": roles, "deep": deep}, toy.model)
    with serving({"toy": whole, "plain": toy}) as url:
        yield url


def parsed(address: str, **asked: Any) -> dict[str, Any]:
    body = json.dumps({"text": TEXT, "draw": True, **asked}).encode()
    with urlopen(Request(f"{address}/api/parse", body, {"content-type": "application/json"})) as answer:
        (sentence,) = json.load(answer)["sentences"]
    assert isinstance(sentence, dict)
    return sentence


def test_pictures_of_both_layers_for_whoever_asks(address: str) -> None:
    sentence = parsed(address, meaning=True)
    assert "A deep-syntactic tree of" in sentence["deep"]
    assert "A semantic graph of" in sentence["graph"]
    assert "see.02, A1 dog, A2 cat" in sentence["graph"]


@pytest.mark.parametrize("asked", [{}, {"meaning": True, "draw": False}, {"meaning": True, "model": "plain"}])
def test_nobody_else_gets_them(address: str, asked: dict[str, Any]) -> None:
    sentence = parsed(address, **asked)
    assert (sentence["deep"], sentence["graph"]) == (None, None)
