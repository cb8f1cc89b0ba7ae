"""What the core sees in a state, through what a parser can learn with one template and cannot without it.

Every test is a question with two answers that only the attribute under test tells apart.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from plait import Sentence, Treebank
from toy import accuracy, quick_parser


def sentence(forms: str, heads: list[int], labels: str, tags: str = "", **columns: list[str]) -> Sentence:
    words = forms.split()
    return Sentence(
        forms=words,
        upos=tags.split() or ["X"] * len(words),
        heads=list(heads),
        deprels=labels.split(),
        **columns,
    )


def learn(features: str, treebank: list[Sentence], folder: Path, **options: object) -> float:
    """How much of a treebank a parser with these templates gets right in the end."""
    path = folder / "features.txt"
    path.write_text(features)
    gold = Treebank(treebank)
    # An oracle that attaches every word as soon as it can, so that a test knows what is built already.
    known = {"oracle": "eager", "explore": 0.0, "epochs": 30, "patience": 30}
    parser = quick_parser(features=str(path), **(known | options))
    return accuracy(parser.fit(gold, dev=gold), gold)


# Two words; which one is the head, or what the label is, is what the templates must see.
RIGHT = "b c", [0, 1], "root x"
LEFT = "b c", [2, 0], "x root"


@pytest.mark.parametrize(
    ("attribute", "column", "one", "other"),
    [
        ("form", "forms", "abc", "abd"),
        ("lower", "forms", "Abc", "abd"),
        ("lemma", "lemmas", "abc", "abd"),
        ("upos", "upos", "A", "B"),
        ("xpos", "xpos", "A", "B"),
        ("feats", "feats", "Case=Nom", "Case=Acc"),
        ("feats.Case", "feats", "Case=Nom|X=1", "Case=Acc|X=1"),
        ("prefix1", "forms", "abc", "bbc"),
        ("prefix3", "forms", "abcx", "abdx"),
        ("suffix1", "forms", "abc", "abd"),
        ("suffix3", "forms", "xabc", "xabd"),
        ("suffix5", "forms", "abcde", "bbcde"),
    ],
)
def test_every_column_tells_words_apart(
    attribute: str, column: str, one: str, other: str, tmp_path: Path
) -> None:
    right, left = sentence(*RIGHT), sentence(*LEFT)
    getattr(right, column)[1] = one
    getattr(left, column)[1] = other
    assert learn(f"S0.{attribute}\nbias\n", [right, left], tmp_path) == 1
    assert learn("S0.lemma S0.xpos\nbias\n" if column in ("forms", "upos", "feats") else "S0.form\nbias\n",
                 [right, left], tmp_path) < 1  # fmt: skip


@pytest.mark.parametrize(
    ("attribute", "one", "other"),
    [
        ("lower", ("forms", "ABC"), ("forms", "abc")),
        ("feats.Case", ("feats", "Case=Nom|X=1"), ("feats", "Case=Nom|X=2")),
        ("feats.Case", ("feats", "X=1"), ("feats", "_")),
        ("prefix2", ("forms", "abc"), ("forms", "abd")),
        ("suffix2", ("forms", "abc"), ("forms", "xbc")),
    ],
)
def test_what_an_attribute_leaves_out_does_not_tell(
    attribute: str, one: tuple[str, str], other: tuple[str, str], tmp_path: Path
) -> None:
    right, left = sentence(*RIGHT), sentence(*LEFT)
    for which, (column, value) in ((right, one), (left, other)):
        getattr(which, column)[1] = value
    assert learn(f"S0.{attribute}\nbias\n", [right, left], tmp_path) < 1


def test_left_and_right_dependents_and_their_labels(tmp_path: Path) -> None:
    """*She saw stars*, Zhang and Nivre: after SSLS the left dependent of S1 is *She*; after R too."""
    known = "S0.form S1.form\nB0.form\nS0.form\nbias\n"
    # What the left dependent of the first word was decides on the label of the second.
    one = sentence("she saw stars", [2, 0, 2], "nsubj root obj")
    two = sentence("her saw stars", [2, 0, 2], "obl root xcomp")
    assert learn(known, [one, two], tmp_path) < 1
    for seen in "S1.left1.form", "S1.left1.deprel", "S1.leftlabels":
        assert learn(known + seen, [one, two], tmp_path) == 1
    for unseen in "S1.right1.form", "S1.nleft", "S1.left2.form", "S0.left1.form", "S1.rightlabels":
        assert learn(known + unseen, [one, two], tmp_path) < 1


def test_the_outermost_dependent_is_the_first(tmp_path: Path) -> None:
    known = "S0.form S1.form\nB0.form\nS0.form\nbias\n"
    one = sentence("a b saw stars", [3, 3, 0, 3], "x y root obj")
    two = sentence("b a saw stars", [3, 3, 0, 3], "y x root xcomp")
    for seen in "S1.left1.form", "S1.left2.form", "S1.left1.deprel", "S1.left2.deprel":
        assert learn(known + seen, [one, two], tmp_path) == 1
    # The same set of labels in another order: a set does not tell.
    for unseen in "S1.leftlabels", "S1.nleft", "S1.right1.form":
        assert learn(known + unseen, [one, two], tmp_path) < 1


def test_a_given_label_is_seen_by_what_comes_after_it(tmp_path: Path) -> None:
    """The label of the third word follows from that of the first, and nothing else tells either."""
    treebank = [sentence("a b c", [2, 0, 2], "one root two"), sentence("a b c", [2, 0, 2], "un root deux")]
    (tmp_path / "features.txt").write_text("S1.left1.deprel\nS1~S0.distance\nS0.form S1.form B0.form\n")
    for beam in 1, 4:
        options = {"oracle": "eager", "explore": 0.0, "epochs": 30, "beam": beam, "renew": 0}
        parser = quick_parser(features=str(tmp_path / "features.txt"), **options).fit(treebank)
        for gold in treebank:
            asked = sentence("a b c", [2, 0, 2], f"{gold.deprels[0]} _ _")
            asked.heads[1:] = [None, None]
            (parsed,) = parser.apply([asked], keep_heads=True)
            assert parsed.deprels == gold.deprels


def test_valency_counts_and_a_label_set_does_not(tmp_path: Path) -> None:
    known = "S0.form S1.form\nB0.form\nS0.form\nbias\n"
    one = sentence("a saw stars", [2, 0, 2], "x root obj")
    two = sentence("a a saw stars", [3, 3, 0, 3], "x x root xcomp")
    assert learn(known + "S1.nleft", [one, two], tmp_path) == 1
    assert learn(known + "S1.valency", [one, two], tmp_path) == 1
    assert learn(known + "S1.leftlabels", [one, two], tmp_path) < 1


def test_distance_has_bins(tmp_path: Path) -> None:
    def apart(size: int, label: str) -> Sentence:
        between = " ".join(["m"] * (size - 1))
        heads = [0, *[1] * (size - 1), 1]
        return sentence(f"a {between} z", heads, " ".join(["root", *["x"] * (size - 1), label]))

    known = "S0.form S1.form\nB0.form\nS0.form\nbias\n"
    for near, far, differ in (2, 3, True), (5, 6, True), (6, 10, False), (10, 11, True), (11, 15, False):
        reached = learn(known + "S0.form distance", [apart(near, "one"), apart(far, "two")], tmp_path)
        assert (reached == 1) is differ, (near, far)


def test_templates_over_the_same_values_do_not_meet(tmp_path: Path) -> None:
    """`S0.upos` and `S1.upos` are two features though both see A."""
    one = sentence("b c", [0, 1], "root x", "A B")
    two = sentence("b c", [0, 1], "root y", "B A")
    assert learn("S0.upos\nS1.upos\nbias\n", [one, two], tmp_path) == 1


def test_word_order_after_a_swap(tmp_path: Path) -> None:
    """A crossing tree is learned from tags alone when the order of stack and buffer can be seen."""
    crossing = sentence("a b c d", [3, 4, 0, 3], "x y root z", "A B C D")
    plain = sentence("a b c d", [2, 3, 0, 3], "x y root z", "A A C D")
    features = (
        "S0.upos S1.upos B0.upos\nS1~S0.inorder S0.upos S1.upos\nS0.upos B0.upos\nS0.upos S1.upos\nbias\n"
    )
    assert learn(features, [crossing, plain], tmp_path) == 1


def test_heads_can_be_seen_in_the_arc_eager_system(tmp_path: Path) -> None:
    known = "S0.form B0.form\nS0.form\nB0.form\nbias\n"
    one = sentence("saw dogs that", [0, 1, 2], "root obj x")
    two = sentence("fed dogs that", [0, 1, 2], "root obj y")
    options = {"system": "eager", "oracle": "static"}
    assert learn(known, [one, two], tmp_path, **options) < 1
    assert learn(known + "S0.head.form", [one, two], tmp_path, **options) == 1


@pytest.mark.parametrize("features", ["bias", "S0.deprel", "distance", "S0.xpos"])
@pytest.mark.parametrize("beam", [1, 2])
def test_templates_that_look_at_no_column_or_an_empty_one(features: str, beam: int, tmp_path: Path) -> None:
    one = sentence("b c", [0, 1], "root x")
    reached = learn(features, [one], tmp_path, beam=beam)
    assert reached == 1 or features == "S0.xpos"  # XPOS is empty: there is nothing to learn with
