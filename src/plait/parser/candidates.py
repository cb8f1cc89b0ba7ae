"""What words may be tagged as, where the parser chooses (Bohnet and Nivre 2012)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.errors import FormatError, InputError, Problem
from plait.flow import batches
from plait.sentence import Sentence

MOST = 254  # of one word
_LEAST = 2  # 0 and 1 mean no word and the root
_BIN = 0.05  # of margins
_ROUNDING = 1e-9


class Candidate(NamedTuple):
    """A tag with the lemma it goes with, and by how much less probable it is than the best one: 0 to 1."""

    upos: str
    xpos: str
    feats: str
    lemma: str
    margin: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates of the words of a sentence.

    The tags in the sentence are the best ones, of rank 0; `others` are those of rank 1, 2 ... of words that have
    several, by number of the word. To learn from, `right` are the ranks of the right ones where they are not 0.
    """

    others: Mapping[int, Sequence[Candidate]] = field(default_factory=dict)
    right: Mapping[int, int] = field(default_factory=dict)

    def sizes(self, words: int) -> Iterator[int]:
        """How many candidates each word has."""
        return (1 + len(self.others.get(word, ())) for word in range(1, words + 1))

    def chosen(self, ranks: Sequence[int]) -> dict[int, Candidate]:
        """What the words are that are not left with the tags in the sentence."""
        return {word: self.others[word][rank - 1] for word, rank in enumerate(ranks, 1) if rank > 0}

    def with_right(self, sentence: Sentence) -> Sentence:
        """The sentence with the right tags instead of the best ones."""
        twin = sentence.copy()
        annotate(twin, {word: self.others[word][rank - 1] for word, rank in self.right.items() if rank})
        return twin

    def to_json(self) -> dict[str, Any]:
        return {"others": self.others, "right": self.right}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Candidates:
        """What `to_json` gave, after a way through a file."""
        return cls(
            {int(word): [Candidate(*each) for each in tags] for word, tags in stored["others"].items()},
            {int(word): int(rank) for word, rank in stored["right"].items()},
        )


NO_CHOICE = Candidates()


def check_lengths(
    joint: bool, *given: tuple[str, Sequence[Sentence] | None, Sequence[Candidates] | None]
) -> None:
    """Whether there are candidates for as many sentences as there are, and a parser that has a use for them."""
    for name, sentences, candidates in given:
        if candidates is None:
            continue
        require_joint(joint)
        if len(candidates) != len(sentences or ()):
            raise InputError(
                f"{name} has {len(candidates)} entries, but there are {len(sentences or ())} sentences."
            )


def require_joint(joint: bool) -> None:
    if not joint:
        raise InputError("Only a joint parser chooses among candidates: set joint when training it.")


def annotate(sentence: Sentence, chosen: Mapping[int, Candidate]) -> None:
    """Put tags and lemmas into a sentence."""
    for word, tag in chosen.items():
        sentence.upos[word - 1] = tag.upos
        sentence.xpos[word - 1] = tag.xpos
        sentence.feats[word - 1] = tag.feats
        sentence.lemmas[word - 1] = tag.lemma


def spread(sentence: Sentence, candidates: Candidates) -> Sentence:
    """As if every candidate were a word of its own: what is encoded, row by row."""
    if not candidates.others:
        return sentence
    columns: list[list[str]] = [[], [], [], [], []]
    own = zip(sentence.forms, sentence.upos, sentence.xpos, sentence.feats, sentence.lemmas, strict=True)
    for number, (form, *first) in enumerate(own, 1):
        rows: Iterable[Sequence[str]] = [first]
        if number in candidates.others:
            rows = chain(rows, (tag[:4] for tag in candidates.others[number]))
        for row in rows:
            for column, value in zip(columns, (form, *row), strict=True):
                column.append(value)
    forms, upos, xpos, feats, lemmas = columns
    return Sentence(forms=forms, upos=upos, xpos=xpos, feats=feats, lemmas=lemmas)


def arrange(
    values: NDArray[np.uint32], sentences: Sequence[Sentence], choice: Sequence[Candidates]
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    """Rows of candidates with two columns more, rank and margin; where sentences begin, in words; and where words
    begin, in rows.
    """
    for sentence, each in zip(sentences, choice, strict=True):
        _check(sentence, each)
    words = [len(sentence) for sentence in sentences]
    sizes = [size for each, count in zip(choice, words, strict=True) for size in each.sizes(count)]
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    offsets = np.zeros(len(words) + 1, np.int64)
    np.cumsum(words, out=offsets[1:])
    wider = np.full((len(values), values.shape[1] + 2), _LEAST, np.uint32)
    wider[:, :-2] = values
    for each, first in zip(choice, offsets.tolist(), strict=False):
        for word, tags in each.others.items():
            row = starts[first + word - 1]
            for rank, tag in enumerate(tags, 1):
                wider[row + rank, -2:] = _LEAST + rank, _LEAST + int(tag.margin / _BIN + _ROUNDING)
    return wider, offsets, starts


def _check(sentence: Sentence, choice: Candidates) -> None:
    for word, tags in choice.others.items():
        if not 1 <= word <= len(sentence):
            fault = f"there are candidates for word {word}, but the sentence has {len(sentence)} words"
        elif len(tags) >= MOST:
            fault = f"word {word} has {1 + len(tags)} candidates, but there can be {MOST}"
        elif not all(0 <= tag.margin <= 1 for tag in tags):
            fault = f"a margin of word {word} is not from 0 to 1"
        else:
            continue
        raise FormatError(Problem(f"{fault}.", "", sentence.line, sentence.sent_id))


def right_ranks(choice: Sequence[Candidates], sentences: Sequence[Sentence]) -> NDArray[np.int32]:
    """The ranks of the right tags of all words."""
    for each, sentence in zip(choice, sentences, strict=True):
        for word, rank in each.right.items():
            if not 0 <= rank <= len(each.others.get(word, ())):
                fault = f"the right tag of word {word} is said to be number {rank}, but there is no such candidate."
                raise FormatError(Problem(fault, "", sentence.line, sentence.sent_id))
    pairs = zip(choice, sentences, strict=True)
    return np.array(
        [each.right.get(word, 0) for each, sentence in pairs for word in range(1, len(sentence) + 1)],
        np.int32,
    )


def batches_with(
    sentences: Iterable[Sentence], choice: Iterable[Candidates] | None, beam: int, threads: int = 1
) -> Iterator[tuple[list[Sentence], list[Candidates] | None]]:
    """Sentences in lists of about as much work each, with their candidates if there are any."""
    waiting: deque[Candidates] = deque()

    def drawn() -> Iterator[Sentence]:
        source = iter(choice or ())
        for sentence in sentences:
            each = next(source, None)
            if each is None:
                raise InputError("There are fewer candidates than sentences.")
            waiting.append(each)
            yield sentence

    source = sentences if choice is None else drawn()
    for batch in batches(source, beam, threads):
        yield batch, None if choice is None else [waiting.popleft() for _ in batch]
