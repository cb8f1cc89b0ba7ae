"""The JSON interface, the page's files, and what surrounds them."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import httpx2
import pytest

from plait import derive
from plait.server.security import POLICY
from serving import TEXT, ask, metric, post_json, toy_pipeline
from toy import toy

EVIL = "<script>alert(1)</script>"


def gold() -> str:
    """A tree with crossing arcs, labels and tags that would like to be mark-up."""
    rows = [("a", "2"), (EVIL, "0"), ('"', "5"), ("&", "2"), ("x", "4")]
    return "".join(
        f"{number}\t{form}\t_\t{EVIL}\t_\t_\t{head}\t{EVIL}\t_\t_\n" for number, (form, head) in enumerate(rows, 1)
    ) + "\n"  # fmt: skip


def test_parsing_a_text(server: str) -> None:
    found = ask(server, "parse", text=TEXT, draw=True).json()
    document = toy_pipeline()(TEXT)
    assert found["model"] == "toy-written-1.0"
    assert "".join(each["conllu"] for each in found["sentences"]) == document.conllu
    assert [each["text"] for each in found["sentences"]] == [each.text for each in document]
    assert [word["head"] for word in found["sentences"][0]["words"]] == document[0].heads
    for each in found["sentences"]:
        assert ElementTree.fromstring(each["svg"]).tag.endswith("svg")
    assert ask(server, "parse", text="").json()["sentences"] == []
    assert ask(server, "parse", text=TEXT, model="toy", beam=4).json()["sentences"][0]["svg"] is None


def test_a_parsers_own_derivation(server: str) -> None:
    conllu = toy_pipeline()(TEXT).conllu
    (greedy,) = ask(server, "trace", conllu=conllu, sentence=2).json()["tracks"]
    assert greedy["states"][0][0] == [0]
    assert greedy["states"][-1] == [[0], []]
    assert len(greedy["states"]) == len(greedy["steps"]) + 1
    assert greedy["beam"] == []
    step = greedy["steps"][0]
    assert step["alternatives"][0]["name"] == step["name"] == "SHIFT"
    (wide,) = ask(server, "trace", conllu=conllu, beam=4).json()["tracks"]
    assert max(map(len, wide["beam"])) == 4
    assert len(wide["path"]) == len(wide["beam"])


def test_two_oracles_beside_each_other(server: str) -> None:
    sentence = next(each for each in toy(20) if len(each) == 8)
    conllu = "".join(
        f"{word.id}\t{word.form}\t_\t_\t_\t_\t{word.head}\t{word.deprel}\t_\t_\n" for word in sentence
    )
    tracks = ask(server, "derivation", conllu=conllu + "\n", oracles=["eager", "lazy"]).json()["tracks"]
    for track, oracle in zip(tracks, ("eager", "lazy"), strict=True):
        steps = derive(sentence, oracle=oracle)
        assert track["name"] == oracle
        assert [each["name"] for each in track["steps"]] == [str(each.transition) for each in steps]
        assert [each["arc"] for each in track["steps"] if each["arc"]][-1] == [0, sentence.heads.index(0) + 1]


def test_a_lattice(server: str) -> None:
    found = ask(server, "lattice", conllu=gold()).json()
    assert int(found["derivations"]) > 1
    assert ElementTree.fromstring(found["svg"]).tag.endswith("svg")
    one = ask(server, "lattice", conllu=gold(), oracle="lazy").json()
    assert one["derivations"] == "1"


def test_nothing_that_is_drawn_becomes_mark_up(server: str) -> None:
    answers = [
        ask(server, "tree", conllu=gold()).json()["sentences"][0]["svg"],
        ask(server, "derivation", conllu=gold()).json()["tracks"][0]["svg"],
        ask(server, "trace", conllu=gold()).json()["tracks"][0]["svg"],
        ask(server, "lattice", conllu=gold()).json()["svg"],
        ask(server, "parse", text=f"The dog saw {EVIL} today.", draw=True).json()["sentences"][0]["svg"],
    ]
    for svg in answers:
        assert not [each.tag for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("script")]


@pytest.mark.parametrize(
    ("path", "question", "message"),
    [
        ("parse", {}, "Object missing required field `text`"),
        ("parse", {"text": 1}, "Expected `str`, got `int` - at `$.text`"),
        ("parse", {"text": "a", "beem": 1}, "No field 'beem'. Did you mean 'beam'?"),
        ("parse", {"text": "a", "beam": True}, "Expected `int`, got `bool` - at `$.beam`"),
        ("parse", {"text": "a", "beam": 65}, "Expected `int` <= 64 - at `$.beam`"),
        ("parse", {"text": "\ud800"}, "half of a character (a lone surrogate)"),
        ("parse", {"text": "a", "model": "no"}, "No model 'no'. Available: toy-written-1.0, parser-only."),
        ("trace", {"conllu": "\n"}, "there is no sentence in it"),
        ("trace", {"conllu": gold(), "sentence": 3}, "There is no sentence 3: the data has 1."),
        ("derivation", {"conllu": gold(), "system": "arc"}, "No transition system 'arc'"),
        ("derivation", {"conllu": gold(), "oracles": ["no"]}, "No oracle 'no' for system 'swap'"),
        ("derivation", {"conllu": gold(), "oracles": "no"}, "Expected `array`, got `str` - at `$.oracles`"),
        ("derivation", {"conllu": gold(), "system": "eager"}, "the tree is not projective"),
        ("derivation", {"conllu": gold().replace("\t0\t", "\t5\t")}, "cycle"),
        ("tree", {"conllu": "1\ta\n\n"}, "data:1"),
    ],
)
def test_what_is_wrong_with_a_question(server: str, path: str, question: Any, message: str) -> None:
    answer = ask(server, path, **question)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


def test_long_sentences_and_large_lattices_are_refused(server: str) -> None:
    long = "".join(f"{i}\tw\t_\t_\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 102)) + "\n"
    for path in ("trace", "derivation", "lattice"):
        assert "101 words" in ask(server, path, conllu=long).json()["error"]
    wide = "".join(f"{i}\tw\t_\t_\t_\t_\t{30 * (i != 30)}\tdep\t_\t_\n" for i in range(1, 60)) + "\n"
    assert "more than 400 states" in ask(server, "lattice", conllu=wide).json()["error"]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"text": NaN}'])
def test_a_body_that_is_no_object(server: str, body: bytes) -> None:
    answer = post_json(f"{server}/api/parse", body)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_every_answer_has_the_strict_headers(server: str) -> None:
    for path in ("/", "/static/main.js", "/models", "/nowhere", "/api/parse"):
        headers = httpx2.get(server + path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert re.fullmatch(r"total;dur=[0-9.]+", headers["server-timing"])
    assert "unsafe" not in POLICY


def test_the_files_of_the_page_and_no_others(server: str) -> None:
    page = httpx2.get(server)
    names = re.findall(r'(?:src|href)="(static/[^"]+)"', page.text)
    assert len(names) >= 5
    assert "http://" not in page.text
    assert "https://" not in page.text
    for name in names:
        answer = httpx2.get(f"{server}/{name}")
        assert answer.status_code == 200
        again = httpx2.get(f"{server}/{name}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    for name in ("../app.py", "..%2fapp.py", "%2e%2e/app.py", "app.py", "/etc/passwd", "%00"):
        assert httpx2.get(f"{server}/static/{name}").status_code == 404


def test_health_about_and_metrics(server: str) -> None:
    assert httpx2.get(f"{server}/health").json()["status"] == "ok"
    about = httpx2.get(f"{server}/api/about").json()
    assert about["systems"][0]["oracles"][:2] == ["eager", "lazy"]
    assert about["models"][0]["beam"] == 1
    before = httpx2.get(f"{server}/metrics").text
    ask(server, "parse", text=TEXT)
    after = httpx2.get(f"{server}/metrics").text
    assert metric(after, "plait_sentences_total") == metric(before, "plait_sentences_total") + 2
    assert metric(after, "plait_pending_requests") == 0
    assert 'plait_requests_total{route="/api/parse",status="200"}' in after
    assert metric(after, "plait_request_seconds_count") > 0
