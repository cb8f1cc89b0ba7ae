"""The nets of the core against those of numpy, on nets that are made here."""

import threading
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from nets import BUCKETS, FORMS, SIZES, WORDS, make_net
from plait import Cancel, Cancelled, _core
from plait.components.neural.corpus import COLUMNS
from plait.components.neural.decoding import crossing, is_tree, priced_tree
from plait.components.neural.reference import Reference
from plait.components.neural.shape import SMALL
from plait.components.neural.words import gram_table

KERNELS = _core.neural_kernels()


def make_sentences(seed: int, count: int = 12) -> list[list[str]]:
    chance = np.random.default_rng(seed)
    return [chance.choice(FORMS, size=1 + int(chance.integers(0, 40))).tolist() for _ in range(count)]


def types_of(forms: list[str]) -> np.ndarray[Any, Any]:
    parts = gram_table(forms, BUCKETS)
    parts[parts == BUCKETS] = -1
    return np.column_stack([WORDS.encode(forms), parts]).astype(np.int32)


def numbers(count: int) -> np.ndarray[Any, Any]:
    return np.arange(count, dtype=np.int32)


Found = tuple[np.ndarray[Any, Any], ...]


def run(*nets: Any, sentences: list[list[str]], **wishes: Any) -> Found:
    forms = [form for sentence in sentences for form in sentence]
    ends = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    types = [types_of(forms)] * len(nets)
    found: Found = _core.NeuralNets(list(nets)).run(types, numbers(len(forms)), ends, **wishes)
    return found


def look(*nets: Any, forms: list[str], price: float = 0.0) -> Found:
    types = [types_of(forms)] * len(nets)
    found: Found = _core.NeuralNets(list(nets)).look(types, numbers(len(forms)), price)
    return found


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("seed", range(4))
def test_the_core_computes_what_numpy_does(seed: int, kernel: str) -> None:
    # With 33 inputs and 32 cells the first layer has a matrix around it; with 32 it has none.
    layers = 1 + seed % 3
    tensors = make_net(seed, layers=layers, part_dim=20 + seed % 2, arc=(20, 16, 35, 8)[seed])
    tag_layer = min(2, layers)
    reference = Reference(tensors, WORDS, replace(SMALL, tag_layer=tag_layer))
    net = _core.NeuralNet(tensors, tag_layer, kernel)
    far = []
    for forms in make_sentences(seed):
        expected = reference.run(forms)
        tags, arcs, labels = look(net, forms=forms)
        heads = priced_tree(arcs, 0)
        possible = np.isfinite(expected.arcs)
        assert (np.isfinite(arcs) == possible).all()
        far += [
            np.abs(tags - np.hstack([expected.tags[name] for name in COLUMNS])).max(),
            np.abs(arcs[possible] - expected.arcs[possible]).max(),
            np.abs(labels - reference.labels(expected, heads)).max(),
        ]
    # Where a value lies between two steps of 8 bits it may be rounded otherwise: hardly ever, and little.
    assert np.median(far) < 1e-4
    assert max(far) < 0.1


@pytest.mark.parametrize("seed", range(4))
def test_all_kernels_give_the_same(seed: int) -> None:
    tensors, sentences = make_net(seed, width=48), make_sentences(seed)
    first, *others = (
        run(_core.NeuralNet(tensors, 2, kernel), sentences=sentences, price=0.5) for kernel in KERNELS
    )
    for other in others:
        for one, two in zip(first, other, strict=True):
            assert (one == two).all()


