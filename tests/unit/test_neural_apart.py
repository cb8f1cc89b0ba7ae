"""Several nets that learn at the same time: the same as one after the other, and nothing lost by Ctrl-C."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from plait import InputError  # noqa: E402
from plait.components.neural import Neural, apart, learner  # noqa: E402
from plait.learning.epochs import Epoch  # noqa: E402
from plait.learning.watch import Silence  # noqa: E402
from plait.learning.workshop import Workshop  # noqa: E402
from toy import toy  # noqa: E402

TINY = {
    **{
        "nets": "nano,nano",
        "epochs": 3,
        "words": 60,
        "width": 32,
        "layers": 1,
        "word_dim": 16,
        "part_dim": 16,
    },
    **{"arc": 16, "label": 8, "buckets": 50, "warmup": 2, "fewest": 1, "swap_head": False},
}


class Heard(Silence):
    def __init__(self) -> None:
        self.epochs: list[Epoch] = []

    def on_epoch(self, epoch: Epoch) -> None:
        self.epochs.append(epoch)


def bytes_of(net: Neural) -> dict[str, bytes]:
    return {name: value.tobytes() for name, value in net.pack()[1].items()}


def one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "nets_at_once", lambda _: 1)


def test_nets_that_learn_at_the_same_time_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "nets_at_once", lambda nets: nets)
    heard = Heard()
    together = Neural(**TINY).fit(toy(20, 1), dev=toy(5, 2), watch=heard)
    assert sorted(epoch.number for epoch in heard.epochs) == list(range(1, 7))
    one_after_the_other(monkeypatch)
    assert bytes_of(together) == bytes_of(Neural(**TINY).fit(toy(20, 1), dev=toy(5, 2)))
    assert len(together.history_) == 6


def test_what_goes_wrong_in_a_process_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(learner, "nets_at_once", lambda nets: nets)
    (tmp_path / "net1").write_text("in the way")
    with pytest.raises(InputError, match="Net 1 could not learn: "):
        Neural(**TINY).fit(toy(20, 1), workshop=Workshop(tmp_path))
    assert not list(tmp_path.glob("*.jsonl"))


@pytest.fixture
def interrupting(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """Ctrl-C after the second epoch of all."""
    monkeypatch.setattr(learner, "nets_at_once", lambda nets: nets)
    heard = Heard()
    seen = threading.Event()
    heard.on_epoch = lambda epoch: (heard.epochs.append(epoch), len(heard.epochs) == 2 and seen.set())  # type: ignore[method-assign,assignment,func-returns-value]

    def completed(futures: list[object]) -> Iterator[object]:  # noqa: ARG001
        assert seen.wait(120)
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(apart, "as_completed", completed)
    return heard


def test_an_interrupt_keeps_the_best_so_far(interrupting: Heard) -> None:
    long = {**TINY, "epochs": 2000}
    net = Neural(**long).fit(toy(20, 1), dev=toy(5, 2), watch=interrupting)
    assert net.interrupted_
    assert 2 <= len(net.history_) < 4000
    [parsed] = net.annotate(toy(1, 3))
    assert len(parsed.heads) == len(parsed)
