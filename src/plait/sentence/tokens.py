"""What stands in the rows of a treebank beside words."""

from __future__ import annotations

from dataclasses import dataclass

from plait.sentence.cells import EMPTY


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
