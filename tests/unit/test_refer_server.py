"""The playground of referring at the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from plait.generation.refer import made
from serving import serving, toy_pipeline


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("starlette")
    with serving({"toy": toy_pipeline()}) as url:
        yield url


def ask(address: str, path: str, **asked: Any) -> dict[str, Any]:
    request = Request(f"{address}{path}", json.dumps(asked).encode(), {"content-type": "application/json"})
    with urlopen(request) as answer:
        found = json.load(answer)
    assert isinstance(found, dict)
    return found


def test_a_scene_and_what_its_target_is_called(address: str) -> None:
    found = ask(address, "/api/scene", seed=7)
    assert found == ask(address, "/api/scene", seed=7) != ask(address, "/api/scene", seed=8)
    assert found["speakers"] == sorted(made.PEOPLE)
    assert len(found["things"]) == 7
    assert found["scene"]["target"] in found["things"]
    said = ask(address, "/api/refer", scene=json.dumps(found["scene"]), speaker="Ben")
    assert said["speaker"] == "Ben"
    assert said["unique"] is True
    assert said["phrase"].startswith(f"the {found['scene']['target']['type']} at the ")
    assert said["attributes"].keys() >= {"type", "x-dimension", "y-dimension"}
    central = made.referrer().selector.central_speaker(made.DOMAIN)
    assert ask(address, "/api/refer", scene=json.dumps(found["scene"]))["speaker"] == central


BAD = {
    "[[": "The scene is no JSON",
    "{}": "The scene has no target.",
    '{"target": {"a": []}}': "A of target is neither text, nor a whole number",
    json.dumps({"target": {"a": 1}, "distractors": [{}] * 63}): "62 distractors here, not 63",
    json.dumps({"target": {str(number): 1 for number in range(13)}}): "13 attributes, and 12 are the most",
}


@pytest.mark.parametrize("scene", BAD)
def test_bad_scenes_get_a_message(address: str, scene: str) -> None:
    with pytest.raises(HTTPError) as error:
        ask(address, "/api/refer", scene=scene)
    assert error.value.code == 400
    assert BAD[scene] in json.load(error.value)["error"]


def test_unknown_speakers_get_a_message(address: str) -> None:
    with pytest.raises(HTTPError) as error:
        ask(address, "/api/refer", scene='{"target": {"type": "star"}}', speaker="Zoe")
    assert "No speaker 'Zoe'. Available: Ada, Ben" in json.load(error.value)["error"]
