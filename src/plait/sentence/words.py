"""Words as views of the columns of their sentence, in a row that counts from 0, and runs of neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar, overload

from plait.sentence.cells import parse_pairs
from plait.sentence.tokens import MultiwordToken

if TYPE_CHECKING:
    from plait.sentence.sentence import Sentence

Value = TypeVar("Value")


class _Column(Generic[Value]):
    """An attribute of a word that lives in a column of its sentence."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, word: Word, owner: type[Word]) -> Value:
        column: list[Value] = getattr(word.sentence, self.name)
        return column[word.id - 1]

    def __set__(self, word: Word, value: Value) -> None:
        getattr(word.sentence, self.name)[word.id - 1] = value


class Word:
    """One word of a sentence: reading and setting go straight to the sentence's columns.

    `id` is its number in the treebank, from 1; `index` its place in `sentence.words`, from 0.
    """

    __slots__ = ("id", "sentence")

    form = _Column[str]("forms")
    lemma = _Column[str]("lemmas")
    upos = _Column[str]("upos")
    xpos = _Column[str]("xpos")
    feats = _Column[str]("feats")
    head = _Column[int | None]("heads")
    deprel = _Column[str]("deprels")
    deps = _Column[str]("deps")
    misc = _Column[str]("misc")

    def __init__(self, sentence: Sentence, number: int) -> None:
        self.sentence = sentence
        self.id = number

    @property
    def index(self) -> int:
        return self.id - 1

    @property
    def features(self) -> dict[str, str]:
        """FEATS as a dictionary: a copy, to be set back with `word.feats = format_pairs(...)`."""
        return parse_pairs(self.feats)

    # Where it stands.

    @property
    def start(self) -> int:
        """Its first character in the text of the document, or, without one, of the sentence (`Sentence.offsets`)."""
        return self.sentence.offsets[self.id - 1][0]

    @property
    def end(self) -> int:
        """Behind its last character."""
        return self.sentence.offsets[self.id - 1][1]

    @property
    def token(self) -> MultiwordToken | None:
        """The multiword token that it is a part of."""
        tokens = self.sentence.multiword_tokens
        return next((token for token in tokens if token.first <= self.id <= token.last), None)

    # Where it hangs.

    @property
    def is_root(self) -> bool:
        return self.head == 0

    @property
    def head_word(self) -> Word | None:
        """The word it hangs from; none for a root, and where the head is not known."""
        return Word(self.sentence, self.head) if self.head else None

    @property
    def children(self) -> list[Word]:
        """The words that hang from it, in the order of the sentence."""
        heads = self.sentence.heads
        return [Word(self.sentence, number) for number, head in enumerate(heads, 1) if head == self.id]

    @property
    def subtree(self) -> list[Word]:
        """It and all below it, in the order of the sentence; they need not be neighbours."""
        return [Word(self.sentence, number) for number in below(self.sentence.heads, self.id)]

    @property
    def ancestors(self) -> list[Word]:
        """Its head, the head of that, and so on up to the root; each once, even where heads go round in a circle."""
        found: list[Word] = []
        seen = {self.id}
        head = self.head
        while head and head not in seen:
            seen.add(head)
            found.append(Word(self.sentence, head))
            head = self.sentence.heads[head - 1]
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.sentence is other.sentence and self.id == other.id

    def __hash__(self) -> int:
        return hash((id(self.sentence), self.id))

    def __str__(self) -> str:
        return self.form

    def __repr__(self) -> str:
        return f"<Word {self.id} {self.form!r} {self.upos} {self.deprel} of {self.head}>"


def below(heads: Sequence[int | None], word: int) -> list[int]:
    """The numbers of a word and of all that it dominates, in order."""
    children: dict[int | None, list[int]] = {}
    for number, head in enumerate(heads, 1):
        children.setdefault(head, []).append(number)
    found = {word}
    waiting = [word]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return sorted(found)


class _Row(Sequence[Word]):
    """Some neighbouring words of a sentence; as with every sequence of Python, the first one has index 0."""

    __slots__ = ("_range", "sentence")

    def __init__(self, sentence: Sentence, numbers: range) -> None:
        self.sentence = sentence
        self._range = numbers  # ids

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> Span: ...
    def __getitem__(self, index: int | slice) -> Word | Span:
        if not isinstance(index, slice):
            try:
                return Word(self.sentence, self._range[index])
            except IndexError:
                raise IndexError(f"no word with index {index}: there are {len(self)}, from 0 on") from None
        numbers = self._range[index]
        if numbers.step != 1:
            raise ValueError(
                "a span is a run of neighbours, so its step is 1: list(sentence.words)[::2] is a list"
            )
        return Span(self.sentence, numbers)

    def __len__(self) -> int:
        return len(self._range)

    def __iter__(self) -> Iterator[Word]:
        return (Word(self.sentence, number) for number in self._range)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, Word) and word.sentence is self.sentence and word.id in self._range

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Row):
            return self.sentence is other.sentence and self._range == other._range
        return isinstance(other, list) and list(self) == other

    def __hash__(self) -> int:
        return hash((id(self.sentence), self._range))

    def __repr__(self) -> str:
        return repr(list(self))


class Words(_Row):
    """All words of a sentence: `words[0]` is the first, `words[-1]` the last, `words[2:5]` a span of three."""

    __slots__ = ()

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence, range(1, len(sentence.forms) + 1))


class Span(_Row):
    """Neighbouring words of a sentence, such as `sentence.words[2:5]`; it can be empty."""

    __slots__ = ()

    @property
    def start(self) -> int:
        """Its first character in the text, as of a `Word`; an empty one stands where the next word does."""
        offsets = self.sentence.offsets
        before = self._range.start - 1
        if before < len(offsets):
            return offsets[before][0]
        return offsets[-1][1] if offsets else self.sentence.start

    @property
    def end(self) -> int:
        """Behind its last character."""
        return self.sentence.offsets[self._range[-1] - 1][1] if self._range else self.start

    @property
    def text(self) -> str:
        """Its characters in the text, with the white space between them."""
        return self.sentence.whole_text[self.start : self.end]

    @property
    def root(self) -> Word | None:
        """The first of its words that hangs from none of the others; none if it is empty, or heads go in a circle."""
        return next((word for word in self if word.head not in self._range), None)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        ids = f"{self._range[0]} to {self._range[-1]}" if self._range else "none"
        return f"<Span of words {ids}: {' '.join(self.sentence.forms[each - 1] for each in self._range)!r}>"
