"""Any bytes in place of a text with slots give texts that can be filled, or a clear error."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mention_texts import grec, people
from plait.errors import InputError
from plait.formats.grec import read_mentions, write_mentions
from plait.formats.mention_columns import read_chains, write_chains
from plait.generation.mentions import MentionFiller

SOURCES = [grec(2).encode(), people(2).encode()]
PIECES = [
    b"<REF>", b"</REF>", b"<REFEX>", b'<REFEX REG08-TYPE="name">', b"</REFEX>", b"<ALT-REFEX>", b"</ALT-REFEX>",
    b"<TEXT>", b"</TEXT>", b"<PARAGRAPH>", b"</PARAGRAPH>", b'ENTITY="0"', b'ENTITY="0,1,7"', b'REG08-TYPE="empty"',
    b"&amp;", b"&a;", b"]]>", b"<!--", b"_", b" ", b"\xff", b"\x00", b"Smith", b"\xf0\x9f\x98\x80",
]  # fmt: skip


@pytest.fixture(scope="module")
def fillers(tmp_path_factory: pytest.TempPathFactory) -> list[MentionFiller]:
    folder = tmp_path_factory.mktemp("fuzz")
    found = []
    for task, content in (("msr", grec(20)), ("neg", people(20))):
        (folder / "given.xml").write_text(content, encoding="utf-8")
        found.append(MentionFiller(task=task, l2=0.1).fit(read_mentions(folder / "given.xml")))
    return found


def check(path: Path, fillers: list[MentionFiller]) -> None:
    try:
        texts = read_mentions(path)
    except InputError:
        return
    write_mentions(texts, path.with_name("again.xml"))
    assert [text.text for text in read_mentions(path.with_name("again.xml"))] == [text.text for text in texts]
    for filler in fillers:
        try:
            filled = filler.fill(texts)
        except InputError:
            continue
        assert all(each.chosen for text in filled for each in text.references)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200))
def test_any_bytes(data: bytes, tmp_path: Path) -> None:
    for beginning in (b"", b"<GREC>", b"<GREC><TEXT><PARAGRAPH>"):
        (tmp_path / "any.xml").write_bytes(beginning + data)
        check(tmp_path / "any.xml", [])


@pytest.mark.parametrize("case", range(60))
def test_damaged_texts(case: int, tmp_path: Path, fillers: list[MentionFiller]) -> None:
    chance = random.Random(case)
    data = bytearray(SOURCES[case % 2])
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data))
        length = chance.choice([0, 1, 3, 30, 400])
        data[place : place + length] = chance.choice([*PIECES, b"", bytes(data[-80:-20])])
    (tmp_path / "damaged.xml").write_bytes(data)
    check(tmp_path / "damaged.xml", fillers)


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pieces=st.lists(
        st.sampled_from(["\t", "\n", "\r", "_", "a", "\t" * 26, "a\t" * 26 + "b\n", "\x85", "é"]), max_size=12
    )
)
def test_almost_columns(pieces: list[str], tmp_path: Path) -> None:
    path = tmp_path / "any.tsv"
    path.write_bytes("".join(pieces).encode())
    try:
        chains = read_chains(path)
    except InputError:
        return
    write_chains(chains, path)
    assert read_chains(path) == chains
