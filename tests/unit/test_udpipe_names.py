"""Clients of UDPipe name its models: they find ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait import Pipeline
from plait.server.models import Models
from plait.server.udpipe_names import read_name
from serving import TEXT, serving, toy_pipeline


def named(language: str, treebank: str = "") -> Pipeline:
    toy = toy_pipeline()
    return Pipeline(toy.components, replace(toy.model, language=language, treebank=treebank))


def some_models() -> dict[str, Pipeline]:
    return {
        "en": named("English", "UD English-EWT"),
        "en-fast": named("English (fast)", "UD English-GUM"),
        "pt": named(""),
        "mine": named("Ancient Greek"),
    }


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(some_models()) as url:
        yield url


NAMES = {
    "english": "en",
    "english-ewt": "en",
    "english-ewt-ud-2.15-241121": "en",
    "english-ud-2.0-170801": "en",
    "english-ud-2.1-20180111": "en",
    "english-gum-ud-2.12-230717": "en-fast",
    "english-lines": "en",
    "English": "en",
    "eng": "en",
    "en_ewt": "en",
    "en_gum-ud-2.12-230717": "en-fast",
    "portuguese": "pt",
    "portuguese-bosque-ud-2.12-230717": "pt",
    "por": "pt",
    "ancient_greek-perseus": "mine",
    "grc": "mine",
    "en": "en",
    "en-fast": "en-fast",
}


@pytest.mark.parametrize(("asked", "found"), NAMES.items())
def test_a_name_of_udpipe_leads_to_ours(address: str, asked: str, found: str) -> None:
    fields = {"data": TEXT, "model": asked, "tokenizer": "", "tagger": "", "parser": ""}
    answer = httpx2.post(f"{address}/process", data=fields)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "model": found,
        "acknowledgements": ["A toy.", "Licence: CC0-1.0."],
        "result": toy_pipeline()(TEXT).conllu,
    }


@pytest.mark.parametrize(
    "name",
    [
        "german",
        "german-gsd-ud-2.12-230717",
        "engl",
        "english-",
        "english-ewt-2.12",
        "english ewt",
        "-",
        "en-ewt-x",
    ],
)
def test_other_names_lead_nowhere(address: str, name: str) -> None:
    answer = httpx2.post(f"{address}/process", data={"data": TEXT, "model": name, "tokenizer": ""})
    assert answer.status_code == 400
    assert answer.text == f"No model {name!r}. Available: en, en-fast, pt, mine.\n"


def test_models_that_can_do_nothing_are_not_meant() -> None:
    models = Models({"en-empty": Pipeline({}, named("English").model), "second": named("English")})
    assert models.find("english").name == "second"


@given(st.text(max_size=60))
def test_any_name_is_read(name: str) -> None:
    wanted = read_name(name)
    assert wanted is None or wanted.codes


def test_a_request_in_the_shape_of_udpipes_own_client(address: str) -> None:
    """Multipart, every field with a type, a character set and a transfer encoding of its own."""
    text = "Schöne Grüße, the dog slept."
    fields = {"input": "conllu", "output": "conllu", "data": text, "model": "english-ewt-ud-2.15-241121"}
    fields |= {"tokenizer": "", "parser": "", "tagger": ""}
    parts = (
        f'--=mark==\r\nContent-Type: text/plain; charset="utf-8"\r\nMIME-Version: 1.0\r\n'
        f'Content-Disposition: form-data; name="{name}"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    answer = httpx2.post(
        f"{address}/process",
        content=("".join(parts) + "--=mark==--\r\n").encode(),
        headers={"content-type": 'multipart/form-data; boundary="=mark=="'},
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["model"] == "en"
    assert answer.json()["result"] == toy_pipeline()(text).conllu
