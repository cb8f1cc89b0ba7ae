"""Plait in spaCy: with its tokens or ours, in batches and processes, saved and drawn."""

from __future__ import annotations

import pickle
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait import Document, FormatError, InputError, MultiwordToken, Pipeline, Sentence
from plait.layers import Frames
from strategies import trees

spacy = pytest.importorskip("spacy")
from plait.integrations.spacy import from_spacy, to_spacy  # noqa: E402

TEXT = "  Who did you send the letter to?\n\nDon't  worry: Mary, 30, can't see it.  \n"


@pytest.fixture(scope="module")
def ours() -> Pipeline:
    return plait.load("en")


@pytest.fixture(scope="module")
def nlp() -> Any:
    made = spacy.blank("en")
    made.add_pipe("plait", config={"model": "en"})
    return made


def rows(doc: Any) -> list[tuple[Any, ...]]:
    return [(t.text, t.tag_, t.pos_, t.lemma_, str(t.morph), t.head.i, t.dep_, t.is_sent_start) for t in doc]


def test_the_factory_is_found_by_entry_point() -> None:
    [found] = entry_points(group="spacy_factories", name="plait")
    assert found.value == "plait.integrations.spacy:create"


def test_spacys_tokens_are_annotated(nlp: Any) -> None:
    doc = nlp(TEXT)
    assert doc.text == TEXT
    assert [t.text for t in doc] == [t.text for t in spacy.blank("en")(TEXT)]
    words = {t.text: t for t in doc}
    who, send = words["Who"], words["send"]
    assert (send.dep_, send.head, send.pos_, send.tag_, send.lemma_) == ("ROOT", send, "VERB", "VB", "send")
    assert (who.dep_, who.head, words["to"].head) == ("obl", send, who)
    assert words["letter"].morph.get("Number") == ["Sing"]
    assert words["n't"].lemma_ == "not"
    assert [sent.root.text for sent in doc.sents] == ["send", "worry"]
    assert [sent.text.strip() for sent in doc.sents] == [
        "Who did you send the letter to?",
        "Don't  worry: Mary, 30, can't see it.",
    ]
    for name in ("DEP", "TAG", "POS", "LEMMA", "MORPH", "SENT_START"):
        assert doc.has_annotation(name)
    assert all(t.pos_ == "SPACE" and t.tag_ == "_SP" and t.dep_ == "dep" for t in doc if t.is_space)


def test_frames_are_an_extension(nlp: Any) -> None:
    doc = nlp("Who did you send the letter to?")
    frame = doc[3]._.frame
    assert (frame.sense, frame.predicate.text) == ("send.01", "send")
    assert {a.role: [t.text for t in a.tokens] for a in frame.arguments} == {
        "A2": ["Who", "to"],
        "A0": ["you"],
        "A1": ["the", "letter"],
    }
    assert [each.predicate.text for each in doc._.frames] == ["did", "send"]
    assert doc[0]._.frame is None
    assert nlp("")._.frames == []
    again = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again[3]._.frame.sense == "send.01"


def test_sentences_that_are_known_stay() -> None:
    made = spacy.blank("en")
    made.add_pipe("sentencizer")
    made.add_pipe("plait")
    doc = made("I saw Mr. Smith. He is fine.")
    by_rule = spacy.blank("en")
    by_rule.add_pipe("sentencizer")
    assert [s.text for s in doc.sents] == [s.text for s in by_rule(doc.text).sents]
    assert all(t.head.sent.start == t.sent.start for t in doc)


def test_what_others_found_stays(nlp: Any) -> None:
    doc = nlp.make_doc("Mary lives in Berlin.")
    doc.ents = [spacy.tokens.Span(doc, 3, 4, label="GPE")]
    doc.user_data["mine"] = 1
    doc = nlp.get_pipe("plait")(doc)
    assert ([e.text for e in doc.ents], doc.user_data["mine"]) == (["Berlin"], 1)


def test_our_tokens(ours: Pipeline) -> None:
    made = spacy.blank("en")
    made.add_pipe("plait", config={"tokenization": "plait"})
    found = list(made.pipe([(TEXT, 1), ("", 2), (" \n", 3)], as_tuples=True))
    assert [context for _, context in found] == [1, 2, 3]
    assert [doc.text for doc, _ in found] == [TEXT, "", " \n"]
    doc = found[0][0]
    assert doc.vocab is made.vocab
    assert [t.text for t in doc if not t.is_space] == [word.form for word in ours(TEXT).words]
    assert doc._.frames


# Python 3.12 warns of every fork of a process with threads.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("tokenization", ["spacy", "plait"])
def test_batches_and_processes_give_the_same(tokenization: str) -> None:
    made = spacy.blank("en")
    made.add_pipe("plait", config={"model": "en-fast", "tokenization": tokenization})
    texts = ["", TEXT, "One text.", " ", "Another text, with more words. And two sentences."] * 3
    single = [rows(made(text)) for text in texts]
    assert [rows(doc) for doc in made.pipe(texts, batch_size=4)] == single
    found = list(
        made.pipe([(text, i) for i, text in enumerate(texts)], as_tuples=True, n_process=2, batch_size=4)
    )
    assert [rows(doc) for doc, _ in found] == single
    assert [context for _, context in found] == list(range(len(texts)))


