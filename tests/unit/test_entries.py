"""One sentence or a text where several are needed: said at once, in every entry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plait
from components.quick import make
from plait import InputError
from plait.learning.component import Component
from plait.learning.request import Request
from serving import toy_pipeline
from toy import written

SENTENCES = written(3)
ONE: Any = SENTENCES[0]


def part(name: str) -> Component[Any]:
    return toy_pipeline()[name]


ENTRIES: dict[str, Callable[[Any], Any]] = {
    "Pipeline.parse": lambda given: toy_pipeline().parse(given),
    "Pipeline.annotate": lambda given: list(toy_pipeline().annotate(given, Request(keep_tags=True))),
    "Pipeline.annotate, one layer": lambda given: list(toy_pipeline().annotate(given, layers=("tags",))),
    "TransitionParser.apply": lambda given: part("parser").apply(given),
    "TransitionParser.apply, several trees": lambda given: part("parser").apply(given, nbest=2),
    "TransitionParser.annotate": lambda given: list(part("parser").annotate(given, Request(keep_heads=True))),
    "TransitionParser.fit": lambda given: plait.TransitionParser(epochs=1).fit(given),
    "Tagger.apply": lambda given: part("tagger").apply(given),
    "Tagger.annotate": lambda given: list(part("tagger").annotate(given)),
    "Tagger.fit": lambda given: plait.Tagger(epochs=1).fit(given),
    "Lemmatizer.annotate": lambda given: list(part("lemmatizer").annotate(given)),
    "Lemmatizer.fit": lambda given: plait.Lemmatizer(epochs=1).fit(given),
    "GraphParser.fit": lambda given: plait.GraphParser(epochs=1).fit(SENTENCES, dev=given),
    "Tokenizer.fit": lambda given: plait.Tokenizer(epochs=1).fit(given),
    "Vote.fit": lambda given: make("vote").fit(given),
    "Stack.fit": lambda given: make("stack").fit(SENTENCES, dev=given),
    "train": lambda given: plait.train(SENTENCES, dev=given),
    "Treebank": lambda given: plait.Treebank(given),
    "evaluate": lambda given: plait.evaluate(SENTENCES, given),
    "compare": lambda given: plait.compare(SENTENCES, given, SENTENCES),
    "vote": lambda given: plait.vote([SENTENCES, given]),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_one_sentence_or_a_text_is_refused(entry: str) -> None:
    with pytest.raises(InputError, match=r"Several sentences are needed, and this is one: .* \[sentence\]"):
        ENTRIES[entry](ONE)
    takes_paths = entry in ("evaluate", "compare")
    told = "there is no such file" if takes_paths else r"this is a text: plait\.read\(path\)"
    for text in ("nowhere.conllu", Path("nowhere.conllu")):
        with pytest.raises(InputError, match=told):
            ENTRIES[entry](text)


@pytest.mark.parametrize("kind", ["graph", "vote", "stack"])
def test_the_other_parsers_too(kind: str) -> None:
    other = make(kind).fit(written(20))
    for entry in (other.apply, lambda given: list(other.annotate(given))):
        with pytest.raises(InputError, match="this is one"):
            entry(ONE)
    assert len(other.apply([ONE])) == 1


def test_what_is_no_sentence_is_named() -> None:
    with pytest.raises(InputError, match="A sentence is needed, and this is a str"):
        part("parser").apply(["The dog saw a cat."])  # type: ignore[list-item]


def test_nothing_is_overwritten_by_what_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "precious.conllu"
    path.write_text("precious")
    with pytest.raises(InputError, match="this is one"):
        plait.write(ONE, path)
    assert path.read_text() == "precious"


def test_one_text_is_called_for_and_several_are_piped() -> None:
    nlp = toy_pipeline()
    with pytest.raises(InputError, match=r"this is one: put it in a list, or call nlp\(text\)"):
        nlp.pipe("The dog saw a cat.")
    with pytest.raises(InputError, match="A text is needed, and this is a list"):
        nlp(["The dog saw a cat."])  # type: ignore[arg-type]
    assert [doc.text for doc in nlp.pipe(["The dog saw.", ""])] == ["The dog saw.", ""]
