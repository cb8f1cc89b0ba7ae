"""From the scores of a tagger to candidates: tags and features apart, each with their number and their threshold."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from plait import Sentence
from plait.components.tagger import ScoredTag
from plait.components.tagger.choice import put_candidates
from plait.layers import Candidate, Candidates
from plait.learning.candidates import with_right_tags
from plait.learning.request import TagChoice

# NOUN leads, VERB is 0.3 behind, ADJ 0.7; nouns may be Nom, Acc (0.1 behind) or Dat (0.5), verbs Past or Pres (0.1).
SCORED = [
    ScoredTag("NOUN", "N", "Case=Nom", 2.0),
    ScoredTag("NOUN", "N", "Case=Acc", 1.9),
    ScoredTag("VERB", "V", "Tense=Past", 1.7),
    ScoredTag("VERB", "V", "Tense=Pres", 1.6),
    ScoredTag("NOUN", "N", "Case=Dat", 1.5),
    ScoredTag("ADJ", "A", "_", 1.3),
]


def chosen(
    choice: TagChoice, *, given: tuple[str, str, str] = ("_", "_", "_"), keep: bool = False
) -> Sentence:
    sentence = Sentence(forms=["x"], lemmas=["y"], upos=[given[0]], xpos=[given[1]], feats=[given[2]])
    put_candidates(sentence, [SCORED], choice, keep_tags=keep)
    return sentence


def rows(sentence: Sentence) -> list[tuple[str, str, float, float]]:
    found = sentence.find(Candidates)
    assert found is not None
    first = (sentence.upos[0], sentence.feats[0], 0.0, 0.0)
    others = found.others.get(1, ())
    return [
        first,
        *((tag.upos, tag.feats, round(tag.margin, 2), round(tag.feats_margin, 2)) for tag in others),
    ]


def test_tags_and_features_are_counted_apart() -> None:
    assert rows(chosen(TagChoice(2, 1.0, 2, 1.0))) == [
        ("NOUN", "Case=Nom", 0.0, 0.0),
        ("NOUN", "Case=Acc", 0.0, 0.1),
        ("VERB", "Tense=Past", 0.3, 0.0),
        ("VERB", "Tense=Pres", 0.3, 0.1),
    ]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (TagChoice(3, 0.2, 1, 0.0), ["Case=Nom"]),
        (TagChoice(3, 0.35, 1, 0.0), ["Case=Nom", "Tense=Past"]),
        (TagChoice(3, 0.75, 1, 0.0), ["Case=Nom", "Tense=Past", "_"]),
        (TagChoice(1, 9.0, 9, 0.2), ["Case=Nom", "Case=Acc"]),
        (TagChoice(1, 9.0, 9, 0.55), ["Case=Nom", "Case=Acc", "Case=Dat"]),
        (TagChoice(1, 9.0, 1, 9.0), ["Case=Nom"]),
    ],
)
def test_thresholds_are_differences_of_scores(choice: TagChoice, expected: list[str]) -> None:
    assert [feats for _, feats, _, _ in rows(chosen(choice))] == expected


def test_the_best_of_the_tagger_stays_the_first() -> None:
    chance = random.Random(3)
    for _ in range(100):
        scored = sorted(
            (
                ScoredTag(chance.choice("ABC"), "_", chance.choice(["_", "F=1", "F=2"]), chance.random())
                for _ in range(chance.randint(1, 9))
            ),
            key=lambda tag: -tag.score,
        )
        choice = TagChoice(chance.randint(1, 3), chance.random(), chance.randint(1, 3), chance.random())
        sentence = Sentence(forms=["x"])
        put_candidates(sentence, [scored], choice, keep_tags=False)
        assert (sentence.upos[0], sentence.feats[0]) == (scored[0].upos, scored[0].feats)
        found = rows(sentence)
        tags = [tag for tag, *_ in found]
        assert len(set(tags)) <= choice.most
        assert max(map(tags.count, tags)) <= choice.feats
        assert all(one <= choice.margin + 0.01 for _, _, one, _ in found)
        assert all(one <= choice.feats_margin + 0.01 for *_, one in found)
        assert [one for _, _, one, _ in found] == sorted(one for _, _, one, _ in found)


def test_where_xpos_tells_the_features_it_goes_with_them() -> None:
    sentence = Sentence(forms=["x"])
    scored = [ScoredTag("VERB", "VBD", "_", 1.0), ScoredTag("VERB", "VBN", "_", 0.95)]
    put_candidates(sentence, [scored], TagChoice(1, 1.0, 2, 0.1), keep_tags=False)
    found = sentence.find(Candidates)
    assert found is not None
    assert [(tag.xpos, round(tag.feats_margin, 2)) for tag in found.others[1]] == [("VBN", 0.05)]


@pytest.mark.parametrize("feats", [0, 2])
@pytest.mark.parametrize(
    ("right", "learned"),
    [
        (("NOUN", "N", "Case=Nom"), ("NOUN", "Case=Nom")),
        (("NOUN", "N", "Case=Acc"), ("NOUN", "Case=Acc")),
        (("NOUN", "N", "Case=Dat"), ("NOUN", "Case=Nom")),
        (("VERB", "V", "Tense=Fut"), ("VERB", "Tense=Past")),
        (("ADJ", "A", "_"), ("NOUN", "Case=Nom")),
        (("X", "_", "_"), ("NOUN", "Case=Nom")),
    ],
)
def test_to_learn_the_right_one_is_told_or_the_nearest(
    right: tuple[str, str, str], learned: tuple[str, str], feats: int
) -> None:
    choice = TagChoice(2, 0.4, 2, 0.2, learning=True) if feats else TagChoice(4, 1.0, learning=True)
    sentence = chosen(choice, given=right)
    offered = chosen(replace(choice, learning=False))
    assert rows(sentence) == rows(offered), "what will be offered, and nothing else"
    again = with_right_tags(sentence)
    assert (again.upos[0], again.feats[0]) == learned


def test_tags_that_are_kept_are_the_only_ones() -> None:
    sentence = chosen(TagChoice(2, 1.0, 2, 1.0), given=("X", "_", "_"), keep=True)
    assert rows(sentence) == [("X", "_", 0.0, 0.0)]


def test_candidates_of_older_files_have_no_margins_of_features() -> None:
    stored = {"others": {"1": [["NOUN", "_", "_", "saw", 0.1]]}, "right": {}}
    assert Candidates.from_json(stored).others[1] == [Candidate("NOUN", "_", "_", "saw", 0.1, 0.0)]
    layer = Candidates({1: [Candidate("NOUN", "_", "_", "saw", 0.1, 0.2)]})
    assert Candidates.from_json({"others": {"1": [[*layer.others[1][0]]]}, "right": {}}) == layer