def test_a_saved_pipeline_keeps_the_name(nlp: Any, tmp_path: Path) -> None:
    made = spacy.blank("en")
    made.add_pipe("plait", name="trees", config={"model": "en-fast", "tokenization": "plait"})
    made.to_disk(tmp_path / "saved")
    again = spacy.load(tmp_path / "saved")
    component = again.get_pipe("trees")
    assert (component.model, component.tokenization) == ("en-fast", "plait")
    assert rows(again(TEXT)) == rows(made(TEXT))
    assert sum(each.stat().st_size for each in (tmp_path / "saved").rglob("trees*")) < 1000
    third = spacy.blank("en")
    third.add_pipe("plait", name="trees")
    third.from_bytes(made.to_bytes())
    assert third.get_pipe("trees").model == "en-fast"
    assert rows(pickle.loads(pickle.dumps(nlp))(TEXT)) == rows(nlp(TEXT))


def test_what_is_not_a_component(nlp: Any) -> None:
    with pytest.raises(InputError, match="there is no such model"):
        spacy.blank("en").add_pipe("plait", config={"model": "nowhere"})
    with pytest.raises(InputError, match=r"No tokenization 'udpipe'\. Available: spacy, plait"):
        spacy.blank("en").add_pipe("plait", config={"tokenization": "udpipe"})
    for data in (b"", b"[]", b'{"model": 1}', b"\xff"):
        with pytest.raises(FormatError, match="not what a plait component of spaCy writes"):
            nlp.get_pipe("plait").from_bytes(data)


def test_displacy_draws_it(nlp: Any, ours: Pipeline) -> None:
    for doc in (nlp(TEXT), ours(TEXT).to_spacy()):
        svg = spacy.displacy.render(doc, style="dep", jupyter=False)
        assert svg.count("displacy-arrow") >= 15
        assert "nsubj" in svg


# Documents as Docs, and back.


def test_a_document_goes_there_and_back(ours: Pipeline) -> None:
    document = ours(TEXT)
    doc = document.to_spacy()
    assert doc.text == TEXT
    again = from_spacy(doc)
    assert again.text == TEXT
    for name in ("forms", "lemmas", "upos", "xpos", "feats", "heads", "deprels"):
        assert [getattr(one, name) for one in again] == [getattr(one, name) for one in document]
    assert [word.start for word in again.words] == [word.start for word in document.words]
    assert [_frames(one) for one in again] == [_frames(one) for one in document]


def _frames(sentence: Sentence) -> Any:
    return sentence.find(Frames)


def test_contracted_tokens_are_their_words(caplog: pytest.LogCaptureFixture) -> None:
    sentence = Sentence(
        forms=["Vem", "de", "o", "mar", "."],
        heads=[0, 4, 4, 1, 1],
        deprels=["root", "case", "det", "obl", "punct"],
        misc=["_", "_", "_", "SpaceAfter=No", "_"],
        multiword_tokens=[MultiwordToken(2, 3, "do")],
    )
    doc = Document([sentence]).to_spacy()
    assert doc.text == "Vem de o mar."
    assert [t.head.i for t in doc] == [0, 3, 3, 0, 0]
    assert "2 words stand in a spaCy Doc in place of multiword tokens" in caplog.text


def test_tags_of_a_treebank_that_are_not_universal() -> None:
    doc = Document([Sentence(forms=["a", "b"], upos=["NC", "_"], heads=[0, 1])]).to_spacy()
    assert [t.pos_ for t in doc] == ["X", ""]


def test_sentences_without_trees_have_their_beginnings() -> None:
    doc = Document([Sentence(forms=["a", "b"]), Sentence(forms=["c"])]).to_spacy()
    assert [sent.text for sent in doc.sents] == ["a b", "c"]
    assert [sentence.heads for sentence in from_spacy(doc)] == [[None, None], [None]]


@given(st.lists(trees(max_size=6), min_size=1, max_size=3), st.data())
@settings(max_examples=50)
def test_any_trees_and_any_white_space(heads: list[list[int]], data: st.DataObject) -> None:
    gaps = st.sampled_from(
        ["_", "SpaceAfter=No", "SpacesAfter=\\s\\s", "SpacesAfter=\\n", "SpacesAfter=\\t\\s"]
    )
    made = [
        Sentence(
            forms=["w"] * len(each),
            heads=list(each),
            deprels=["root" if head == 0 else "dep" for head in each],
            misc=[data.draw(gaps) for _ in each],
        )
        for each in heads
    ]
    document = Document(made)
    doc = to_spacy(document)
    assert doc.text == document.text
    assert [t.text for t in doc if not t.text.isspace()] == ["w"] * len(document.words)
    assert len(list(doc.sents)) == len(document)
    again = from_spacy(doc)
    for sentence, found in zip(document, again, strict=True):
        first = sentence.heads.index(0) + 1  # a sentence of spaCy has one root
        expected = [
            first if head == 0 and number != first else head for number, head in enumerate(sentence.heads, 1)
        ]
        assert found.heads == expected
