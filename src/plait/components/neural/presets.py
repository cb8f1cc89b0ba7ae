"""Shapes and schedules that were found to work; what was tried is told in the documentation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plait.components.neural.net import Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """`words` per batch, with those that fill up. An epoch is the treebank and `sample` labelled sentences. The step
    rises to `rate` in `warmup` batches and falls like a cosine to 2 %. With `seconds`, the end comes then at the
    latest, with all of the fall before it; the result then depends on the speed of the machine.
    """

    epochs: int = 120
    words: int = 8_000
    sample: int = 40_000
    rate: float = 2e-3
    encoder_rate: float = 8e-5
    warmup: int = 200
    decay: float = 0.01
    clip: float = 1.0
    seconds: float = 0.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Preset:
    """A net and how it learns. `fewest` is how often a word must be seen to have a vector of its own."""

    shape: Shape
    schedule: Schedule
    fewest: int


_SMALL = Shape()
_TREEBANK = Schedule(epochs=50, words=4_000, sample=0, warmup=100)
_LITTLE = replace(_TREEBANK, epochs=100, words=1_300)
_SRU = replace(
    _SMALL,
    layers=4,
    width=512,
    spelling="characters",
    word_dim=128,
    part_dim=256,
    arc=400,
    label=128,
    dropout=0.33,
    input_dropout=0.2,
    unseen=0.25,
)
_LSTM = replace(_SRU, body="lstm", layers=3, width=800, tag_layer=1, attention=False)

PRESETS = {
    "small": Preset(_SMALL, Schedule(), 6),
    "tiny": Preset(replace(_SMALL, layers=2, width=192), Schedule(), 6),
    "sru": Preset(_SRU, _TREEBANK, 2),
    "lstm": Preset(_LSTM, _TREEBANK, 2),
    # For treebanks of fewer than about 60,000 words.
    "sru-little": Preset(replace(_SRU, dropout=0.4, unseen=0.4), _LITTLE, 2),
    "lstm-little": Preset(replace(_LSTM, width=600, feed=True, dropout=0.45, unseen=0.4), _LITTLE, 2),
    "teacher": Preset(
        replace(_SRU, body="encoder", dropout=0.25),
        Schedule(epochs=14, words=2_500, sample=0, rate=1e-3, warmup=100),
        2,
    ),
}
