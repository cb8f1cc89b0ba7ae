"""Chains of labels: learning, files, templates, and what is refused."""

import numpy as np
import pytest
from safetensors.numpy import save

from plait import _core
from plait.errors import FormatError, InputError
from plait.features.chains import ChainTemplates
from plait.learning.chain import Chain
from plait.learning.tensors import Tensors, read_tensors

# A label is decided by its neighbour: `b` after an `A` is an `X`, otherwise a `Y`.
WORDS = ["a b b", "b a b", "b b a", "a b a", "b a", "a a b", "b b"]
GOLD = [
    ["A" if word == "a" else "X" if at and words[at - 1] == "a" else "Y" for at, word in enumerate(words)]
    for words in (text.split() for text in WORDS)
]
TEMPLATES = "W0.word\nT-1 W0.word\nbias\n"


def features(texts: list[str]) -> tuple[list[list[list[str]]], list[list[list[str]]]]:
    templates = ChainTemplates.parse(TEMPLATES, "t", {"word"})
    columns = [{"word": text.split()} for text in texts]
    return [templates.features(each) for each in columns], [templates.pairs(each) for each in columns]


def learned() -> Chain:
    own, pairs = features(WORDS)
    return Chain.fit(own, GOLD, pairs=pairs, l2=0.01)


def test_a_label_may_depend_on_the_one_before() -> None:
    chain = learned()
    own, pairs = features(["a b b a b"])
    assert chain.label(own[0], pairs[0]) == ["A", "X", "Y", "A", "X"]
    # Without pairs the weights of neighbouring labels are enough for it too.
    plain = Chain.fit(features(WORDS)[0], GOLD, l2=0.01)
    assert plain.label(own[0]) == ["A", "X", "Y", "A", "X"]


def test_a_strong_penalty_leaves_nothing() -> None:
    rows = Chain.fit(features(WORDS)[0], GOLD, l2=1e6).marginals([["W0.word=b"]])
    assert rows[0] == pytest.approx([1 / 3] * 3, abs=1e-3)


def test_marginals_and_best_ways_agree() -> None:
    chain = learned()
    own, pairs = features(["b a b"])
    rows = chain.marginals(own[0], pairs[0])
    assert rows.shape == (3, 3)
    assert rows.sum(axis=1) == pytest.approx(np.ones(3))
    ways = chain.best(own[0], 100, pairs[0])
    assert len(ways) == 27
    assert ways[0][0] == chain.label(own[0], pairs[0])
    assert sum(np.exp(score) for _, score in ways) == pytest.approx(1)
    for at in range(3):
        for number, label in enumerate(chain.labels):
            there = sum(np.exp(score) for labels, score in ways if labels[at] == label)
            assert there == pytest.approx(rows[at, number])


def test_the_same_bytes_and_the_same_answers_from_a_file() -> None:
    chain = learned()
    written = save(chain.pack())
    assert written == save(learned().pack())
    again = Chain.unpack(chain.labels, read_tensors(written))
    own, pairs = features(["a b b a b"])
    assert again.label(own[0], pairs[0]) == chain.label(own[0], pairs[0])
    assert (again.marginals(own[0], pairs[0]) == chain.marginals(own[0], pairs[0])).all()


def test_rare_features_are_left_out() -> None:
    sequences = [[["often"], ["often", "once"]], [["often"]]]
    labels = [["A", "B"], ["A"]]
    assert {name for name, _ in Chain.fit(sequences, labels, min_count=2).weights()} == {"often"}
    assert {name for name, _ in Chain.fit(sequences, labels).weights()} == {"often", "once"}
    assert ("once", "A") in Chain.fit(sequences, labels, every_label=True).weights()
    assert ("once", "A") not in Chain.fit(sequences, labels).weights()


def test_what_was_never_seen_and_what_is_empty() -> None:
    chain = learned()
    assert chain.label([]) == []
    assert chain.marginals([]).shape == (0, 3)
    assert chain.best([], 5) == [([], 0.0)]
    assert len(chain.label([["never=seen"], []])) == 2


