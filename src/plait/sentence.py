"""Sentences as columns: a `Sentence` keeps one list per column, a `Word` is a view made on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Generic, TypeVar, overload

from plait.errors import InputError, NotATreeError
from plait.layers import Argument, Frame, Frames, Layer

if TYPE_CHECKING:
    from plait.cancel import Cancel
    from plait.drawing.saving import Picture

EMPTY = "_"
TEXT_COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "deprels", "deps", "misc")
Value = TypeVar("Value")
AnyLayer = TypeVar("AnyLayer", bound=Layer)


def parse_pairs(text: str) -> dict[str, str]:
    """`A=1|B=2` as a dictionary; an entry without `=` maps to the empty string, `_` to no entries."""
    if text == EMPTY:
        return {}
    return {name: value for name, _, value in (entry.partition("=") for entry in text.split("|"))}


def format_pairs(pairs: dict[str, str]) -> str:
    return "|".join(f"{name}={value}" if value else name for name, value in pairs.items()) or EMPTY


@dataclass(slots=True)
class MultiwordToken:
    """A surface token that stands for words `first` to `last`, such as Portuguese *do* for *de* + *o*."""

    first: int
    last: int
    form: str
    lemma: str = EMPTY
    upos: str = EMPTY
    xpos: str = EMPTY
    feats: str = EMPTY
    head: str = EMPTY
    deprel: str = EMPTY
    deps: str = EMPTY
    misc: str = EMPTY

    @property
    def id(self) -> str:
        return f"{self.first}-{self.last}"


@dataclass(slots=True)
class EmptyNode:
    """A node of the enhanced graph that no word of the text stands for: ID `after.index`."""

    after: int
    index: int
    form: str = EMPTY
    lemma: str = EMPTY
    upos: str = EMPTY
    xpos: str = EMPTY
    feats: str = EMPTY
    head: str = EMPTY
    deprel: str = EMPTY
    deps: str = EMPTY
    misc: str = EMPTY

    @property
    def id(self) -> str:
        return f"{self.after}.{self.index}"


@dataclass(slots=True, kw_only=True)
class Sentence:
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
    layers: dict[type[Layer], Layer] = field(default_factory=dict, repr=False)
    # How the file ended its lines: what follows the last line of the sentence (its end and the blank lines),
    # and what preceded the first sentence. Kept so that writing gives back every byte.
    newline: str = field(default="\n", repr=False)
    ending: str = field(default="\n\n", repr=False)
    leading: str = field(default="", repr=False)
    # The text it belongs to, if that is known.
    document: Treebank | None = field(default=None, repr=False, compare=False)
    # Where it was read: for messages.
    line: int = field(default=0, repr=False, compare=False)

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
        """The word with this number; words count from 1, as in the file."""
        if not 1 <= number <= len(self.forms):
            raise IndexError(f"no word {number}: the words are numbered 1 to {len(self.forms)}")
        return Word(self, number)

    @property
    def words(self) -> list[Word]:
        return list(self)

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

    def draw(
        self,
        *,
        layer: type[Layer] | None = None,
        against: Sentence | None = None,
        lemmas: bool = False,
        cancel: Cancel | None = None,
    ) -> Picture:
        """The tree as a picture: it shows itself at the prompt and in Jupyter, and can be printed or saved.

        `layer` is another thing to draw, `DeepTree` or `SemanticStructure`. `against` is what a system made of the same
        words: the picture shows where its tree differs. Drawing ends with `Cancelled` once `cancel` is set.
        """
        from plait.drawing.picture import Drawing, drawing_of

        if layer is not None:
            return drawing_of(self, layer, cancel=cancel)
        return Drawing(self, against=against, lemmas=lemmas, cancel=cancel)

    def _repr_svg_(self) -> str | None:
        """The picture that Jupyter shows; none where the sentence cannot be drawn."""
        try:
            return self.draw().svg
        except InputError:
            return None


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
    """One word of a sentence: reading and setting go straight to the sentence's columns."""

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
    def features(self) -> dict[str, str]:
        """FEATS as a dictionary: a copy, to be set back with `word.feats = format_pairs(...)`."""
        return parse_pairs(self.feats)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.sentence is other.sentence and self.id == other.id

    def __hash__(self) -> int:
        return hash((id(self.sentence), self.id))

    def __repr__(self) -> str:
        return f"<Word {self.id} {self.form!r} {self.upos} {self.deprel} of {self.head}>"


