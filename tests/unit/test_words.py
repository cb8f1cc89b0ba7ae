"""Ordinary English words, as the packaged models know them: no invented lemma, form or sense."""

from __future__ import annotations

import pytest

import plait
from plait import Pipeline, Sentence
from plait.layers import Frames

PAST = {
    "drew": "draw", "fell": "fall", "wore": "wear", "drank": "drink", "fed": "feed", "rode": "ride", "froze": "freeze",
    "wove": "weave", "clung": "cling", "sank": "sink", "swam": "swim", "bit": "bite", "blew": "blow", "tore": "tear",
    "knelt": "kneel", "sought": "seek", "bound": "bind", "ground": "grind", "strode": "stride", "shook": "shake",
    "forgave": "forgive", "withdrew": "withdraw", "overtook": "overtake", "dug": "dig", "slid": "slide",
    "shrank": "shrink", "bled": "bleed", "fled": "flee", "crept": "creep", "swore": "swear", "undid": "undo",
}  # fmt: skip
PLURALS = {
    "mice": "mouse", "geese": "goose", "teeth": "tooth", "knives": "knife", "wolves": "wolf", "criteria": "criterion",
    "oxen": "ox", "children": "child", "potatoes": "potato", "quizzes": "quiz", "theses": "thesis", "feet": "foot",
    "cacti": "cactus", "bacteria": "bacterium", "heroes": "hero", "shelves": "shelf", "women": "woman", "men": "man",
    "loaves": "loaf", "halves": "half",
}  # fmt: skip
INVENTED = {
    ("blorked", "VERB", "Tense=Past"): {"blork"}, ("snazzles", "NOUN", "Number=Plur"): {"snazzle"},
    ("frobbing", "VERB", "Tense=Pres|VerbForm=Part"): {"frob", "frobb"}, ("zibs", "NOUN", "Number=Plur"): {"zib"},
    ("flimmed", "VERB", "Tense=Past"): {"flim", "flimm"}, ("grobbles", "NOUN", "Number=Plur"): {"grobble"},
    ("plinked", "VERB", "Tense=Past"): {"plink"}, ("vorpies", "NOUN", "Number=Plur"): {"vorpy", "vorpie"},
    ("dreshes", "NOUN", "Number=Plur"): {"dresh"}, ("snorgling", "VERB", "Tense=Pres|VerbForm=Part"): {"snorgle"},
    ("twizzled", "VERB", "Tense=Past"): {"twizzle"}, ("glomps", "NOUN", "Number=Plur"): {"glomp"},
}  # fmt: skip
FORMS = [
    ("tweet", "VERB", "VBD", "tweeted"), ("bind", "VERB", "VBD", "bound"), ("quiz", "NOUN", "NNS", "quizzes"),
    ("potato", "NOUN", "NNS", "potatoes"), ("stop", "VERB", "VBG", "stopping"), ("carry", "VERB", "VBZ", "carries"),
    ("wolf", "NOUN", "NNS", "wolves"), ("draw", "VERB", "VBN", "drawn"), ("big", "ADJ", "JJR", "bigger"),
    ("happy", "ADJ", "JJS", "happiest"), ("blork", "VERB", "VBD", "blorked"), ("snazzle", "NOUN", "NNS", "snazzles"),
    ("die", "VERB", "VBG", "dying"), ("box", "NOUN", "NNS", "boxes"), ("city", "NOUN", "NNS", "cities"),
    ("plan", "VERB", "VBD", "planned"), ("write", "VERB", "VBG", "writing"), ("child", "NOUN", "NNS", "children"),
    ("Google", "PROPN", "NNPS", "Googles"), ("wug", "NOUN", "NNS", "wugs"),
]  # fmt: skip
FEATS = {
    "VBD": "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", "VBN": "Tense=Past|VerbForm=Part",
    "VBG": "Tense=Pres|VerbForm=Part", "VBZ": "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
    "NNS": "Number=Plur", "NNPS": "Number=Plur", "JJR": "Degree=Cmp", "JJS": "Degree=Sup",
}  # fmt: skip


@pytest.fixture(scope="module", params=["en", "en-fast"])
def nlp(request: pytest.FixtureRequest) -> Pipeline:
    return plait.load(request.param)


@pytest.fixture(scope="module")
def say() -> plait.Realizer:
    return plait.Realizer.load("en-say")


def test_irregular_verbs(nlp: Pipeline) -> None:
    sentences = [Sentence(forms=["They", form, "it", "yesterday", "."]) for form in PAST]
    found = {sentence.forms[1]: sentence.lemmas[1] for sentence in nlp.parse(sentences)}
    assert {form: lemma for form, lemma in found.items() if lemma != PAST[form]} == {}


