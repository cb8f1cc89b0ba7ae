"""Graphs of sentences, and `plait rules`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plait import Sentence, rules
from plait.errors import InputError
from plait.layers import Edge as LayerEdge
from plait.meaning import SemanticNode, SemanticStructure
from plait.rules import Graph

Command = Callable[..., Any]

PAPER = """
lexicon Sem {
  property { type = property }
  RED: property { lex = red }
  CHAIR { lex = chair }
}
lexicon Lex {
  red { cat = adj }
  chair { cat = noun }
}
rule property (Sem -> DSynt) {
  left:
    ?X -1-> ?Y
  conditions:
    Sem::(?X.sem).type = property
    Lex::(Sem::(?X.sem).lex).cat = adj
  right:
    ?Yd -ATTR-> ?Xd
  correspondence:
    ?X <=> ?Xd
    ?Y <=> ?Yd
}
"""
RED_CHAIR = Graph.build("Sem", {"r": {"sem": "RED"}, "c": {"sem": "CHAIR"}}, [("r", "1", "c")])


def test_graphs_of_sentences() -> None:
    sentence = Sentence(forms=["Dogs", "bark"], lemmas=["dog", "bark"], upos=["NOUN", "VERB"],
                        feats=["Number=Plur", "_"], heads=[2, 0], deprels=["nsubj", "root"])  # fmt: skip
    tree = rules.of_tree(sentence)
    assert tree.nodes["w1"] == {"form": "Dogs", "lemma": "dog", "upos": "NOUN", "Number": "Plur"}
    assert tree.edges == (("w2", "nsubj", "w1"),)
    with pytest.raises(InputError, match="no annotation of meaning"):
        rules.of_meaning(sentence)
    nodes = (SemanticNode("bark", 2, "VB"), SemanticNode("dog", 1, "NN"), SemanticNode("TIME"))
    sentence.put(SemanticStructure(nodes, (LayerEdge(1, 2, "A1"),)))
    graph = rules.of_meaning(sentence)
    assert graph.nodes["n1"] == {"sem": "bark", "pos": "VB", "lemma": "bark"}
    assert graph.nodes["n3"] == {"sem": "TIME"}
    assert graph.edges == (("n1", "A1", "n2"),)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "paper.rules").write_text(PAPER, encoding="utf-8")
    (tmp_path / "chair.graphs").write_text(str(RED_CHAIR), encoding="utf-8")
    return str(tmp_path / "paper.rules"), str(tmp_path / "chair.graphs")


def test_the_command_applies(plait_command: Command, files: tuple[str, str], tmp_path: Path) -> None:
    done = plait_command("rules", "apply", *files)
    assert done.status == 0
    assert done.out == "graph DSynt {\n  c\n  r\n  c -ATTR-> r\n}\n"
    assert done.err == "plait: Sem -> DSynt leaves uncovered: the node r, the node c, c.sem\n"
    stored = json.loads(plait_command("rules", "apply", *files, "--json").out)
    (tmp_path / "again.json").write_text(json.dumps(RED_CHAIR.to_json()), encoding="utf-8")
    again = json.loads(plait_command("rules", "apply", files[0], str(tmp_path / "again.json"), "--json").out)
    assert stored == again
    assert stored["results"][0]["graph"]["edges"] == [["c", "ATTR", "r"]]


def test_the_command_explains(plait_command: Command, files: tuple[str, str]) -> None:
    done = plait_command("rules", "explain", *files)
    assert "  + property: ?X = r, ?Y = c\n" in done.out
    assert "  ! uncovered: the node r\n" in done.out
    stored = json.loads(plait_command("rules", "explain", *files, "--json").out)
    (firing,) = stored["results"][0]["steps"][0]["fired"]
    assert firing["consumed"] == {"nodes": [], "edges": [0], "attributes": []}
    assert firing["bindings"] == {"X": "r", "Y": "c"}
    assert plait_command("rules", "explain", *files, "--rule", "nothing").status == 2


def test_the_command_checks(plait_command: Command, files: tuple[str, str]) -> None:
    assert plait_command("rules", "check", files[0]).status == 0
    assert plait_command("rules", "check", "english").err == "0 errors, 0 warnings\n"
    path = Path(files[0])
    path.write_text(PAPER.replace("adj\n", "adk\n"), encoding="utf-8")
    done = plait_command("rules", "check", str(path))
    assert done.status == 2
    assert f"{path}:16:5: rule property: no entry of Lex has cat = adk; did you mean adj?" in done.out
    stored = json.loads(plait_command("rules", "check", str(path), "--json").out)
    assert (stored["errors"], stored["problems"][0]["line"]) == (1, 16)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("apply", "missing.rules", "g"), "missing.rules: there is no such file"),
        (("apply", "english", "missing.graphs"), "missing.graphs"),
        (("apply", "english", "{bad}"), ":1:"),
        (("apply", "english", "{json}"), "the nodes of a graph in JSON are objects of texts"),
    ],
)
def test_bad_input_is_one_line(
    plait_command: Command, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    places = {"bad": tmp_path / "bad.graphs", "json": tmp_path / "bad.json"}
    places["bad"].write_text("graph {", encoding="utf-8")
    places["json"].write_text('{"stratum": "A", "nodes": [1]}', encoding="utf-8")
    done = plait_command("rules", *(argument.format(**places) for argument in arguments))
    assert done.status == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_trees_of_a_treebank_can_be_mapped(plait_command: Command, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text(
        "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n",
        encoding="utf-8",
    )
    (tmp_path / "t.rules").write_text(
        "rule subject (UD -> Sem) { left: ?V -nsubj-> ?S; right: ?P { sem = ?V.lemma }; ?P -1-> ?A; "
        "?A { sem = ?S.lemma }; correspondence: ?V <=> ?P; ?S <=> ?A }", encoding="utf-8"
    )  # fmt: skip
    done = plait_command("rules", "apply", str(tmp_path / "t.rules"), str(tmp_path / "t.conllu"))
    assert done.out == ('graph Sem "Dogs bark" {\n  w2 { sem = bark }\n  w1 { sem = dog }\n  w2 -1-> w1\n}\n')


def test_the_same_input_gives_the_same_bytes(plait_command: Command, tmp_path: Path) -> None:
    """However Python orders its sets."""
    examples = "\n".join(map(str, rules.load("english").examples[:5]))
    (tmp_path / "e.graphs").write_text(examples, encoding="utf-8")
    found = {
        plait_command(
            "rules",
            "explain",
            "english",
            "e.graphs",
            "--json",
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
        ).out
        for seed in (1, 2, 3)
    }
    assert len(found) == 1


def test_rules_from_a_pipe_and_rules_that_are_none(plait_command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.graphs").write_text("graph Sem { r { sem = RED } }\n", encoding="utf-8")
    assert plait_command("rules", "check", "-", stdin=PAPER.encode()).status == 0
    slip = plait_command("rules", "check", "-", stdin=b"rule {")
    assert slip.out.startswith("<stdin>:1:6: ")
    (tmp_path / "empty.rules").touch()
    none = plait_command("rules", "apply", "empty.rules", "a.graphs")
    assert (none.status, none.err) == (2, "plait: there are no rules.\n")
    (tmp_path / "binary.rules").write_bytes(b"# rules\n\xff\xfe\n")
    binary = plait_command("rules", "check", "binary.rules")
    assert (binary.status, binary.err) == (2, "plait: binary.rules:2: this line is not UTF-8.\n")
