"""Voting: the tree with the most votes, checked against all trees there are; what goes with it; what is wrong."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

import plait
from plait import FormatError, InputError, Sentence, Treebank
from plait.cli import plait as command
from plait.trees import find_fault
from plait.trees.voting import maximum_spanning_tree, vote
from toy import quick_parser, toy


def sentence(heads: list[int], labels: str = "", **columns: list[str]) -> Sentence:
    size = len(heads)
    names = labels.split() or ["x"] * size
    return Sentence(forms=[f"w{i}" for i in range(size)], heads=list(heads), deprels=names, **columns)


def voted(*trees: list[int], weights: list[float] | None = None) -> list[int | None]:
    return vote([[sentence(tree)] for tree in trees], weights)[0].heads


def all_trees(words: int) -> list[list[int]]:
    return [list(heads) for heads in product(range(words + 1), repeat=words) if find_fault(heads) is None]


@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_the_spanning_tree_is_the_best_of_all_trees(words: int) -> None:
    for seed in range(60):
        # Numbers that repeat, so that there are ties and cycles.
        scores = {
            word: {
                head: (seed * 7919 + word * 104_729 + head * 1_299_709) % (11 + seed % 5)
                for head in range(words + 1)
                if head != word
            }
            for word in range(1, words + 1)
        }
        found = maximum_spanning_tree(scores)
        heads = [found[word] for word in range(1, words + 1)]
        assert find_fault(heads) is None

        def total(tree: list[int], scores: dict[int, dict[int, int]] = scores) -> int:
            return sum(scores[word][head] for word, head in enumerate(tree, 1))

        assert total(heads) == max(map(total, all_trees(words)))


def test_of_two_with_as_many_votes_the_first_wins() -> None:
    """Every tree made of the arcs of two others has as many votes, so the first decides all of them."""
    trees = [tree for tree in all_trees(4) if tree.count(0) == 1]
    for one, other in product(trees, repeat=2):
        assert voted(one, other) == one


def test_the_majority_wins() -> None:
    assert voted([2, 0, 2], [2, 0, 1], [2, 0, 2]) == [2, 0, 2]
    assert voted([2, 0, 1], [2, 0, 2], weights=[1, 1.5]) == [2, 0, 2]
    assert voted([2, 0, 1], [2, 0, 2], [2, 0, 2], weights=[0.5, 0.2, 0.2]) == [2, 0, 1]


def test_ties_go_to_the_first_system() -> None:
    assert voted([2, 0, 1], [2, 0, 2]) == [2, 0, 1]
    assert voted([2, 0, 2], [2, 0, 1]) == [2, 0, 2]
    # As floats 0.1 + 0.2 is more than 0.3.
    assert voted([2, 0, 1], [2, 0, 2], [2, 0, 2], weights=[0.3, 0.1, 0.2]) == [2, 0, 1]


def test_the_most_voted_heads_may_be_a_cycle() -> None:
    trees = [0, 1, 2], [3, 0, 2], [3, 1, 0]
    heads = voted(*trees)
    assert find_fault([head or 0 for head in heads]) is None
    assert heads.count(0) == 1
    votes = [sum(tree[word] == head for tree in trees) for word, head in enumerate(heads)]
    assert sum(votes) == 5


def test_single_roots() -> None:
    one, two, three = [0, 1, 1], [0, 0, 1], [0, 0, 1]
    assert voted(one, two, three) == [0, 0, 1], "not all have one root"
    trees = [[sentence(tree)] for tree in (one, two, three)]
    assert vote(trees, single_root=True)[0].heads == [0, 1, 1]
    # Each has one root, and the heads with the most votes have two.
    roots = [[sentence(tree)] for tree in ([0, 1, 1], [0, 1, 1], [2, 0, 2], [2, 0, 2], [3, 3, 0])]
    assert vote(roots)[0].heads.count(0) == 1
    with pytest.raises(FormatError, match="no tree with a single root can be made"):
        vote(trees[1:], single_root=True)


def test_labels_come_from_those_who_propose_the_arc() -> None:
    systems = [
        [sentence([0, 1, 1], "root a b")],
        [sentence([0, 1, 2], "root c d")],
        [sentence([0, 1, 1], "root c e")],
    ]
    found = vote(systems)[0]
    assert (found.heads, found.deprels) == ([0, 1, 1], ["root", "c", "b"])
    assert vote(systems, [3, 1, 1])[0].deprels == ["root", "a", "b"]


def test_everything_else_is_the_first_systems() -> None:
    one = sentence([0, 1], "root a", upos=["A", "B"], lemmas=["l", "m"], deps=["0:root", "1:a"])
    other = sentence([2, 0], "a root", upos=["C", "D"])
    found = vote([[one], [other], [other]])[0]
    assert (found.upos, found.lemmas) == (["A", "B"], ["l", "m"])
    assert (found.heads, found.deps) == ([2, 0], ["_", "_"])
    assert one.heads == [0, 1], "those given are left as they are"
    assert vote([[one], [one], [other]])[0] == one


def test_one_treebank_and_none() -> None:
    treebank = toy(5)
    assert list(vote([treebank])) == list(treebank)
    assert len(vote([[], []])) == 0
    with pytest.raises(InputError, match="no treebanks are given"):
        vote([])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], "There are 2 treebanks but 1 weights"),
        ([1.0, 0.0], "must be more than 0, not 0.0"),
        ([1.0, float("nan")], "must be more than 0, not nan"),
        ([float("inf"), 1.0], "must be more than 0, not inf"),
    ],
)
def test_wrong_weights(weights: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        vote([toy(2), toy(2)], weights)


def test_words_must_agree() -> None:
    first, second = toy(3), toy(3)
    second.path = "second.conllu"
    second[1].forms[0], second[1].line = "tie", 17
    with pytest.raises(
        FormatError, match=r"second.conllu:17 \(sent_id toy-2\): word 1 is 'tie', but '(the|a)' in the"
    ):
        vote([first, second])
    with pytest.raises(FormatError, match=r"second.conllu.*the sentence has 1 words, but \d in the first"):
        vote([first, Treebank([sentence([0]), *first[1:]], path="second.conllu")])
    with pytest.raises(InputError, match=r"toy1.conllu: 2 sentences, but 3 in the first treebank"):
        vote([first, toy(2)])


def test_heads_must_be_trees() -> None:
    broken = sentence([2, 1])
    with pytest.raises(FormatError, match="the heads form a cycle"):
        vote([[sentence([0, 1])], [broken]])


def test_parsers_vote() -> None:
    train, dev = toy(60), toy(20, seed=2)
    parsed = [quick_parser(seed=seed).fit(train).apply(dev) for seed in (1, 2, 3)]
    scores = [plait.evaluate(dev, each).las for each in parsed]
    assert plait.evaluate(dev, vote(parsed)).las >= min(scores)


def test_the_verb(tmp_path: Path) -> None:
    paths = []
    for number, heads in enumerate([[2, 0, 2], [2, 0, 1], [0, 1, 1]]):
        paths.append(str(tmp_path / f"{number}.conllu"))
        plait.write([sentence(heads)], paths[-1])
    done = CliRunner().invoke(command, ["vote", *paths, "-o", str(tmp_path / "voted.conllu")])
    assert done.exit_code == 0, done.output
    assert plait.read(tmp_path / "voted.conllu")[0].heads == [2, 0, 1]
    done = CliRunner().invoke(command, ["vote", *paths, "--weights", "3,1,1"])
    assert done.output.splitlines()[2].split("\t")[6] == "2"
    done = CliRunner().invoke(command, ["vote", *paths, "--weights", "3,x"])
    assert done.exit_code == 2
    assert "not a list of numbers" in done.output
