"""The lemmatizer: scripts one can read, lemmas of new words, models that come back, clear errors."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import plait
from plait import InputError, Sentence, Treebank
from plait.components.lemmatizer import Lemmatizer, LemmatizerOptions
from plait.components.lemmatizer.candidates import Candidates
from plait.components.lemmatizer.lexicon import Lexicon
from plait.features.scripts import EditScript
from plait.learning.request import Request
from signing import sign

_VERBS = ("walk", "talk", "ask", "call", "look", "play", "want", "jump", "pull", "fill")
_NOUNS = ("dog", "cat", "bird", "car", "book", "tree", "girl", "door", "hand", "road")


def lessons() -> Treebank:
    """Regular plurals and pasts, and *went*."""
    sentences = [
        Sentence(
            forms=[noun + "s", verb + "ed", "went", noun.title() + "s"],
            lemmas=[noun, verb, "go", noun],
            upos=["NOUN", "VERB", "VERB", "NOUN"],
            xpos=["NNS", "VBD", "VBD", "NNS"],
            feats=["Number=Plur", "Tense=Past", "Tense=Past", "Number=Plur"],
        )
        for noun, verb in zip(_NOUNS, _VERBS, strict=True)
    ]
    sentences.append(Sentence(forms=["London"], lemmas=["London"], upos=["PROPN"], xpos=["NNP"]))
    return Treebank(sentences, path="some/lessons.conllu")


@pytest.fixture(scope="module")
def lemmatizer() -> Lemmatizer:
    return Lemmatizer(bits=14).fit(lessons(), dev=lessons())


@pytest.mark.parametrize(
    ("form", "lemma", "text"),
    [
        ("dogs", "dog", "lower||-1"),
        ("Dogs", "dog", "lower||-1"),
        ("Gesagt", "sagen", "lower|-2|-1+en"),
        ("London", "London", "keep||"),
        ("LONDON", "London", "title||"),
        ("nato", "NATO", "upper||"),
        ("was", "be", "=be"),
        ("a", "a|b\\", "lower||+\\|b\\\\"),
        ("", "", "="),
        ("_", "_", "lower||"),
    ],
)
def test_scripts_one_can_read(form: str, lemma: str, text: str) -> None:
    script = EditScript.of(form, lemma)
    assert str(script) == text
    assert EditScript.parse(text) == script
    assert script.apply(form) == lemma


def test_a_script_that_does_not_fit() -> None:
    assert EditScript.parse("lower|-2|-1+en").apply("gab") is None
    assert EditScript.parse("lower||-1").apply("") is None


@pytest.mark.parametrize("text", ["", "lower", "lower|-2", "large||", "lower|2|", "lower||||", "lower|-1x|"])
def test_what_is_no_script(text: str) -> None:
    with pytest.raises(ValueError, match="no edit script"):
        EditScript.parse(text)


def test_long_words_are_compared_by_their_ends() -> None:
    long = "ab" * 50_000
    assert str(EditScript.of(long + "s", long)) == "lower||-1"
    assert EditScript.of("x" + long, "y" + long).apply("x" + long) == "y" + long


def test_lemmas_of_known_and_new_words(lemmatizer: Lemmatizer) -> None:
    assert lemmatizer.lemma("went", "VERB", "VBD", "Tense=Past") == "go"
    assert lemmatizer.lemma("went", "VERB") == "go"
    assert lemmatizer.lemma("went", "_") == "go"
    assert lemmatizer.lemma("Zonks", "NOUN", "NNS", "Number=Plur") == "zonk"
    assert lemmatizer.lemma("zonked", "VERB", "VBD", "Tense=Past") == "zonk"
    assert lemmatizer.lemma("Zonk", "PROPN", "NNP") == "Zonk"
    assert lemmatizer.lemma("s" * 100_000, "NOUN", "NNS", "Number=Plur") == "s" * 99_999


def test_sentences_get_lemmas_in_place(lemmatizer: Lemmatizer) -> None:
    given = [sentence.copy() for sentence in lessons()]
    for sentence in given:
        sentence.lemmas = ["_"] * len(sentence)
    for threads in 1, 2:
        found = list(lemmatizer.annotate(iter(given), Request(threads=threads)))
        assert [id(sentence) for sentence in found] == [id(sentence) for sentence in given]
        assert found == list(lessons())


def test_a_word_is_learned_from_as_if_it_were_new() -> None:
    """What speaks for a lemma is what other words say of it: with this tag, and with any."""
    ways = [
        ("dogs", "dog", "NOUN"),
        ("dogs", "dogs", "PROPN"),
        ("dog", "dog", "NOUN"),
        ("cats", "cat", "NOUN"),
    ]
    lexicon = Lexicon.of(
        Sentence(forms=[form], lemmas=[lemma], upos=[tag], xpos=["_"], feats=["_"])
        for form, lemma, tag in ways
    )
    candidates = Candidates(lexicon, lexicon.lemmas(), None)
    other_forms, this_form, most_often = 4, 2, 1

    def sights(form: str, tag: str) -> dict[str, tuple[int, int]]:
        found = candidates.of((form, tag, "_", "_"))
        return {each.lemma: (each.sight >> 3, each.sight & 7) for each in found}

    # Its own reading is not known of a word of the lexicon; that other forms have the lemma is.
    assert sights("dogs", "NOUN")["dog"] == (other_forms, other_forms)
    assert sights("dogs", "NOUN")["dogs"] == (0, this_form + most_often)
    assert sights("cats", "NOUN")["cat"] == (0, 0)
    # Of a word with other tags it is known.
    assert sights("cats", "PROPN")["cat"] == (0, this_form + most_often)


def test_what_was_learned_is_told(lemmatizer: Lemmatizer) -> None:
    assert lemmatizer.scores_ == {"lemmas": 100.0}
    assert lemmatizer.best_epoch_ == 1
    assert [epoch.number for epoch in lemmatizer.history_] == [1, 2, 3, 4]
    assert lemmatizer.origin_.treebank == lemmatizer.origin_.dev == "lessons.conllu"
    alone = Lemmatizer(bits=14, epochs=2).fit(lessons())
    assert [epoch.number for epoch in alone.history_] == [1, 2]
    assert (alone.scores_, alone.best_epoch_) == ({}, 2)


def test_models_come_back_the_same(lemmatizer: Lemmatizer, tmp_path: Path) -> None:
    lemmatizer.save(tmp_path / "one", licence="CC0")
    loaded = Lemmatizer.load(tmp_path / "one")
    assert loaded.lemma("Zonks", "NOUN", "NNS", "Number=Plur") == "zonk"
    assert loaded.lemma("went", "VERB") == "go"
    assert loaded.options == lemmatizer.options
    assert loaded.scores_ == lemmatizer.scores_
    assert loaded.origin_.licence == "CC0"
    loaded.save(tmp_path / "two")
    Lemmatizer(bits=14).fit(lessons(), dev=lessons()).save(tmp_path / "three", licence="CC0")
    for name in "manifest.json", "weights.safetensors", "config.toml", "README.md":
        content = (tmp_path / "one" / name).read_bytes()
        assert content == (tmp_path / "two" / name).read_bytes()
        assert content == (tmp_path / "three" / name).read_bytes()


def test_odd_strings_survive_a_model(tmp_path: Path) -> None:
    odd = Sentence(
        forms=["a b\\", "\\n", "_", "ΣΊΣΥΦΟΣ", "İ", "\x85"],
        lemmas=["c |", "\\\\", "_", "Σίσυφος", "i", "\u2028"],
        upos=["X\u3000", "\\n", "_", "PROPN", "X", "X"],
        feats=["_", "|", "=", "_", "_", "_"],
    )
    Lemmatizer(bits=10).fit([odd]).save(tmp_path / "odd")
    copy = odd.copy()
    copy.lemmas = ["_"] * 6
    assert list(Lemmatizer.load(tmp_path / "odd").annotate([copy])) == [odd]


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "a\0", "\x1b[1m", "\x7f", "\ud800", ""])
def test_what_no_treebank_can_hold_is_not_learned(text: str, tmp_path: Path) -> None:
    lemmas = ["dog", text, "c", "d", "e"]
    odd = Sentence(
        forms=["dogs", "b", text, "d", "e"],
        lemmas=lemmas,
        upos=["X", "X", "X", text, "X"],
        xpos=["X", "X", "X", "X", text],
    )
    Lemmatizer(bits=10).fit([odd]).save(tmp_path / "odd")
    loaded = Lemmatizer.load(tmp_path / "odd")
    assert loaded.lemma("dogs", "X", "X") == "dog"
    assert text not in next(loaded.annotate([odd.copy()])).lemmas[:2]


@pytest.mark.parametrize(
    "name", ["forms", "readings", "reading_tags", "reading_scripts", "upos", "scripts", "shared", "weights"]
)
def test_a_damaged_model_is_named(name: str, lemmatizer: Lemmatizer, tmp_path: Path) -> None:
    model = tmp_path / "model"
    lemmatizer.save(model)
    file = model / "weights.safetensors"
    tensors = load_file(file)
    for damaged in (
        {other: tensor for other, tensor in tensors.items() if other != name},
        tensors | {name: tensors[name][:-2]},
        tensors | {name: np.full_like(tensors[name], 120)},
    ):
        save_file(damaged, file)
        sign(model)
        # An error that names the model, or by chance another lexicon.
        with suppress(InputError):
            assert isinstance(Lemmatizer.load(model).lemma("Zonks", "NOUN", "NNS", "Number=Plur"), str)


def test_another_kind_of_model(lemmatizer: Lemmatizer, tmp_path: Path) -> None:
    lemmatizer.save(tmp_path / "model")
    with pytest.raises(InputError, match="this is a 'lemmatizer', not a 'transition'"):
        plait.TransitionParser.load(tmp_path / "model")
    manifest = tmp_path / "model" / "manifest.json"
    content = json.loads(manifest.read_text())
    del content["history"]
    manifest.write_text(json.dumps(content))
    sign(tmp_path / "model")
    with pytest.raises(InputError, match="damaged or incomplete: the manifest has no entry 'history'"):
        Lemmatizer.load(tmp_path / "model")


def test_errors_say_what_to_do(lemmatizer: Lemmatizer) -> None:
    with pytest.raises(InputError, match="call fit first"):
        Lemmatizer().lemma("dogs", "NOUN")
    with pytest.raises(InputError, match="No option 'epoch'"):
        Lemmatizer(epoch=3)  # type: ignore[call-arg]
    with pytest.raises(InputError, match="mistagged is 2 but must be from 0 to 1"):
        LemmatizerOptions(mistagged=2)
    without = Treebank([Sentence(forms=["a"], upos=["X"])], path="bare.conllu")
    with pytest.raises(InputError, match=r"bare\.conllu: there are no lemmas to learn from"):
        Lemmatizer().fit(without)
    with pytest.raises(InputError, match="the treebank: there are no lemmas"):
        Lemmatizer().fit([])
    with pytest.raises(InputError, match="threads is 0"):
        list(lemmatizer.annotate([], Request(threads=0)))
