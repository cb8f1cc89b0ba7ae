"""UDPipe's REST interface, spoken by a real HTTP client over a socket."""

from __future__ import annotations

import httpx2
import pytest

from plait.formats import FORMATS
from serving import TEXT, toy_pipeline

STEPS = {"tokenizer": "", "tagger": "", "parser": ""}


def conllu(text: str = TEXT) -> str:
    return toy_pipeline()(text).conllu


def bare(text: str = TEXT) -> str:
    """The words of a text alone, as CoNLL-U."""
    return "".join(map(FORMATS["conllu"].render, toy_pipeline().tokenize([text])))


def process(server: str, **fields: str) -> httpx2.Response:
    return httpx2.post(f"{server}/process", data=fields)


def test_models_are_listed_with_what_they_can_do(server: str) -> None:
    answer = httpx2.get(f"{server}/models")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.json() == {
        "models": {"toy-written-1.0": ["tokenizer", "tagger", "parser"], "parser-only": ["parser"]},
        "default_model": "toy-written-1.0",
    }


def test_the_shape_of_an_answer(server: str) -> None:
    answer = process(server, data=TEXT, **STEPS)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.json() == {
        "model": "toy-written-1.0",
        "acknowledgements": ["A toy.", "Licence: CC0-1.0."],
        "result": conllu(),
    }


def test_every_way_to_send_a_request_gives_the_same(server: str) -> None:
    url = f"{server}/process"
    expected = conllu()
    got = httpx2.get(url, params={"data": TEXT, **STEPS})
    form = httpx2.post(url, data={"data": TEXT, **STEPS})
    mixed = httpx2.post(url, params=STEPS, data={"data": TEXT})
    multipart = httpx2.post(
        url, data=STEPS, files={"data": ("../../etc/<b>.txt", TEXT.encode(), "text/plain")}
    )
    raw = httpx2.post(
        url,
        content=f"tokenizer=&tagger=&parser=&data={TEXT.replace(' ', '+')}",
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    for answer in (got, form, mixed, multipart, raw):
        assert answer.json()["result"] == expected


@pytest.mark.parametrize("prefix", ["", "toy", "toy-written", "toy-written-1.0"])
def test_a_model_is_found_by_its_beginning_up_to_a_dash(server: str, prefix: str) -> None:
    assert process(server, data=TEXT, model=prefix, tokenizer="").json()["model"] == "toy-written-1.0"


def test_a_step_is_on_when_it_is_named_and_off_with_none(server: str) -> None:
    words = process(server, data=TEXT, tokenizer="").json()["result"]
    assert words == bare()
    tagged = process(server, data=TEXT, tokenizer="", tagger="", parser="none").json()["result"]
    assert "\tNOUN\t" in tagged
    assert "\tnsubj\t" not in tagged
    parsed = process(server, data=tagged, parser="").json()["result"]
    assert parsed == conllu()
    untouched = process(server, data=tagged).json()["result"]
    assert untouched == tagged


def test_a_parser_alone_reads_words(server: str) -> None:
    tagged = process(server, data=TEXT, tokenizer="", tagger="").json()["result"]
    answer = process(server, data=tagged, model="parser", parser="").json()
    assert answer["model"] == "parser-only"
    assert answer["result"] == conllu()
    refused = process(server, data=TEXT, model="parser", tokenizer="")
    assert refused.status_code == 400
    assert refused.text == "The model 'parser-only' has no tokenizer. It has: parser.\n"


def test_the_formats_of_input_and_output(server: str) -> None:
    lines = "The dog saw a cat .\nA bird slept .\n"
    horizontal = process(server, data=lines, input="horizontal", output="horizontal").json()["result"]
    assert horizontal == lines
    vertical = process(server, data=lines, input="horizontal", output="vertical").json()["result"]
    assert vertical == "The\ndog\nsaw\na\ncat\n.\n\nA\nbird\nslept\n.\n\n"
    assert process(server, data=vertical, input="vertical", output="horizontal").json()["result"] == lines
    plain = process(server, data=TEXT, tokenizer="", output="plaintext").json()["result"]
    assert plain.split() == TEXT.split()
    read = process(server, data=TEXT, input="generic_tokenizer", output="conllu=v2").json()["result"]
    assert read == bare()


def test_options_of_the_tokenizer(server: str) -> None:
    lines = "The dog saw a cat\nthe bird heard a fish"
    answer = process(server, data=lines, tokenizer="presegmented;ranges").json()["result"]
    assert answer.count("# text = ") == 2
    assert "TokenRange=0:3" in answer


def test_data_are_normalized(server: str) -> None:
    answer = process(server, data="Cafe\u0301 .", input="horizontal", output="horizontal").json()
    assert answer["result"] == "Caf\u00e9 .\n"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "Required argument 'data' is missing."),
        ({"data": "a", "model": "klingon"}, "No model 'klingon'. Available: toy-written-1.0, parser-only."),
        (
            {"data": "a", "model": "../../etc"},
            "No model '../../etc'. Available: toy-written-1.0, parser-only.",
        ),
        (
            {"data": "a", "output": "matxin"},
            "No output 'matxin'. Available: conllu, conll09, horizontal, plaintext, vertical.",
        ),
        (
            {"data": "a", "input": "epe"},
            "No input 'epe'. Available: conllu, horizontal, vertical, generic_tokenizer.",
        ),
        (
            {"data": "a", "tagr": ""},
            f"No argument 'tagr'. Available: data, model, {', '.join(STEPS)}, input, output.",
        ),
    ],
)
def test_what_is_wrong_is_said_in_plain_text(server: str, fields: dict[str, str], message: str) -> None:
    answer = httpx2.post(f"{server}/process", data=fields or {"model": ""})
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.text == message + "\n"


def test_a_fault_of_the_data_names_its_line_however_late_it_comes(server: str) -> None:
    data = conllu() * 500 + "1\ta\tb\n\n"
    answer = process(server, data=data, tagger="")
    assert answer.status_code == 400
    assert f"data:{data.count(chr(10)) - 1}" in answer.text


def test_bytes_that_are_no_text_are_refused(server: str) -> None:
    url = f"{server}/process"
    upload = httpx2.post(url, files={"data": b"\xff\xfe\x00"})
    assert (upload.status_code, upload.text) == (400, "The data are not UTF-8.\n")
    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert httpx2.post(url, content=b"data=\xff", headers=kind).status_code == 400
    assert httpx2.post(url, content=b"data=%ff", headers=kind).status_code == 400
    assert httpx2.post(url, content=b"{}", headers={"content-type": "application/json"}).status_code == 400
    assert httpx2.post(url, content=b"&".join([b"a=1"] * 50), headers=kind).status_code == 400
    broken = {"content-type": "multipart/form-data; boundary=x"}
    assert httpx2.post(url, content=b"nonsense", headers=broken).status_code == 400


def test_a_long_answer_streams_and_is_whole(server: str) -> None:
    text = f"{TEXT} " * 2000
    with httpx2.stream("POST", f"{server}/process", data={"data": text, **STEPS}, timeout=60) as answer:
        assert "content-length" not in answer.headers
        answer.read()
        found = answer.json()["result"]
    assert found.count("# text = ") == 4000
    assert found == conllu(text)
