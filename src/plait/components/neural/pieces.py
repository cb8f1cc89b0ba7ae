"""Words cut into the pieces of a pretrained encoder: WordPiece, as BERT has it (Devlin et al. 2019, section 3).

The same as the library `tokenizers` finds, but for characters that came after Unicode 8, which it does not know, and
for the names of special pieces, which are plain text here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

MOST_PIECES = 8  # of a word: what is behind them is not read
_CONTINUED = "##"
_LONGEST = 100  # characters of what is looked up; longer ones are unknown
# Signs that are words of their own; the gap at 2B820 is one of the library.
_SIGNS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


@dataclass(frozen=True)
class Pieces:
    """`forms` by number; a piece inside a word begins with `##`. Begin and end are those around a sentence."""

    forms: Sequence[str]
    unknown: int
    begin: int
    end: int
    lowercase: bool
    accents: bool  # whether they stay
    signs: bool  # whether Chinese signs are cut apart

    def __post_init__(self) -> None:
        for number in (self.unknown, self.begin, self.end):
            if not 0 <= number < len(self.forms):
                raise ValueError("the number of a piece is out of range")

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {form: number for number, form in enumerate(self.forms)}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.forms))

    def cut(self, form: str) -> list[int]:
        """The numbers of the first pieces of a word: at least one, and not too many."""
        found: list[int] = []
        for part in self._parts(form):
            found += self._match(part)
            if len(found) >= MOST_PIECES:
                break
        return found[:MOST_PIECES] or [self.unknown]

    def _parts(self, form: str) -> Iterator[str]:
        for word in self._normal(form).split():
            start = 0
            for place, character in enumerate(word):
                if _is_punctuation(character):
                    if start < place:
                        yield word[start:place]
                    yield character
                    start = place + 1
            if start < len(word):
                yield word[start:]

    def _normal(self, form: str) -> str:
        text = "".join(" " if each.isspace() else each for each in form if not _is_dropped(each))
        if self.signs:
            text = "".join(f" {each} " if _is_sign(each) else each for each in text)
        if not self.accents:
            apart = unicodedata.normalize("NFD", text)
            text = "".join(each for each in apart if unicodedata.category(each) != "Mn")
        # One by one: at the end of a word no letter is another one.
        return "".join(each.lower() for each in text) if self.lowercase else text

    def _match(self, part: str) -> list[int]:
        """The longest piece that fits, again and again; unknown as a whole if there is none."""
        if len(part) > _LONGEST:
            return [self.unknown]
        found: list[int] = []
        start = 0
        while start < len(part):
            mark = _CONTINUED if start else ""
            for end in range(min(len(part), start + self._longest), start, -1):
                number = self._numbers.get(mark + part[start:end])
                if number is not None:
                    break
            else:
                return [self.unknown]
            found.append(number)
            start = end
        return found


def _is_dropped(character: str) -> bool:
    """Control characters but those that are spaces."""
    if character in "\t\n\r":
        return False
    return character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co")


def _is_sign(character: str) -> bool:
    return character >= "\u3400" and any(first <= ord(character) <= last for first, last in _SIGNS)


def _is_punctuation(character: str) -> bool:
    if character < "\x80":
        return character > " " and not character.isalnum() and character != "\x7f"
    return unicodedata.category(character).startswith("P")


def read_pieces(tokenizer: Mapping[str, Any]) -> Pieces:
    """From what `tokenizer.json` says; ValueError for other kinds of pieces."""
    model, normal = tokenizer.get("model") or {}, tokenizer.get("normalizer") or {}
    if not isinstance(model, dict) or not isinstance(normal, dict):
        raise ValueError("it does not say how words are cut into pieces")
    known = (
        model.get("type", "WordPiece") == "WordPiece"
        and model.get("continuing_subword_prefix") == _CONTINUED
        and model.get("max_input_chars_per_word") == _LONGEST
        and normal.get("type") == "BertNormalizer"
        and normal.get("clean_text") is True
        and (tokenizer.get("pre_tokenizer") or {}).get("type") == "BertPreTokenizer"
    )
    if not known:
        raise ValueError("its pieces are not those of BERT (WordPiece), the only ones that Plait can cut")
    numbers: dict[str, int] = model["vocab"]
    forms = sorted(numbers, key=lambda form: numbers[form])
    if [numbers[form] for form in forms] != list(range(len(forms))):
        raise ValueError("its pieces are not numbered from 0 on")
    begin, end = _around(tokenizer.get("post_processor") or {})
    lowercase, strip = bool(normal.get("lowercase")), normal.get("strip_accents")
    return Pieces(
        forms,
        numbers[model["unk_token"]],
        numbers[begin],
        numbers[end],
        lowercase=lowercase,
        accents=not (lowercase if strip is None else strip),
        signs=bool(normal.get("handle_chinese_chars")),
    )


def _around(processor: Mapping[str, Any]) -> tuple[str, str]:
    """The pieces before and behind a sentence."""
    if "cls" in processor and "sep" in processor:
        return processor["cls"][0], processor["sep"][0]
    match processor.get("single"):
        case [{"SpecialToken": {"id": begin}}, {"Sequence": _}, {"SpecialToken": {"id": end}}]:
            return begin, end
    raise ValueError("it does not say which pieces stand around a sentence")
