"""IS-G (Bohnet 2008): types of references from left to right, each with the one before among its features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plait.formats.grec import TYPES, MentionText
from plait.generation.mentions.context import Seen
from plait.generation.mentions.five import COLUMNS, LASTS, with_lasts
from plait.generation.mentions.learners import TypeLearner

_LAST = COLUMNS.index("LAST")


def fit_types(
    learner: TypeLearner, texts: Sequence[MentionText], seen: Sequence[Seen], seed: int
) -> TypeLearner:
    """Learn from texts whose slots are all filled."""
    rows, types = [], []
    for text, around in zip(texts, seen, strict=True):
        said = [each.chosen.type for each in text.references if each.chosen]
        rows.append(with_lasts(learner.categories.rows(text, around), said))
        types += [TYPES.index(each) for each in said]
    return learner.fit(np.concatenate(rows), np.array(types, np.int64), seed)


def say_types(learner: TypeLearner, text: MentionText, seen: Seen) -> None:
    """Fill the slots of a text: of the likeliest type that can be said there, the first of the list."""
    rows = learner.categories.rows(text, seen)
    for slot, reference in enumerate(text.references):
        if slot:
            before = text.references[slot - 1].chosen
            rows[slot, _LAST] = LASTS.index(before.type if before else "none")
        shares = learner.shares(rows[slot : slot + 1])[0]
        available = {each.type for each in reference.alternatives}
        best = max((each for each in TYPES if each in available), key=lambda each: shares[TYPES.index(each)])
        reference.chosen = next(each for each in reference.alternatives if each.type == best)
