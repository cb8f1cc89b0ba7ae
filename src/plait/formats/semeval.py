"""Sentences of reviews with aspects, in the XML of SemEval-2014 task 4 (Pontiki et al. 2014).

    <sentence id="7"><text>Great pizza.</text>
      <aspectTerms><aspectTerm term="pizza" polarity="positive" from="6" to="11"/></aspectTerms>
      <aspectCategories><aspectCategory category="food" polarity="positive"/></aspectCategories></sentence>

Offsets are characters, the end exclusive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from plait.errors import FormatError, Problem, excerpt
from plait.formats.files import STANDARD, display_name, open_sink
from plait.formats.xml import line_of, read_xml
from plait.layers import POLARITIES, AspectCategory, Aspects, AspectTerm
from plait.sentence import Sentence, find_places

# What XML 1.0 has no way to write.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Span(NamedTuple):
    """A term by its characters."""

    start: int
    end: int
    polarity: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """A sentence of a review as the file has it."""

    id: str
    text: str
    terms: tuple[Span, ...] = ()
    categories: tuple[AspectCategory, ...] = ()
    line: int = 0

    def to_json(self) -> dict[str, Any]:
        """What a program wants to know."""
        return {
            "id": self.id,
            "text": self.text,
            "terms": [
                {"term": self.text[s.start : s.end], "from": s.start, "to": s.end, "polarity": s.polarity}
                for s in self.terms
            ],
            "categories": [{"category": name, "polarity": polarity} for name, polarity in self.categories],
        }


def read_reviews(path: str | Path, *, aspects: bool = True) -> list[Review]:
    """All sentences of a file; without `aspects`, what it says of these is not looked at."""
    place = display_name(path)
    found = [_review(each, place, aspects) for each in read_xml(path).iter("sentence")]
    if not found:
        raise FormatError(Problem("there is no element <sentence> in it.", place))
    seen: set[str] = set()
    for each in found:
        if each.id in seen:
            raise FormatError(Problem(f"a second sentence has the id {excerpt(each.id)}.", place, each.line))
        seen.add(each.id)
    return found


def write_reviews(reviews: Iterable[Review], path: str | Path = STANDARD) -> None:
    with open_sink(path) as sink:
        sink.write(b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<sentences>\n')
        for review in reviews:
            sink.write("".join(_lines(review)).encode())
        sink.write(b"</sentences>\n")


def _review(element: Element, place: str, aspects: bool) -> Review:
    name, line = element.get("id", ""), line_of(element)
    if not name:
        raise FormatError(Problem("this sentence has no id.", place, line))
    told = element.find("text")
    if told is None:
        raise FormatError(Problem("this sentence has no <text>.", place, line, name))
    text = told.text or ""
    if not aspects:
        return Review(name, text, line=line)

    def problem(message: str, part: Element) -> FormatError:
        return FormatError(Problem(message, place, line_of(part), name))

    def polarity(part: Element) -> str:
        value = part.get("polarity", "")
        if value not in ("", *POLARITIES):
            raise problem(f"polarity {excerpt(value)} is none of {', '.join(POLARITIES)}.", part)
        return value

    terms, categories = [], []
    for part in element.iter("aspectTerm"):
        try:
            start, end = int(part.get("from", "")), int(part.get("to", ""))
        except ValueError:
            raise problem("from and to must be whole numbers.", part) from None
        if not 0 <= start < end <= len(text):
            raise problem(f"from {start} to {end} is no piece of a text of {len(text)} characters.", part)
        if part.get("term", text[start:end]) != text[start:end]:
            raise problem(
                f"the term is {excerpt(part.get('term', ''))}, but the text has {excerpt(text[start:end])} there.",
                part,
            )
        terms.append(Span(start, end, polarity(part)))
    for part in element.iter("aspectCategory"):
        category = part.get("category", "").strip()
        if not category:
            raise problem("this category has no name.", part)
        categories.append(AspectCategory(category, polarity(part)))
    return Review(name, text, tuple(terms), tuple(categories), line)


def _lines(review: Review) -> Iterator[str]:
    yield f"    <sentence id={_attribute(review.id)}>\n        <text>{escape(_writable(review.text))}</text>\n"
    if review.terms:
        yield "        <aspectTerms>\n"
        for start, end, told in review.terms:
            term = _attribute(review.text[start:end])
            yield f'            <aspectTerm term={term}{_polarity(told)} from="{start}" to="{end}"/>\n'
        yield "        </aspectTerms>\n"
    if review.categories:
        yield "        <aspectCategories>\n"
        for name, told in review.categories:
            yield f"            <aspectCategory category={_attribute(name)}{_polarity(told)}/>\n"
        yield "        </aspectCategories>\n"
    yield "    </sentence>\n"


def _attribute(text: str) -> str:
    # White space in an attribute is read as blanks unless it is written by number.
    numbers = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    return quoteattr(_writable(text), numbers)


def _polarity(told: str) -> str:
    return f' polarity="{told}"' if told else ""


def _writable(text: str) -> str:
    """One character for another, so that offsets stay true."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


# Between characters and words.


def aspects_of(review: Review, sentence: Sentence) -> Aspects:
    """The aspects of a review over the words of its sentence: those that a term touches. A term without any word, which
    takes spaces that are odd indeed, is left out.
    """
    spans = find_places(sentence, review.text, lenient=True)
    terms = []
    for start, end, polarity in review.terms:
        if touched := [word for word, (low, high) in enumerate(spans, 1) if low < end and start < high]:
            terms.append(AspectTerm(touched[0], touched[-1], polarity))
    return Aspects(tuple(sorted(set(terms))), tuple(sorted(set(review.categories))))


def review_of(sentence: Sentence, text: str | None = None, id: str = "") -> Review:
    """The other way: the aspects that a sentence has, over the characters of its text."""
    text = sentence.text if text is None else text
    aspects = sentence.find(Aspects) or Aspects()
    spans = find_places(sentence, text, lenient=True)
    terms = (Span(spans[term.first - 1][0], spans[term.last - 1][1], term.polarity) for term in aspects.terms)
    return Review(id or sentence.sent_id, text, tuple(terms), aspects.categories)