def test_what_does_not_fit_together_is_refused_with_a_reason() -> None:
    with pytest.raises(InputError, match="as many labels as positions"):
        Chain.fit([[["a"]]], [["A", "B"]])
    with pytest.raises(InputError, match="no label at all"):
        Chain.fit([[]], [[]])
    with pytest.raises(InputError, match="1,025 labels"):
        Chain.fit([[["a"]] * 1025], [[str(number) for number in range(1025)]])
    with pytest.raises(InputError, match="as many features of pairs"):
        learned().label([["a"]], [])


def damage(tensors: Tensors, name: str, place: int, value: float) -> Tensors:
    copy = tensors[name].copy()
    copy[place] = value
    return {**tensors, name: copy}


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("weights", 0, np.nan),
        ("weights", 0, np.inf),
        ("cells", 0, 3),
        ("cells", 0, -1),
        ("pair_cells", 0, 9),
        ("begins", 0, 1),
        ("begins", 1, 10**12),
        ("begins", -1, 10**12),
        ("pair_begins", 1, -1),
        ("ends", 1, -1),
        ("ends", 1, 10**12),
        ("ends", 0, 1),
        ("names", 0, 255),
    ],
)
def test_damaged_arrays_are_refused(name: str, place: int, value: float) -> None:
    with pytest.raises(ValueError):
        Chain.unpack(["A", "X", "Y"], damage(learned().pack(), name, place, value))


def test_arrays_of_another_size_or_kind_are_refused() -> None:
    tensors = learned().pack()
    for name in tensors:
        with pytest.raises(ValueError):
            Chain.unpack(["A", "X", "Y"], {**tensors, name: tensors[name][:-1]})
        with pytest.raises(ValueError):
            Chain.unpack(["A", "X", "Y"], {**tensors, name: tensors[name].astype(np.float64)})
        with pytest.raises(KeyError):
            Chain.unpack(["A", "X", "Y"], {other: array for other, array in tensors.items() if other != name})
    for labels in (["A", "X"], ["A", "X", "X"], [], ["A", "X", "Y", "Z"]):
        with pytest.raises(ValueError):
            Chain.unpack(labels, tensors)


def test_huge_weights_give_finite_probabilities() -> None:
    chain = learned()
    tensors = chain.pack()
    own, pairs = features(["a b b a b"])
    signs = np.where(np.arange(len(tensors["weights"])) % 2, 1, -1)
    wild = Chain.unpack(chain.labels, {**tensors, "weights": (signs * 3e38).astype(np.float32)})
    assert np.isfinite(wild.marginals(own[0], pairs[0])).all()
    assert len(wild.label(own[0], pairs[0])) == 5


def test_the_core_checks_features_of_sequences() -> None:
    none, begins = np.zeros(0, np.int32), np.zeros(1, np.int64)
    shape = _core.ChainShape(2, np.array([0, 1]), np.zeros(1, np.int32), begins, none)
    scorer = _core.ChainScorer(shape, np.zeros(shape.size))
    one = np.array([0, 1])
    nothing = np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="no such feature"):
        scorer.label(_core.ChainSequences(one, one, np.ones(1, np.int32), nothing, none))
    with pytest.raises(ValueError, match="offsets"):
        scorer.label(_core.ChainSequences(np.array([0, 7]), one, none, nothing, none))
    with pytest.raises(ValueError, match="another number of weights"):
        _core.ChainScorer(shape, np.zeros(3))


def test_templates_see_neighbours_and_conjunctions() -> None:
    templates = ChainTemplates.parse("W-1.w W0.t\nT-1\nT-1 W+1.w # next\nbias", "t", {"w", "t"})
    columns = {"w": ["a", "b"], "t": ["1", "2"]}
    assert templates.features(columns) == [["W-1.w W0.t=^1|1", "bias="], ["W-1.w W0.t=a|2", "bias="]]
    assert templates.pairs(columns) == [["W+1.w=b"], ["W+1.w=$1"]]
    assert templates.columns == ["w", "t"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("W0.word", "no column 'word'. Did you mean 'words'"),
        ("W12.words", "is not understood"),
        ("word", "is not understood"),
    ],
)
def test_a_bad_template_is_named_with_its_line(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as error:
        ChainTemplates.parse(f"# first\n{line}", "own.txt", {"words"})
    assert str(error.value).startswith("own.txt:2")
