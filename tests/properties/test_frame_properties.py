"""Frames of any sentence go through files and come back; what cannot be is refused with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plait
from plait import Sentence
from plait.drawing.frames import segments
from plait.errors import FormatError
from plait.formats import FORMATS
from plait.formats.blocks import Block
from plait.layers import Argument, Frame, Frames

_text = st.text("Aab0.-|%,=:MR", min_size=1, max_size=6).filter(lambda text: text != "_")


@st.composite
def framed_sentences(draw: st.DrawFn) -> Sentence:
    size = draw(st.integers(1, 7))
    heads: list[int | None] = [0, *(draw(st.integers(1, word - 1)) for word in range(2, size + 1))]
    sentence = Sentence(forms=["w"] * size, heads=heads, deprels=["x"] * size)
    words = st.integers(1, size)
    frames = []
    for predicate in sorted(draw(st.sets(words, min_size=1))):
        numbers = sorted(draw(st.sets(words)))
        frames.append(Frame(predicate, draw(_text), tuple(Argument(n, draw(_text)) for n in numbers)))
    sentence.put(Frames(tuple(frames)))
    return sentence


@given(framed_sentences(), st.sampled_from(["conll09", "conllu", "jsonl"]))
def test_frames_come_back(sentence: Sentence, format: str) -> None:
    written = FORMATS[format].render(sentence)
    again = FORMATS[format].parse(Block(written.rstrip("\n"), 1))
    assert again is not None
    assert again.find(Frames) == sentence.find(Frames)
    assert FORMATS[format].render(again).rstrip("\n") == written.rstrip("\n")


@given(framed_sentences())
def test_segments_are_the_sentence(sentence: Sentence) -> None:
    for frame in sentence.frames:
        found = segments(frame)
        assert [word for each in found for word in range(each.first, each.last + 1)] == list(
            range(1, len(sentence) + 1)
        )
        assert sum(each.role == "V" for each in found) >= 1
        for argument in frame.arguments:
            assert frame.predicate.id not in argument.span
            assert [w for first, last in argument.segments for w in range(first, last + 1)] == list(
                argument.span
            )


ROW = "{}\ta\ta\ta\tN\tN\t_\t_\t{}\t{}\tx\tx\t{}\t{}"


@pytest.mark.parametrize(
    ("cells", "line", "message"),
    [
        (["Y\ta.01", "_\t_"], 1, "the sentence has 1 predicate but 0 argument columns"),
        (["Y\ta.01\t_\t_", "_\t_\tA0\t_"], 1, "the sentence has 1 predicate but 2 argument columns"),
        (["Y\ta.01\t_", "Y\ta.01\tA0"], 2, "the sentence has 2 predicates but 1 argument column"),
        (["_\t_\tA0", "_\t_\tA0"], 1, "the sentence has 0 predicates but 1 argument column"),
    ],
)
def test_columns_that_do_not_fit(cells: list[str], line: int, message: str, tmp_path: Path) -> None:
    rows = [
        ROW.format(number, number - 1, number - 1, *cell.split("\t", 1))
        for number, cell in enumerate(cells, 1)
    ]
    path = tmp_path / "a.conll09"
    path.write_text("\n".join(rows) + "\n\n")
    with pytest.raises(FormatError, match=rf"a\.conll09:{line}: {message}"):
        plait.read(path)


def test_predicates_that_are_only_marked(tmp_path: Path) -> None:
    path = tmp_path / "a.conll09"
    text = ROW.format(1, 0, 0, "Y", "_") + "\n\n"
    path.write_text(text)
    (sentence,) = plait.read(path)
    assert [(frame.predicate.id, frame.sense) for frame in sentence.frames] == [(1, "_")]
    assert FORMATS["conll09"].render(sentence) == text


@pytest.mark.parametrize(
    "frames",
    [
        [{"predicate": 2, "sense": "a.01", "arguments": []}],
        [{"predicate": 1, "sense": "a.01", "arguments": [[7, "A0"]]}],
        [{"predicate": 1, "sense": "a.01", "arguments": [[1, "A0"], [1, "A1"]]}],
        [{"predicate": 1, "sense": "a\t1", "arguments": []}],
        [{"predicate": 1, "sense": "a.01"}],
        [7],
    ],
)
def test_frames_that_cannot_be_are_refused(frames: object, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"words": [{"id": 1, "form": "a"}], "frames": frames}) + "\n")
    with pytest.raises(FormatError, match=r'a\.jsonl:1: "frames" is not such a layer'):
        plait.read(path)
