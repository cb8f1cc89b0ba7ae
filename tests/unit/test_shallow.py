"""T1: trees without order, and nothing that tells of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import plait
from plait import MultiwordToken, Sentence
from plait.cli import plait as command
from plait.formats.shallow import hide_order, unordered
from strategies import trees
from toy import written

HEARING = Sentence(
    forms=["Mr", "Smith", "did", "n't", "sleep", ",", "she", "said", "."],
    lemmas=["Mr", "Smith", "do", "not", "sleep", ",", "she", "say", "."],
    upos=["NOUN", "PROPN", "AUX", "PART", "VERB", "PUNCT", "PRON", "VERB", "PUNCT"],
    feats=["Number=Sing", *["_"] * 8],
    heads=[5, 1, 5, 5, 8, 5, 8, 0, 8],
    deprels=["nsubj", "flat", "aux", "advmod", "ccomp", "punct", "nsubj", "root", "punct"],
    misc=["_", "_", "SpaceAfter=No", "_", "SpaceAfter=No", "_", "_", "SpaceAfter=No", "_"],
    comments=["# sent_id = s-1", "# text = Mr Smith didn't sleep, she said."],
    multiword_tokens=[MultiwordToken(3, 4, "didn't")],
)


def edges(sentence: Sentence, column: str) -> Counter[tuple[str, str, str]]:
    cells = getattr(sentence, column)
    return Counter(
        (cells[i], cells[head - 1] if head else "", sentence.deprels[i])
        for i, head in enumerate(sentence.heads)
        if head is not None
    )


def test_what_is_left_of_a_sentence() -> None:
    (hidden,) = hide_order([HEARING], seed=7)
    assert sorted(hidden.forms) == sorted(HEARING.lemmas)
    assert hidden.forms != HEARING.lemmas
    assert edges(hidden, "forms") == edges(HEARING, "lemmas")
    assert set(hidden.lemmas) == set(hidden.misc) == set(hidden.deps) == {"_"}
    assert hidden.comments == ["# sent_id = s-1"]
    assert not hidden.multiword_tokens
    lins = {form: cell for form, cell in zip(hidden.forms, hidden.feats, strict=True) if "lin" in cell}
    assert lins == {"Smith": "lin=+1", ",": "lin=+1", ".": "lin=+1"}


def test_without_places_nothing_tells_of_the_order() -> None:
    """The same tree in another order looks the same."""
    other = HEARING.copy()
    other.reorder([9, 8, 7, 6, 5, 4, 3, 2, 1])
    lines = [
        sorted(zip(each.forms, each.upos, each.feats, each.deprels, strict=True))
        for sentence in (HEARING, other)
        for each in hide_order([sentence], places=False)
    ]
    assert lines[0] == lines[1]
    assert not any("lin" in cell for line in lines for row in line for cell in row)


def test_the_seed_decides_the_order_and_nothing_else() -> None:
    texts = [[s.forms for s in hide_order(written(30), seed=seed)] for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    assert [sorted(forms) for forms in texts[0]] == [sorted(forms) for forms in texts[2]]


def test_places_count_from_the_head_outwards() -> None:
    sentence = Sentence(
        forms=["(", "'", "a", "b", "c", ")", "!"],
        heads=[4, 4, 4, 0, 4, 4, 4],
        deprels=["punct", "punct", "nsubj", "root", "obj", "punct", "punct"],
    )
    (hidden,) = hide_order([sentence])
    lins = dict(zip(hidden.forms, hidden.feats, strict=True))
    assert lins == {"(": "lin=-2", "'": "lin=-1", "a": "_", "b": "_", "c": "_", ")": "lin=+1", "!": "lin=+2"}


def test_files_of_the_shared_task_are_understood() -> None:
    dev = Sentence(
        forms=["story", ":"], feats=["Number=Sing", "lin=+1"], heads=[0, 1], deprels=["root", "punct"]
    )
    shown = unordered(dev)
    assert (shown.lemmas, shown.forms) == (["story", ":"], ["_", "_"])
    assert (shown.feats, shown.misc) == (["Number=Sing", "_"], ["_", "lin=+1"])
    train = Sentence(forms=["query"], lemmas=["queries"], feats=["Number=Plur|original_id=5"], heads=[0])
    assert (unordered(train).lemmas, unordered(train).feats) == (["query"], ["Number=Plur"])
    treebank = Sentence(
        forms=["queries"], lemmas=["query"], heads=[0], comments=["# text = queries", "# x = 1"]
    )
    assert (unordered(treebank).lemmas, unordered(treebank).comments) == (["query"], ["# x = 1"])


@given(trees(max_size=9), st.randoms(use_true_random=False))
def test_reordering_keeps_the_tree(heads: list[int], chance: st.Random) -> None:
    forms = [f"w{number}" for number in range(len(heads))]
    sentence = Sentence(forms=forms, heads=list(heads))
    order = list(range(1, len(heads) + 1))
    chance.shuffle(order)
    before = edges(sentence, "forms")
    sentence.reorder(order)
    assert sentence.forms == [forms[word - 1] for word in order]
    assert edges(sentence, "forms") == before


def test_an_order_has_every_word_once() -> None:
    with pytest.raises(ValueError, match="every word once"):
        HEARING.copy().reorder([1, 1, 3, 4, 5, 6, 7, 8, 9])


def test_the_command(tmp_path: Path) -> None:
    source, target = tmp_path / "in.conllu", tmp_path / "out.t1.conllu"
    plait.write(written(10), source)
    arguments = ["convert", str(source), "--to", "t1", "--seed", "7", "-o", str(target)]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    found = plait.read(target)
    assert len(found) == 10
    assert "text" not in target.read_text()
    assert any("lin=+1" in sentence.feats for sentence in found)
    assert CliRunner().invoke(command, [*arguments, "--no-lin"]).exit_code == 0
    assert "lin=" not in target.read_text()
    assert CliRunner().invoke(command, ["convert", str(source), "--no-lin"]).exit_code == 2
