"""What must hold of every component, whatever it does (as scikit-learn's `check_estimator`)."""

from __future__ import annotations

import copy
import pickle
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import plait
from components.quick import COLUMNS, DEV, PLANS, TRAIN, make, ready
from plait import InputError, Sentence, Treebank
from plait.formats import format_for
from plait.layers import Layer
from plait.learning import registry
from plait.learning.component import Component
from plait.learning.epochs import Epoch
from plait.learning.request import WISHES, Request
from plait.learning.store import size
from plait.learning.watch import Silence
from plait.learning.workshop import Workshop

# Nets learn with torch (extra `train`); tests/unit/test_neural_component.py looks at those that have learned.
_LAYERS = {"lifting": "lifted"}  # where what is provided has another name than its layer
KINDS = [kind for kind in registry.KINDS if kind != "neural" or find_spec("torch")]


@pytest.fixture(scope="module")
def learned() -> dict[str, Component[Any]]:
    return {kind: ready(kind) for kind in KINDS}


@pytest.fixture(params=KINDS)
def component(request: pytest.FixtureRequest, learned: dict[str, Component[Any]]) -> Component[Any]:
    return learned[request.param]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def saved(component: Component[Any], folder: Path) -> dict[str, bytes]:
    component.save(folder)
    return bytes_of(folder)


def conllu(sentences: Treebank) -> str:
    """All that sentences hold: columns, and layers."""
    layers = [[layer.to_json() for layer in sentence.layers.values()] for sentence in sentences]
    return "".join(map(format_for("conllu").render, sentences)) + str(layers)


def test_every_kind_is_in_the_battery() -> None:
    assert set(PLANS) == set(registry.KINDS)


def test_it_says_what_it_is(component: Component[Any]) -> None:
    assert component.kind in registry.KINDS
    assert component.provides
    assert component.accepts <= set(WISHES)
    assert component.able() <= component.accepts
    assert component.sees_predicted.isdisjoint(component.provides)
    assert component.title in component.content().card


def test_it_tells_what_it_learned_from(component: Component[Any]) -> None:
    origin = component.origin_
    assert (origin.treebank, origin.dev, origin.sentences) == (TRAIN.path, DEV.path, len(TRAIN))
    assert origin.words == sum(map(len, TRAIN))
    learning = [component, *component.members.values()]
    assert all(each.history_ or each.members for each in learning)


def test_the_same_bytes_twice_and_on_any_number_of_threads(component: Component[Any], tmp_path: Path) -> None:
    first = saved(component, tmp_path / "a")
    assert first == saved(ready(component.kind, threads=3), tmp_path / "b")


def test_what_is_loaded_does_the_same(component: Component[Any], tmp_path: Path) -> None:
    first = saved(component, tmp_path / "a")
    loaded = type(component).load(tmp_path / "a")
    assert conllu(loaded.apply(DEV)) == conllu(component.apply(DEV))
    assert saved(loaded, tmp_path / "b") == first
    assert plait.load(tmp_path / "a")[component.usual_name].kind == component.kind
    assert size(tmp_path / "a") == sum(map(len, first.values()))


def test_pickles_and_deep_copies_do_the_same(component: Component[Any]) -> None:
    expected = conllu(component.apply(DEV))
    for twin in (pickle.loads(pickle.dumps(component)), copy.deepcopy(component)):
        assert type(twin) is type(component)
        assert conllu(twin.apply(DEV)) == expected
        assert twin.scores_ == component.scores_


def test_one_that_has_not_learned_pickles_too_and_says_so(component: Component[Any], tmp_path: Path) -> None:
    fresh = pickle.loads(pickle.dumps(make(component.kind)))
    assert fresh.plan == make(component.kind).plan
    with pytest.raises(InputError, match="not learned"):
        fresh.save(tmp_path / "m")
    if component.kind != "tokenizer":  # which leaves sentences as they are
        with pytest.raises(InputError, match="not learned"):
            fresh.apply(DEV)


def _without(sentence: Sentence, provided: frozenset[str]) -> list[Layer]:
    return [layer for layer in sentence.layers.values() if layer.name not in provided]


def test_nothing_changes_that_it_does_not_provide(component: Component[Any]) -> None:
    mine = {column for layer in component.provides for column in COLUMNS[layer]}
    before = DEV.sentences
    for old, new in zip(before, component.apply(DEV), strict=True):
        for column in {column for columns in COLUMNS.values() for column in columns} - mine:
            assert getattr(old, column) == getattr(new, column)
        made = {layer.name for layer in new.layers.values()} - {layer.name for layer in old.layers.values()}
        assert made <= {_LAYERS.get(layer, layer) for layer in component.provides}


def test_the_sentences_given_to_apply_are_left_as_they_are(component: Component[Any]) -> None:
    before = conllu(DEV)
    component.apply(DEV)
    assert conllu(DEV) == before


def test_threads_change_nothing(component: Component[Any]) -> None:
    assert conllu(component.apply(DEV, threads=4)) == conllu(component.apply(DEV))


