"""The aspects of a sentence as JSON, for the page: its text in pieces, and its categories."""

from __future__ import annotations

from typing import Any

from plait.drawing.aspects import pieces
from plait.formats.semeval import review_of
from plait.layers import Aspects
from plait.sentence import Sentence


def aspects_as_json(sentence: Sentence) -> dict[str, Any] | None:
    """None where nobody looked for aspects; a piece that is no term has no polarity."""
    if sentence.find(Aspects) is None:
        return None
    review = review_of(sentence)
    return {
        "pieces": [{"text": text, "polarity": polarity} for text, polarity in pieces(review)],
        "categories": [{"name": name, "polarity": polarity} for name, polarity in review.categories],
    }
