"""Derivations as the player is told of them, and as Jupyter shows them."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from plait import Sentence, derive
from plait.drawing.player import player_page, track_of_derivation, track_of_trace
from plait.transitions import Derivation
from toy import quick_parser, toy

EVIL = "</script><script>alert(1)</script>"
CROSSING = [2, 3, 0, 3, 2]


def test_a_derivation_is_a_sequence_with_an_end() -> None:
    derivation = derive(CROSSING, oracle="lazy")
    assert isinstance(derivation, Derivation)
    assert len(derivation) == len(list(derivation))
    assert derivation[0].transition == derivation[:1][0].transition
    assert derivation.end.terminal
    assert derivation.end.heads[1:] == CROSSING
    assert repr(derivation).startswith("<Derivation swap lazy: SS")


@pytest.mark.parametrize(
    ("system", "tree"), [("swap", CROSSING), ("standard", [2, 0, 2]), ("eager", [2, 0, 2])]
)
def test_a_track_tells_every_state_and_arc(system: str, tree: list[int]) -> None:
    derivation = derive(tree, system=system)
    track = track_of_derivation(derivation)
    assert len(track["states"]) == len(track["steps"]) + 1 == len(derivation) + 1
    arcs = {dependent: head for step in track["steps"] if step["arc"] for head, dependent in [step["arc"]]}
    assert [arcs[word] for word in range(1, len(tree) + 1)] == tree
    assert track["forms"] == [str(word) for word in range(1, len(tree) + 1)]
    assert track["svg"].count('class="word"') == len(tree)
    json.dumps(track, allow_nan=False)


def test_a_trace_tells_scores_and_the_beam() -> None:
    parser = quick_parser(epochs=1).fit(toy(12))
    track = track_of_trace(parser.trace(toy(1, seed=9)[0], beam=3))
    assert all(step["name"] in {each["name"] for each in step["alternatives"]} for step in track["steps"])
    assert len(track["path"]) == len(track["beam"])
    assert {len(each) for group in track["beam"] for each in group} == {4}
    json.dumps(track, allow_nan=False)


def test_jupyter_gets_a_player_that_needs_nothing_else() -> None:
    sentence = Sentence(forms=[EVIL, "b"], heads=[2, 0], deprels=[EVIL, "root"], upos=[EVIL, "X"])
    html = derive(sentence)._repr_html_()
    assert html.count("<") == 2  # the frame and its end: all of its content is escaped
    page = unescape(html)
    assert page.count("<script") == page.count("</script>") == 1
    assert set(re.findall(r"https?://[\w./-]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "new Player(" in player_page([track_of_derivation(derive(sentence))])


def test_a_sentence_without_words_plays_too() -> None:
    track = track_of_derivation(derive([]))
    assert track["steps"] == []
    assert "new Player(" in player_page([track])
