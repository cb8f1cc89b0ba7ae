"""What a sentence of a review is about, and what it thinks of that (SemEval-2014 task 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from plait.layers.base import Layer, is_text

POLARITIES = ("positive", "negative", "neutral", "conflict")


class AspectTerm(NamedTuple):
    """Words `first` to `last` that name an aspect, such as *wine list*; the polarity may be empty: not known."""

    first: int
    last: int
    polarity: str = ""


class AspectCategory(NamedTuple):
    """A category such as *food*, named by a term or not."""

    name: str
    polarity: str = ""


@dataclass(frozen=True, slots=True)
class Aspects(Layer):
    """Terms in the order of the sentence, and categories in the order of their names."""

    name: ClassVar[str] = "aspects"

    terms: tuple[AspectTerm, ...] = ()
    categories: tuple[AspectCategory, ...] = ()

    def to_json(self) -> dict[str, list[list[Any]]]:
        return {
            "terms": [list(each) for each in self.terms],
            "categories": [list(c) for c in self.categories],
        }

    @classmethod
    def from_json(cls, stored: Any) -> Aspects:
        return cls(
            tuple(AspectTerm(int(first), int(last), str(told)) for first, last, told in stored["terms"]),
            tuple(AspectCategory(str(name), str(told)) for name, told in stored["categories"]),
        )

    def fits(self, words: int) -> bool:
        told = [each[-1] for each in (*self.terms, *self.categories)]
        return (
            all(1 <= term.first <= term.last <= words for term in self.terms)
            and all(is_text(category.name) for category in self.categories)
            and set(told) <= {"", *POLARITIES}
        )
