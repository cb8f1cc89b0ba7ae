"""The workbench's questions to the server: rules and a graph in, every firing out, nothing kept, everything bounded."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from plait import Cancel
from plait.errors import Cancelled
from plait.rules import load
from plait.server.limits import Limits
from plait.server.questions import RulesQuestion
from plait.server.workbench import Workbench

RULES = """rule word (A -> B) {
  left: ?X { k }
  right: ?Y { form = ?X.k }
  correspondence: ?X <=> ?Y
}
"""
GRAPH = "graph A { n { k = v } }"


def asked(server: str, files: list[str], graph: str = GRAPH, **more: Any) -> dict[str, Any]:
    question = {"files": files, "names": [f"f{i}" for i in range(len(files))], "graph": graph, **more}
    request = Request(
        f"{server}/api/rules", json.dumps(question).encode(), {"content-type": "application/json"}
    )
    with urlopen(request, timeout=60) as answer:
        found = json.load(answer)
    assert isinstance(found, dict)
    return found


def test_every_firing_is_told(server: str) -> None:
    found = asked(server, [RULES])
    assert (found["problems"], found["text"]) == ([], "v")
    (step,) = found["steps"]
    (firing,) = step["fired"]
    assert (firing["rule"], firing["line"], firing["bindings"], firing["made"]) == (
        "word",
        1,
        {"X": "n"},
        {"Y": "n"},
    )
    assert firing["consumed"] == {"nodes": ["n"], "edges": [], "attributes": [["n", "k"]]}
    assert step["correspondences"] == [["n", "n", ""]]
    assert step["places"]["source"]["nodes"]["n"]["lines"] == ["k=v"]
    assert step["places"]["target"]["nodes"]["n"]["title"] == "v"


def test_the_menu_offers_the_packaged_grammar(server: str) -> None:
    with urlopen(f"{server}/api/grammars") as answer:
        (english,) = json.load(answer)["grammars"]
    files = [each["text"] for each in english["files"]]
    for each in english["graphs"]:
        found = asked(server, files, each["text"])
        assert (found["text"], found["problems"]) == (each["title"], [])
        assert [step["mapping"] for step in found["steps"]] == [
            f"{a} -> {b}" for a, b in zip(load("english").strata, load("english").strata[1:], strict=False)
        ][-len(found["steps"]) :]


def test_faults_are_told_with_file_and_line(server: str) -> None:
    found = asked(server, [RULES, "lexicon L {\n  a: b\n}"], "graph A {\n  n -1-> m\n}")
    assert [(p["file"], p["number"], p["line"]) for p in found["problems"]] == [
        ("f1", 1, 2),
        ("graph", -1, 2),
    ]
    assert found["steps"] == []


def test_what_only_looks_wrong_is_told_and_applied(server: str) -> None:
    found = asked(
        server, [RULES + "lexicon L { a { b = 1 } }\nrule s (A -> B) { left: ?X; conditions: L::(?X.k).c }"]
    )
    assert "no entry of L has an attribute c" in found["problems"][0]["message"]
    assert len(found["steps"]) == 1


def test_several_graphs(server: str) -> None:
    found = asked(server, [RULES], 'graph A "one" { n { k = v } }\ngraph A "two" { n { k = w } }', which=2)
    assert (found["graphs"], found["text"]) == (["one", "two"], "w")


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"files": [], "names": [], "graph": ""}, "Expected `array` of length >= 1 - at `$.files`"),
        ({"files": ["a"], "names": ["a", "b"], "graph": ""}, "as many names as files"),
        ({"files": ["#" * 300_000], "names": ["a"], "graph": ""}, "up to 250,000 are read"),
        ({"files": ["a"], "names": ["a"]}, "missing required field `graph`"),
    ],
)
def test_bad_questions_are_refused(server: str, question: dict[str, Any], message: str) -> None:
    body = json.dumps(question).encode()
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(f"{server}/api/rules", body, {"content-type": "application/json"}))
    assert refused.value.code == 400
    assert message in json.load(refused.value)["error"]


HOSTILE = {
    "many variables": "rule r (A -> B) { left: " + "; ".join(f"?X{i}" for i in range(15)) + " }",
    "and conditions": "rule r (A -> B) { left: "
    + "; ".join(f"?X{i}" for i in range(15))
    + "; conditions: ?X14.no }",
    "many rules": "\n".join(f"rule r{i} (A -> B) {{ left: ?X -?r-> ?Y; ?X.k; ?Y.k }}" for i in range(2000)),
    "many labels": "rule r (A -> B) { left: ?X -?r-> ?Y; ?Z -?s-> ?W; ?V -?t-> ?U }",
    "long lexicon": "lexicon L { " + "; ".join(f"e{i}: e{i + 1}, e{i + 2}" for i in range(5000)) + " }",
    "unknown names": "lexicon L { "
    + "; ".join(f"entry{i}" for i in range(4000))
    + " }\n"
    + "\n".join(f"rule r{i} (A -> B) {{ left: ?X; conditions: L::(?X.k) is entri{i} }}" for i in range(2000)),
    "long values": "\n".join(
        f"rule r{i} (S{i} -> S{i + 1}) {{ left: ?X; right: ?Y {{ k = ?X.k + ?X.k }}; correspondence: ?X <=> ?Y }}"
        for i in range(14)
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_rules_end_with_an_answer(server: str, name: str) -> None:
    """Well within the time that the server gives a request: a bound, not a measurement."""
    nodes = [f"n{i}" for i in range(60)]
    edges = "; ".join(f"{a} -{i % 3}-> {b}" for i, a in enumerate(nodes) for b in nodes[i + 1 : i + 12])
    stratum = "S0" if name == "long values" else "A"
    graph = f"graph {stratum} {{ {'; '.join(f'{node} {{ k = v }}' for node in nodes)}; {edges} }}"
    started = time.monotonic()
    found = asked(server, [HOSTILE[name]], graph)
    assert found["problems"] or found["steps"][0]["notes"] or found["steps"][0]["fired"]
    assert time.monotonic() - started < 60


@pytest.mark.parametrize("name", HOSTILE)
def test_work_that_nobody_waits_for_ends(name: str) -> None:
    cancel = Cancel()
    cancel.cancel()
    asked = RulesQuestion(files=[HOSTILE[name]], names=["f"], graph="graph A { n { k = v };\n m }")
    with pytest.raises(Cancelled):
        list(Workbench(Limits()).answer(asked, cancel))


def test_the_page_is_there_and_may_only_use_its_own_files(server: str) -> None:
    with urlopen(f"{server}/workbench") as answer:
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert b"static/workbench.js" in answer.read()
