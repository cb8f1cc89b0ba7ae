"""The list of spellings that comes with plait, on tweets that people have normalized (W-NUT 2015)."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait import formats
from plait.components.normalizer import Normalizer


def test_most_of_what_changes_changes_rightly(treebanks: Path) -> None:
    tweets = treebanks.parent / "data" / "norm-english" / "lexnorm2015-train.tsv"
    if not tweets.is_file():
        pytest.skip("the tweets are not there: ../shared/data/norm-english")
    normalizer = Normalizer().fit(formats.read(treebanks / "English-EWT" / "en_ewt-ud-train.conllu"))
    right = wrong = missed = 0
    for line in tweets.read_text(encoding="utf-8").splitlines():
        form, tab, standard = line.partition("\t")
        if not tab or not form or not standard or " " in standard:
            continue
        norm = normalizer.state.norm(form).lower()
        if norm != form.lower():
            right, wrong = right + (norm == standard), wrong + (norm != standard)
        missed += norm == form.lower() != standard
    assert right / (right + wrong) > 0.78
    assert right / (right + missed) > 0.27
