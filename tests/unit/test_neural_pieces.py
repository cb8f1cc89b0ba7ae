"""Words cut into pieces, beside what the library that made the pieces finds."""

import json
import random
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.components.neural.pieces import MOST_PIECES, Pieces, read_pieces

FORMS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "un",
    "##aff",
    "##able",
    "##able##",
    "the",
    "a",
    "##a",
    "e",
    "é",
    "E",
]
FORMS += [
    "ß",
    "i",
    "##\u0307",
    "中",
    "文",
    "中文",
    ",",
    "'",
    "s",
    "$",
    "1",
    "##9",
    "σ",
    "##σ",
    "ς",
    "ن",
    "##م",
    "्",
    "क",
]
FORMS += [f"##{letter}" for letter in "bcdefinsty"]
# Letters of scripts, marks, signs and spaces, all of them in Unicode 8.
ALPHABET = [
    *"unaffableETHEthe19 ,'$\t\n\u00a0\u200b\ufeff\ufffd\u0301éÉßİΣσς中文नمक्ж한👍“”—…",
    "a",
    "a",
    "##",
]


def tokenizer(**changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {form: number for number, form in enumerate(FORMS)},
        },
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
    }
    for name, change in changes.items():
        found[name] = found[name] | change if isinstance(change, dict) else change
    return found


def cut(form: str, pieces: Pieces) -> list[str]:
    return [pieces.forms[number] for number in pieces.cut(form)]


def test_words_are_cut_at_the_longest_pieces() -> None:
    pieces = read_pieces(tokenizer())
    assert (pieces.begin, pieces.end, pieces.unknown) == (2, 3, 1)
    assert cut("Unaffable", pieces) == ["un", "##aff", "##able"]
    assert cut("the,a's", pieces) == ["the", ",", "a", "'", "s"]
    assert cut("É", pieces) == ["e"]
    assert cut("\u00c5a", pieces) == ["a", "##a"]
    assert cut("中文a", pieces) == ["中", "文", "a"]
    assert cut("ΣΣ", pieces) == ["σ", "##σ"]
    assert cut("a\u200ba", pieces) == ["a", "##a"]
    assert cut("thex the", pieces) == ["[UNK]", "the"]
    assert cut("[CLS]", pieces)[0] != "[CLS]"
    assert cut("a" * 100, pieces) == ["a", *["##a"] * (MOST_PIECES - 1)]
    assert cut("a" * 101, pieces) == ["[UNK]"]
    for nothing in ("", " ", "\u200b", "\ufffd"):
        assert cut(nothing, pieces) == ["[UNK]"]


def test_case_and_accents_stay_where_they_should() -> None:
    cased = read_pieces(tokenizer(normalizer={"lowercase": False}))
    assert cut("E", cased) == ["E"]
    assert cut("é", cased) == ["é"]
    apart = read_pieces(tokenizer(normalizer={"lowercase": True, "strip_accents": False}))
    assert cut("É", apart) == ["é"]
    together = read_pieces(tokenizer(normalizer={"handle_chinese_chars": False}))
    assert cut("中文", together) == ["中文"]


def test_the_pieces_around_a_sentence_are_found() -> None:
    template = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "[CLS]"}},
            {"Sequence": {"id": "A"}},
            {"SpecialToken": {"id": "[SEP]"}},
        ],
    }
    pieces = read_pieces(tokenizer() | {"post_processor": template})
    assert (pieces.begin, pieces.end) == (2, 3)


@pytest.mark.parametrize(
    "changes",
    [
        {"model": {"type": "BPE"}},
        {"model": {"type": "Unigram"}},
        {"model": {"continuing_subword_prefix": ""}},
        {"model": {"max_input_chars_per_word": 50}},
        {"model": {"vocab": {"[UNK]": 0, "[CLS]": 2, "[SEP]": 3}}},
        {"normalizer": {"type": "NFC"}},
        {"normalizer": {"clean_text": False}},
        {"normalizer": None},
        {"pre_tokenizer": {"type": "ByteLevel"}},
        {"post_processor": None},
    ],
)
def test_other_kinds_of_pieces_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="it"):
        read_pieces(tokenizer(**changes))


def of_the_library(normal: dict[str, Any]) -> tuple[Pieces, Any]:
    library = pytest.importorskip("tokenizers")
    how = tokenizer(normalizer=normal)
    full = how | {"version": "1.0", "added_tokens": [], "decoder": None, "truncation": None, "padding": None}
    return read_pieces(how), library.Tokenizer.from_str(json.dumps(full))


@pytest.mark.parametrize("lowercase", [True, False])
def test_the_library_finds_the_same(lowercase: bool) -> None:
    pieces, library = of_the_library({"lowercase": lowercase})

    @given(st.lists(st.sampled_from(ALPHABET), max_size=14).map("".join))
    def same(form: str) -> None:
        expected = library.encode(form, add_special_tokens=False).ids
        assert pieces.cut(form) == (expected[:MOST_PIECES] or [pieces.unknown])

    same()


def test_the_library_finds_the_same_in_words_of_all_scripts() -> None:
    """Letters, marks and punctuation before U+0700 and of some blocks behind it, which Unicode 8 has already."""
    pieces, library = of_the_library({})
    blocks = ((0x20, 0x2FF), (0x370, 0x5F4), (0x61E, 0x6FF), (0x904, 0x939), (0xE01, 0xE3A), (0x1E00, 0x1FFF))
    blocks += ((0x2010, 0x205E), (0x3041, 0x30FF), (0x3400, 0x3500), (0x4E00, 0x4F00), (0xAC00, 0xAD00))
    known = [chr(code) for first, last in blocks for code in range(first, last)]
    known = [letter for letter in known if unicodedata.category(letter) != "Cn"]
    forms = sorted({part for letter in known for part in unicodedata.normalize("NFD", letter.lower())})
    chance = random.Random(1)
    forms = chance.sample(forms, len(forms) * 3 // 4)
    vocabulary = {
        form: number for number, form in enumerate([*FORMS[:4], *forms, *(f"##{form}" for form in forms)])
    }
    how = tokenizer(model={"vocab": vocabulary})
    full = how | {"version": "1.0", "added_tokens": [], "decoder": None, "truncation": None, "padding": None}
    pieces, library = read_pieces(how), library.from_str(json.dumps(full))
    words = ["".join(chance.choices(known, k=chance.randint(1, 5))) for _ in range(20_000)]
    for word, expected in zip(words, library.encode_batch(words, add_special_tokens=False), strict=True):
        assert pieces.cut(word) == (expected.ids[:MOST_PIECES] or [pieces.unknown]), repr(word)
