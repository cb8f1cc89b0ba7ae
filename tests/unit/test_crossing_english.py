"""Everyday English with crossing arcs, written for this test; the conventions are those of the treebank EWT.

A sentence is right if all its arcs with `Matters=Yes` are: the head, and the label without its subtype. The sentences
after the first hundred look like these, but none of their arcs cross.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import plait
from plait import Sentence
from plait.trees import is_projective

MODEL = "en"
BAR = 85  # of 100
SENTENCES = list(plait.read(str(Path(__file__).parents[1] / "data" / "crossing-english.conllu")))
CROSSING = [sentence for sentence in SENTENCES if not is_projective(sentence.tree())]
PLAIN = [sentence for sentence in SENTENCES if is_projective(sentence.tree())]


@cache
def parsed() -> dict[str, Sentence]:
    bare = [Sentence(forms=sentence.forms) for sentence in SENTENCES]
    found = plait.load(MODEL).parse(bare)
    return {gold.text: sentence for gold, sentence in zip(SENTENCES, found, strict=True)}


def kind(sentence: Sentence) -> str:
    return sentence.comment("construction") or ""


def matters(sentence: Sentence) -> list[int]:
    return [place for place, misc in enumerate(sentence.misc) if "Matters=Yes" in misc.split("|")]


def is_right(gold: Sentence, found: Sentence) -> bool:
    def arc(sentence: Sentence, place: int) -> tuple[int | None, str]:
        return sentence.heads[place], sentence.deprels[place].split(":")[0]

    return all(arc(gold, place) == arc(found, place) for place in matters(gold))


def test_the_file_is_as_it_says() -> None:
    assert [len(CROSSING), len(PLAIN)] == [100, 30]
    assert all(matters(sentence) for sentence in CROSSING)
    assert len({sentence.text for sentence in SENTENCES}) == len(SENTENCES)


def test_most_of_the_hundred_are_right(capsys: pytest.CaptureFixture[str]) -> None:
    right: Counter[str] = Counter()
    wrong = []
    for gold in CROSSING:
        good = is_right(gold, parsed()[gold.text])
        right[kind(gold)] += good
        if not good:
            wrong.append(gold.text)
    with capsys.disabled():
        print(f"\n{MODEL}: {right.total()} of {len(CROSSING)} sentences with crossing arcs are right")
        for name, count in Counter(map(kind, CROSSING)).items():
            print(f"  {right[name]:3} of {count:3}  {name}")
    assert right.total() >= BAR * len(CROSSING) / 100, wrong


def test_no_arc_crosses_where_none_should(capsys: pytest.CaptureFixture[str]) -> None:
    crossed = [gold.text for gold in PLAIN if not is_projective(parsed()[gold.text].tree())]
    with capsys.disabled():
        print(f"\n{MODEL}: arcs cross in {len(crossed)} of {len(PLAIN)} sentences in which none should")
    assert len(crossed) <= 1, crossed
