"""Lexicons of full forms: what files say, what is found for a word, and the way through a model file."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait import FormatError, Sentence
from plait.components.neural.lemmas import Lemmas
from plait.features.full_forms import FullForm, FullForms, Table, full_forms_of, read_full_forms
from plait.features.unimorph import to_ud

PAST, PARTICIPLE, BASE = "Tense=Past", "Tense=Past|VerbForm=Part", "VerbForm=Inf"
REGULAR = ["walk", "talk", "call", "look", "ask", "jump", "want", "play", "stay", "fix"]
CELLS = st.text(st.characters(categories=("L", "N", "P"), exclude_characters="_"), min_size=1, max_size=8)
TAGS = st.sampled_from([("NOUN", "Number=Sing"), ("NOUN", "Number=Plur"), ("VERB", PAST), ("X", "_")])
ENTRIES = st.builds(
    lambda form, lemma, tag, seen: FullForm(form, lemma, *tag, seen), CELLS, CELLS, TAGS, st.booleans()
)


@pytest.fixture(scope="module")
def english() -> FullForms:
    """A few irregular words, and regular ones to guess from."""
    irregular = [
        ("drew", "draw", PAST), ("found", "find", PAST), ("found", "find", PARTICIPLE), ("found", "found", BASE),
        ("lay", "lie", PAST), ("lay", "lay", BASE), ("fed", "feed", PAST), ("wore", "wear", PAST),
    ]  # fmt: skip
    found = [FullForm(form, lemma, "VERB", feats) for form, lemma, feats in irregular]
    for lemma in REGULAR:
        found += [FullForm(lemma + "ed", lemma, "VERB", PAST), FullForm(lemma, lemma, "VERB", BASE)]
        found.append(FullForm(lemma + "s", lemma, "NOUN", "Number=Plur"))
    found.append(FullForm("leaves", "leaf", "NOUN", "Number=Plur"))
    found.append(FullForm("leaves", "leave", "NOUN", "Number=Plur"))
    return FullForms.of(found)


@pytest.mark.parametrize(
    ("tag", "upos", "feats"),
    [
        ("V;PST", "VERB", "Tense=Past"),
        ("V;V.PTCP;PRS", "VERB", "Tense=Pres|VerbForm=Part"),
        ("V;3;SG;PRS", "VERB", "Number=Sing|Person=3|Tense=Pres"),
        ("N;IN+ESS;PL", "NOUN", "Case=Ine|Number=Plur"),
        ("ADJ;SPRL", "ADJ", "Degree=Sup"),
        ("SOMETHING;ELSE", "_", "_"),
    ],
)
def test_tags_of_unimorph(tag: str, upos: str, feats: str) -> None:
    assert to_ud(tag) == (upos, feats)


def test_all_kinds_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "words.tsv"
    file.write_text(
        "# comment\ngo\twent\tV;PST\nwent\tgo\tVERB\tTense=Past\nHaus\tNN\tCase=Nom\n"
        "1\tgeht\tgehen\tVERB\t_\tTense=Pres\t0\troot\t_\t_\n2-3\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n",
        encoding="utf-8",
    )
    went = FullForm("went", "go", "VERB", "Tense=Past")
    assert read_full_forms(str(file)) == [went, went, FullForm("geht", "gehen", "VERB", "Tense=Pres")]
    assert len(read_full_forms(f"{file},{file}")) == 6


def test_a_fault_has_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "words.tsv"
    file.write_text("go\twent\tV;PST\nwent\tgo\tVERB\tTense\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"words\.tsv:2: .*no features"):
        read_full_forms(str(file))


def test_words_of_a_treebank_but_for_misspelled_ones() -> None:
    sentence = Sentence(
        forms=["Dogs", "bark", "teh", "Dogs"],
        lemmas=["dog", "bark", "the", "dog"],
        upos=["NOUN", "VERB", "DET", "NOUN"],
        feats=["Number=Plur", "_", "Typo=Yes", "Number=Plur"],
    )
    assert full_forms_of([sentence]) == [
        FullForm("Dogs", "dog", "NOUN", "Number=Plur", True),
        FullForm("bark", "bark", "VERB", "_", True),
    ]


def test_the_tags_choose_the_lemma(english: FullForms) -> None:
    assert english.known("drew", "VERB", "Mood=Ind|Number=Plur|Tense=Past") == ["draw"]
    assert english.known("DREW", "AUX", "Tense=Past") == ["draw"]
    assert english.known("found", "VERB", PAST) == ["find"]
    assert english.known("found", "VERB", BASE) == ["found"]
    assert english.known("lay", "VERB", PAST) == ["lie"]
    assert english.known("leaves", "NOUN", "Number=Plur") == ["leaf", "leave"]
    assert english.known("drew", "NOUN") == english.known("drow", "VERB") == []


def test_unknown_words_follow_productive_rules(english: FullForms) -> None:
    assert english.guess("blorked", "VERB", PAST) == ["blork"]
    assert english.guess("Blorks", "NOUN", "Number=Plur") == ["blork"]
    assert "leaf" not in english.guess("bleaves", "NOUN", "Number=Plur")
    assert english.guess("blorked", "ADJ") == []


@pytest.mark.parametrize(
    ("result", "key", "allowed"),
    [
        ("", "fed", False),
        ("dr", "dred", False),
        ("drk", "drank", False),
        ("zib", "zibs", True),
        ("TV", "TV", True),
    ],
)
def test_what_nobody_writes(english: FullForms, result: str, key: str, allowed: bool) -> None:
    assert english.may_be(result, key) == allowed


def test_words_of_a_treebank_stand_beside_those_of_a_list() -> None:
    listed = [FullForm("was", "be", "VERB", PAST), FullForm("better", "good", "ADJ", "Degree=Cmp")]
    seen = [FullForm("better", "well", "ADJ", "Degree=Cmp|Style=Expr", True)]
    both = FullForms.of([*seen, *listed])
    assert both.known("better", "ADJ", "Degree=Cmp|Style=Expr") == ["well"]
    assert both.known("better", "ADJ", "Degree=Cmp") == ["good"]


@given(st.lists(ENTRIES, max_size=40))
def test_every_entry_is_found_again_whatever_way(entries: list[FullForm]) -> None:
    for backwards in (False, True):
        words = FullForms.of(entries, backwards=backwards)
        loaded = FullForms.from_tensors(words.tensors())
        assert loaded is not None
        assert list(loaded) == list(words)
        for form, lemma, upos, feats, _ in entries:
            key, result = (lemma, form) if backwards else (form, lemma)
            assert key in loaded
            assert result in loaded.known(key, upos, feats)
            assert loaded.known(key, upos, feats) == words.known(key, upos, feats)
            assert loaded.guess(key, upos, feats) == words.guess(key, upos, feats)
        assert {name: array.tobytes() for name, array in loaded.tensors().items()} == {
            name: array.tobytes() for name, array in words.tensors().items()
        }


@given(
    st.dictionaries(st.text(st.characters(exclude_categories=("Cs",)), max_size=20), st.integers(0, 65535))
)
def test_tables_hold_any_keys(numbers: dict[str, int]) -> None:
    table = Table.of(numbers)
    assert dict(table) == numbers
    assert all(table.find(key) == number for key, number in numbers.items())
    assert table.find("\ud800") is None


@given(st.data())
def test_damaged_arrays_are_refused_or_find_less(data: st.DataObject) -> None:
    words = FullForms.of([FullForm(verb + "ed", verb, "VERB", PAST) for verb in REGULAR * 3])
    tensors = words.tensors()
    name = data.draw(st.sampled_from(sorted(tensors)))
    damaged = tensors[name].copy()
    if len(damaged):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place] = data.draw(st.integers(0, int(np.iinfo(damaged.dtype).max)))
    cut: Callable[[], np.ndarray] = lambda: damaged[: data.draw(st.integers(0, len(damaged)))]  # noqa: E731
    tensors[name] = cut() if data.draw(st.booleans()) else damaged
    try:
        loaded = FullForms.from_tensors(tensors)
    except (ValueError, IndexError):
        return
    assert loaded is not None
    for word in (*REGULAR, "walked", "", "blorked", "zz"):
        loaded.known(word, "VERB", PAST)
        loaded.guess(word, "VERB", PAST)


def _lemma(words: FullForms | None, scripts: list[str], form: str, upos: str, feats: str) -> str:
    """With these scripts as those that a net likes best."""
    best = np.array([[*range(len(scripts)), -1]], np.int32)
    return Lemmas(scripts, words).of(form, upos, feats, best, 0)


def test_a_net_ranks_and_does_not_invent(english: FullForms) -> None:
    wrong = ["lower||-2+ow", "lower||-1", "lower||"]
    assert _lemma(None, wrong, "drew", "VERB", PAST) == "drow"
    assert _lemma(english, wrong, "drew", "VERB", PAST) == "draw"
    assert _lemma(english, wrong, "blorked", "VERB", PAST) == "blork"
    assert _lemma(english, ["lower||-1", "lower||-3+f"], "leaves", "NOUN", "Number=Plur") == "leave"
    assert _lemma(english, ["lower||-3+f", "lower||-1"], "leaves", "NOUN", "Number=Plur") == "leaf"
    assert _lemma(english, ["lower||-1"], "leaves", "NOUN", "Number=Sing") in ("leaf", "leave")


def test_a_net_decides_about_capitals(english: FullForms) -> None:
    assert _lemma(english, ["keep||-1", "lower||-1"], "Blorks", "NOUN", "Number=Plur") == "Blork"
    assert _lemma(english, ["lower||-1", "keep||-1"], "Blorks", "NOUN", "Number=Plur") == "blork"
    assert _lemma(english, ["keep||"], "KV-17", "NOUN", "Number=Sing") == "KV-17"


def test_what_is_meant_by_a_misspelled_word(english: FullForms) -> None:
    assert _lemma(english, ["=walk"], "wlak", "VERB", "Typo=Yes") == "walk"
    assert _lemma(english, ["=blorf", "lower||"], "wlak", "VERB", "Typo=Yes") == "wlak"


def test_searching_takes_as_long_in_a_large_table() -> None:
    """Counted in blocks that are read: a search reads one."""
    chance = random.Random(1)
    for size in (100, 10_000):
        keys = {"".join(chance.choices("abcdefgh", k=8)): 1 for _ in range(size)}
        table, read = Table.of(keys), []
        block = table._block
        table._block = lambda place, block=block, read=read: read.append(place) or block(place)  # type: ignore[method-assign, assignment, misc]
        for key in list(keys)[:50]:
            assert table.find(key) == 1
        assert len(read) == 50
