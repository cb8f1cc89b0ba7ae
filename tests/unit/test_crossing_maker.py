"""The recipe that makes sentences with crossing arcs (`models/crossing`)."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

import plait
from plait.trees import is_projective

sys.path.insert(0, str(Path(__file__).parents[2] / "models" / "crossing"))

from clauses import Gap, clause_of, gaps
from moves import late_subject_clause, parted
from nodes import Words, sentence_of, spoken, tree_of
from questions import question, relative, relative_place

SENT = """1	She	she	PRON	PRP	_	2	nsubj	_	_
2	sent	send	VERB	VBD	_	0	root	_	_
3	a	a	DET	DT	_	4	det	_	_
4	letter	letter	NOUN	NN	_	2	obj	_	_
5	to	to	ADP	IN	_	6	case	_	_
6	him	he	PRON	PRP	_	2	obl	_	_
7	.	.	PUNCT	.	_	2	punct	_	_
"""
CAME = """1	A	a	DET	DT	_	2	det	_	_
2	man	man	NOUN	NN	_	5	nsubj	_	_
3	who	who	PRON	WP	PronType=Rel	4	nsubj	_	_
4	sang	sing	VERB	VBD	_	2	acl:relcl	_	_
5	came	come	VERB	VBD	_	0	root	_	_
6	.	.	PUNCT	.	_	5	punct	_	_
"""
MET = """1	I	I	PRON	PRP	_	2	nsubj	_	_
2	met	meet	VERB	VBD	_	0	root	_	_
3	men	man	NOUN	NNS	_	2	obj	_	_
4	who	who	PRON	WP	PronType=Rel	5	nsubj	_	_
5	sang	sing	VERB	VBD	_	3	acl:relcl	_	_
6	.	.	PUNCT	.	_	2	punct	_	_
"""


def words(text: str, folder: Path) -> Words:
    path = folder / "one.conllu"
    path.write_text(text + "\n", encoding="utf-8")
    return tree_of(next(iter(plait.read(str(path)))))


def shown(found: Words | None) -> tuple[str, list[int]]:
    assert found is not None
    sentence = sentence_of(found)
    return " ".join(sentence.forms), sentence.tree()


def oblique(folder: Path) -> Gap:
    clause = clause_of(words(SENT, folder))
    assert clause is not None
    return next(gap for gap in gaps(clause) if gap.case)


@pytest.mark.parametrize("seed", range(20))
def test_a_question_leaves_its_preposition(tmp_path: Path, seed: int) -> None:
    text, heads = shown(question(oblique(tmp_path), Random(seed)))
    if text == "Who did she send a letter to ?":
        assert heads == [4, 4, 4, 0, 6, 4, 1, 4]
        assert not is_projective(heads)
    else:
        assert text.split()[0] in {"What", "Whom", "To"}


def test_a_relative_clause_takes_the_place_of_another(tmp_path: Path) -> None:
    context = words(MET, tmp_path)
    place = relative_place(context)
    assert place is not None
    text, heads = shown(relative(oblique(tmp_path), context, place, Random(3)))
    assert text.startswith("I met ")
    assert text.endswith(" she sent a letter to .")
    assert heads.count(0) == 1


def test_a_clause_moves_behind_the_verb(tmp_path: Path) -> None:
    assert shown(late_subject_clause(words(CAME, tmp_path))) == ("A man came who sang .", [2, 3, 0, 5, 2, 3])


def test_an_adverb_comes_between(tmp_path: Path) -> None:
    adverb = spoken("today/today/NOUN/NN/_/obl:unmarked/0")
    assert shown(parted(words(MET, tmp_path), adverb)) == (
        "I met men today who sang .",
        [2, 0, 2, 2, 6, 3, 2],
    )
