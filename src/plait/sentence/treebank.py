"""Sentences in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import overload

from plait.errors import InputError, counted
from plait.sentence.conversion import ConvertibleTreebank
from plait.sentence.sentence import Sentence
from plait.sentence.words import Word


class Treebank(ConvertibleTreebank, Sequence[Sentence]):
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

    @property
    def words(self) -> list[Word]:
        """The words of all sentences."""
        return [word for sentence in self.sentences for word in sentence]

    def __repr__(self) -> str:
        words = sum(map(len, self.sentences))
        return f"<Treebank {self.path or 'without a file'}: {counted(len(self), 'sentence')}, {counted(words, 'word')}>"


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
