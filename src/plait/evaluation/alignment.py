"""Which word of the system stands for which word of the gold file, when the two may tokenize differently.

The files must hold the same characters, spaces aside. Words are aligned as in the CoNLL 2018 shared task
(https://universaldependencies.org/conll18/evaluation.html): a word with the same characters
in both files is the same word; where a multiword token is involved, whose words need not spell its
characters, the words are aligned by the longest common subsequence of their lower-cased forms.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from plait.errors import InputError, excerpt
from plait.evaluation.document import Bools, Document, Ints
from plait.sentence import Sentence

Span = tuple[int, int]

# The characters of Unicode category Zs, which the files may place differently, removed by `str.translate`.
_SPACES = dict.fromkeys((0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000))


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many of something (tokens, sentences) two files share."""

    correct: int
    gold: int
    system: int


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """`gold_words[i]` and `system_words[i]` are the same word; words without a partner are absent.

    Both rise. `same_sentences` marks the gold sentences that the system delimits alike; `home` gives for
    every system word the gold sentence in whose text it begins.
    """

    gold_words: Ints
    system_words: Ints
    tokens: Overlap
    sentences: Overlap
    same_sentences: Bools
    home: Ints


@dataclass(slots=True)
class _Spelling:
    """Where everything stands in the text without spaces. The span of a word inside a multiword token is
    that token's span. `folded` are the forms as words of multiword tokens are compared.
    """

    characters: str
    tokens: list[Span]
    sentences: list[Span]
    words: list[Span]
    folded: list[str]
    inside_multiword: list[bool]


def align(gold: Document, system: Document) -> Alignment:
    if _tokenized_alike(gold, system):
        return _identity(gold, system)
    gold_text, system_text = _spell(gold), _spell(system)
    if gold_text.characters != system_text.characters:
        raise InputError(_difference(gold, gold_text, system, system_text))
    pairs = np.array(_pairs(gold_text, system_text), np.int64).reshape(-1, 2)
    system_sentences = set(system_text.sentences)
    same_sentences = np.array([span in system_sentences for span in gold_text.sentences], np.bool_)
    ends = np.array([end for _, end in gold_text.sentences], np.int64)
    begins = np.array([begin for begin, _ in system_text.words], np.int64)
    shared_tokens = len(set(gold_text.tokens).intersection(system_text.tokens))
    return Alignment(
        gold_words=pairs[:, 0],
        system_words=pairs[:, 1],
        tokens=Overlap(shared_tokens, len(gold_text.tokens), len(system_text.tokens)),
        sentences=Overlap(int(same_sentences.sum()), len(gold.sentences), len(system.sentences)),
        same_sentences=same_sentences,
        home=np.searchsorted(ends, begins, side="right"),
    )


def _tokenized_alike(gold: Document, system: Document) -> bool:
    """Whether all forms and multiword tokens agree, wherever the sentences end."""
    if len(gold) != len(system) or _multiword_tokens(gold) != _multiword_tokens(system):
        return False
    forms = gold.column("forms")
    if forms != system.column("forms"):
        return False
    if not all(form.translate(_SPACES) for form in set(forms)):
        _spell(gold)  # which says where the empty form is, unless it is a word inside a multiword token
    return True


def _multiword_tokens(document: Document) -> list[tuple[int, int, str]]:
    return [
        (offset + token.first, offset + token.last, token.form)
        for offset, sentence in zip(document.offsets.tolist(), document.sentences, strict=False)
        for token in sentence.multiword_tokens
    ]


def _identity(gold: Document, system: Document) -> Alignment:
    """Every word is its own partner, so only the sentence boundaries have to be compared."""
    every_word = np.arange(len(gold))
    inside = sum(
        token.last - token.first for sentence in gold.sentences for token in sentence.multiword_tokens
    )
    tokens = len(gold) - inside
    boundaries = set(pairwise(system.offsets.tolist()))
    same_sentences = np.array([span in boundaries for span in pairwise(gold.offsets.tolist())], np.bool_)
    return Alignment(
        gold_words=every_word,
        system_words=every_word,
        tokens=Overlap(tokens, tokens, tokens),
        sentences=Overlap(int(same_sentences.sum()), len(gold.sentences), len(system.sentences)),
        same_sentences=same_sentences,
        home=gold.sentence_numbers,
    )


def _spell(document: Document) -> _Spelling:
    text = _Spelling("", [], [], [], [], [])
    pieces: list[str] = []
    position = 0
    for number, sentence in enumerate(document.sentences):
        begin = position
        for first, last, form in _surface(sentence):
            piece = form.translate(_SPACES)
            if not piece:
                raise InputError(
                    document.place(number, f"the token of word {first} has no form, only spaces.")
                )
            span = (position, position + len(piece))
            position = span[1]
            pieces.append(piece)
            text.tokens.append(span)
            if last:
                words = sentence.forms[first - 1 : last]
                text.words.extend([span] * len(words))
                text.folded.extend(word.lower() for word in words)
                text.inside_multiword.extend([True] * len(words))
            else:
                text.words.append(span)
                text.folded.append(piece.lower())
                text.inside_multiword.append(False)
        text.sentences.append((begin, position))
    text.characters = "".join(pieces)
    return text


