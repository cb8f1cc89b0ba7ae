"""The order of what is around a noun, by two-level rules: head and dependent, dependent and dependent (IS-GT)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations

from plait.generation.refer.branches import Branch
from plait.rules import Grammar, Graph, from_texts
from plait.rules.order import words_of

_NOUN, _NOTHING = "noun", "-"
_EVIDENCE = 3.0  # what is said so much more often in one order is a habit


@dataclass(frozen=True, slots=True)
class Part:
    """Something to be ordered: its words, the attributes it tells, its side of the noun."""

    words: tuple[str, ...]
    names: frozenset[str]
    before: bool


class Precedence:
    """How often one attribute is told before another, on the same side of the noun, weighed by who said it."""

    def __init__(self, phrases: Iterable[tuple[float, Sequence[Branch]]]) -> None:
        self._counts: dict[tuple[str, str], float] = {}
        for weight, branches in phrases:
            for first, second in combinations(branches, 2):
                if first.before == second.before:
                    for pair in ((one, other) for one in first.names for other in second.names):
                        self._counts[pair] = self._counts.get(pair, 0.0) + weight

    def evidence(self, first: Part, second: Part) -> float:
        """How much more often the first is told before the second than after it."""
        return sum(
            self._counts.get((one, other), 0.0) - self._counts.get((other, one), 0.0)
            for one in first.names
            for other in second.names
        )

    def arrange(self, noun: tuple[str, ...], parts: Sequence[Part]) -> list[str]:
        """All words in a row."""
        names = [f"part{number}" for number in range(len(parts))]
        nodes = {_NOUN: {"lex": noun[-1] if noun else _NOTHING, "at": _NOUN}}
        edges = []
        for name, part in zip(names, parts, strict=True):
            # An adjective is known by its last word: "rather large".
            nodes[name] = {"lex": part.words[-1] if part.before else part.words[0], "at": name}
            edges.append((_NOUN, "before" if part.before else "after", name))
        for (one, first), (other, second) in combinations(zip(names, parts, strict=True), 2):
            if first.before == second.before:
                edges += _relation(one, other, self.evidence(first, second))
        row = grammar().apply(Graph.build("Parts", nodes, edges)).graph
        told = dict(zip(names, (part.words for part in parts), strict=True)) | {_NOUN: noun}
        return [word for name in words_of(row, "at") for word in told[name]]


def _relation(one: str, other: str, evidence: float) -> list[tuple[str, str, str]]:
    if abs(evidence) >= _EVIDENCE:
        return [(one, "sooner", other) if evidence > 0 else (other, "sooner", one)]
    return [(one, "unsure", other), (other, "unsure", one)]


@cache
def grammar() -> Grammar:
    text = files("plait.generation.refer").joinpath("grammar/order.rules").read_text(encoding="utf-8")
    return from_texts({"order.rules": text})
