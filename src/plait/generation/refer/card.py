"""The card of a model that refers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plait.generation.refer.options import FBN, FULL_BREVITY, INCREMENTAL, IS_FP, LOG_LINEAR
from plait.learning.card import front_matter

if TYPE_CHECKING:
    from plait.generation.refer.model import Referrer

_TOPICS = ("referring-expression-generation",)
_METHODS = {
    LOG_LINEAR: "Attributes: a log-linear model of speakers and scenes; the set with the highest expected DICE.",
    IS_FP: "Attributes: IS-FP (Bohnet 2008), the nearest expression of the speaker.",
    FBN: "Attributes: full brevity with the nearest neighbour (Bohnet 2007).",
    FULL_BREVITY: "Attributes: full brevity (Dale 1989).",
    INCREMENTAL: "Attributes: the incremental algorithm (Dale and Reiter 1995).",
}


def method_of(model: Referrer) -> str:
    words = " Words: branches of the speaker's trees (Bohnet 2008, IS-GT)." if model.speech.said else ""
    return _METHODS[model.options.method] + words


def write_card(model: Referrer) -> str:
    """Markdown with the front matter model hubs read."""
    origin = model.origin
    lines = [
        *front_matter(origin.licence, _TOPICS),
        f"# Referring expressions, learned from {origin.corpus or 'an unnamed corpus'}",
        "",
        f"{origin.trials:,} trials of {origin.speakers:,} speakers. {method_of(model)}",
        *([f"Trees of the phrases by `{origin.parser}`."] if origin.parser else []),
        "",
    ]
    for domain, scores in model.scores.items():
        lines += [f"| {domain} | |", "|---|---|"]
        lines += [f"| {name} | {value:.3f} |" for name, value in scores.items()] + [""]
    lines += [
        "All options are in `config.toml`; `plait info` prints them.",
        "The licence of the corpus may bind the model too.",
        "",
    ]
    return "\n".join(lines)
