"""Any bytes give a result or a clear error: never another exception, and the two readers agree."""

import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import plait
from memory import InMemory, render
from plait.formats import FORMATS, sentences_of
from plait.formats.blocks import split_sentences
from plait.formats.detection import detect
from strategies import sentences


def check(data: bytes, format: str) -> None:
    """Read leniently; what is read can be written and read again, what is not has a reason."""
    chosen = FORMATS[format]
    bad: list[list[plait.Problem]] = []
    try:
        read = list(sentences_of(InMemory(data), chosen, bad.append))
    except plait.FormatError:  # empty, or UTF-16
        return
    assert all(bad)
    if read:
        again = list(sentences_of(InMemory(render(read, format)), chosen))
        assert [(s.forms, s.heads, s.comments) for s in again] == [
            (s.forms, s.heads, s.comments) for s in read
        ]


@given(st.binary(max_size=300), st.sampled_from(sorted(FORMATS)))
@example(b"\xff\xfe1\0", "conllu")
@example(b"1\t\r\n\r\n\n", "conllu")
def test_any_bytes(data: bytes, format: str) -> None:
    assert detect(data, "file") in FORMATS
    check(data, format)


# Text that looks like CoNLL: the characters that matter, in any order.
_conll = st.text(
    st.sampled_from(["\t", "\n", "\r", "#", "-", ".", "0", "1", "2", "_", "a", "\0", "\ufeff", "\x85"])
)


@given(_conll, st.sampled_from(["conllu", "conllx", "conll09"]))
def test_almost_conll(text: str, format: str) -> None:
    check(text.encode(), format)


@given(st.lists(sentences(), min_size=1, max_size=2), st.data())
def test_a_sentence_is_refused_exactly_when_a_fault_is_found(
    treebank: list[plait.Sentence], data: st.DataObject
) -> None:
    content = bytearray(render(treebank))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 2))] = data.draw(
            st.sampled_from([b"", b"\t", b"\n", b"\r", b"0", b"9", b"-", b".", b"#", b"_", b"\0", b"\xff"])
        )
    format = FORMATS["conllu"]
    for block in split_sentences(InMemory(bytes(content))):
        assert (format.parse(block) is None) == bool(format.diagnose(block))


def test_mutated_real_sentences(treebanks: Path, tmp_path: Path) -> None:
    chance = random.Random(1)
    path = tmp_path / "mutated.conllu"
    for name in ("English-EWT/en_ewt-ud-dev.conllu", "Arabic-PADT/ar_padt-ud1-dev.conllu"):
        original = (treebanks / name).read_bytes()[:40_000]
        for _ in range(60):
            content = bytearray(original)
            for _ in range(chance.randint(1, 30)):
                place = chance.randrange(len(content))
                kind = chance.randrange(4)
                if kind == 0:
                    content[place] = chance.randrange(256)
                elif kind == 1:
                    del content[place : place + chance.randrange(200)]
                elif kind == 2:
                    content[place:place] = content[place - chance.randrange(100) : place]
                else:
                    content[place:place] = chance.choice([b"\n", b"\n\n", b"\t", b"\r", b"\0", b"1-2\t"])
            check(bytes(content), "conllu")
            path.write_bytes(content)
            assert all(str(problem).startswith(str(path)) for problem in plait.validate(path))


@pytest.mark.parametrize("size", [10_000_000])
def test_a_very_long_line_is_read(size: int) -> None:
    data = f"1\t{'a' * size}\t_\t_\t_\t_\t0\troot\t_\t_\n\n".encode()
    (sentence,) = sentences_of(InMemory(data), FORMATS["conllu"])
    assert len(sentence.forms[0]) == size
    assert render([sentence]) == data
