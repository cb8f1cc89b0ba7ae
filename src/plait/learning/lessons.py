"""What a component learns from, and where that came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, overload

from plait.checks import file_name
from plait.sentence import Sentence, Treebank

if TYPE_CHECKING:
    from plait.features.clusters import Clusters


@dataclass(frozen=True, slots=True)
class Origin:
    """What a model can tell of what it learned from. A sentence that was learned from twice, with gold and with
    predicted annotation, counts once; `seen` says which of these it was. Of text that a `teacher` has `labelled`, the
    number of words, and where it is from.
    """

    treebank: str = ""
    dev: str = ""
    sentences: int = 0
    words: int = 0
    seen: str = "gold"  # gold, predicted or both: what there was beside that which is learned
    dev_seen: str = "gold"
    licence: str = ""
    teacher: str = ""  # who annotated `labelled` words more, of which text
    labelled: int = 0
    sources: str = ""


@dataclass(frozen=True, slots=True)
class Lessons(Sequence[Sentence]):
    """Sentences with the right annotation of what is to be learned, and of everything else what the component will see:
    gold, predicted by models that have not learned from the sentence, or every sentence both ways.

    `folds` has a number per sentence: those with the same one are annotated together when something else is predicted.
    `labelled` are sentences that a teacher has annotated, for components that draw from them (`Component.draws`).
    """

    sentences: Sequence[Sentence]
    path: str = ""
    seen: str = "gold"
    distinct: int = 0
    words: int = 0
    folds: Sequence[int] | None = None
    clusters: Clusters | None = None
    more_columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    labelled: Iterable[Sentence] | None = None

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sentence],
        clusters: Clusters | None = None,
        columns: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Lessons:
        """A treebank as it is. Templates of taggers may name `columns` from outside: attributes of words by name, for
        each the values of forms.
        """
        if isinstance(sentences, Lessons):
            return sentences
        path = sentences.path if isinstance(sentences, Treebank) else ""
        return cls(
            sentences,
            path,
            distinct=len(sentences),
            words=sum(map(len, sentences)),
            clusters=clusters,
            more_columns=columns or {},
        )

    def showing(
        self, sentences: Sequence[Sentence], seen: str, folds: Sequence[int] | None = None
    ) -> Lessons:
        """The same lessons with other annotation; the counts stay those of the treebank."""
        return replace(self, sentences=sentences, seen=seen, folds=folds)

    def origin(self, dev: Lessons | None, licence: str = "") -> Origin:
        return Origin(
            file_name(self.path),
            file_name(dev.path) if dev is not None else "",
            self.distinct,
            self.words,
            self.seen,
            dev.seen if dev is not None else "",
            licence,
        )

    @property
    def columns(self) -> Mapping[str, Mapping[str, str]]:
        """Attributes of words from outside, by name: those of the clusters, if there are any, and others."""
        return {**(self.clusters.columns() if self.clusters else {}), **self.more_columns}

    @property
    def place(self) -> str:
        """For messages."""
        return self.path or "the treebank"

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sentence]: ...
    def __getitem__(self, index: int | slice) -> Sentence | Sequence[Sentence]:
        return self.sentences[index]

    def __len__(self) -> int:
        return len(self.sentences)
