"""A net as a component: what it writes, keeps and refuses."""

import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import plait
from nets import BUCKETS, FORMS, LABELS, SIZES, WORDS, make_net
from plait import InputError, Pipeline, Sentence
from plait.components.neural import Neural
from plait.components.neural.decoding import is_tree
from plait.components.neural.reference import Reference

SCRIPTS = ["keep||", "lower||", "lower||-2", "=be", *(f"lower||+{number}" for number in range(29))]


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """What training leaves; of the words, one is no word."""
    folder = tmp_path / "net"
    folder.mkdir()
    tensors = make_net(1)
    for name in ("embed.words", "embed.words.scale"):
        tensors[name] = np.insert(tensors[name], 3, 7, axis=0)
    save_file(tensors, folder / "weights.safetensors")
    classes = {name: [f"{name}{number}" for number in range(size)] for name, size in SIZES.items()}
    classes |= {"script": SCRIPTS, "label": [f"label{number}" for number in range(LABELS)]}
    words = [*WORDS.forms[:3], "\x16", *WORDS.forms[3:]]
    shape = {"body": "sru", "spelling": "grams", "tag_layer": 2, "feed": False, "attention": True}
    about = {"shape": shape | {"buckets": BUCKETS}, "classes": classes, "words": words}
    (folder / "net.json").write_text(json.dumps(about))
    return folder


@pytest.fixture
def neural(exported: Path) -> Neural:
    return Neural.from_export(exported, crossing_price=0.0)


def sentences() -> list[Sentence]:
    return [Sentence(forms=FORMS[:9]), Sentence(forms=["Paris"]), Sentence(forms=FORMS)]


def test_it_writes_what_the_net_finds(neural: Neural) -> None:
    reference = Reference(make_net(1), WORDS)
    scripts = neural.state.classes.script
    for sentence in neural.apply(sentences()):
        expected = reference.run(sentence.forms)
        assert sentence.upos == [f"upos{number}" for number in expected.tags["upos"].argmax(1)]
        assert sentence.feats == [f"feats{number}" for number in expected.tags["feats"].argmax(1)]
        assert is_tree(np.array(sentence.heads))
        labels = reference.labels(expected, np.array(sentence.heads)).argmax(1)
        assert sentence.deprels == [f"label{number}" for number in labels]
        for form, lemma, number in zip(
            sentence.forms, sentence.lemmas, expected.tags["script"].argmax(1), strict=True
        ):
            assert lemma
            if scripts[number] == "=be":
                assert lemma == "be"
            if scripts[number] == "lower||-2" and len(form) > 2:
                assert lemma == form.lower()[:-2]


def test_what_is_given_stays(neural: Neural) -> None:
    given = Sentence(
        forms=FORMS[:4],
        lemmas=["_", "hound", "_", "_"],
        upos=["_", "MINE", "_", "_"],
        heads=[None, 1, 4, None],
        deprels=["_", "own", "_", "_"],
    )
    (found,) = neural.apply([given], keep_tags=True, keep_heads=True)
    assert found.lemmas[1] == "hound"
    assert (found.upos[1], found.xpos[1]) == ("MINE", "_")
    assert found.upos[0].startswith("upos")
    assert found.heads[1:3] == [1, 4]
    assert found.deprels[1] == "own"
    assert found.deprels[2].startswith("label")
    assert is_tree(np.array(found.heads))
    (free,) = neural.apply([given])
    assert free.upos[1] != "MINE"
    with pytest.raises(plait.FormatError, match="given heads"):
        neural.apply([Sentence(forms=["a", "b"], heads=[2, 1])], keep_heads=True)


def test_confidence_is_the_probability_of_the_head(neural: Neural) -> None:
    (found,) = neural.apply([Sentence(forms=FORMS[:5])], confidence=True)
    arcs = Reference(make_net(1), WORDS).run(FORMS[:5]).arcs
    shares = np.exp(arcs) / np.exp(arcs).sum(1, keepdims=True)
    told = [float(cell.removeprefix("Confidence=")) for cell in found.misc]
    assert told == pytest.approx(shares[np.arange(5), found.heads].tolist(), abs=2e-3)


def test_files_pickles_and_threads_change_nothing(neural: Neural, tmp_path: Path) -> None:
    neural.save(tmp_path / "model.plait")
    expected = neural.apply(sentences() * 50)
    assert list(Neural.load(tmp_path / "model.plait").apply(sentences() * 50, threads=3)) == list(expected)
    assert list(pickle.loads(pickle.dumps(neural)).apply(sentences() * 50)) == list(expected)
    nlp = Pipeline({"neural": neural})
    nlp.save(tmp_path / "pipeline.plait")
    assert plait.load(tmp_path / "pipeline.plait")["neural"].options.crossing_price == 0


@pytest.mark.parametrize("kernel", ["plain", "abacus"])
def test_the_environment_may_choose_a_kernel(
    exported: Path, monkeypatch: pytest.MonkeyPatch, kernel: str
) -> None:
    monkeypatch.setenv("PLAIT_KERNEL", kernel)
    if kernel == "plain":
        assert Neural.from_export(exported).apply(sentences())
    else:
        with pytest.raises(InputError, match="abacus"):
            Neural.from_export(exported)


def test_training_without_torch_is_refused_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for module in [name for name in sys.modules if name.startswith("plait.components.neural.")]:
        monkeypatch.delitem(sys.modules, module)
    lesson = Sentence(forms=["a"], upos=["X"], heads=[0], deprels=["root"])
    with pytest.raises(InputError, match=r"plait\[train\]"):
        Neural().fit([lesson])


def test_damaged_exports_are_refused(exported: Path) -> None:
    about = json.loads((exported / "net.json").read_text())
    tensors = load_file(exported / "weights.safetensors")

    def refused(**changes: object) -> None:
        (exported / "net.json").write_text(json.dumps(about | changes))
        with pytest.raises(InputError, match="damaged"):
            Neural.from_export(exported)

    refused(words=about["words"][:-1])
    refused(words=[*about["words"], "more"])
    refused(words=7)
    refused(classes=about["classes"] | {"upos": ["NOUN"]})
    refused(classes=about["classes"] | {"upos": ["a\tb", "b", "c", "d", "e"]})
    refused(classes=about["classes"] | {"script": ["nonsense", *about["classes"]["script"][1:]]})
    refused(shape={})
    (exported / "net.json").write_text(json.dumps(about))
    save_file(tensors | {"root": np.full_like(tensors["root"], np.nan)}, exported / "weights.safetensors")
    with pytest.raises(InputError, match="root"):
        Neural.from_export(exported)
    (exported / "weights.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputError, match="damaged"):
        Neural.from_export(exported)
    with pytest.raises(InputError):
        Neural.from_export(exported / "nowhere")
