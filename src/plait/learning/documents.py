"""Components that see all sentences of a document at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from plait.learning.component import Component
from plait.learning.request import PLAIN, Request
from plait.sentence import Sentence

State = TypeVar("State")


class DocumentComponent(Component[State]):
    """It writes `annotate_document`; sentences come to it document by document."""

    @abstractmethod
    def annotate_document(self, sentences: Sequence[Sentence], request: Request) -> None:
        """Write into the sentences of one document, and into the labels of their `document` if they have one."""

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        for document in by_document(sentences):
            self.annotate_document(document, request)
            yield from document


def by_document(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Sentences of the same `document` together; those of a file, as the comments `# newdoc` tell."""
    group: list[Sentence] = []
    for sentence in sentences:
        if group and (sentence.document is not group[0].document or _begins(sentence)):
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group


def _begins(sentence: Sentence) -> bool:
    return any(line[1:].lstrip().startswith("newdoc") for line in sentence.comments)
