"""What decides how a model refers."""

from __future__ import annotations

from dataclasses import dataclass

from plait.learning.options import Options

LOG_LINEAR, IS_FP, FBN, FULL_BREVITY, INCREMENTAL = (
    "log-linear",
    "is-fp",
    "fbn",
    "full-brevity",
    "incremental",
)
METHODS = (LOG_LINEAR, IS_FP, FBN, FULL_BREVITY, INCREMENTAL)
ORDERS = ("speaker", "corpus")
CENTRAL, EVERYONE = "central", "everyone"


@dataclass(frozen=True, slots=True)
class ReferOptions(Options):
    """How attributes are chosen: by `method`; the incremental algorithm in the `order` of what the speaker, or the
    corpus, says most; with IS-FP, whether the most similar `other` speaker is a neighbour too. The log-linear model
    learns in `epochs` steps with a `penalty` on its weights. A `stranger`, of whom nothing was heard, speaks like the
    central speaker (Bohnet 2009), or, in words and with the log-linear model, like everyone together. The `seed`
    decides where FBN draws.
    """

    method: str = LOG_LINEAR
    order: str = "speaker"
    other: bool = True
    epochs: int = 120
    penalty: float = 1.0
    stranger: str = CENTRAL
    seed: int = 1

    def __post_init__(self) -> None:
        self._choose("method", METHODS)
        self._choose("order", ORDERS)
        self._choose("stranger", (CENTRAL, EVERYONE))
        self._range("epochs", 1, 10_000)
        self._range("penalty", 0.001, 1000)
        self._range("seed", 0, 2**31 - 1)
