"""Nets of every kind in the core against those of numpy, and several of them as one component."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nets import CLASSES, FORMS, LABELS, LETTERS, SHAPES, WORDS, make_net
from plait import InputError, Sentence, _core
from plait.components.neural import Neural
from plait.components.neural.corpus import COLUMNS
from plait.components.neural.model import Model, Net
from plait.components.neural.reference import Reference, softmax
from plait.components.neural.shape import NetShape
from plait.components.neural.words import Letters
from plait.layers import Vectors

KINDS = list(SHAPES)
# As long as what is shown of a word, one less, one more, and much more; and none at all of its letters known.
LONG = [
    "x" * 24,
    "internationalizations" + "ab",
    "a" * 25,
    "donaudampfschifffahrtsgesellschaftskapitän",
    "Ωψ",
    "a",
]


def letters_of(shape: NetShape) -> Letters | None:
    return LETTERS if shape.spelling == "characters" else None


def net_of(kind: str, seed: int = 1, **sizes: Any) -> Net:
    shape = SHAPES[kind]
    return Net(shape, WORDS, make_net(seed, shape=shape, **sizes), letters_of(shape))


def sentences(seed: int, count: int = 8) -> list[list[str]]:
    chance = np.random.default_rng(seed)
    return [
        chance.choice([*FORMS, *LONG], size=1 + int(chance.integers(0, 30))).tolist() for _ in range(count)
    ]


@pytest.mark.parametrize("kernel", _core.neural_kernels())
@pytest.mark.parametrize("kind", KINDS)
def test_the_core_computes_what_numpy_does(kind: str, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_KERNEL", kernel)
    far = []
    for seed, layers in ((1, 2), (2, 3)):
        net = net_of(kind, seed, layers=layers)
        reference = Reference(net.tensors, WORDS, net.shape, net.letters)
        for forms in sentences(seed):
            expected = reference.run(forms)
            words = np.arange(len(forms), dtype=np.int32)
            tags, arcs, labels = _core.NeuralNets([net.core]).look([net.rows(forms)], words)
            possible = np.isfinite(expected.arcs)
            far += [
                np.abs(tags - np.hstack([expected.tags[name] for name in COLUMNS])).max(),
                np.abs(arcs[possible] - expected.arcs[possible]).max(),
            ]
            assert labels.shape == (len(forms), LABELS)
    # Where a value lies between two steps of 8 bits it may be rounded otherwise: hardly ever, and little.
    assert np.median(far) < 1e-3
    assert max(far) < 0.15


@pytest.mark.parametrize("kind", KINDS)
def test_all_kernels_give_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    treebank = [Sentence(forms=forms) for forms in sentences(3, 20)]
    found = []
    for kernel in _core.neural_kernels():
        monkeypatch.setenv("PLAIT_KERNEL", kernel)
        found.append(Model(CLASSES, [net_of(kind), net_of("sru", 5)]).run(treebank, price=0.3))
    assert all(other == found[0] for other in found[1:])


@pytest.mark.parametrize("kind", ["spelt sru", "lstm", "fed lstm"])
def test_arrays_that_do_not_fit_are_refused(kind: str) -> None:
    tensors, shape = make_net(0, shape=SHAPES[kind]), SHAPES[kind]

    def refused(changed: dict[str, np.ndarray[Any, Any]]) -> None:
        with pytest.raises(ValueError):
            Net(shape, WORDS, changed, letters_of(shape))

    for name, array in tensors.items():
        refused({other: tensors[other] for other in tensors if other != name})
        for wrong in (array[..., :-1].copy(), np.concatenate([array, array]), array.astype(np.float64)):
            refused(tensors | {name: wrong})
        if array.dtype == np.float32:
            refused(tensors | {name: np.full_like(array, np.nan)})
    refused(tensors | {"more": tensors["root"]})


def test_a_shape_that_is_not_that_of_the_arrays_is_refused() -> None:
    for kind, shape in SHAPES.items():
        for other in SHAPES.values():
            same = (shape.body, shape.spelling, shape.feed, shape.attention)
            if (other.body, other.spelling, other.feed, other.attention) != same:
                with pytest.raises(ValueError):
                    Net(other, WORDS, make_net(0, shape=shape), letters_of(other))
        with pytest.raises(ValueError):
            Net(shape, WORDS, make_net(0, shape=shape), Letters(["a"])), kind


def test_the_largest_weights_break_nothing() -> None:
    for kind, shape in SHAPES.items():
        huge = {
            name: np.full_like(array, 3e38 if array.dtype == np.float32 else -128)
            for name, array in make_net(0, shape=shape).items()
        }
        net = Net(shape, WORDS, huge, letters_of(shape))
        found = Model(CLASSES, [net, net]).run([Sentence(forms=FORMS)], price=1.0)
        assert found.heads.count(0) == 1, kind


def component() -> Neural:
    neural = Neural(crossing_price=0.0)
    neural.change(Model(CLASSES, [net_of("spelt sru", 1), net_of("fed lstm", 2, width=36)]), {})
    return neural


def test_several_nets_are_one_component(tmp_path: Path) -> None:
    neural = component()
    treebank = [Sentence(forms=forms) for forms in sentences(4)]
    neural.save(tmp_path / "model.plait")
    loaded = Neural.load(tmp_path / "model.plait")
    assert [net.shape for net in loaded.state.nets] == [net.shape for net in neural.state.nets]
    assert list(loaded.apply(treebank)) == list(neural.apply(treebank))
    references = [Reference(net.tensors, WORDS, net.shape, net.letters) for net in loaded.state.nets]
    differ = 0
    for sentence in loaded.apply(treebank):
        found = [reference.run(sentence.forms) for reference in references]
        for name, column in (("upos", sentence.upos), ("xpos", sentence.xpos)):
            mean = np.mean([softmax(each.tags[name]) for each in found], axis=0)
            assert column == [f"{name}{number}" for number in mean.argmax(1)]
            differ += (mean.argmax(1) != found[0].tags[name].argmax(1)).sum()
    assert differ


def test_vectors_of_words_are_there_when_asked_for() -> None:
    treebank = [Sentence(forms=forms) for forms in sentences(5)]
    neural = component()
    assert all(sentence.find(Vectors) is None for sentence in neural.apply(treebank))
    found = neural.apply(treebank, vectors=True)
    assert [each.heads for each in found] == [each.heads for each in neural.apply(treebank)]
    far = []
    for sentence in found:
        layer = sentence.find(Vectors)
        assert layer is not None
        assert layer.rows.dtype == np.float32
        assert layer.rows.shape == (len(sentence), 32 + 36)
        assert layer.fits(len(sentence))
        assert not layer.fits(len(sentence) + 1)
        assert Vectors.from_json(json.loads(json.dumps(layer.to_json()))) == layer
        expected = [
            Reference(net.tensors, WORDS, net.shape, net.letters).run(sentence.forms).vectors
            for net in neural.state.nets
        ]
        far.append(np.abs(layer.rows - np.hstack(expected)).max())
    assert np.median(far) < 1e-2
    assert not Vectors(np.full((1, 2), np.nan, np.float32)).fits(1)


def test_models_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    facts, tensors = component().pack()
    for name in ("net1.words", "net0.letters", "net1.root"):
        with pytest.raises((ValueError, KeyError)):
            Neural().unpack(facts, {other: tensors[other] for other in tensors if other != name})
    for name in ("net2.root", "root", "net-1.root", "net.root"):
        with pytest.raises((ValueError, KeyError)):
            Neural().unpack(facts, tensors | {name: tensors["net0.root"]})
    with pytest.raises((ValueError, KeyError)):
        Neural().unpack(replace(facts, nets=[]), {})
    with pytest.raises(InputError):
        Neural.from_export(tmp_path)
