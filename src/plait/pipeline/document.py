"""The sentences of one text."""

from __future__ import annotations

from collections.abc import Sequence

from plait import formats
from plait.sentence import Sentence, Treebank


class Document(Treebank):
    """A parsed text: `doc[0]` is its first sentence, and `plait.write(doc, "file.conllu")` writes it."""

    def __init__(self, sentences: Sequence[Sentence], text: str) -> None:
        super().__init__(sentences)
        self.text = text

    @property
    def conllu(self) -> str:
        """The sentences as CoNLL-U."""
        return "".join(map(formats.format_for("conllu").render, self.sentences))

    def __repr__(self) -> str:
        words = sum(map(len, self.sentences))
        return f"<Document: {len(self)} sentences, {words} words>"
