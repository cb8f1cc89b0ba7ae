"""Nets whose body is a pretrained encoder: the core against numpy, numpy against torch."""

import json
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nets import ENCODER, FORMS, LABELS, LETTERS, PIECES, SIZES, WORDS, encoder_pieces, make_encoder_net
from plait import Cancel, Cancelled, InputError, Sentence, _core
from plait.components.neural import Neural
from plait.components.neural.corpus import COLUMNS, Classes
from plait.components.neural.encoder_reference import EncoderReference, windows
from plait.components.neural.model import Model, Net
from plait.components.neural.reference import Reference
from plait.components.neural.transformers import check_config, check_encoder, encoder_arrays

CLASSES = Classes(
    *([f"{name}{number}" for number in range(size)] for name, size in list(SIZES.items())[:3]),
    ["keep||", *(f"lower||+{number}" for number in range(SIZES["script"] - 1))],
    [f"label{number}" for number in range(LABELS)],
)


def net_of(seed: int = 1, **wishes: Any) -> Net:
    return Net(ENCODER, WORDS, make_encoder_net(seed, **wishes), LETTERS, PIECES)


def sentences(seed: int, count: int = 8, longest: int = 12) -> list[list[str]]:
    chance = np.random.default_rng(seed)
    return [chance.choice(FORMS, size=1 + int(chance.integers(0, longest))).tolist() for _ in range(count)]