@dataclass(frozen=True, slots=True)
class PredicateFrame:
    """A predicate of a sentence: a view of its `Frame`."""

    sentence: Sentence = field(repr=False)
    frame: Frame

    @property
    def predicate(self) -> Word:
        return self.sentence[self.frame.predicate]

    @property
    def sense(self) -> str:
        return self.frame.sense

    @property
    def meaning(self) -> str:
        """What a list of frames tells of the sense; empty if there is none."""
        return self.frame.meaning

    @property
    def arguments(self) -> list[FrameArgument]:
        return [FrameArgument(self.sentence, self.frame.predicate, each) for each in self.frame.arguments]


@dataclass(frozen=True, slots=True)
class FrameArgument:
    """An argument of a predicate: a view."""

    sentence: Sentence = field(repr=False)
    predicate: int
    argument: Argument

    @property
    def role(self) -> str:
        return self.argument.role

    @property
    def meaning(self) -> str:
        """What the role means for this sense, such as "seller"; empty if no list of frames tells."""
        return self.argument.meaning

    @property
    def word(self) -> Word:
        """Its head."""
        return self.sentence[self.argument.word]

    @property
    def span(self) -> tuple[int, ...]:
        """The numbers of its words: all that the head dominates, but for the predicate. They need not be
        neighbours.
        """
        heads = self.sentence.heads
        found = {self.argument.word}
        size = 0
        while size < len(found):
            size = len(found)
            found |= {word for word, head in enumerate(heads, 1) if head in found}
        return tuple(sorted(found - {self.predicate}))

    @property
    def segments(self) -> list[tuple[int, int]]:
        """The span as runs of neighbours: first and last word of each."""
        runs: list[tuple[int, int]] = []
        for word in self.span:
            runs[-1:] = (
                [(runs[-1][0], word)] if runs and runs[-1][1] == word - 1 else [*runs[-1:], (word, word)]
            )
        return runs

    @property
    def text(self) -> str:
        """Its words, with … where others stand between."""
        forms = self.sentence.forms
        return " … ".join(" ".join(forms[first - 1 : last]) for first, last in self.segments)


class Treebank(Sequence[Sentence]):
    """Sentences in order, with the place they came from."""

    def __init__(self, sentences: Sequence[Sentence] = (), *, path: str = "", format: str = "conllu") -> None:
        self.sentences = list(each_sentence(sentences))
        self.path = path
        self.format = format

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> Treebank: ...
    def __getitem__(self, index: int | slice) -> Sentence | Treebank:
        if isinstance(index, slice):
            return Treebank(self.sentences[index], path=self.path, format=self.format)
        return self.sentences[index]

    def __len__(self) -> int:
        return len(self.sentences)

    def __repr__(self) -> str:
        words = sum(map(len, self.sentences))
        return f"<Treebank {self.path or 'without a file'}: {len(self)} sentences, {words} words>"


def require_sentences(*treebanks: Iterable[Sentence] | None) -> None:
    """Refuse one sentence, or a text, where several sentences are needed: one can walk through these too."""
    for given in treebanks:
        if isinstance(given, Sentence):
            raise InputError("Several sentences are needed, and this is one: put it in a list, [sentence].")
        if isinstance(given, (str, bytes, PathLike)):
            raise InputError(
                "Sentences are needed, and this is a text: plait.read(path) gives the sentences of a file, and "
                "plait.load(model)(text) those of a text."
            )


def each_sentence(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences one by one; what is none is refused, one alone or a text at once."""
    require_sentences(sentences)
    return _checked(sentences)


def _checked(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    for sentence in sentences:
        if not isinstance(sentence, Sentence):
            raise InputError(f"A sentence is needed, and this is a {type(sentence).__name__}.")
        yield sentence
