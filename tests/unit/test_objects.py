"""Words, spans and documents as users hold them; parameters, scores, streams and the logger."""

from __future__ import annotations

import io
import logging
import pickle
import subprocess
import sys
import tempfile
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import plait
from plait import (
    Document,
    FormatError,
    InputError,
    MultiwordToken,
    Pipeline,
    Sentence,
    Span,
    Tagger,
    Treebank,
)
from plait.layers import Frames
from serving import toy_pipeline
from toy import toy


@pytest.fixture
def sea() -> Sentence:
    return Sentence(
        forms=["Vem", "de", "o", "mar", "."],
        upos=["VERB", "ADP", "DET", "NOUN", "PUNCT"],
        heads=[0, 4, 4, 1, 1],
        deprels=["root", "case", "det", "obl", "punct"],
        misc=["_", "_", "_", "SpaceAfter=No", "_"],
        comments=["# sent_id = pt-1"],
        multiword_tokens=[MultiwordToken(2, 3, "do")],
    )


@pytest.fixture(scope="module")
def english() -> Pipeline:
    return plait.load("en")


# Words and spans.


def test_words_by_number_and_by_index(sea: Sentence) -> None:
    assert (sea[1].form, sea.words[0].form) == ("Vem", "Vem")
    assert (sea[1].id, sea[1].index) == (1, 0)
    assert sea.words[-1] == sea[5]
    assert sea[4] in sea.words
    assert sea.copy()[4] not in sea.words
    with pytest.raises(TypeError, match=r"slices count from 0: sentence.words\[0:3\]"):
        sea[0:3]  # type: ignore[index]
    with pytest.raises(IndexError, match="no word 0"):
        sea[0]
    with pytest.raises(TypeError, match="integer"):
        sea["mar"]  # type: ignore[index]
    assert repr(sea[True]) == repr(sea[1])
    with pytest.raises(IndexError, match="no word with index 5: there are 5, from 0 on"):
        sea.words[5]
    with pytest.raises(ValueError, match="a run of neighbours"):
        sea.words[::2]


def test_spans(sea: Sentence) -> None:
    span = sea.words[1:4]
    assert isinstance(span, Span)
    assert span == sea.span(2, 4)
    assert ([word.id for word in span], len(span), span[0].id, span[-1].id) == ([2, 3, 4], 3, 2, 4)
    assert (span.text, span.start, span.end, str(span)) == ("do mar", 4, 10, "do mar")
    assert span.root == sea[4]
    assert repr(span) == "<Span of words 2 to 4: 'de o mar'>"
    assert sea.words[3:].text == "mar."
    empty = sea.words[5:]
    assert (len(empty), empty.text, empty.root, empty.start, empty.end) == (0, "", None, 11, 11)
    assert sea.words[1:1].start == sea[2].start
    with pytest.raises(IndexError, match="no words 0 to 2"):
        sea.span(0, 2)


def test_the_way_through_the_tree(sea: Sentence) -> None:
    assert sea.root == sea[1]
    assert sea.root.is_root
    assert sea[4].head_word == sea[1]
    assert sea[1].head_word is None
    assert sea[4].children == [sea[2], sea[3]]
    assert sea[4].subtree == [sea[2], sea[3], sea[4]]
    assert sea[2].ancestors == [sea[4], sea[1]]
    assert Sentence(forms=["a"]).root is None
    assert Sentence(forms=["a"])[1].head_word is None


def test_places_of_words(sea: Sentence) -> None:
    """Words of a contracted token stand where it does."""
    assert sea.offsets == ((0, 3), (4, 6), (4, 6), (7, 10), (10, 11))
    assert sea[2].token is sea.multiword_tokens[0]
    assert sea[4].token is None
    sea.comments.append("# text = Vem   do mar.")
    assert sea.offsets[-1] == (12, 13), "a change is seen"
    sea[4].form = "lago"
    with pytest.raises(
        InputError, match=r"The word 'lago' does not stand in the text, which goes on with 'mar\.'"
    ):
        sea.offsets  # noqa: B018


def test_a_form_with_other_white_space_than_the_text() -> None:
    sentence = Sentence(forms=["10 000", "km"], comments=["# text = 10\u00a0000  km"])
    assert sentence.offsets == ((0, 6), (8, 10))
    sentence.comments = ["# text = 10 \t 000 km"]
    assert sentence.offsets == ((0, 8), (9, 11))


def test_sentences_and_words_show_themselves(sea: Sentence) -> None:
    assert str(sea) == sea.text == "Vem do mar."
    assert repr(sea) == "<Sentence pt-1: 'Vem do mar.', 5 words>"
    assert str(sea[4]) == "mar"
    assert repr(sea.words[:2]) == "<Span of words 1 to 2: 'Vem de'>"
    assert "\x1b" not in repr(Sentence(forms=["\x1b[31m"]))


# Documents.


