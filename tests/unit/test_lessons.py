"""What components of a pipeline learn from: what those before them will show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait import Recipe
from plait.layers import Candidates
from plait.learning import registry
from plait.learning.lessons import Lessons
from plait.learning.workshop import Workshop
from plait.pipeline.train import Training
from toy import written

QUICK = {"bits": 12, "epochs": 1, "beam": 1}
RECIPE = Recipe().updated(
    {
        "model": {"components": "tagger,early,lemmatizer,late,choosing", "tags": "predicted", "folds": 2},
        "tagger": {"bits": 12, "epochs": 1},
        "lemmatizer": {"bits": 12, "epochs": 1},
        "early": {"kind": "transition", **QUICK},
        "late": {"kind": "transition", **QUICK},
        "choosing": {"kind": "transition", **QUICK, "beam": 2, "joint": True},
    }
)


@pytest.mark.parametrize("kept", [False, True])
def test_each_sees_all_that_comes_before_it_and_no_more(kept: bool, tmp_path: Path) -> None:
    gold = written(30)
    for number, sentence in enumerate(gold):
        sentence.lemmas = [f"{form}-{number}" for form in sentence.forms]  # which nobody can predict
    right = [sentence.lemmas for sentence in gold]

    def lessons_of(name: str) -> Lessons:
        folds = Workshop(tmp_path, resume=True) if kept else None
        training = Training(Lessons.of(gold), None, RECIPE, folds=folds)
        training.run(until=name)
        plan = RECIPE.plan(name)
        lessons, _ = training.lessons_of(registry.find(plan.kind).from_plan(plan))
        assert lessons.seen == "predicted"
        return lessons

    early, late, choosing = map(lessons_of, ("early", "late", "choosing"))
    assert [sentence.lemmas for sentence in early] == right
    assert all(found.lemmas != lemmas for found, lemmas in zip(late, right, strict=True))
    assert not any(sentence.find(Candidates) for sentence in [*early, *late])
    assert all(sentence.find(Candidates) for sentence in choosing)
