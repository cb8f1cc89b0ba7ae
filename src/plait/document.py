"""The sentences of one text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plait.errors import FormatError, InputError, Problem, counted
from plait.formats import jsonl
from plait.formats.spaces import gap_after, restore
from plait.sentence import Sentence, Treebank, find_places


class Document(Treebank):
    """A text with its sentences: `doc[0]` is the first, and `plait.write(doc, "file.conllu")` writes all.

    `labels` is what components say of the text as a whole, by name. Sentences that are given become those of this text:
    their words must stand in it, one after the other. Without a text it is that of the words, with white space as
    MISC tells. A sentence belongs to one text: of one that belongs to another, the document has a copy.
    """

    def __init__(self, sentences: Sequence[Sentence] = (), text: str | None = None) -> None:
        super().__init__(sentences)
        self.labels: dict[str, str] = {}
        if self.sentences:
            self.sentences = [each if each.document is None else each.copy() for each in self.sentences]
        self.text = _text_of(self.sentences) if text is None else text
        position = 0
        for sentence in self.sentences:
            places = find_places(sentence, self.text, position)
            sentence.offset = places[0][0] if places else position
            sentence.document = self
            position = places[-1][1] if places else position

    @property
    def conllu(self) -> str:
        """The sentences as CoNLL-U."""
        return self.to_conllu()

    def to_dict(self) -> dict[str, Any]:
        """The text, its labels if there are any, and `to_dict` of every sentence."""
        labels = {"labels": dict(self.labels)} if self.labels else {}
        return {"text": self.text, **labels, **super().to_dict()}

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> Document:
        """What `to_dict` gave; places are found anew, and FormatError if the words do not stand in the text."""
        sentences = jsonl.sentences_from(stored, ("text", "labels"))
        text, labels = stored.get("text"), stored.get("labels", {})
        if not isinstance(text, str):
            raise FormatError(Problem('a document is an object with a "text".'))
        if not isinstance(labels, dict) or not all(isinstance(each, str) for each in labels.values()):
            raise FormatError(Problem('the "labels" of a document are texts by name.'))
        try:
            document = cls(sentences, text)
        except InputError as error:
            raise FormatError(Problem(str(error))) from None
        document.labels = dict(labels)
        return document

    def to_spacy(self, vocab: Any = None) -> Any:
        """A `Doc` of spaCy with a token for every word, in a vocabulary or in one of its own."""
        from plait.integrations.spacy import to_spacy

        return to_spacy(self, vocab)

    def _repr_html_(self) -> str:
        """What Jupyter shows: tags in colours, and trees."""
        from plait.drawing.notebook import show_document

        return show_document(self)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        words = sum(map(len, self.sentences))
        return f"<Document: {counted(len(self), 'sentence')}, {counted(words, 'word')}>"


def _text_of(sentences: Sequence[Sentence]) -> str:
    """The words with the white space between them; without one blank at the end, which nobody may have written."""
    text = restore(sentences)
    last = [token for sentence in sentences[-1:] for token in sentence.tokens][-1:]
    return text.removesuffix(" ") if last and gap_after(last[0].misc) == " " else text
