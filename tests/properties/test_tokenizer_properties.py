"""The tokenizer on any text: nothing is lost, pieces change nothing, forms hold no white space."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from memory import parse, render
from plait.components.tokenizer import Tokenizer, restore
from plait.components.tokenizer.assembly import Assembler
from plait.components.tokenizer.flow import tokenize_pieces
from plait.components.tokenizer.multiword import recased
from toy_text import quick_tokenizer


@cache
def tokenizer() -> Tokenizer:
    return quick_tokenizer(100, longest=30)


_anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
_pieces = st.lists(
    st.sampled_from(
        [
            "They don't see",
            " the dog",
            ".",
            " ",
            "\n",
            "\r\n",
            "\r",
            "\n\n",
            "Mr. ",
            "!",
            "x@y.org",
            "http://a.b/c ",
            "#a",
            "@b",
            "2024-03-15",
            "😀",
            "\U0001f1e9\U0001f1ea",
            "\u200d",
            "a.com",
        ]
    ),
    max_size=80,
).map("".join)
texts = st.one_of(_anything, _pieces, st.builds("".join, st.lists(st.one_of(_anything, _pieces), max_size=8)))


def is_space(character: str) -> bool:
    return character.isspace() or character == "\0"


@given(texts, st.booleans())
def test_every_text_is_restored(text: str, lines: bool) -> None:
    found = tokenizer().tokenize(text, lines=lines)
    assert restore(found) == (text if any(not is_space(character) for character in text) else "")
    for sentence in found:
        assert 0 < sum(1 for _ in sentence.tokens) <= 30
        for form in sentence.forms:
            assert form
            assert not any(map(is_space, form))
        assert "  " not in sentence.text


@given(texts)
def test_what_is_written_and_read_again_is_restored(text: str) -> None:
    found = tokenizer().tokenize(text + "x")
    assert restore(parse(render(found))) == text + "x"


@given(texts, st.booleans())
def test_ranges_point_at_forms(text: str, lines: bool) -> None:
    for sentence in tokenizer().tokenize(text, lines=lines, ranges=True):
        for token in sentence.tokens:
            start, _, end = token.misc.rpartition("TokenRange=")[2].partition(":")
            assert text[int(start) : int(end)] == token.form


@given(texts, st.data(), st.booleans(), st.integers(1, 400))
def test_pieces_change_nothing(text: str, data: st.DataObject, lines: bool, size: int) -> None:
    text *= data.draw(st.sampled_from([1, 1, 5, 20]))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    whole = tokenizer().tokenize(text, lines=lines, ranges=True)
    segmenter, multiwords = tokenizer().state.segmenter, tokenizer().state.multiwords
    assembler = Assembler(multiwords, ranges=True)
    assert list(tokenize_pieces(segmenter, assembler, pieces, lines=lines, size=size)) == whole
    assert list(tokenizer().stream(pieces, lines=lines, ranges=True)) == whole


@given(st.lists(st.sampled_from(["They", "Mr.", "don't", "dog,", "cat.", "see!"]), max_size=40), st.data())
def test_line_breaks_are_spaces(words: list[str], data: st.DataObject) -> None:
    gaps = [data.draw(st.sampled_from([" ", "\n", "\r\n", "\t", "  "])) for _ in words]
    wrapped = "".join(word + gap for word, gap in zip(words, gaps, strict=True))
    plain, broken = tokenizer().tokenize(" ".join(words)), tokenizer().tokenize(wrapped)
    assert [sentence.forms for sentence in plain] == [sentence.forms for sentence in broken]
    assert [sentence.text for sentence in plain] == [sentence.text for sentence in broken]


@given(st.text(min_size=1, max_size=8), st.lists(st.text(max_size=4), min_size=1, max_size=3))
def test_case_changes_no_letters(form: str, words: list[str]) -> None:
    lower = tuple(word.lower() for word in words)
    assert len(recased(form, lower)) == len(lower)