def test_wishes_that_it_does_not_accept_are_refused(component: Component[Any]) -> None:
    values: dict[str, Any] = {
        "beam": 2,
        "confidence": True,
        "keep_aspects": True,
        "keep_heads": True,
        "keep_predicates": True,
        "keep_tags": True,
        "nbest": 2,
        "vectors": True,
    }
    assert set(values) == set(WISHES)
    for wish, value in values.items():
        if wish in component.able():
            component.apply(DEV[:2], **{wish: value})
        else:
            with pytest.raises(InputError, match="cannot"):
                component.apply(DEV[:2], **{wish: value})


def test_nothing_and_nearly_nothing(component: Component[Any]) -> None:
    assert list(component.apply([])) == []
    odd = Sentence(forms=["\u202e", "a" * 5000, "🏳️‍🌈", "_", "\u0301" * 50], heads=[0, 1, 1, 1, 1])
    assert len(component.apply([odd])[0]) == 5
    with pytest.raises(InputError, match="Several sentences are needed"):
        component.apply(odd)  # type: ignore[arg-type]


def test_a_treebank_without_sentences_is_an_error(component: Component[Any]) -> None:
    with pytest.raises(InputError):
        make(component.kind).fit([])


class Impatient(Silence):
    """Presses Ctrl-C after an epoch of a component."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.seen = 0

    def on_epoch(self, epoch: Epoch) -> None:  # noqa: ARG002
        self.seen += 1
        if self.seen == self.epoch:
            raise KeyboardInterrupt


def test_an_interrupt_keeps_the_best_epoch(component: Component[Any]) -> None:
    stopped = ready(component.kind, watch=Impatient(1))
    assert stopped.interrupted_
    if not stopped.members:
        assert len(stopped.history_) == 1
        assert stopped.ready


@pytest.mark.parametrize("epoch", [1, 2, 4])
def test_a_training_goes_on_where_it_was_interrupted(
    component: Component[Any], epoch: int, tmp_path: Path
) -> None:
    if epoch > len(component.history_) and not component.members:
        pytest.skip("there are not so many epochs")
    shop = Workshop(tmp_path / "shop")
    stopped = ready(component.kind, watch=Impatient(epoch), workshop=shop)
    assert stopped.interrupted_
    watch = Impatient(99)
    again = ready(component.kind, watch=watch, workshop=Workshop(tmp_path / "shop", resume=True))
    assert not again.interrupted_
    epochs = sum(len(each.history_) for each in [component, *component.members.values()])
    assert watch.seen <= epochs - epoch
    assert saved(again, tmp_path / "a") == saved(component, tmp_path / "b")


def test_damaged_files_are_errors_with_a_message(component: Component[Any], tmp_path: Path) -> None:
    component.save(tmp_path / "m")
    for path in sorted((tmp_path / "m").rglob("*")):
        if not path.is_file() or path.name == "README.md":
            continue
        twin = tmp_path / "twin"
        shutil.copytree(tmp_path / "m", twin)
        damaged = twin / path.relative_to(tmp_path / "m")
        content = damaged.read_bytes()
        damaged.write_bytes(content[: len(content) // 2])
        with pytest.raises(InputError, match=r"damaged|cannot be read|not a model"):
            type(component).load(twin)
        shutil.rmtree(twin)


def test_another_kind_is_refused(component: Component[Any], tmp_path: Path) -> None:
    component.save(tmp_path / "m")
    other = registry.find("tagger" if component.kind != "tagger" else "lemmatizer")
    with pytest.raises(InputError, match=f"this is a '{component.kind}', not a '{other.kind}'"):
        other.load(tmp_path / "m")


def test_a_whole_pipeline_is_no_component(component: Component[Any], tmp_path: Path) -> None:
    plait.Pipeline({component.usual_name: component}).save(tmp_path / "m")
    with pytest.raises(
        InputError, match=f"m: this is a whole pipeline, not a '{component.kind}': plait.load reads it"
    ):
        type(component).load(tmp_path / "m")


def test_a_twin_has_its_options_and_has_learned_nothing(component: Component[Any]) -> None:
    twin = component.twin()
    assert not twin.ready
    assert twin.plan.kind == component.kind


def test_a_request_that_makes_no_sense() -> None:
    for wishes in ({"threads": 0}, {"nbest": 0}, {"beam": 5000}):
        with pytest.raises(InputError, match="must be from 1 to 4,096"):
            Request(**wishes)  # type: ignore[arg-type]


def test_parameters_and_clones_are_as_scikit_learn_has_them(component: Component[Any]) -> None:
    clone = pytest.importorskip("sklearn.base").clone
    twin = clone(component)
    assert twin.plan == component.plan
    assert twin.origin_.sentences == 0
    shallow, deep = component.get_params(deep=False), component.get_params()
    assert shallow.keys() <= deep.keys()
    for name, member in component.members.items():
        assert shallow[name] is member
    options = {name: value for name, value in deep.items() if not isinstance(value, Component)}
    assert twin.set_params(**options).plan == component.plan
