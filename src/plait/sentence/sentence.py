"""A sentence and its columns."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from plait.errors import NotATreeError, counted, excerpt
from plait.layers import Frames, Layer
from plait.sentence.cells import EMPTY, TEXT_COLUMNS
from plait.sentence.conversion import ConvertibleSentence
from plait.sentence.frames import PredicateFrame
from plait.sentence.places import Found, Place, places_of
from plait.sentence.tokens import EmptyNode, MultiwordToken
from plait.sentence.words import Span, Word, Words

AnyLayer = TypeVar("AnyLayer", bound=Layer)


class Text(Protocol):
    """What a sentence can belong to: a `plait.Document`. Components may say something of it as a whole, by name."""

    text: str
    labels: dict[str, str]


@dataclass(slots=True, kw_only=True, repr=False)
class Sentence(ConvertibleSentence):
    """A sentence as columns over its words, which count from 1; the artificial root is 0.

    `forms[i]` belongs to word `i + 1`. A head is `None` where the file has `_`. Columns that are not given
    are filled with `_`. `extra` holds the columns CoNLL-U does not have (CoNLL-X, CoNLL-09), by name.
    """

    forms: list[str]
    lemmas: list[str] = field(default_factory=list)
    upos: list[str] = field(default_factory=list)
    xpos: list[str] = field(default_factory=list)
    feats: list[str] = field(default_factory=list)
    heads: list[int | None] = field(default_factory=list)
    deprels: list[str] = field(default_factory=list)
    deps: list[str] = field(default_factory=list)
    misc: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    multiword_tokens: list[MultiwordToken] = field(default_factory=list)
    empty_nodes: list[EmptyNode] = field(default_factory=list)
    extra: dict[str, list[str]] = field(default_factory=dict)
    layers: dict[type[Layer], Layer] = field(default_factory=dict)
    # How the file ended its lines: what follows the last line of the sentence (its end and the blank lines),
    # and what preceded the first sentence. Kept so that writing gives back every byte.
    newline: str = "\n"
    ending: str = "\n\n"
    leading: str = ""
    # The text it belongs to, if that is known.
    document: Text | None = field(default=None, compare=False)
    # Where it begins in that text, or in the one that was tokenized.
    offset: int = field(default=0, compare=False)
    # Where it was read: for messages.
    line: int = field(default=0, compare=False)
    _found: Found | None = field(default=None, init=False, compare=False)

    def __post_init__(self) -> None:
        size = len(self.forms)
        for name in TEXT_COLUMNS[1:]:
            column = getattr(self, name)
            if not column:
                setattr(self, name, [EMPTY] * size)
            elif len(column) != size:
                raise ValueError(f"{name} has {len(column)} entries but the sentence has {size} words")
        if not self.heads:
            self.heads = [None] * size
        elif len(self.heads) != size:
            raise ValueError(f"heads has {len(self.heads)} entries but the sentence has {size} words")

    def __len__(self) -> int:
        return len(self.forms)

    def __iter__(self) -> Iterator[Word]:
        return (Word(self, number) for number in range(1, len(self.forms) + 1))

    def __getitem__(self, number: int) -> Word:
        """The word with this number; words count from 1, as in the file. Slices, which count from 0, are of `words`."""
        if isinstance(number, slice):
            raise TypeError(
                "a sentence has its words by their numbers, from 1; slices count from 0: sentence.words[0:3], "
                "or by numbers sentence.span(1, 3)"
            )
        number = int(
            operator.index(number)
        )  # a truth value, or a number of numpy, is the number that it stands for
        if not 1 <= number <= len(self.forms):
            raise IndexError(f"no word {number}: the words are numbered 1 to {len(self.forms)}")
        return Word(self, number)

    @property
    def words(self) -> Words:
        """The words as a sequence that counts from 0: `words[0]`, `words[-1]`, and spans, `words[2:5]`."""
        return Words(self)

    def span(self, first: int, last: int) -> Span:
        """The words from one number to another, both included, as a treebank counts them."""
        if not 1 <= first <= last <= len(self.forms):
            raise IndexError(f"no words {first} to {last}: the words are numbered 1 to {len(self.forms)}")
        return Span(self, range(first, last + 1))

    @property
    def root(self) -> Word | None:
        """The first word that hangs from nothing, if there is one."""
        return Word(self, self.heads.index(0) + 1) if 0 in self.heads else None

    @property
    def tokens(self) -> Iterator[Word | MultiwordToken]:
        """The surface tokens: multiword tokens, and the words outside them."""
        number = 1
        for token in self.multiword_tokens:
            for outside in range(number, token.first):
                yield Word(self, outside)
            yield token
            number = token.last + 1
        for outside in range(number, len(self.forms) + 1):
            yield Word(self, outside)

    @property
    def sent_id(self) -> str:
        return self.comment("sent_id") or ""

    @property
    def text(self) -> str:
        """The `# text` comment, or, without one, the tokens joined as `SpaceAfter=No` says."""
        given = self.comment("text")
        return self.detokenized() if given is None else given

    @property
    def whole_text(self) -> str:
        """The text that `offsets` are about: of the document, or, without one, of the sentence."""
        return self.text if self.document is None else self.document.text

    @property
    def offsets(self) -> tuple[Place, ...]:
        """Where every word begins and ends in the whole text, in characters. Words of a multiword token that are not
        simply written one after the other (*de* + *o* for *do*) stand where the token does. InputError if the
        words do not stand in the text, as when they were changed.
        """
        return places_of(self)

    @property
    def start(self) -> int:
        """Its first character in the whole text."""
        return self.offsets[0][0] if self.forms else self.offset

    @property
    def end(self) -> int:
        """Behind its last character."""
        return self.offsets[-1][1] if self.forms else self.offset

    def comment(self, key: str) -> str | None:
        """The value of the first comment `# key = value`; an empty string for a bare `# key`."""
        for line in self.comments:
            name, _, value = line[1:].partition("=")
            if name.strip() == key:
                return value.strip()
        return None

    def detokenized(self) -> str:
        pieces: list[str] = []
        for token in self.tokens:
            pieces.append(token.form)
            if "SpaceAfter=No" not in token.misc.split("|"):
                pieces.append(" ")
        return "".join(pieces).rstrip(" ")

    def tree(self) -> list[int]:
        """The heads, when every word has one; they may still hold a cycle (see `plait.trees`)."""
        heads = [head for head in self.heads if head is not None]
        if len(heads) != len(self.heads):
            raise NotATreeError(f"word {self.heads.index(None) + 1} has no head")
        return heads

    def put(self, layer: Layer) -> None:
        """Add a layer, in place of the one of the same type if there is one."""
        self.layers[type(layer)] = layer

    def find(self, kind: type[AnyLayer]) -> AnyLayer | None:
        found = self.layers.get(kind)
        return found if isinstance(found, kind) else None

    @property
    def frames(self) -> list[PredicateFrame]:
        """Its predicates with their senses and arguments, in order; none if nobody told of them."""
        layer = self.find(Frames)
        return [PredicateFrame(self, frame) for frame in layer] if layer else []

    def take(self, kind: type[AnyLayer]) -> AnyLayer | None:
        """A layer, which the sentence then no longer has."""
        found = self.layers.pop(kind, None)
        return found if isinstance(found, kind) else None

    def copy(self) -> Sentence:
        """A sentence of its own: changing it leaves this one as it is."""
        twin = copy(self)
        for name in (*TEXT_COLUMNS, "heads", "comments"):
            setattr(twin, name, list(getattr(self, name)))
        twin.multiword_tokens = [copy(token) for token in self.multiword_tokens]
        twin.empty_nodes = [copy(node) for node in self.empty_nodes]
        twin.extra = {name: list(column) for name, column in self.extra.items()}
        twin.layers = dict(self.layers)
        return twin

    def reorder(self, words: Sequence[int]) -> None:
        """Put the words into another order, given by their numbers, and number them anew. Multiword tokens, empty nodes
        and the enhanced graph, which are about the old order, are left out.
        """
        if sorted(words) != list(range(1, len(self.forms) + 1)):
            raise ValueError("an order has every word once")
        numbers = [0] * (len(words) + 1)
        for number, word in enumerate(words, 1):
            numbers[word] = number
        for name in TEXT_COLUMNS:
            column = getattr(self, name)
            setattr(self, name, [column[word - 1] for word in words])
        heads = [self.heads[word - 1] for word in words]
        self.heads = [None if head is None else numbers[head] for head in heads]
        self.deps = [EMPTY] * len(words)
        self.extra = {name: [column[word - 1] for word in words] for name, column in self.extra.items()}
        self.multiword_tokens, self.empty_nodes, self.layers = [], [], {}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        name = f" {self.sent_id}" if self.sent_id else ""
        return f"<Sentence{name}: {excerpt(self.text, 60)}, {counted(len(self), 'word')}>"
