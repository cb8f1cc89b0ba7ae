"""Trees by transitions of a net's head, several trees of a sentence, derivations and confidence."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import plait
import swap_reference
from nets import CLASSES, FORMS, make_head, model_of, neural_of
from plait import InputError, Sentence
from plait.components.neural import Neural
from plait.components.neural.calibration import Judgements, calibration_error
from plait.components.neural.decoding import crossing, is_tree
from plait.components.neural.model import Model
from plait.components.neural.swap import SwapHead
from plait.components.neural.swap_training import SwapTraining, fit_swap_head
from plait.layers import Alternatives

DECODERS = ("tree", "swap")
EASY = SwapTraining(hidden=32, epochs=20, group=80, batch=32, rate=0.01, dropout=0.0)


@some.composite
def forms(draw: some.DrawFn, most: int = 12) -> list[str]:
    return draw(some.lists(some.sampled_from(FORMS), min_size=1, max_size=most))


def trees_of(neural: Neural, words: list[str], count: int, **given: object) -> list[plait.layers.Parse]:
    sentence = Sentence(forms=words, **given)
    (found,) = neural.apply([sentence], nbest=count, keep_heads=bool(given))
    layer = found.find(Alternatives)
    assert layer is not None
    assert found.heads == layer.parses[0].heads
    return list(layer.parses)


@given(forms(), some.integers(0, 5), some.sampled_from([0.0, 0.2, 2.0]), some.sampled_from(DECODERS))
def test_several_trees_are_sorted_and_differ(words: list[str], seed: int, price: float, decoder: str) -> None:
    neural = neural_of(model_of(seed), crossing_price=price, decoder=decoder, beam=8)
    parses = trees_of(neural, words, 7)
    scores = [parse.score for parse in parses]
    assert scores == sorted(scores, reverse=True)
    assert len({tuple(parse.heads) for parse in parses}) == len(parses)
    assert all(is_tree(np.array(parse.heads)) for parse in parses)
    (plain,) = (
        neural.apply([Sentence(forms=words)], beam=8)
        if decoder == "swap"
        else neural.apply([Sentence(forms=words)])
    )
    assert plain.heads == parses[0].heads
    assert plain.deprels == parses[0].labels


def all_trees(size: int) -> list[tuple[int, ...]]:
    choices = [[head for head in range(size + 1) if head != word] for word in range(1, size + 1)]
    return [heads for heads in itertools.product(*choices) if is_tree(np.array(heads))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("price", [0.0, 0.3])
def test_the_best_trees_are_those_of_all(seed: int, price: float) -> None:
    words = np.random.default_rng(seed).choice(FORMS, 5).tolist()
    model = model_of(seed)
    _, arcs = model.read([Sentence(forms=words)])
    table = arcs.reshape(5, 6).astype(float)
    table -= np.log(np.exp(table).sum(1, keepdims=True))
    found = trees_of(neural_of(model, crossing_price=price), words, 40)
    paid = found[0].score - sum(table[word, head] for word, head in enumerate(found[0].heads))
    if price:
        # Arcs that paid in vain when the first tree was sought make other trees worse, never better.
        for parse in found:
            plain = sum(table[word, head] for word, head in enumerate(parse.heads))
            assert parse.score <= plain - price * crossing(np.array(parse.heads)).sum() + 1e-4
    else:
        assert paid == pytest.approx(0, abs=1e-4)
        every = sorted(
            (-sum(table[word, head] for word, head in enumerate(heads)), heads) for heads in all_trees(5)
        )
        assert [parse.score for parse in found] == pytest.approx(
            [-score for score, _ in every[:40]], abs=1e-4
        )


def test_there_are_no_more_trees_than_there_are() -> None:
    assert len(trees_of(neural_of(model_of()), FORMS[:2], 9)) == 2
    assert len(trees_of(neural_of(model_of()), FORMS[:1], 9)) == 1
    assert len(trees_of(neural_of(model_of()), FORMS[:3], 40)) == len(all_trees(3))


@given(forms(9), some.integers(0, 5), some.sampled_from(DECODERS), some.data())
def test_all_trees_have_what_is_given(
    words: list[str], seed: int, decoder: str, data: some.DataObject
) -> None:
    whole = data.draw(some.sampled_from(all_trees(min(4, len(words)))))
    heads: list[int | None] = [data.draw(some.sampled_from([head, None])) for head in whole]
    heads += [None] * (len(words) - len(heads))
    labels = ["mine" if head is not None else "_" for head in heads]
    neural = neural_of(model_of(seed), decoder=decoder)
    for parse in trees_of(neural, words, 4, heads=heads, deprels=labels):
        assert is_tree(np.array(parse.heads))
        for head, found, label in zip(heads, parse.heads, parse.labels, strict=True):
            assert head is None or (found, label) == (head, "mine")


def test_two_given_roots_stay() -> None:
    for decoder in DECODERS:
        for parse in trees_of(
            neural_of(model_of(), decoder=decoder), FORMS[:5], 3, heads=[0, 0, None, None, None]
        ):
            assert parse.heads[:2] == [0, 0]
            assert parse.heads.count(0) == 2


@pytest.mark.parametrize("seed", range(3))
def test_the_core_scores_as_the_readable_states_do(seed: int) -> None:
    head = make_head(seed)
    model = model_of(seed, head)
    sentence = Sentence(forms=np.random.default_rng(seed).choice(FORMS, 9).tolist())
    vectors, arcs = model.read([sentence])
    view = swap_reference.View(arcs.reshape(9, 10).astype(float))
    for beam in (1, 4):
        for step in neural_of(model, decoder="swap").trace(sentence, beam=beam).steps:
            expected = swap_reference.scores(step.state, view, vectors.astype(float), head)
            best: dict[object, float] = {}
            for each in step.alternatives:
                best.setdefault(each.transition.kind, each.score)
            assert best == pytest.approx(expected, abs=2e-3)


@given(forms(), some.integers(0, 5), some.sampled_from([1, 4]))
def test_a_derivation_leads_to_the_tree(words: list[str], seed: int, beam: int) -> None:
    sentence, model = Sentence(forms=words), model_of(seed)
    neural = neural_of(model, decoder="swap", beam=beam)
    (parsed,) = neural.apply([sentence])
    trace = neural.trace(sentence)
    assert (trace.tree().heads, trace.tree().deprels) == (parsed.heads, parsed.deprels)
    if beam == 1:
        assert trace.beam == []
        assert all(step.score == step.alternatives[0].score for step in trace.steps)
    else:
        assert trace.beam[-1][0].score == pytest.approx(sum(step.score for step in trace.steps), abs=1e-4)
        assert all(len(hypotheses) <= beam for hypotheses in trace.beam)


@given(forms(), some.integers(0, 5))
def test_the_derivation_of_a_spanning_tree_is_one_of_that_tree(words: list[str], seed: int) -> None:
    sentence, model = Sentence(forms=words), model_of(seed)
    neural = neural_of(model, crossing_price=0.1)
    (parsed,) = neural.apply([sentence])
    trace = neural.trace(sentence, alternatives=3)
    assert (trace.tree().heads, trace.tree().deprels) == (parsed.heads, parsed.deprels)
    for step in trace.steps:
        assert step.transition in {each.transition for each in step.alternatives}
        scores = [each.score for each in step.alternatives]
        assert scores == sorted(scores, reverse=True)
    # One that is asked for its beam shows the search of the head itself.
    own = neural_of(model, decoder="swap", beam=3)
    assert neural.trace(sentence, beam=3).tree().heads == own.apply([sentence])[0].heads


def test_what_needs_a_head_says_so() -> None:
    bare = neural_of(Model(CLASSES, model_of().nets))
    with pytest.raises(InputError, match="no head for transitions"):
        bare.trace(Sentence(forms=["dog"]))
    with pytest.raises(InputError, match="cannot have another beam"):
        bare.apply([Sentence(forms=["dog"])], beam=2)
    with pytest.raises(InputError, match="alternatives is 0"):
        neural_of(model_of()).trace(Sentence(forms=["dog"]), alternatives=0)
    with pytest.raises(InputError, match="No decoder 'best'"):
        Neural(decoder="best")


@pytest.mark.parametrize("name", list(make_head(1)))
def test_a_damaged_head_is_refused(name: str) -> None:
    tensors = make_head(1)
    array = tensors[name]
    spoilt = [array[..., :-1].copy(), array.astype(np.float64)]
    for wrong in [*spoilt, array * np.float32(np.nan)]:
        with pytest.raises(ValueError):
            model_of(1, tensors | {name: wrong})
    with pytest.raises(ValueError):
        model_of(1, {other: tensors[other] for other in tensors if other != name})


def test_the_largest_weights_break_nothing() -> None:
    huge = {
        name: np.full_like(array, 3e38 if array.dtype == np.float32 else -128)
        for name, array in make_head(1).items()
    }
    (found,) = neural_of(model_of(1, huge), decoder="swap", beam=4).apply([Sentence(forms=FORMS)], nbest=3)
    assert is_tree(np.array(found.heads))


def lessons() -> list[Sentence]:
    """In all trees the arc of the first word crosses that of the second."""
    chance = np.random.default_rng(3)
    made = []
    for _ in range(160):
        size = 4 + int(chance.integers(0, 7))
        heads = [3, 4, 0, 3, *range(4, size)]
        made.append(Sentence(forms=chance.choice(FORMS, size).tolist(), heads=heads))
    return made


def test_a_head_learns_to_swap() -> None:
    model, train = model_of(), lessons()
    tensors = fit_swap_head(model, train, EASY)
    again = fit_swap_head(model, train, EASY)
    assert all((tensors[name] == again[name]).all() for name in tensors)

    def right(own: Model) -> float:
        found = neural_of(own, decoder="swap").apply(train)
        return sum(one.heads == two.heads for one, two in zip(found, train, strict=True)) / len(train)

    assert right(model) < 0.1
    assert right(model.changed(swap=SwapHead(tensors))) > 0.6
    other = fit_swap_head(model, train, replace(EASY, seed=2))
    assert (other["swap.arcs"] != tensors["swap.arcs"]).any()


def test_confidence_is_calibrated(tmp_path: Path) -> None:
    model, chance = model_of(), np.random.default_rng(1)
    neural = neural_of(model, crossing_price=0.0)
    gold = list(neural.apply(lessons()))
    before = Judgements(model, gold, price=0.0)
    shares = iter(before.shares(0.3))
    for sentence in gold:  # so that a head is right as often as a temperature of 0.3 says
        sentence.heads = [head if chance.random() < next(shares) else None for head in sentence.heads]
    after = Judgements(model, gold, price=0.0)
    neural.calibrate(gold)
    temperature = neural.state.temperature
    assert temperature == pytest.approx(0.3, rel=0.2)
    assert neural.scores_["ece"] < 3 < 100 * calibration_error(after.shares(1.0), after.right)
    (found,) = neural.apply([gold[0]], confidence=True)
    told = [float(cell.removeprefix("Confidence=")) for cell in found.misc]
    assert told == pytest.approx(after.shares(temperature)[: len(told)].tolist(), abs=2e-3)
    neural.save(tmp_path / "model.plait")
    loaded = Neural.load(tmp_path / "model.plait")
    assert loaded.state.temperature == temperature
    assert loaded.trace(gold[0]).tree().heads == found.heads


def test_the_error_of_calibration_is_the_distance_from_what_is_so() -> None:
    right = np.array([True] * 7 + [False] * 3)
    assert calibration_error(np.full(10, 0.7), right) == pytest.approx(0)
    assert calibration_error(np.full(10, 0.9), right) == pytest.approx(0.2)
