"""Documents as Arrow columns: every word where it is in the text, every row in its place."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait.layers import Frames
from serving import toy_pipeline

pa = pytest.importorskip("pyarrow")
columns = pytest.importorskip("plait.integrations.columns")

TEXT = " Who did you\tsend  it to?\n\nThe dog\u00a0saw a cat 🐈. "


@cache
def english() -> plait.Pipeline:
    return plait.load("en")


@cache
def toy() -> plait.Pipeline:
    """It knows multiword tokens."""
    return toy_pipeline()


def rows(documents: list[plait.Document | None]) -> list[Any]:
    column = columns.sentences_column(documents)
    column.validate(full=True)
    assert column.type == columns.SENTENCES
    found: list[Any] = column.to_pylist()
    return found


def agree(text: str, document: plait.Document, sentences: list[dict[str, Any]]) -> None:
    """What the column says is what the document says."""
    assert len(sentences) == len(document)
    end = 0
    for sentence, row in zip(document, sentences, strict=True):
        assert row["text"] == sentence.text
        assert [word["id"] for word in row["words"]] == list(range(1, len(sentence) + 1))
        for name, values in (
            ("form", sentence.forms),
            ("lemma", sentence.lemmas),
            ("upos", sentence.upos),
            ("xpos", sentence.xpos),
            ("feats", sentence.feats),
            ("deprel", sentence.deprels),
        ):
            assert [word[name] or "_" for word in row["words"]] == values
        assert [word["head"] for word in row["words"]] == sentence.heads
        assert [(word["start"], word["end"]) for word in row["words"]] == list(sentence.offsets)
        for token in sentence.tokens:
            first, last = (
                (token.first, token.last) if isinstance(token, plait.MultiwordToken) else (token.id, token.id)
            )
            start, stop = row["words"][first - 1]["start"], row["words"][last - 1]["end"]
            assert text[start:stop] == token.form
            assert end <= start < stop
            end = stop
        assert row["start"] == row["words"][0]["start"]
        assert row["end"] == row["words"][-1]["end"]
        layer = sentence.find(Frames)
        assert row["frames"] == [
            {
                "predicate": frame.predicate,
                "sense": frame.sense,
                "arguments": [{"word": each.word, "role": each.role} for each in frame.arguments],
            }
            for frame in layer or ()
        ]


def test_words_frames_and_places() -> None:
    document = english()(TEXT)
    (row,) = rows([document])
    agree(TEXT, document, row)
    assert row[0]["frames"][-1]["sense"] == "send.01"


def test_none_is_null_and_a_text_without_words_is_empty() -> None:
    nlp = english()
    texts = [None, "", " \n", "Hello.", None]
    found = rows([None if text is None else nlp(text) for text in texts])
    assert found[:3] == [None, [], []]
    assert found[3][0]["words"][0]["form"] == "Hello"
    assert found[4] is None
    assert rows([]) == []


def test_what_a_treebank_leaves_open_is_null() -> None:
    sentence = plait.Sentence(forms=["_", "b"], heads=[None, 0], upos=["X", "_"])
    ((row,),) = rows([plait.Document([sentence], "_ b")])
    assert [(word["form"], word["upos"], word["head"], word["lemma"]) for word in row["words"]] == [
        ("_", "X", None, None),
        ("b", None, 0, None),
    ]


@given(st.lists(st.text(max_size=60) | st.sampled_from(["don't", "The dog doesn't", TEXT]), max_size=4))
@settings(max_examples=150)
def test_places_are_those_of_the_text(texts: list[str]) -> None:
    documents = list(toy().pipe(texts))
    for text, document, row in zip(texts, documents, rows([*documents]), strict=True):
        agree(text, document, row)


@pytest.mark.parametrize("most", [1, 40, 10**6])
def test_a_batch_comes_back_in_pieces_with_all_its_rows(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(columns, "_CHARACTERS", most)
    texts = ["The dog saw a cat.", None, "", "A bird heard the fish. The dog saw it.", "The cat."] * 3
    batch = pa.RecordBatch.from_pydict({"id": range(15), "text": texts, "more": [[1.5], None, []] * 5})
    pieces = list(columns.annotated(toy(), batch, "text", "trees"))
    table = pa.Table.from_batches(pieces)
    assert table.column_names == ["id", "text", "more", "trees"]
    assert table.drop(["trees"]).equals(pa.Table.from_batches([batch]))
    for text, trees in zip(texts, table["trees"].to_pylist(), strict=True):
        if text is None:
            assert trees is None
        else:
            agree(text, toy()(text), trees)
    assert (len(pieces) == 1) == (most == 10**6)


def test_a_batch_without_rows() -> None:
    batch = pa.RecordBatch.from_pydict({"text": pa.array([], pa.string())})
    (piece,) = columns.annotated(toy(), batch, "text")
    assert (piece.num_rows, piece.schema.names) == (0, ["text", "sentences"])
