"""The public texts of GREC, where they are: read whole, written and read again, and what the papers say of them."""

from collections import Counter
from pathlib import Path

import pytest

from plait.formats.grec import read_mentions, write_mentions
from plait.formats.mention_columns import read_chains
from plait.generation.mentions.labels import umus

GREC = Path(__file__).resolve().parents[3] / "shared" / "data" / "referring-grec"
pytestmark = pytest.mark.skipif(not GREC.is_dir(), reason="GREC is not there: ../shared/data/referring-grec")


def test_texts_of_one_subject(tmp_path: Path) -> None:
    texts = read_mentions(GREC / "grec2-dev.xml")
    said = [each.chosen for text in texts for each in text.references if each.chosen]
    assert Counter(each.type for each in said) == {"pronoun": 553, "name": 478, "common": 186, "empty": 94}
    for text in texts:
        for reference in text.references:
            listed = {each.text.lower() for each in reference.alternatives}
            assert reference.chosen is not None
            assert reference.chosen.text.lower() in listed
    write_mentions(texts, tmp_path / "again.xml")
    assert [text.text for text in read_mentions(tmp_path / "again.xml")] == [text.text for text in texts]


def test_entities_and_columns() -> None:
    texts = read_mentions(GREC / "neg-slots-sample.xml")
    assert len(texts) == 100
    assert sum(bool(each.chosen and each.chosen.inner) for text in texts for each in text.references) > 10
    chains = read_chains(GREC / "neg-train.tsv")
    assert sum(map(len, chains)) == 8549
    # Our labels are those of the published columns.
    known = {row.label for chain in chains for row in chain}
    ours = Counter(umus(each.chosen, "") for text in texts for each in text.references if each.chosen)
    unknown = {label: count for label, count in ours.items() if label not in known}
    assert sum(unknown.values()) < 0.02 * sum(ours.values()), unknown
