"""The scripts beside the experiments: lexicons from analysers, flat prepositional phrases."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import plait
from plait import Sentence
from plait.features.lexicon import Lexicon
from plait.trees.restructuring import restored, restructured

SCRIPTS = Path(__file__).parents[2] / "experiments"
DICTIONARY = "2\nnový/YN\nlátka\n"
SAID = """nového  st:nový fl:Y

nenovou  st:nový fl:N fl:Y

háznak  st:ház po:noun ts:NOM al:házak is:DAT
háznak  st:házna po:noun is:x,y

cizí
"""


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_lexicon_of_what_hunspell_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "xx.aff").write_text("SET ISO8859-2\n", encoding="latin-1")
    (tmp_path / "xx.dic").write_text(DICTIONARY, encoding="iso8859-2")
    (tmp_path / "said").write_text(SAID, encoding="utf-8")
    program = tmp_path / "hunspell"
    program.write_text(f"#!/bin/sh\ncat > {tmp_path}/asked\ncat {tmp_path}/said\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    forms = ["nového", "nenovou", "háznak", "cizí", "10 000"]
    plait.write([Sentence(forms=forms)], tmp_path / "some.conllu")
    script("lexicons").main(f"hunspell:{tmp_path}/xx", str(tmp_path / "some.conllu"))
    assert (tmp_path / "asked").read_text(encoding="utf-8").split("\n") == sorted(forms)[1:]
    found = Lexicon.parse(capsys.readouterr().out)
    assert {form: entry.tags for form, entry in found.entries.items()} == {
        "háznak": ("po:noun+is:x/y", "po:noun+ts:NOM+is:DAT"),
        "nenovou": ("NY+fl:N+fl:Y+ý>ou",),
        "nového": ("NY+fl:Y+ý>ého",),
    }


def test_readings_of_a_polish_tag() -> None:
    readings = script("lexicons")._readings
    assert readings("subst:sg:nom.acc:m3") == ["subst:sg:acc:m", "subst:sg:nom:m"]
    assert readings("praet:sg:m1.m2.m3:perf") == ["praet:sg:m:perf"]
    assert readings("subst:pl:gen:n:ncol") == ["subst:pl:gen:n"]


def test_polish_words() -> None:
    pytest.importorskip("morfeusz2")
    found = script("lexicons").morfeusz(["królowi", "Xqz", "miałem"], "")
    assert "subst:sg:dat:m" in found["królowi"]
    assert found["Xqz"] == set()


def test_flat_phrases_can_be_nested_and_flat_again() -> None:
    sentence = Sentence(
        forms=["er", "wohnt", "in", "dem", "alten", "Haus", "von", "Anna", "."],
        xpos=["PPER", "VVFIN", "APPR", "ART", "ADJA", "NN", "APPR", "NE", "$."],
        heads=[2, 0, 6, 6, 6, 2, 8, 6, 2],
        deprels=["nsubj", "root", "case", "det", "amod", "obl", "case", "nmod", "punct"],
    )
    flat = script("flat_phrases").flatten(sentence)
    assert flat.heads == [2, 0, 2, 3, 3, 3, 3, 7, 2]
    assert flat.deprels == ["nsubj", "root", "obl", "NK", "NK", "NK", "nmod", "NK", "punct"]
    (nested,) = restructured([flat])
    assert nested.heads == [2, 0, 2, 6, 6, 3, 6, 7, 2]
    (again,) = restored([nested])
    assert (again.heads, again.deprels) == (flat.heads, flat.deprels)
