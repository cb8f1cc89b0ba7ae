"""Shapes and schedules that were found to work; what was tried is told in the documentation."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from plait.components.neural.net import Shape
from plait.components.neural.options import NeuralOptions

_FEW_WORDS = 60_000  # a treebank with fewer is a little one
_SHARES = (
    "dropout",
    "input_dropout",
    "unseen",
)  # where 0 is an amount, and what is below stands for none given


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
    smoothing: float = 0.0
    seconds: float = 0.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Preset:
    """A net and how it learns. `fewest` is how often a word must be seen to have a vector of its own."""

    shape: Shape
    schedule: Schedule
    fewest: int


_SMALL = Shape()
_STUDENT = Schedule()
_TREEBANK = Schedule(epochs=50, words=4_000, sample=0, warmup=100)
_LITTLE = replace(_TREEBANK, epochs=100, words=1_300)
_TREEBANK_ONLY: dict[str, Any] = {"dropout": 0.33, "input_dropout": 0.2, "unseen": 0.25}
_SRU = replace(
    _SMALL,
    layers=4,
    width=512,
    spelling="characters",
    word_dim=128,
    part_dim=256,
    arc=400,
    label=128,
    **_TREEBANK_ONLY,
)
_LSTM = replace(_SRU, body="lstm", layers=3, width=800, tag_layer=1, attention=False)
_STUDENTS = {
    "medium": replace(_SMALL, layers=4, width=384),
    "small": _SMALL,
    "tiny": replace(_SMALL, layers=2, width=192),
    "nano": replace(_SMALL, layers=2, width=128, arc=128),
}

PRESETS = {
    **{name: Preset(shape, _STUDENT, 6) for name, shape in _STUDENTS.items()},
    "sru": Preset(_SRU, _TREEBANK, 2),
    "lstm": Preset(_LSTM, _TREEBANK, 2),
    "sru-little": Preset(replace(_SRU, dropout=0.4, unseen=0.4), _LITTLE, 2),
    "lstm-little": Preset(replace(_LSTM, width=600, feed=True, dropout=0.45, unseen=0.4), _LITTLE, 2),
    "encoder": Preset(
        replace(_SRU, body="encoder", dropout=0.25),
        Schedule(epochs=14, words=2_500, sample=0, rate=1e-3, warmup=100),
        2,
    ),
}


def preset(name: str, options: NeuralOptions, words: int, labelled: int = 0) -> Preset:
    """For a treebank of so many words and so many labelled sentences beside it, with what the options say."""
    if f"{name}-little" in PRESETS and words < _FEW_WORDS and not labelled:
        name = f"{name}-little"
    found = PRESETS[name]
    shape, schedule, fewest = found.shape, found.schedule, found.fewest
    if labelled and not schedule.sample:
        schedule = replace(schedule, sample=_STUDENT.sample)
    if (
        not labelled and schedule.sample
    ):  # a student without a teacher: half as much of everything is hidden from it
        shape, fewest = replace(shape, **_TREEBANK_ONLY), 2
        schedule = _LITTLE if words < _FEW_WORDS else _TREEBANK
    shape = _changed(shape, options)
    return Preset(
        replace(shape, tag_layer=min(shape.tag_layer, shape.layers)),
        replace(_changed(schedule, options), seed=options.seed),
        options.fewest or fewest,
    )


Settings = TypeVar("Settings", Shape, Schedule)


def _changed(settings: Settings, options: NeuralOptions) -> Settings:
    given = {
        field.name: getattr(options, field.name) for field in fields(settings) if hasattr(options, field.name)
    }
    said = {name: value for name, value in given.items() if (value >= 0 if name in _SHARES else value)}
    return replace(settings, **said)
