"""Sentences and treebanks as other things: dictionaries, JSON, CoNLL-U, pictures, and objects of other libraries.

The rooms that make these are above this one; they are imported when somebody asks, and only here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self, cast

from plait.errors import InputError
from plait.layers import Layer

if TYPE_CHECKING:
    from plait.cancel import Cancel
    from plait.drawing.saving import Picture
    from plait.sentence.sentence import Sentence
    from plait.sentence.treebank import Treebank


class ConvertibleSentence:
    """What a sentence can become."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """All it holds, as a line of JSON lines has it, and `start` and `end` of every word that stands in the text."""
        from plait.formats import jsonl

        return jsonl.to_dict(cast("Sentence", self), places=True)

    @staticmethod
    def from_dict(stored: dict[str, Any]) -> Sentence:
        """What `to_dict` gave; places are found anew."""
        from plait.formats import jsonl

        return jsonl.from_dict(stored)

    def to_json(self, *, indent: int | None = None) -> str:
        """`to_dict` as text."""
        from plait.formats import jsonl

        return jsonl.dumps(self.to_dict(), indent)

    @staticmethod
    def from_json(text: str) -> Sentence:
        from plait.formats import jsonl

        return jsonl.from_dict(jsonl.loads(text))

    def to_conllu(self) -> str:
        from plait.formats import to_text

        return to_text([cast("Sentence", self)])

    @staticmethod
    def from_conllu(text: str) -> Sentence:
        """The only sentence of a text in CoNLL-U."""
        from plait.formats import from_text

        found = from_text(text)
        if len(found) != 1:
            raise InputError(f"One sentence is needed, and these are {len(found)}: Treebank.from_conllu.")
        return found[0]

    def to_pandas(self) -> Any:
        """A data frame with a row for every word."""
        from plait.integrations.pandas import to_pandas

        return to_pandas(cast("Sentence", self))

    def to_networkx(self) -> Any:
        """A directed graph from heads to dependents, whose nodes are the numbers of words."""
        from plait.integrations.networkx import to_networkx

        return to_networkx(cast("Sentence", self))

    def to_nltk(self) -> Any:
        """A `DependencyGraph` of NLTK."""
        from plait.integrations.nltk import to_nltk

        return to_nltk(cast("Sentence", self))

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

        sentence = cast("Sentence", self)
        if layer is not None:
            return drawing_of(sentence, layer, cancel=cancel)
        return Drawing(sentence, against=against, lemmas=lemmas, cancel=cancel)

    def _repr_svg_(self) -> str | None:
        """The picture that Jupyter shows; none where the sentence cannot be drawn."""
        try:
            return self.draw().svg
        except InputError:
            return None


class ConvertibleTreebank:
    """What a treebank can become."""

    def to_dict(self) -> dict[str, Any]:
        """`to_dict` of every sentence."""
        return {"sentences": [sentence.to_dict() for sentence in _sentences(self)]}

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> Self:
        """What `to_dict` gave; places are found anew."""
        from plait.formats import jsonl

        return cls(jsonl.sentences_from(stored))  # type: ignore[call-arg]

    def to_json(self, *, indent: int | None = None) -> str:
        """`to_dict` as text: one object, where `plait.write(…, "file.jsonl")` writes a line for every sentence."""
        from plait.formats import jsonl

        return jsonl.dumps(self.to_dict(), indent)

    @classmethod
    def from_json(cls, text: str) -> Self:
        from plait.formats import jsonl

        return cls.from_dict(jsonl.loads(text))

    def to_conllu(self) -> str:
        """The sentences as they stand in a file."""
        from plait.formats import to_text

        return to_text(_sentences(self))

    @classmethod
    def from_conllu(cls, text: str) -> Self:
        from plait.formats import from_text

        return cls(from_text(text))  # type: ignore[call-arg]

    def to_pandas(self) -> Any:
        """A data frame with a row for every word; `sentence` counts from 0, as the sentences do."""
        from plait.integrations.pandas import to_pandas

        return to_pandas(cast("Treebank", self))

    def to_networkx(self) -> Any:
        """A directed graph of all trees; its nodes are `(place of the sentence, number of the word)`."""
        from plait.integrations.networkx import to_networkx

        return to_networkx(cast("Treebank", self))

    def to_nltk(self) -> list[Any]:
        """A `DependencyGraph` of NLTK for every sentence."""
        return [sentence.to_nltk() for sentence in _sentences(self)]

    def _repr_html_(self) -> str:
        """What Jupyter shows."""
        from plait.drawing.notebook import show_treebank

        return show_treebank(cast("Treebank", self))


def _sentences(treebank: ConvertibleTreebank) -> Iterator[Sentence]:
    return iter(cast("Treebank", treebank).sentences)
