"""The sentences of one text."""

from __future__ import annotations

from collections.abc import Sequence

from plait import formats
from plait.sentence import Sentence, Treebank


class Document(Treebank):
    """A text with its sentences: `doc[0]` is the first, and `plait.write(doc, "file.conllu")` writes all.

    `labels` is what components say of the text as a whole, by name.
    """

    def __init__(self, sentences: Sequence[Sentence] = (), text: str = "") -> None:
        super().__init__(sentences)
        self.text = text
        self.labels: dict[str, str] = {}

    @property
    def conllu(self) -> str:
        """The sentences as CoNLL-U."""
        return "".join(formats.rendered(self.sentences, formats.format_for("conllu")))

    def __repr__(self) -> str:
        words = sum(map(len, self.sentences))
        return f"<Document: {len(self)} sentences, {words} words>"