def _surface(sentence: Sentence) -> Iterator[tuple[int, int, str]]:
    """The tokens: first and last word, and form; the last word is 0 for a word that is a token itself."""
    number = 1
    for token in sentence.multiword_tokens:
        for outside in range(number, token.first):
            yield outside, 0, sentence.forms[outside - 1]
        yield token.first, token.last, token.form
        number = token.last + 1
    for outside in range(number, len(sentence) + 1):
        yield outside, 0, sentence.forms[outside - 1]


def _pairs(gold: _Spelling, system: _Spelling) -> list[tuple[int, int]]:
    """Walk along both texts at once, always letting the side that lags behind catch up."""
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold.words) and s < len(system.words):
        if gold.inside_multiword[g] or system.inside_multiword[s]:
            g, s, ours, theirs = _multiword_region(gold, system, g, s)
            pairs.extend(_common_words(gold, system, ours, theirs))
        elif gold.words[g] == system.words[s]:
            pairs.append((g, s))
            g += 1
            s += 1
        elif gold.words[g][0] <= system.words[s][0]:
            g += 1
        else:
            s += 1
    return pairs


def _multiword_region(
    gold: _Spelling, system: _Spelling, g: int, s: int
) -> tuple[int, int, list[int], list[int]]:
    """Where to go on, and the words of both sides that a multiword token at `g` or `s` brings together.

    A region by places alone (what overlaps, closed under overlapping) gives other pairs in rare cases, so
    this keeps what the shared task's walk does: one plain word that begins before the token is passed
    over; then the side whose next word begins earlier goes on while either side is inside the region,
    which grows with every multiword token taken.
    """
    if gold.inside_multiword[g]:
        end = gold.words[g][1]
        s += not system.inside_multiword[s] and system.words[s][0] < gold.words[g][0]
    else:
        end = system.words[s][1]
        g += gold.words[g][0] < system.words[s][0]
    ours: list[int] = []
    theirs: list[int] = []
    while _is_inside(gold, g, end) or _is_inside(system, s, end):
        gold_is_next = g < len(gold.words) and (
            s == len(system.words) or gold.words[g][0] <= system.words[s][0]
        )
        text, word, taken = (gold, g, ours) if gold_is_next else (system, s, theirs)
        taken.append(word)
        if text.inside_multiword[word]:
            end = max(end, text.words[word][1])
        g, s = (g + 1, s) if gold_is_next else (g, s + 1)
    return g, s, ours, theirs


def _is_inside(text: _Spelling, word: int, end: int) -> bool:
    """A plain word is inside when it ends there, one of a multiword token already when it begins there."""
    if word == len(text.words):
        return False
    return text.words[word][0] < end if text.inside_multiword[word] else text.words[word][1] <= end


def _common_words(
    gold: _Spelling, system: _Spelling, ours: list[int], theirs: list[int]
) -> list[tuple[int, int]]:
    """A longest common subsequence of the folded forms; of several, the one that drops gold words first."""
    gold_forms = [gold.folded[word] for word in ours]
    system_forms = [system.folded[word] for word in theirs]
    if gold_forms == system_forms:
        return list(zip(ours, theirs, strict=True))
    # longest[g][s]: the length of the longest common subsequence of gold_forms[g:] and system_forms[s:].
    longest = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for g in reversed(range(len(ours))):
        for s in reversed(range(len(theirs))):
            longest[g][s] = (
                longest[g + 1][s + 1] + 1
                if gold_forms[g] == system_forms[s]
                else max(longest[g + 1][s], longest[g][s + 1])
            )
    pairs = []
    g = s = 0
    while g < len(ours) and s < len(theirs):
        if gold_forms[g] == system_forms[s]:
            pairs.append((ours[g], theirs[s]))
            g += 1
            s += 1
        elif longest[g + 1][s] == longest[g][s]:
            g += 1
        else:
            s += 1
    return pairs


def _difference(gold: Document, gold_text: _Spelling, system: Document, system_text: _Spelling) -> str:
    """Where the texts part, in both files, with what each has there."""
    ours, theirs = gold_text.characters, system_text.characters
    at = next(
        (i for i, (x, y) in enumerate(zip(ours, theirs, strict=False)) if x != y), min(len(ours), len(theirs))
    )
    lines = ["The two files hold different text (spaces aside), so their words cannot be aligned."]
    for document, text in ((gold, gold_text), (system, system_text)):
        number = next((i for i, (_, end) in enumerate(text.sentences) if end > at), None)
        if number is None:
            lines.append(f"{document.name}: ends after {excerpt(text.characters[-20:])}.")
        else:
            begin = max(text.sentences[number][0], at - 10)
            lines.append(document.place(number, f"has {excerpt(text.characters[begin : at + 20])}."))
    if unicodedata.normalize("NFC", ours) == unicodedata.normalize("NFC", theirs):
        lines.append("They differ only in Unicode normalization (NFC makes them equal).")
    return " ".join(lines)
