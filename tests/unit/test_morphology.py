"""What is seen of features: chosen ones, sets of readings, members."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait import InputError, Sentence
from plait.features.encoding import Encoder, hash_text
from plait.features.morphology import Morphology, feature_value, member, set_columns, split_names
from plait.features.readings import Entry, Lexicon

HOUSE = Lexicon(
    {
        "Haus": Entry(("NN",), ("Case=Acc|Gender=Neut|Number=Sing", "Case=Nom|Gender=Neut|Number=Sing")),
        "geht": Entry(("VVFIN",), ("Mood=Ind",)),
    }
)
SENTENCE = Sentence(
    forms=["Haus", "geht", "Hof"],
    upos=["NOUN", "VERB", "NOUN"],
    feats=["Case=Dat", "Mood=Imp|Number=Sing", "Case=Acc,Nom|Gender=Masc"],
)


def test_chosen_features_only() -> None:
    seen = Morphology(("Number", "Case")).cells(SENTENCE)
    assert seen == ["Case=Dat", "Number=Sing", "Case=Acc,Nom"]
    assert Morphology().cells(SENTENCE) == SENTENCE.feats


def test_an_ambiguous_word_keeps_its_set() -> None:
    """Only words that bear case are looked up, and those that the lexicon does not know stay as they are."""
    seen = Morphology(("Case", "Number"), HOUSE).cells(SENTENCE)
    assert seen == ["Case=Acc|Number=Sing Case=Nom|Number=Sing", "Number=Sing", "Case=Acc,Nom"]
    assert Morphology(("Number",), HOUSE).cells(SENTENCE)[0] == "Number=Sing"
    assert Morphology(("Person",), HOUSE).cells(SENTENCE) == ["_", "_", "_"]


def test_a_feature_of_several_readings() -> None:
    cell = "Case=Acc|Number=Sing Case=Nom|Number=Sing"
    assert feature_value(cell, "Case") == "Acc,Nom"
    assert feature_value(cell, "Number") == "Sing"
    assert feature_value(cell, "Gender") == feature_value("_", "Case") == "_"


def test_members_of_sets() -> None:
    cell = "Case=Acc|Number=Sing Case=Nom|Number=Sing"
    assert [member(f"feats#{slot}", cell) for slot in range(4)] == [
        "Case=Acc",
        "Case=Nom",
        "Number=Sing",
        None,
    ]
    assert [member(f"feats.Case#{slot}", "Case=Nom,Acc") for slot in range(3)] == ["Acc", "Nom", None]
    assert member("feats#0", "_") is None


@given(st.dictionaries(st.sampled_from("ABCDEF"), st.sets(st.sampled_from("xyz"), min_size=1), max_size=6))
def test_the_encoder_sees_members_first(pairs: dict[str, set[str]]) -> None:
    cell = "|".join(f"{name}={','.join(sorted(values))}" for name, values in pairs.items()) or "_"
    sentence = Sentence(forms=["a"], upos=["X"], feats=[cell])
    ((*row,),), _ = Encoder(set_columns("feats")).encode([sentence])
    expected = sorted({f"{name}={value}" for name, values in pairs.items() for value in values})[:12]
    assert row == [*map(hash_text, expected), *[0] * (12 - len(expected))]


def test_the_encoder_sees_what_is_kept() -> None:
    values, _ = Encoder(["feats", "feats.Case"], None, Morphology(("Case",))).encode([SENTENCE])
    assert values[:, 0].tolist() == [hash_text(cell) for cell in ("Case=Dat", "_", "Case=Acc,Nom")]
    assert values[:, 1].tolist() == [hash_text(cell) for cell in ("Dat", "_", "Acc,Nom")]


def test_names_of_features() -> None:
    assert split_names("", "keep") == ()
    assert split_names("Case, Number[psor]", "keep") == ("Case", "Number[psor]")
    for text in ("Case,,Number", "Case=Nom", "Case,Case"):
        with pytest.raises(InputError, match="names of features"):
            split_names(text, "keep")