@pytest.mark.parametrize("kernel", _core.neural_kernels())
@pytest.mark.parametrize("distances", [False, True])
def test_the_core_computes_what_numpy_does(
    distances: bool, kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAIT_KERNEL", kernel)
    far = []
    # A net that takes any of these sentences whole, and one that reads most in windows.
    for seed, places in ((1, 14), (2, 200)):
        net = net_of(seed, distances=distances, places=places)
        reference = Reference(net.tensors, WORDS, net.shape, net.letters, encoder_pieces())
        for forms in sentences(seed):
            expected = reference.run(forms)
            words = np.arange(len(forms), dtype=np.int32)
            tags, arcs, _ = _core.NeuralNets([net.core]).look([net.rows(forms)], words)
            possible = np.isfinite(expected.arcs)
            far += [
                np.abs(tags - np.hstack([expected.tags[name] for name in COLUMNS])).max(),
                np.abs(arcs[possible] - expected.arcs[possible]).max(),
            ]
    # Where a value lies between two steps of 8 bits it may be rounded otherwise, and all layers above it notice.
    assert np.median(far) < 1e-3
    assert max(far) < 0.3


def test_kernels_threads_and_neighbours_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    treebank = [Sentence(forms=forms) for forms in [*sentences(3, 90, 40), FORMS * 100, ["a"]]]
    expected = Model(CLASSES, [net_of(places=60)]).run(treebank, price=0.3)
    for kernel in _core.neural_kernels():
        monkeypatch.setenv("PLAIT_KERNEL", kernel)
        model = Model(CLASSES, [net_of(places=60)])
        assert model.run(treebank, price=0.3, threads=3) == expected
    alone = [model.run([sentence], price=0.3) for sentence in treebank]
    assert [head for found in alone for head in found.heads] == expected.heads
    assert [share for found in alone for share in found.probabilities] == expected.probabilities


def test_a_sentence_of_many_windows_is_read_to_its_end() -> None:
    net = net_of(places=30)
    forms = FORMS * 20
    one, other = (
        _core.NeuralNets([net.core]).look([net.rows(each)], np.arange(len(each), dtype=np.int32))[0]
        for each in (forms, [*forms[:-1], "dog"])
    )
    assert (one[:200] == other[:200]).all()
    assert (one[-1] != other[-1]).any()


@given(count=st.integers(1, 300), size=st.integers(2, 60))
def test_windows_hold_every_piece_once(count: int, size: int) -> None:
    found = windows(count, size)
    assert [kept for *_, kept, _ in found[1:]] == [end for *_, end in found[:-1]]
    assert (found[0][2], found[-1][3]) == (0, count)
    for first, last, kept, end in found:
        assert first <= kept < end <= last <= first + size
        # A piece has neighbours on both sides, but at the ends of the sentence.
        assert first == 0 or size < 8 or kept - first >= size // 8
        assert last == count or size < 8 or last - end >= size // 8


def test_work_can_be_cancelled() -> None:
    model = Model(CLASSES, [net_of()])
    cancel = Cancel()
    timer = threading.Timer(0.1, cancel.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        model.run([Sentence(forms=FORMS * 40)] * 2000, price=0.0, cancel=cancel, threads=2)
    timer.join()


def test_arrays_that_do_not_fit_are_refused() -> None:
    tensors = make_encoder_net(0, distances=True)

    def refused(changed: dict[str, np.ndarray[Any, Any]], pieces: list[str] = PIECES) -> None:
        with pytest.raises(ValueError):
            Net(ENCODER, WORDS, changed, LETTERS, pieces)

    for name, array in tensors.items():
        if not name.startswith("encoder.distances"):  # not all encoders have them
            refused({other: tensors[other] for other in tensors if other != name})
        for wrong in (array[..., :-1].copy(), np.concatenate([array, array]), array.astype(np.float64)):
            refused(tensors | {name: wrong})
        if array.dtype == np.float32:
            refused(tensors | {name: np.full_like(array, np.nan)})
    refused(tensors | {"more": tensors["root"]})
    refused(tensors, PIECES[:-1])
    refused(tensors, [*PIECES, "more"])


def test_facts_that_do_not_fit_are_refused() -> None:
    facts = ENCODER.encoder
    assert facts is not None
    wrong: list[dict[str, Any]] = [{"heads": heads} for heads in (0, 3, -1, 1 << 40)]
    wrong += [{"epsilon": value} for value in (0.0, -1.0, float("nan"), float("inf"))]
    wrong += [{name: number} for name in ("begin", "end", "unknown") for number in (-1, len(PIECES))]
    for each in wrong:
        with pytest.raises((ValueError, TypeError)):
            Net(
                replace(ENCODER, encoder=replace(facts, **each)),
                WORDS,
                make_encoder_net(0),
                LETTERS,
                PIECES,
            )
    with pytest.raises(ValueError):
        Net(replace(ENCODER, encoder=None), WORDS, make_encoder_net(0), LETTERS)


def test_the_largest_weights_break_nothing() -> None:
    huge = {
        name: np.full_like(array, 3e38 if array.dtype == np.float32 else -128)
        for name, array in make_encoder_net(0, distances=True).items()
    }
    net = Net(ENCODER, WORDS, huge, LETTERS, PIECES)
    assert Model(CLASSES, [net]).run([Sentence(forms=FORMS)], price=1.0).heads.count(0) == 1


def test_a_model_keeps_its_pieces_and_needs_no_torch(tmp_path: Path) -> None:
    neural = Neural()
    neural.change(Model(CLASSES, [net_of(3)]), {})
    treebank = [Sentence(forms=forms) for forms in sentences(4)]
    neural.save(tmp_path / "model.plait")
    loaded = Neural.load(tmp_path / "model.plait")
    assert loaded.state.nets[0].shape == ENCODER
    assert list(loaded.apply(treebank)) == list(neural.apply(treebank))
    program = (
        "import sys; from plait import Sentence; from plait.components.neural import Neural; "
        "found = Neural.load(sys.argv[1]).apply([Sentence(forms=['the', 'dog'])]); "
        "assert not {'torch', 'transformers', 'tokenizers'} & sys.modules.keys(); print(*found[0].heads)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "model.plait")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "0" in done.stdout


def test_encoders_of_other_kinds_are_refused() -> None:
    check_config({"model_type": "bert", "hidden_act": "gelu"}, "here")
    for config, message in (
        (
            {"model_type": "roberta"},
            "here: the encoder is of the kind 'roberta'; Plait can run bert and mpnet",
        ),
        ({}, "kind 'None'"),
        ({"model_type": "bert", "hidden_act": "relu"}, "'hidden_act' is 'relu'"),
        ({"model_type": "bert", "position_embedding_type": "relative_key"}, "'gelu' only|'absolute' only"),
    ):
        with pytest.raises(InputError, match=message):
            check_config(config, "here")


def test_folders_that_hold_no_encoder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    for content, message in (
        ("", "tokenizer.json"),
        ("[]", "not a table"),
        ('{"model": {"type": "BPE"}}', "tokenizer.json: its pieces are not those of BERT"),
        ('{"model": 1}', "tokenizer.json"),
    ):
        (tmp_path / "tokenizer.json").write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            check_encoder(tmp_path)


def tiny_encoder(folder: Path, kind: str) -> Any:
    """A folder as encoders come in, with weights by chance."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
    sizes |= {"vocab_size": len(PIECES), "max_position_embeddings": 40, "pad_token_id": 1}
    config = transformers.BertConfig(**sizes) if kind == "bert" else transformers.MPNetConfig(**sizes)
    model = transformers.AutoModel.from_config(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # else biases are zero and norms do nothing
            parameter.add_(0.1 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    tokenizer = {
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {piece: number for number, piece in enumerate(PIECES)},
        },
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 0]},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    return model


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_numpy_computes_what_torch_does(kind: str, tmp_path: Path) -> None:
    model = tiny_encoder(tmp_path, kind)
    torch = pytest.importorskip("torch")
    state = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    arrays = {name: array for name, array, _ in encoder_arrays(model.config.to_dict(), state)}
    arrays["encoder.mixes"] = np.array([[0.2, 0.3, 0.5], [0, 0, 1]], np.float32)
    facts = {"begin": 0, "end": 2, "heads": 4, "epsilon": model.config.layer_norm_eps}
    pieces = [encoder_pieces().cut(form) for form in FORMS[:9]]
    tags, trees = EncoderReference(arrays, **facts).read(pieces)
    numbers = torch.tensor([[0, *(number for word in pieces for number in word), 2]])
    with torch.inference_mode():
        states = model(input_ids=numbers, output_hidden_states=True).hidden_states
    first = 1
    for word, own in enumerate(pieces):
        means = [state[0, first : first + len(own)].mean(0).numpy() for state in states]
        assert np.allclose(tags[word], np.einsum("l,lc->c", [0.2, 0.3, 0.5], means), atol=1e-4)
        assert np.allclose(trees[word], means[-1], atol=1e-4)
        first += len(own)


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_a_trained_net_runs_in_the_core(kind: str, tmp_path: Path) -> None:
    tiny_encoder(tmp_path, kind)
    torch = pytest.importorskip("torch")
    from collections import Counter

    from plait.components.neural.export import export, model_of
    from plait.components.neural.net import Shape
    from plait.components.neural.store import lexicon_of, new_net

    shape = Shape(body="encoder", spelling="characters", word_dim=12, part_dim=20, arc=16, label=8)
    net = new_net(shape, CLASSES, Counter(FORMS * 3), 2, tmp_path).eval()
    forms = [*FORMS[:7], "Inter-nation"]
    with torch.inference_mode():
        everything = torch.ones(1, len(forms), dtype=torch.bool)
        lexicon = lexicon_of(net, forms, torch.device("cpu"))
        expected = net(torch.arange(len(forms))[None], everything, lexicon)
    running = model_of([net], CLASSES).nets[0]
    exact = Reference(
        export(net, quantize=False), running.words, running.shape, running.letters, running.pieces
    )
    found = exact.run(forms)
    arcs = expected.arcs[0].numpy()
    possible = np.isfinite(found.arcs)
    assert np.abs(found.arcs - arcs)[possible].max() < 1e-3
    assert np.abs(found.tags["upos"] - expected.tags["upos"][0].numpy()).max() < 1e-3
    rounded = _core.NeuralNets([running.core]).look(
        [running.rows(forms)], np.arange(len(forms), dtype=np.int32)
    )
    spread = arcs[possible].std()
    assert np.abs(rounded[1] - arcs)[possible].max() < 0.5 * spread
