"""The playground of referring: made scenes, and what the speakers of a made model call their things."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from random import Random

from plait.cancel import Cancel
from plait.checks import parse_json
from plait.errors import InputError
from plait.generation.refer import made
from plait.generation.refer.scene import Scene
from plait.server.questions import ReferQuestion, SceneQuestion

_MOST_THINGS = 62


def make_scene(asked: SceneQuestion, cancel: Cancel) -> Iterator[str]:  # noqa: ARG001
    scene = made.make_scene(Random(asked.seed)).to_json()
    things = [scene["target"], *scene["distractors"]]
    things.sort(
        key=lambda thing: (thing[made.Y], thing[made.X])
    )  # the target is not to be guessed from the order
    yield json.dumps({"scene": scene, "things": things, "speakers": made.referrer().speakers})


def refer(asked: ReferQuestion, cancel: Cancel) -> Iterator[str]:  # noqa: ARG001
    try:
        value = parse_json(asked.scene.encode())
    except ValueError as error:
        raise InputError(f"The scene is no JSON: {error}.") from None
    scene = Scene.from_json(value)
    if len(scene.distractors) > _MOST_THINGS:
        raise InputError(f"A scene may have {_MOST_THINGS} distractors here, not {len(scene.distractors):,}.")
    model = made.referrer()
    if asked.speaker and asked.speaker not in model.speakers:
        raise InputError(f"No speaker {asked.speaker[:80]!r}. Available: {', '.join(model.speakers)}.")
    yield json.dumps(asdict(model.refer(scene, asked.speaker or None)), ensure_ascii=False)
