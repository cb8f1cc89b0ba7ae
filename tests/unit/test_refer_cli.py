"""`plait refer` as one uses it, and what it says of bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from plait.catalogue import packaged
from plait.cli import plait
from plait.errors import FormatError, InputError, OutputError
from plait.generation.refer import made
from plait.generation.refer.model import Referrer
from plait.generation.refer.scene import Scene, read_scene
from plait.generation.refer.trials import TunaCorpus, read_trials, read_tuna, to_json
from plait.learning import store
from toy_refer import tuna_xml, write_corpus


def run(*arguments: object) -> Result:
    return CliRunner().invoke(plait, [str(each) for each in arguments], catch_exceptions=True)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "shapes-corpus"
    write_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def model(corpus: Path) -> Path:
    output = corpus.parent / "m.plait"
    result = run("refer", "train", corpus, "--split", corpus / "train.txt", "-o", output, "--licence", "MIT")
    assert result.exit_code == 0, result.output
    assert "15 trials of 5 speakers, log-linear" in result.output
    return output


def test_trained_told_and_scored(corpus: Path, model: Path) -> None:
    result = run("refer", "evaluate", corpus, "--split", corpus / "dev.txt", "-m", model, "--json")
    assert result.exit_code == 0, result.output
    scores = json.loads(result.output)
    shapes = scores["shapes"]
    assert shapes["trials"] == 15
    assert shapes["unique"] == 1
    assert shapes["dice"] > 0.8
    assert {"masi", "accuracy", "minimal", "string_accuracy", "edit", "bleu", "nist"} <= shapes.keys()
    assert scores["dice"] == shapes["dice"]  # the mean of one domain
    short = run("refer", "evaluate", corpus, "--split", "dev.txt", "-m", model, "--json")
    assert json.loads(short.output) == scores
    hidden = run(
        "refer", "evaluate", corpus, "--split", corpus / "dev.txt", "-m", model, "--json", "--hide-speaker"
    )
    assert json.loads(hidden.output)["dice"] < scores["dice"]
    table = run("refer", "evaluate", corpus, "-m", model)
    assert "words, attributes given" in table.output
    assert "shapes" in table.output


def test_the_same_bytes_again_and_what_info_tells(corpus: Path, model: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.plait"
    run("refer", "train", corpus, "--split", corpus / "train.txt", "-o", again, "--licence", "MIT")
    assert again.read_bytes() == model.read_bytes()
    result = run("info", model)
    assert result.exit_code == 0
    assert "shapes-corpus" in result.output
    assert "method log-linear" in result.output
    told = json.loads(run("info", model, "--json").output)
    assert told["origin"]["speakers"] == 5
    assert "state" not in told
    assert "15 trials of 5 speakers" in store.read_card(model)


def test_a_model_keeps_all_it_knows(model: Path, tmp_path: Path) -> None:
    loaded = Referrer.load(model)
    loaded.save(tmp_path / "copy.plait")
    copy = Referrer.load(tmp_path / "copy.plait")
    for trial in made.make_trials(seed=4, count=2):
        assert copy.refer(trial.scene, trial.speaker) == loaded.refer(trial.scene, trial.speaker)
    with pytest.raises(OutputError, match="there is a model already"):
        loaded.save(model)


def test_a_scene_is_said(tmp_path: Path, model: Path) -> None:
    star = {
        "type": "star",
        "colour": "red",
        "size": "large",
        "hasBorder": False,
        "x-dimension": 1,
        "y-dimension": 1,
    }
    scene = Scene(star, [star | {"colour": "blue", "hasBorder": True, "x-dimension": 2}])
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(scene.to_json()))
    assert read_scene(path)[0] == Scene(scene.target, scene.distractors, "", frozenset({"hasBorder"}))
    assert run("refer", path, "--speaker", "Ada").output == "the red star\n"
    assert run("refer", path, "--speaker", "Ben").output == "the star at the top left\n"
    found = json.loads(run("refer", path, "-m", model, "--json", "--speaker", "Dan").output)
    assert found["speaker"] == "Dan"
    assert found["unique"] is True
    path.write_text(json.dumps(scene.to_json() | {"speaker": "Ben"}))
    assert run("refer", path).output == "the star at the top left\n"
    path.write_text(json.dumps({"target": dict(scene.target), "distractors": [dict(scene.target)]}))
    assert "(others fit too)" in run("refer", path, "--speaker", "Ada").output
    unknown = run("refer", path, "--speaker", "Zoe")
    assert isinstance(unknown.exception, InputError)
    assert "No speaker 'Zoe' was heard. Available: Ada, Ben" in str(unknown.exception)


def test_what_speakers_tell_is_drawn(model: Path, tmp_path: Path) -> None:
    table = run("refer", "draw")
    rows = {line.split()[0]: line.split()[1:] for line in table.output.splitlines()}
    assert rows["Ben"][list(rows["type"]).index("colour") + 1] == "0"
    picture = tmp_path / "speakers.svg"
    assert run("refer", "draw", "-m", model, "-o", picture).exit_code == 0
    assert "<title>Ben: colour in 0%</title>" in picture.read_text()
    wrong = run("refer", "draw", "--domain", "moons")
    assert "Available: shapes" in str(wrong.exception)


def test_json_lines_are_trials_too(tmp_path: Path) -> None:
    trials = made.make_trials(count=3)
    path = tmp_path / "trials.jsonl"
    path.write_text("".join(json.dumps(to_json(trial)) + "\n" for trial in trials))
    assert list(read_trials(path)) == trials
    assert TunaCorpus.read(tmp_path) == trials
    (tmp_path / "list.txt").write_text("shapes/sBent2")
    assert [trial.name for trial in TunaCorpus.read(tmp_path, tmp_path / "list.txt")] == ["sBent2"]


def test_tuna_is_read_with_its_traps(tmp_path: Path) -> None:
    trial = made.make_trials(count=1)[0]
    (tmp_path / "sAdat1.xml").write_text(tuna_xml(trial))
    found = read_tuna(tmp_path / "sAdat1.xml")
    assert found.scene == trial.scene  # without the blanks after the values
    assert (found.speaker, found.gold, found.words) == ("Ada", trial.gold, trial.words)
    assert set(found.spans) == set(trial.spans)


def test_places_are_told_by_all_words_of_a_meta_attribute(tmp_path: Path) -> None:
    trial = made.make_trials(count=1)[0]
    text = tuna_xml(trial)
    start, end = text.index("<DESCRIPTION>"), text.index("</DESCRIPTION>")
    told = (
        '<ATTRIBUTE NAME="type" VALUE="other">one</ATTRIBUTE> <META-ATTRIBUTE NAME="location" VALUE="top">'
        '<ATTRIBUTE NAME="y-dimension" VALUE="1"/> in the top row </META-ATTRIBUTE>.'
    )
    (tmp_path / "sAdat1.xml").write_text(text[: start + len("<DESCRIPTION>")] + told + text[end:])
    found = read_tuna(tmp_path / "sAdat1.xml")
    assert found.words == ("one", "in", "the", "top", "row")
    assert [(span.start, span.end, span.name) for span in found.spans] == [
        (0, 1, "type"),
        (1, 5, "y-dimension"),
    ]


BAD_XML = {
    "<TRIAL": "not XML",
    '<!DOCTYPE t [<!ENTITY a "b">]><TRIAL/>': "declares the entity",
    "<SCENE/>": "a TRIAL is expected",
    '<TRIAL CARDINALITY="2" ID="s1t1"/>': "only trials with one target",
    '<TRIAL ID="t1"/>': "not of the form s81t25",
    '<TRIAL ID="s1t1"/>': "has no DOMAIN",
    '<TRIAL ID="s1t1"><DOMAIN/></TRIAL>': "there are 0 targets",
    '<TRIAL ID="s1t1"><DOMAIN><ENTITY><ATTRIBUTE NAME="a"/></ENTITY></DOMAIN></TRIAL>': "needs a NAME and a VALUE",
}


@pytest.mark.parametrize("content", BAD_XML)
def test_bad_xml_gets_a_message(content: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(content)
    with pytest.raises(FormatError, match=r"bad\.xml:\d+: .*" + BAD_XML[content]):
        read_tuna(path)


BAD_SCENES = {
    "": "this is no scene",
    "[]": "not a table with a target",
    "{}": "has no target",
    '{"target": {}}': "target has no attributes",
    '{"target": {"a": 1}, "distractors": 3}': "distractors is not a list",
    '{"target": {"a": 1}, "distractors": [3]}': "a distractor is not a table",
    '{"target": {"a": null}}': "a of target is neither text",
    '{"target": {"a": 1.5}}': "a of target is neither text",
    '{"target": {"a\\n": 1}}': "control character",
    '{"target": {"a": 1}, "targets": 3}': "unknown entry 'targets'",
    '{"target": {"a": 1}, "speaker": ["x"]}': "speaker is a list",
    json.dumps({"target": {f"a{i}": 1 for i in range(13)}}): "13 attributes, and 12 are the most",
    json.dumps({"target": {"a": 1}, "distractors": [{}] * 1001}): "1,001 distractors",
    "[" * 100_000: "this is no scene",
}


@pytest.mark.parametrize("content", BAD_SCENES)
def test_a_bad_scene_gets_a_message(content: str, tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_text(content)
    with pytest.raises(FormatError, match="scene.json: .*" + BAD_SCENES[content]):
        read_scene(path)


def test_bad_lists_and_folders_get_a_message(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("../../etc/passwd")
    with pytest.raises(InputError, match="not of the form domain/id"):
        TunaCorpus.read(corpus, tmp_path / "list.txt")
    with pytest.raises(InputError, match="there are no trials"):
        TunaCorpus.read(tmp_path)
    with pytest.raises(InputError, match="no folder of trials"):
        TunaCorpus.read(tmp_path / "nowhere")
    (tmp_path / "t.jsonl").write_text(
        '{"speaker": "a", "target": {"a": 1}, "distractors": [], "attributes": ["b"]}\n'
    )
    with pytest.raises(FormatError, match=r"t\.jsonl:1: .*no attribute 'b'"):
        TunaCorpus.read(tmp_path)


def test_bad_options_and_models_get_a_message(corpus: Path, model: Path, tmp_path: Path) -> None:
    result = run("refer", "train", corpus, "-o", tmp_path / "m", "--set", "oder=corpus")
    assert "Did you mean 'order'?" in str(result.exception)
    result = run("refer", "train", corpus, "-o", model)
    assert "there is a model already" in str(result.exception)
    with pytest.raises(InputError, match="this is a 'pipeline', not a 'refer'"):
        Referrer.load(packaged()["en"])
    damaged = tmp_path / "damaged"
    Referrer.load(model).save(damaged)
    (damaged / "manifest.json").write_text((damaged / "manifest.json").read_text().replace("Ada", "Eda", 1))
    with pytest.raises(InputError, match="checksum"):
        Referrer.load(damaged)