def test_irregular_nouns(nlp: Pipeline) -> None:
    sentences = [Sentence(forms=["The", form, "were", "here", "."]) for form in PLURALS]
    found = {sentence.forms[1]: sentence.lemmas[1] for sentence in nlp.parse(sentences)}
    assert {form: lemma for form, lemma in found.items() if lemma != PLURALS[form]} == {}


def test_invented_regular_words(nlp: Pipeline) -> None:
    sentences = [
        Sentence(forms=[form], upos=[upos], feats=[feats], xpos=["_"]) for form, upos, feats in INVENTED
    ]
    parsed = nlp.parse(sentences, keep_tags=True)
    found = {key: sentence.lemmas[0] for key, sentence in zip(INVENTED, parsed, strict=True)}
    assert {key: lemma for key, lemma in found.items() if lemma not in INVENTED[key]} == {}


def test_no_lemma_is_empty_or_without_a_vowel(nlp: Pipeline) -> None:
    text = (
        "Fed up, Ed ate, led, bled, fled and used the aged TV, DVDs and MPs' IDs at 5pm. :-) ... %&! x y's Ng"
    )
    for sentence in nlp(text):
        for word in sentence:
            assert word.lemma
            if set("aeiou") & set(word.form.lower()):
                assert set("aeiouy") & set(word.lemma.lower()), word


@pytest.mark.parametrize(("lemma", "upos", "xpos", "form"), FORMS)
def test_forms(say: plait.Realizer, lemma: str, upos: str, xpos: str, form: str) -> None:
    word = Sentence(
        forms=["_"],
        lemmas=[lemma],
        upos=[upos],
        xpos=[xpos],
        feats=[FEATS[xpos]],
        heads=[0],
        deprels=["root"],
    )
    [done] = say.pipeline["inflector"].apply([word])
    assert done.forms[0].lower() == form.lower()


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ("we PRON 2 nsubj/happy ADJ 0 root/be AUX 2 cop", "We are happy"),
        ("dog NOUN 3 nsubj/two NUM 1 nummod/bark VERB 0 root", "Two dogs bark"),
        ("she PRON 2 nsubj/see VERB 0 root/they PRON 2 obj", "She sees them"),
        ("man NOUN 3 nsubj/the DET 1 det/eat VERB 0 root/have AUX 3 aux/apple NOUN 3 obj/a DET 5 det",
         "The man has eaten an apple"),
    ],
)  # fmt: skip
def test_words_without_features_agree(say: plait.Realizer, rows: str, text: str) -> None:
    columns = list(zip(*(row.split() for row in rows.split("/")), strict=True))
    lemmas, upos, heads, deprels = columns
    tree = Sentence(
        forms=list(lemmas),
        lemmas=list(lemmas),
        upos=list(upos),
        heads=list(map(int, heads)),
        deprels=list(deprels),
    )
    assert next(iter(say.realize([tree]))).text == text


def senses_of(nlp: Pipeline, text: str) -> dict[str, str]:
    return {
        sentence.forms[frame.predicate - 1]: frame.sense
        for sentence in nlp(text)
        for frame in sentence.find(Frames) or ()
    }


def test_senses_are_those_of_the_lemma() -> None:
    nlp = plait.load("en")
    rolesets = nlp["roles"].state.setup.frames.rolesets
    found = senses_of(
        nlp, "The bill passed the Senate. They drew it. She wore a hat. He studied law in 1990."
    )
    assert found["passed"].startswith("pass.")
    assert found["drew"].startswith("draw.")
    assert set(found.values()) <= rolesets.keys()
    assert senses_of(nlp, "She passed away last year.")["passed"] == "pass_away.16"


def test_a_predicate_without_frames_has_no_sense() -> None:
    nlp = plait.load("en")
    [sentence] = nlp("She blorked the tea yesterday.")
    frame = next(
        frame for frame in sentence.find(Frames) or () if sentence.forms[frame.predicate - 1] == "blorked"
    )
    assert (frame.sense, frame.meaning) == ("_", "")
    assert frame.arguments


def test_auxiliaries_without_arguments_are_not_drawn() -> None:
    [sentence] = plait.load("en")("Who did you send the letter to?")
    assert "did" in [sentence.forms[frame.predicate - 1] for frame in sentence.find(Frames) or ()]
    drawn = str(sentence.draw())
    assert "send.01" in drawn
    assert "do.01" not in drawn