@pytest.mark.parametrize("price", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_decisions_are_the_best_of_the_logits(seed: int, price: float) -> None:
    net, sentences = _core.NeuralNet(make_net(seed), 2), make_sentences(seed, 40)
    heads, labels, tags, probabilities, _, _, scripts = run(net, sentences=sentences, price=price)
    start = 0
    for forms in sentences:
        own = slice(start, start := start + len(forms))
        tag_logits, arcs, label_logits = look(net, forms=forms, price=price)
        assert heads[own].tolist() == priced_tree(arcs, price).tolist()
        assert is_tree(heads[own])
        assert labels[own].tolist() == label_logits.argmax(1).tolist()
        columns = np.split(tag_logits, np.cumsum(list(SIZES.values()))[:-1], axis=1)
        assert tags[own].T.tolist() == [column.argmax(1).tolist() for column in columns]
        best = np.argsort(-columns[-1], axis=1, kind="stable")[:, : scripts.shape[1]]
        assert scripts[own].tolist() == best.tolist()
        shares = np.exp(arcs - arcs.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        assert np.allclose(probabilities[own], shares[np.arange(len(forms)), heads[own]], atol=1e-5)


def test_crossing_arcs_pay() -> None:
    net, sentences = _core.NeuralNet(make_net(1), 2), make_sentences(1, 40)
    ends = np.cumsum([0, *map(len, sentences)])
    crossed = [
        sum(crossing(heads[first:last]).sum() for first, last in pairwise(ends))
        for heads in (run(net, sentences=sentences, price=price)[0] for price in (0.0, 0.05, 100.0))
    ]
    assert crossed[0] > crossed[1] > crossed[2] == 0


def test_given_heads_stay_and_the_rest_is_a_tree() -> None:
    net, sentences = _core.NeuralNet(make_net(1), 2), make_sentences(5, 40)
    free = run(net, sentences=sentences)[0]
    given = np.full(len(free), -1, np.int32)
    start = 0
    for forms in sentences:
        if len(forms) > 3:
            given[start : start + 3] = 2, 3, 0
        start += len(forms)
    heads = run(net, sentences=sentences, given=given, price=1.0)[0]
    assert (heads[given >= 0] == given[given >= 0]).all()
    assert (free[given >= 0] != given[given >= 0]).any()
    start = 0
    for forms in sentences:
        assert is_tree(heads[start : start + len(forms)])
        start += len(forms)


def test_two_given_roots_stay() -> None:
    given = np.array([0, 0, -1, -1], np.int32)
    heads = run(_core.NeuralNet(make_net(1), 2), sentences=[FORMS[:4]], given=given, price=1.0)[0]
    assert heads[:2].tolist() == [0, 0]
    assert (heads[2:] != 0).all()


def test_threads_change_nothing() -> None:
    net, sentences = _core.NeuralNet(make_net(2), 2), make_sentences(3, 60)
    for one, two in zip(run(net, sentences=sentences), run(net, sentences=sentences, threads=3), strict=True):
        assert (one == two).all()


def test_work_can_be_cancelled() -> None:
    net, sentences = _core.NeuralNet(make_net(2), 2), [FORMS * 20] * 2000
    cancel = Cancel()
    timer = threading.Timer(0.1, cancel.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        run(net, sentences=sentences, cancel=cancel, threads=2)
    timer.join()


def test_a_batch_without_words() -> None:
    assert [len(each) for each in run(_core.NeuralNet(make_net(2), 2), sentences=[[], []])] == [
        0,
        0,
        0,
        0,
        0,
        2,
        0,
    ]


@pytest.mark.parametrize("name", list(make_net(0)))
def test_arrays_that_do_not_fit_are_refused(name: str) -> None:
    tensors = make_net(0)
    array = tensors[name]
    spoilt = [array[..., :-1].copy(), np.concatenate([array, array]), array.astype(np.float64)]
    if array.dtype == np.float32:
        spoilt += [np.full_like(array, np.nan), np.full_like(array, np.inf)]
    for each in spoilt:
        with pytest.raises(ValueError):
            _core.NeuralNet(tensors | {name: each}, 2)
    with pytest.raises(ValueError):
        _core.NeuralNet({other: tensors[other] for other in tensors if other != name}, 2)


def test_what_no_net_has_is_refused() -> None:
    tensors = make_net(0)
    for wrong in (tensors | {"more": tensors["root"]}, tensors | {"root": tensors["root"][:30].copy()}, {}):
        with pytest.raises(ValueError):
            _core.NeuralNet(wrong, 2)
    for layer in (0, 3):
        with pytest.raises(ValueError):
            _core.NeuralNet(tensors, layer)
    with pytest.raises(ValueError, match="no kernel 'abacus'"):
        _core.NeuralNet(tensors, 2, "abacus")


def test_numbers_out_of_range_are_refused() -> None:
    net = _core.NeuralNets([_core.NeuralNet(make_net(0), 2)])
    types, ends = types_of(FORMS[:2]), np.array([0, 2], np.int64)
    words = numbers(2)
    for row, column, value in ((0, 0, -1), (0, 0, 7), (1, 3, BUCKETS), (1, 3, -2)):
        wrong = types.copy()
        wrong[row, column] = value
        with pytest.raises(ValueError, match="out of range"):
            net.run([wrong], words, ends)
    with pytest.raises(ValueError, match="no kind"):
        net.run([types], words + 1, ends)
    for given in ([3, 0], [-2, 0], [1, 0], [0]):
        with pytest.raises(ValueError):
            net.run([types], words, ends, np.array(given, np.int32))


def test_the_largest_weights_break_nothing() -> None:
    tensors = make_net(0)
    huge = {
        name: np.full_like(array, 3e38 if array.dtype == np.float32 else -128)
        for name, array in tensors.items()
    }
    for kernel in KERNELS:
        heads = run(_core.NeuralNet(huge, 2, kernel), sentences=[FORMS])[0]
        assert is_tree(heads)


def shares(logits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    found = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(found / found.sum(1, keepdims=True))


@pytest.mark.parametrize("price", [0.0, 0.3])
def test_several_nets_judge_by_the_mean_of_their_probabilities(price: float) -> None:
    nets = [
        _core.NeuralNet(make_net(1), 2),
        _core.NeuralNet(make_net(2, width=48, layers=1, arc=7), 1),
        _core.NeuralNet(make_net(3), 2),
    ]
    sentences = make_sentences(7, 30)
    heads, labels, tags, probabilities, *_ = run(*nets, sentences=sentences, price=price)
    start, differ = 0, 0
    for forms in sentences:
        own = slice(start, start := start + len(forms))
        each = [look(net, forms=forms) for net in nets]
        arcs = np.mean([shares(arcs) for _, arcs, _ in each], axis=0)
        found = look(*nets, forms=forms, price=price)
        possible = np.isfinite(found[1])
        assert np.allclose(np.exp(found[1])[possible], arcs[possible], atol=1e-5)
        assert heads[own].tolist() == priced_tree(found[1], price).tolist()
        assert np.allclose(probabilities[own], arcs[np.arange(len(forms)), heads[own]], atol=1e-5)
        edges = np.cumsum(list(SIZES.values()))[:-1]
        for column, group in enumerate(
            zip(*(np.split(tag_logits, edges, axis=1) for tag_logits, _, _ in each), strict=True)
        ):
            mean = np.mean([shares(logits) for logits in group], axis=0)
            assert tags[own, column].tolist() == mean.argmax(1).tolist()
        assert labels[own].tolist() == found[2].argmax(1).tolist()
        assert np.allclose(np.exp(found[2]).sum(1), 1, atol=1e-4)
        differ += int((heads[own] != priced_tree(each[0][1], price)).sum())
    assert differ


def test_the_labels_of_several_nets_are_those_of_their_mean() -> None:
    nets = [_core.NeuralNet(make_net(seed), 2) for seed in (1, 2)]
    for forms in make_sentences(8):
        given = run(*nets, sentences=[forms])[0].astype(np.int32)
        labels = []
        for seed in (1, 2):
            reference = Reference(make_net(seed), WORDS)
            labels.append(shares(reference.labels(reference.run(forms), given)))
        found = np.exp(look(*nets, forms=forms)[2])
        assert np.abs(found - np.mean(labels, axis=0)).max() < 0.02


def test_nets_that_do_not_know_the_same_are_refused() -> None:
    net = _core.NeuralNet(make_net(1), 2)
    fewer = make_net(1)
    for name in ("label.p", "label.p.scale", "label.b"):
        fewer[name] = fewer[name][:-1]
    for name in ("label.m", "label.m.scale"):
        fewer[name] = fewer[name][:-9]
    with pytest.raises(ValueError, match="same classes"):
        _core.NeuralNets([net, _core.NeuralNet(fewer, 2)])
    with pytest.raises(ValueError, match="no net"):
        _core.NeuralNets([])
    nets, words, ends = _core.NeuralNets([net, net]), numbers(2), np.array([0, 2], np.int64)
    for types in ([types_of(FORMS[:2])], [types_of(FORMS[:2]), types_of(FORMS[:3])]):
        with pytest.raises(ValueError, match="tables of words"):
            nets.run(types, words, ends)
