"""What stands around the slots of texts, as a parser sees it: a name is put into every slot, for what will stand there
is not known yet, and a parser needs something.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plait.catalogue import DEFAULT
from plait.errors import InputError
from plait.formats.grec import MentionText, Reference
from plait.pipeline.pipeline import Pipeline, load
from plait.sentence import Sentence, parse_pairs

NAME, OWNER = "Smith", "Smith's"  # what stands in slots; a short name is rarely parsed in a strange way
REFERENCE = "REF"  # a neighbouring slot, where a word is asked for
_BETWEEN = "\n\n"
_RANGE = "TokenRange"
_LETTERS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or a sign; those of slots are one for each slot."""

    form: str
    lemma: str
    upos: str
    tag: str
    sentence: int
    slot: int = -1  # which reference of the text it stands for

    @property
    def is_word(self) -> bool:
        return bool(_LETTERS.search(self.form))


@dataclass(frozen=True, slots=True)
class Place:
    """A slot in its text, seen as its own parser sees it."""

    paragraph: int
    token: int  # among those of the text
    opens: bool  # whether it is the first slot of its paragraph
    offset: int  # how many characters of the text, without those of slots, stand before it
    deprel: str
    governor: Token | None


@dataclass(frozen=True, slots=True)
class Seen:
    """A text as tokens, with the places of its slots."""

    tokens: list[Token]
    paragraphs: list[int]  # of every token
    places: list[Place]

    def neighbour(self, slot: int, distance: int) -> Token | None:
        """The token so far from a slot, in its paragraph."""
        at = self.places[slot].token + distance
        if 0 <= at < len(self.tokens) and self.paragraphs[at] == self.places[slot].paragraph:
            return self.tokens[at]
        return None

    def before(self, slot: int) -> Iterator[Token]:
        """The tokens before it in its paragraph, the nearest first."""
        distance = -1
        while token := self.neighbour(slot, distance):
            yield token
            distance -= 1

    def after(self, slot: int) -> Iterator[Token]:
        distance = 1
        while token := self.neighbour(slot, distance):
            yield token
            distance += 1

    def sentence(self, slot: int) -> int:
        return self.tokens[self.places[slot].token].sentence


class ContextReader:
    """Reads texts with a pipeline that finds words, tags and trees."""

    def __init__(self, model: str = DEFAULT) -> None:
        self.model = model
        self._pipeline: Pipeline | None = None

    def read(self, texts: Sequence[MentionText]) -> list[Seen]:
        if self._pipeline is None:
            self._pipeline = load(self.model)
            if self._pipeline.giving("tree") is None or self._pipeline.giving("tags") is None:
                raise InputError(f"{self.model}: mentions need a model that finds tags and trees.")
        laid = [_Laid(text) for text in texts]
        starts: list[int] = []
        length = 0
        for each in laid:
            starts.append(length)
            length += len(each.text) + len(_BETWEEN)
        whole = _BETWEEN.join(each.text for each in laid)
        found: list[list[Sentence]] = [[] for _ in laid]
        for sentence in self._pipeline.stream([whole], ranges=True):
            first = _ranges(sentence)[0][0]
            found[bisect_right(starts, first) - 1].append(sentence)
        return [
            each.seen(sentences, start) for each, sentences, start in zip(laid, found, starts, strict=True)
        ]


class _Laid:
    """A text with names in its slots, and where they stand."""

    def __init__(self, text: MentionText) -> None:
        self.spans: list[tuple[int, int]] = []
        self.paragraph_starts: list[int] = []
        self.offsets: list[int] = []
        self.opens: list[bool] = []
        pieces: list[str] = []
        length = written = 0

        def add(words: str) -> None:
            nonlocal length
            pieces.append(words)
            length += len(words)

        for paragraph in text.paragraphs:
            if length:
                add(_BETWEEN)
            self.paragraph_starts.append(length)
            first = True
            for piece in paragraph:
                if isinstance(piece, Reference):
                    if pieces and length > self.paragraph_starts[-1] and not pieces[-1].endswith((" ", "(")):
                        add(" ")
                    filler = (
                        OWNER
                        if piece.get("SYNCAT") == "subj-det" or piece.get("SYNFUNC") == "subj-det"
                        else NAME
                    )
                    self.spans.append((length, length + len(filler)))
                    self.offsets.append(written)
                    self.opens.append(first)
                    first = False
                    add(filler)
                else:
                    words = re.sub(r"\s+", " ", piece)
                    written += len(words)
                    # Names and what follows must not grow together.
                    add(
                        f" {words}"
                        if self.spans and length == self.spans[-1][1] and words[:1].isalnum()
                        else words
                    )
        self.text = "".join(pieces)

    def seen(self, sentences: Sequence[Sentence], start: int) -> Seen:
        tokens: list[Token] = []
        token_paragraphs: list[int] = []
        own: list[
            tuple[int, Sentence, int]
        ] = []  # of every slot: its token, and a word of it in its sentence
        for number, sentence in enumerate(sentences):
            for place, (first, last) in enumerate(_ranges(sentence)):
                slot = bisect_right(self.spans, (first - start, 1 << 60)) - 1
                inside = slot >= 0 and first - start < self.spans[slot][1]
                if not inside and slot + 1 < len(self.spans) and last - start > self.spans[slot + 1][0]:
                    slot, inside = slot + 1, True  # a token that begins before a slot
                if inside and slot < len(own):
                    continue
                if inside:
                    while len(own) < slot:  # nothing of a slot is a token of its own
                        own.append((len(tokens), sentence, place))
                    own.append((len(tokens), sentence, place))
                tokens.append(
                    Token(
                        REFERENCE if inside else sentence.forms[place],
                        REFERENCE if inside else sentence.lemmas[place],
                        sentence.upos[place],
                        sentence.xpos[place],
                        number,
                        slot if inside else -1,
                    )
                )
                token_paragraphs.append(bisect_right(self.paragraph_starts, first - start) - 1)
        if not tokens:
            tokens, token_paragraphs = [Token(REFERENCE, REFERENCE, "_", "_", 0)], [0]
        if sentences:
            while len(own) < len(self.spans):
                own.append((len(tokens) - 1, sentences[-1], len(sentences[-1]) - 1))
        places = [_place(self, slot, at, sentence, word) for slot, (at, sentence, word) in enumerate(own)]
        return Seen(tokens, token_paragraphs, places)


def _place(laid: _Laid, slot: int, at: int, sentence: Sentence, word: int) -> Place:
    head = sentence.heads[word] or 0
    governor = None
    if head:
        governor = Token(
            sentence.forms[head - 1],
            sentence.lemmas[head - 1],
            sentence.upos[head - 1],
            sentence.xpos[head - 1],
            0,
        )
    paragraph = bisect_right(laid.paragraph_starts, laid.spans[slot][0]) - 1
    return Place(paragraph, at, laid.opens[slot], laid.offsets[slot], sentence.deprels[word], governor)


def _ranges(sentence: Sentence) -> list[tuple[int, int]]:
    """Where every word, or the token it is a part of, stands in the text."""
    cells = list(sentence.misc)
    for token in sentence.multiword_tokens:
        cells[token.first - 1 : token.last] = [token.misc] * (token.last - token.first + 1)
    pairs = (parse_pairs(cell)[_RANGE].split(":") for cell in cells)
    return [(int(first), int(last)) for first, last in pairs]
