"""Nets that learn, with torch; small ones, on a few sentences."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from plait.components.neural import Neural  # noqa: E402
from plait.components.neural.batches import Batches  # noqa: E402
from plait.components.neural.corpus import COLUMNS, Classes, Corpus  # noqa: E402
from plait.components.neural.export import export, model_of, shape_of  # noqa: E402
from plait.components.neural.inputs import CharWords  # noqa: E402
from plait.components.neural.learner import Judge  # noqa: E402
from plait.components.neural.lstm import run_lstm  # noqa: E402
from plait.components.neural.net import Net, Shape  # noqa: E402
from plait.components.neural.presets import Schedule  # noqa: E402
from plait.components.neural.recurrence import by_doubling, scan, word_by_word  # noqa: E402
from plait.components.neural.reference import Reference  # noqa: E402
from plait.components.neural.store import lexicon_of, load_net, new_net, save_net  # noqa: E402
from plait.components.neural.teach import teaching_weights  # noqa: E402
from plait.components.neural.training import Training  # noqa: E402
from plait.learning.lessons import Lessons  # noqa: E402
from plait.sentence import Sentence  # noqa: E402

SHAPE = Shape(
    **{"layers": 2, "width": 32, "word_dim": 12, "part_dim": 20, "buckets": 200, "arc": 24, "label": 8},
    **{"dropout": 0.0, "input_dropout": 0.0, "unseen": 0.0},
)
SCHEDULE = Schedule(epochs=30, words=40, sample=0, rate=1e-2, warmup=5)


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    def made(forms: str, lemmas: str, upos: str, heads: str, labels: str) -> Sentence:
        return Sentence(
            forms=forms.split(),
            lemmas=lemmas.split(),
            upos=upos.split(),
            heads=[int(head) for head in heads.split()],
            deprels=labels.split(),
        )

    return [
        made("Dogs bark .", "dog bark .", "NOUN VERB PUNCT", "2 0 2", "nsubj root punct"),
        made(
            "Who did you talk to ?",
            "who do you talk to ?",
            "PRON AUX PRON VERB ADP PUNCT",
            "4 4 4 0 1 4",
            "obl aux nsubj root case punct",
        ),
        made("Cats sleep", "cat sleep", "NOUN VERB", "2 0", "nsubj root"),
        made("She saw dogs .", "she see dog .", "PRON VERB NOUN PUNCT", "2 0 2 2", "nsubj root obj punct"),
    ]


@pytest.fixture(scope="module")
def classes(sentences: list[Sentence]) -> Classes:
    return Classes.of(sentences, fewest_scripts=1)


@pytest.fixture(scope="module")
def corpus(sentences: list[Sentence], classes: Classes) -> Corpus:
    return Corpus.of(sentences, classes)


def fresh(corpus: Corpus, classes: Classes, shape: Shape = SHAPE) -> Net:
    torch.manual_seed(3)
    return new_net(shape, classes, corpus.counts(), 1)


@pytest.mark.parametrize("length", [1, 2, 7, 16])
def test_both_ways_of_scanning_agree(length: int) -> None:
    torch.manual_seed(1)
    forget, update = torch.rand(2, length, 5), torch.randn(2, length, 5)
    assert torch.allclose(by_doubling(forget, update), word_by_word(forget, update), atol=1e-6)


def test_the_gradient_of_the_scan_is_right() -> None:
    torch.manual_seed(1)
    forget = torch.rand(2, 5, 3, dtype=torch.float64, requires_grad=True)
    update = torch.randn(2, 5, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(scan, (forget, update))


def test_our_lstm_is_that_of_torch() -> None:
    torch.manual_seed(1)
    cells = torch.nn.LSTM(6, 5, batch_first=True, bidirectional=True).double()
    lengths = torch.tensor([4, 1, 7])
    mask = torch.arange(7)[None] < lengths[:, None]
    x = torch.randn(3, 7, 6, dtype=torch.float64, requires_grad=True)
    parameters = [x, *cells.parameters()]
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    expected = torch.nn.utils.rnn.pad_packed_sequence(cells(packed)[0], batch_first=True)[0]
    found = run_lstm(cells, x, mask)
    assert torch.allclose(found, expected, atol=1e-6)
    weights = torch.randn_like(expected)
    wanted = torch.autograd.grad((expected * weights).sum(), parameters)
    for one, other in zip(torch.autograd.grad((found * weights).sum(), parameters), wanted, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("body", ["sru", "lstm"])
def test_other_sentences_of_a_batch_change_nothing(corpus: Corpus, classes: Classes, body: str) -> None:
    shape = replace(
        SHAPE,
        body=body,
        spelling="grams" if body == "sru" else "characters",
        feed=body == "lstm",
        tag_layer=1,
    )
    net = fresh(corpus, classes, shape).eval()
    batches = Batches(corpus, torch.device("cpu"))
    lexicon = lexicon_of(net, corpus.types, torch.device("cpu"))
    with torch.inference_mode():
        together = batches.make(np.arange(4))
        alone = batches.make(np.array([2]))
        one = net(together.ids, together.mask, lexicon)
        other = net(alone.ids, alone.mask, lexicon)
    assert torch.allclose(one.arcs[2, :2, :3], other.arcs[0], atol=1e-5)
    assert torch.allclose(one.tags["upos"][2, :2], other.tags["upos"][0], atol=1e-5)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_a_net_learns_its_lessons(
    corpus: Corpus, classes: Classes, sentences: list[Sentence], smoothing: float
) -> None:
    net = Training(fresh(corpus, classes), corpus, replace(SCHEDULE, smoothing=smoothing)).run()
    judged = Judge(Lessons.of(sentences)).score(model_of([net], classes), price=0.0, threads=1)
    assert min(judged.values()) == 100
    assert teaching_weights(corpus).tolist() == [1, 4, 1, 1]
    student = Training(fresh(corpus, classes), corpus, replace(SCHEDULE, epochs=2, sample=3), labelled=corpus)
    student.run()
    assert student.words > 2 * len(corpus.ids)


def test_the_same_seed_gives_the_same_net_also_after_an_interruption(
    corpus: Corpus, classes: Classes
) -> None:
    shape = replace(SHAPE, dropout=0.3, unseen=0.2)
    schedule = replace(SCHEDULE, epochs=4)
    whole = Training(fresh(corpus, classes, shape), corpus, schedule)
    whole.estimate()  # leaves no trace
    first = Training(fresh(corpus, classes, shape), corpus, schedule)
    first.run_epoch()
    first.run_epoch()
    kept = first.tensors()
    second = Training(fresh(corpus, classes, shape), corpus, schedule)
    second.restore(kept)
    for one, other in zip(whole.run().parameters(), second.run().parameters(), strict=True):
        assert torch.equal(one, other)
    with pytest.raises(ValueError, match="another size"):
        second.restore(kept | {"net": kept["net"][1:]})


SPELT = replace(SHAPE, spelling="characters", tag_layer=1)


@pytest.mark.parametrize(
    "shape",
    [
        SHAPE,
        replace(SHAPE, feed=True, tag_layer=1),
        SPELT,
        replace(SPELT, body="lstm", attention=False),
        replace(SPELT, body="lstm", attention=False, feed=True, width=36),
    ],
    ids=["sru", "fed sru", "spelt sru", "lstm", "fed lstm"],
)
def test_numpy_and_torch_agree(corpus: Corpus, classes: Classes, tmp_path: Path, shape: Shape) -> None:
    trained = Training(fresh(corpus, classes, shape), corpus, replace(SCHEDULE, epochs=3)).run()
    save_net(trained, classes, tmp_path)
    net, known = load_net(tmp_path)
    net.eval()
    assert known == classes
    lexicon = lexicon_of(net, corpus.types, torch.device("cpu"))
    batch = Batches(corpus, torch.device("cpu")).make(np.array([1]))
    with torch.inference_mode():
        expected = net(batch.ids, batch.mask, lexicon)
        labels = net.label_logits(expected, batch, batch.heads[:, 0]).numpy()
    arcs = expected.arcs[0].numpy()
    possible = arcs > -1e8
    letters = net.words.spelling if isinstance(net.words, CharWords) else None
    for quantize, tolerance in ((False, 1e-4), (True, 0.3)):
        reference = Reference(export(net, quantize=quantize), net.words.list, shape_of(net), letters)
        found = reference.run(corpus.forms(1))
        assert np.isneginf(found.arcs[~possible]).all()
        assert np.abs(found.arcs - arcs)[possible].max() < tolerance
        for name in COLUMNS:
            assert np.abs(found.tags[name] - expected.tags[name][0].numpy()).max() < tolerance
        heads = corpus.heads[corpus.offsets[1] : corpus.offsets[2], 0]
        assert np.abs(reference.labels(found, heads) - labels).max() < tolerance


def test_what_was_learned_is_what_runs(corpus: Corpus, classes: Classes, sentences: list[Sentence]) -> None:
    shapes = (SHAPE, replace(SPELT, body="lstm", attention=False, feed=True))
    nets = [Training(fresh(corpus, classes, shape), corpus, SCHEDULE).run() for shape in shapes]
    component = Neural(crossing_price=0.0)
    component.change(model_of(nets, classes), {})
    found = component.apply(sentences)
    assert [each.heads for each in found] == [each.heads for each in sentences]
    assert [each.lemmas for each in found] == [each.lemmas for each in sentences]


def test_corpora_are_stored_and_joined(corpus: Corpus, sentences: list[Sentence], tmp_path: Path) -> None:
    corpus.save(tmp_path / "corpus.npz")
    again = Corpus.load(tmp_path / "corpus.npz")
    both = corpus.join(again)
    assert len(both) == 2 * len(corpus)
    assert both.forms(5) == sentences[1].forms
    assert both.types == corpus.types
    assert both.heads[len(corpus.ids) :].tolist() == corpus.heads.tolist()