def test_a_document_has_words_and_places(english: Pipeline) -> None:
    text = "Don't  worry.\r\n\r\nIt works 👍🏽!"
    doc = english(text)
    assert str(doc) == doc.text == text
    assert [word.form for word in doc.words] == ["Do", "n't", "worry", ".", "It", "works", "👍🏽", "!"]
    assert all(text[word.start : word.end] == word.form for word in doc.words)
    assert text[doc[0].start : doc[0].end] == "Don't  worry."
    assert doc[0].text == "Don't worry.", "one line, as in a file"
    assert doc[1].words[2:3].text == "👍🏽"
    parsed = english.parse(doc)
    assert [word.start for word in parsed.words] == [word.start for word in doc.words]


def test_places_in_a_long_text(english: Pipeline) -> None:
    """It is tokenized piece by piece."""
    text = "It works, and it doesn't  stop.\n\n" * 2000
    tokenizing = Pipeline({"tokenizer": english["tokenizer"]})
    doc = tokenizing(text)
    assert len(doc) == 2000
    assert all(text[word.start : word.end] == word.form for word in doc.words)
    assert [sentence.start for sentence in doc] == list(range(0, len(text), len(text) // 2000))


def test_a_document_of_sentences(sea: Sentence) -> None:
    other = sea.copy()
    doc = Document([sea, other])
    assert doc.text == "Vem do mar. Vem do mar."
    assert [word.start for word in other][:2] == [12, 16]
    assert doc[0] is sea, "a sentence that belongs to no text becomes one of this text"
    second = Document([sea], "Vem\tdo mar.")
    assert second[0] is not sea
    assert second[0][2].start == 4
    assert sea.document is doc
    with pytest.raises(InputError, match=r"The word 'Vem' does not stand in the text, which goes on with ''"):
        Document([sea, sea], "Vem do mar.")
    assert (Document().text, Document(text=" ").words) == ("", [])


def test_documents_survive_pickles_and_copies(english: Pipeline) -> None:
    doc = english("One text. Another one.")
    for twin in (pickle.loads(pickle.dumps(doc)), deepcopy(doc)):
        assert twin.sentences == doc.sentences
        assert [word.start for word in twin.words] == [word.start for word in doc.words]


def test_a_document_as_a_dictionary(english: Pipeline) -> None:
    doc = english("Who did you send the letter to?")
    doc.labels["genre"] = "question"
    stored = doc.to_dict()
    assert list(stored) == ["text", "labels", "sentences"]
    word = stored["sentences"][0]["words"][0]
    assert (word["form"], word["start"], word["end"], word["head"]) == ("Who", 0, 3, 4)
    again = Document.from_dict(stored)
    assert (again.sentences, again.labels) == (doc.sentences, doc.labels)
    assert again[0].find(Frames) == doc[0].find(Frames)
    stored["sentences"][0]["words"][0]["form"] = "Whom"
    assert doc[0].forms[0] == "Who"


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ({}, 'an object with a list "sentences"'),
        ([], 'an object with a list "sentences"'),
        ({"sentences": [], "more": 1}, "unknown key 'more'"),
        ({"sentences": []}, 'an object with a "text"'),
        ({"sentences": [{}], "text": ""}, 'a list "words" that is not empty'),
        ({"sentences": [3], "text": ""}, 'a list "words" that is not empty'),
        ({"sentences": [{"words": [3]}], "text": ""}, "word 1 must be an object"),
        ({"sentences": [{"words": [{"id": 1, "form": "a", "head": 2}]}], "text": "a"}, "from 0 to 1"),
        ({"sentences": [{"words": [{"id": 1, "form": "a"}]}], "text": "b"}, "'a' does not stand in the text"),
        ({"sentences": [], "text": "", "labels": {"a": 1}}, "texts by name"),
    ],
)
def test_a_dictionary_that_is_no_document(stored: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Document.from_dict(stored)


def test_texts_that_are_no_json_or_conllu(sea: Sentence) -> None:
    for text in ("", "[]", "{", "3"):
        with pytest.raises(FormatError):
            Document.from_json(text)
    with pytest.raises(FormatError, match="<text>:1: "):
        Treebank.from_conllu("a b c")
    with pytest.raises(InputError, match="One sentence is needed, and these are 2"):
        Sentence.from_conllu(Treebank([sea, sea]).to_conllu())
    with pytest.raises(InputError, match="A text is needed, and this is a int"):
        Treebank.from_conllu(3)  # type: ignore[arg-type]


def test_a_text_that_is_not_that_of_the_words_has_no_places(sea: Sentence) -> None:
    sea.comments.append("# text = something else")
    assert "start" not in sea.to_dict()["words"][0]


# Pipelines and components.


def test_texts_with_what_belongs_to_them(english: Pipeline) -> None:
    taken: list[int] = []

    def texts() -> Any:
        for number in range(6):
            taken.append(number)
            yield f"Text {number}.", {"number": number}

    found = english.pipe(texts(), as_tuples=True, batch_size=2)
    doc, context = next(found)
    assert (doc.text, context, taken) == ("Text 0.", {"number": 0}, [0, 1])
    assert [context["number"] for _, context in found] == [1, 2, 3, 4, 5]
    with pytest.raises(InputError, match=r"pairs \(text, context\) are needed"):
        list(english.pipe(["One text."], as_tuples=True))  # type: ignore[list-item]
    with pytest.raises(InputError, match="batch_size is 0"):
        english.pipe(["One text."], batch_size=0)


def test_parameters_as_scikit_learn_has_them() -> None:
    clone = pytest.importorskip("sklearn.base").clone
    tagger = Tagger(epochs=3)
    assert tagger.get_params()["epochs"] == 3
    assert tagger.set_params(epochs=4) is tagger
    assert clone(tagger).get_params() == tagger.get_params()
    with pytest.raises(InputError, match="Did you mean 'epochs'"):
        tagger.set_params(epoch=1)
    nlp = Pipeline({"tagger": tagger})
    assert nlp.get_params()["tagger__epochs"] == 4
    assert nlp.get_params(deep=False) == {"tagger": tagger}
    nlp.set_params(tagger__epochs=5)
    assert tagger.options.epochs == 5
    with pytest.raises(InputError, match="No parameter 'parser__beam'"):
        nlp.set_params(parser__beam=1)


def test_parameters_of_members() -> None:
    parser = plait.Vote.from_plan(plait.Recipe.preset("accurate").plan("parser"))
    found = parser.get_params()
    assert found["graph"] is parser.members["graph"]
    assert found["greedy__beam"] == 1
    parser.set_params(graph__epochs=2)
    assert parser.members["graph"].options.epochs == 2


def test_scores_as_scikit_learn_has_them() -> None:
    gold = toy(20)
    nlp = toy_pipeline()
    assert nlp.score(gold) == plait.evaluate(gold, nlp.parse(gold)).las
    tagger = nlp.giving("tags")
    assert tagger is not None
    assert tagger.score(gold) == plait.evaluate(gold, tagger.apply(gold)).upos
    with pytest.raises(InputError, match="There is no score"):
        nlp["tokenizer"].score(gold)


def test_scikit_learn_can_cross_validate() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    tagger = Tagger(epochs=1)
    scores = selection.cross_val_score(tagger, list(toy(30)), cv=2)
    assert len(scores) == 2
    assert all(50 < score <= 100 for score in scores)


def test_reprs(english: Pipeline) -> None:
    assert repr(english).startswith("<Pipeline en: tokenizer (tokenizer), neural (neural)")
    assert repr(Tagger()) == "<Tagger: not trained>"
    one = Sentence(forms=["Hm"])
    assert repr(one) == "<Sentence: 'Hm', 1 word>"
    assert repr(Document([one], "Hm")) == "<Document: 1 sentence, 1 word>"
    assert repr(Treebank([one, one])) == "<Treebank without a file: 2 sentences, 2 words>"
    assert "learned from" in repr(english["tokenizer"])


def test_the_version_is_that_of_the_package() -> None:
    assert plait.__version__ == version("plait")
    assert "__version__" in dir(plait)


# Files and streams.


def test_paths_are_evaluated(tmp_path: Path) -> None:
    gold = toy(5)
    plait.write(gold, tmp_path / "gold.conllu")
    assert plait.evaluate(tmp_path / "gold.conllu", str(tmp_path / "gold.conllu")).las == 100
    assert plait.evaluate(gold, tmp_path / "gold.conllu").las == 100
    with pytest.raises(InputError, match="there is no such file"):
        plait.evaluate("nowhere.conllu", gold)


def test_sentences_are_written_to_what_is_open(sea: Sentence, capsys: pytest.CaptureFixture[str]) -> None:
    plait.write([sea], sys.stdout)
    assert capsys.readouterr().out == sea.to_conllu()
    for stream in (io.StringIO(), io.BytesIO()):
        plait.write([sea], stream, format="text")
        assert stream.getvalue() in ("Vem do mar.\n", b"Vem do mar.\n")
        assert not stream.closed
    with tempfile.NamedTemporaryFile("w+", suffix=".jsonl", encoding="utf-8") as file:
        plait.write([sea], file)
        file.seek(0)
        assert file.read().startswith('{"comments"')
    with pytest.raises(InputError, match="A path or an open file is needed, and this is a int"):
        plait.write([sea], 3)  # type: ignore[arg-type]
    closed = io.StringIO()
    closed.close()
    with pytest.raises(plait.OutputError, match="cannot be written"):
        plait.write([sea], closed)


# The logger.


def test_half_a_character_is_told_and_not_written(tmp_path: Path) -> None:
    sentences = [Sentence(forms=["whole"]), Sentence(forms=["half\ud800"])]
    with pytest.raises(plait.InputError, match=r"lone surrogate.*half\\ud800"):
        plait.write(sentences, tmp_path / "out.conllu")
    assert plait.read(tmp_path / "out.conllu")[0].forms == ["whole"]


def test_the_logger_tells_what_happens(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "plait"):
        plait.load("en-fast")
        Tagger(epochs=1).fit(toy(10))
    told = [record.getMessage() for record in caplog.records]
    assert told[0].startswith("loaded en-fast: tokenizer, ")
    assert told[1] == "a tagger component learns from 10 sentences"
    assert told[2].startswith("epoch 1, ")


def test_the_logger_is_silent_by_default() -> None:
    code = "import plait; plait.load('en-fast'); plait.log.logger.warning('heard by nobody')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
