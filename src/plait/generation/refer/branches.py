"""Trees of phrases, cut below their head noun: branches are kept with the attributes they tell (Bohnet 2008, IS-GT)."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from plait.generation.refer.trials import ELIDED, HEAD, Span

DEFINITE, INDEFINITE, NONE = "definite", "indefinite", ""


@dataclass(frozen=True, slots=True)
class Branch:
    """Words in their order, with the spans in it counted from its own first word. It stands `before` the noun or after;
    one without spans is a turn of phrase that tells nothing of the target.
    """

    words: tuple[str, ...]
    spans: tuple[Span, ...]
    before: bool

    @property
    def names(self) -> frozenset[str]:
        return frozenset(span.name for span in self.spans)

    @property
    def values(self) -> dict[str, str]:
        return {span.name: span.value for span in self.spans}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that was said: its determiner (the sort of it), its noun, and its branches in their order."""

    determiner: str
    noun: tuple[str, ...]
    sort: str | None  # what the noun tells; none where there is no noun
    branches: tuple[Branch, ...]

    @property
    def names(self) -> frozenset[str]:
        found = {name for branch in self.branches for name in branch.names}
        return frozenset(found | ({HEAD} if self.sort is not None else set()))


@cache
def determiners() -> dict[str, str]:
    """Words, and which sort of determiner they are."""
    content = files("plait.generation.refer").joinpath("grammar/determiners.toml").read_text(encoding="utf-8")
    return {word: sort for sort, words in tomllib.loads(content).items() for word in words}


def cut(words: Sequence[str], heads: Sequence[int], spans: Sequence[Span]) -> Phrase:
    """The parts of a phrase. What hangs together in the tree when noun and determiner are taken out is a branch; so is,
    whatever the tree says, what one span holds.
    """
    lowered = [word.lower() for word in words]
    noun = _noun(spans)
    taken = set(range(noun.start, noun.end)) if noun else set()
    kind = NONE
    # The nearest one: in "the photo of the man" it is the second.
    for place in reversed(range(noun.start if noun else min(len(words), 1))):
        inside = any(span.start <= place < span.end for span in spans)
        if lowered[place] in determiners() and not inside:
            kind = determiners()[lowered[place]]
            taken.add(place)
            break
    told = [
        span for span in spans if span.name != HEAD and not taken.intersection(range(span.start, span.end))
    ]
    groups = _groups(len(words), heads, told, taken, noun)
    branches = []
    for group in _with_links(groups, told, noun):
        first = group[0]
        places = {place: number for number, place in enumerate(group)}
        own = tuple(
            Span(places[span.start], places[span.end - 1] + 1, span.name, span.value)
            for span in told
            if span.start in places and span.end - 1 in places
        )
        before = noun is not None and first < noun.start
        branches.append(Branch(tuple(lowered[place] for place in group), own, before))
    spoken = tuple(lowered[noun.start : noun.end]) if noun else ()
    return Phrase(kind, spoken, noun.value if noun else None, tuple(branches))


def _noun(spans: Sequence[Span]) -> Span | None:
    heads = [span for span in spans if span.name == HEAD]
    proper = [span for span in heads if span.value != ELIDED]
    return min(proper or heads, key=lambda span: span.start, default=None)


def _groups(
    count: int, heads: Sequence[int], spans: Sequence[Span], taken: set[int], noun: Span | None
) -> list[list[int]]:
    """Places of words that belong together."""
    above = list(range(count))

    def top(place: int) -> int:
        while above[place] != place:
            place = above[place]
        return place

    def join(one: int, other: int) -> None:
        above[max(top(one), top(other))] = min(top(one), top(other))

    for span in spans:
        for place in range(span.start, span.end - 1):
            join(place, place + 1)
    for place, head in enumerate(heads):
        other = head - 1
        apart = noun is not None and (place < noun.start) != (other < noun.start)
        if head and place not in taken and other not in taken and not apart:
            join(place, other)
    found: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(count):
        if place not in taken:
            found[top(place)].append(place)
    return sorted(found.values())


def _with_links(groups: list[list[int]], spans: Sequence[Span], noun: Span | None) -> list[list[int]]:
    """What tells nothing and stands right before a group that tells something (a preposition the parser hung elsewhere)
    belongs to it.
    """
    found: list[list[int]] = []
    waiting: list[int] = []
    for group in groups:
        tells = any(span.start in group for span in spans)
        if waiting and waiting[-1] + 1 != group[0]:
            found.append(waiting)
            waiting = []
        if tells or (noun is not None and group[-1] + 1 == noun.start):
            found.append(sorted(waiting + group))
            waiting = []
        else:
            waiting = sorted(waiting + group)
    return found + ([waiting] if waiting else [])
