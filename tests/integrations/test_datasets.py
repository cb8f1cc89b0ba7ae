"""Plait over datasets of Hugging Face."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plait
from plait import InputError
from plait.catalogue import locate

datasets = pytest.importorskip("datasets")
from plait.integrations.datasets import Annotator, annotate  # noqa: E402

TEXTS = ["", None, "One text.", "It works well.  Really!"] * 3


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    datasets.disable_progress_bars()
    yield datasets.Dataset.from_dict({"text": TEXTS, "number": list(range(len(TEXTS)))})
    datasets.enable_progress_bars()


def test_texts_get_sentences(dataset: Any) -> None:
    found = annotate(dataset, model="en", batch_size=2)
    assert found.column_names == ["text", "number", "sentences"]
    row = found[3]
    document = plait.load("en")(TEXTS[3] or "")
    words = [word for sentence in row["sentences"] for word in sentence["words"]]
    for name in ("id", "form", "head", "deprel", "upos", "start", "end"):
        assert [word[name] for word in words] == [getattr(word, name) for word in document.words]
    assert [sentence["text"] for sentence in row["sentences"]] == [each.text for each in document]
    assert all(row["text"][word["start"] : word["end"]] == word["form"] for word in words)
    first = row["sentences"][0]
    assert (first["start"], first["end"]) == (0, 14)
    assert first["frames"][0]["arguments"][0] == {"word": 1, "role": "A1"}
    assert (found[0]["sentences"], found[1]["sentences"]) == ([], None)


def test_it_is_a_function_for_map(dataset: Any) -> None:
    found = dataset.select([2, 3]).map(
        Annotator("en-fast", into="trees"), batched=True, remove_columns=["number"]
    )
    assert found.column_names == ["text", "trees"]
    assert found[0]["trees"][0]["frames"] == []


# Python 3.12 warns of every fork of a process with threads.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_processes_give_the_same(dataset: Any) -> None:
    one = annotate(dataset, model="en-fast", batch_size=2)
    two = annotate(dataset, model="en-fast", batch_size=2, num_proc=2)
    assert one.to_list() == two.to_list()
    assert one.features == two.features


def test_what_is_streamed(dataset: Any) -> None:
    found = annotate(dataset.to_iterable_dataset(), model="en-fast", remove_columns="number")
    assert [row["sentences"] and len(row["sentences"]) for row in found][:4] == [[], None, 1, 2]


def test_the_cache_knows_it_again() -> None:
    from datasets.fingerprint import Hasher

    assert Hasher.hash(Annotator("en-fast")) == Hasher.hash(pickle.loads(pickle.dumps(Annotator("en-fast"))))
    assert Hasher.hash(Annotator("en-fast")) != Hasher.hash(Annotator("en"))
    assert len(pickle.dumps(Annotator("en-fast"))) < 1000


def test_the_cache_knows_another_model_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datasets.fingerprint import Hasher

    monkeypatch.setenv("PLAIT_MODELS", str(tmp_path))
    marks = set()
    for name in ("en", "en-fast"):
        plait.load(locate(name)).save(tmp_path / "mine.plait", force=True)
        marks.add(Hasher.hash(Annotator("mine")))
    assert len(marks) == 2


def test_what_cannot_be_annotated() -> None:
    with pytest.raises(InputError, match="There is no column 'sentence', only text, number"):
        Annotator("en-fast", "sentence")({"text": [], "number": []})
    with pytest.raises(InputError, match="batched=True"):
        Annotator("en-fast")({"text": "One text."})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="there is no such model"):
        Annotator("nowhere")
