"""Derivations for the player: what a browser needs to know of them, and a player that stands by itself.

The player (`web/`) is the same on the server's page and in Jupyter. It knows no transition system: it is
told every state, and shows the arcs of the finished tree one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from plait.drawing.page import style_sheet
from plait.drawing.tree import draw_tree
from plait.sentence import Sentence
from plait.transitions.derivation import Derivation, Step
from plait.transitions.kinds import Transition
from plait.transitions.state import State
from plait.transitions.trace import Hypothesis, Trace, TraceStep

WEB = Path(__file__).parent / "web"
_FRAME_HEIGHT = 520
_SCRIPTS = ("elements.js", "beam.js", "track.js", "player.js")  # each uses those before it

Track = dict[str, Any]


def track_of_derivation(derivation: Derivation) -> Track:
    """The derivation of an oracle."""
    end = derivation.end
    size = len(end.heads) - 1
    sentence = Sentence(
        forms=list(end.forms or map(str, range(1, size + 1))),
        upos=list(derivation.tags),
        heads=list(end.heads[1:]),
        deprels=[label or "_" for label in end.labels[1:]],
    )
    steps = [_step(step) | {"correct": [str(kind) for kind in step.correct]} for step in derivation]
    return _track(derivation.oracle, sentence, end, steps, [step.state for step in derivation])


def track_of_trace(trace: Trace) -> Track:
    """The derivation of a parser, with the scores of the alternatives and the rounds of the beam."""
    steps = [_step(step) | {"score": step.score, "alternatives": _alternatives(step)} for step in trace.steps]
    track = _track("parser", trace.tree(), trace.state, steps, [step.state for step in trace.steps])
    return track | {"beam": [list(map(_hypothesis, group)) for group in trace.beam], "path": trace.path}


def player_frame(tracks: Sequence[Track]) -> str:
    """A player in a frame of its own: whole, without anything from outside, for Jupyter."""
    page = escape(player_page(tracks), quote=True)
    return (
        f'<iframe title="Derivation player" srcdoc="{page}" width="100%" height="{_FRAME_HEIGHT}" '
        'style="border:0"></iframe>'
    )


def player_page(tracks: Sequence[Track]) -> str:
    """A page with nothing but a player."""
    # "<" could end the script or begin a comment in it.
    data = json.dumps(tracks, ensure_ascii=False).replace("<", "\\u003c")
    script = "".join(map(_without_imports, _SCRIPTS))
    style = (WEB / "player.css").read_text(encoding="utf-8") + style_sheet()
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Derivation</title>'
        f'<style>{style}</style></head><body class="alone"><div id="player"></div><script type="module">\n'
        f'{script}\nnew Player(document.getElementById("player"), {data});\n</script></body></html>'
    )


def _without_imports(name: str) -> str:
    """A module as a part of one script."""
    lines = (WEB / name).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("import "))


def _track(
    name: str, sentence: Sentence, end: State, steps: list[dict[str, Any]], states: Iterable[State]
) -> Track:
    return {
        "name": name,
        "system": end.system.name,
        "forms": sentence.forms,
        "states": [[state.stack, list(state.buffer)] for state in (*states, end)],
        "steps": steps,
        "svg": draw_tree(sentence, width=None),
    }


def _step(step: Step | TraceStep) -> dict[str, Any]:
    return _transition(step.transition) | {"arc": _arc(step.state, step.transition)}


def _transition(transition: Transition) -> dict[str, Any]:
    return {"name": str(transition), "kind": transition.kind.value, "label": transition.label}


def _arc(state: State, transition: Transition) -> list[int] | None:
    """Head and dependent of the arc that a transition would build."""
    dependent = state.dependent(transition.kind)
    if dependent is None:
        return None
    after = state.copy()
    after.apply(transition)
    return [after.heads[dependent] or 0, dependent]


def _alternatives(step: TraceStep) -> list[dict[str, Any]]:
    return [
        _transition(each.transition)
        | {"arc": _arc(step.state, each.transition), "score": round(each.score, 4)}
        for each in step.alternatives
    ]


def _hypothesis(hypothesis: Hypothesis) -> list[Any]:
    """Parent, letter, name and score; no letter where it waits at its end."""
    transition = hypothesis.transition
    letter, name = ("", "finished") if transition is None else (transition.kind.value, str(transition))
    return [hypothesis.parent, letter, name, round(hypothesis.score, 4)]
