"""From labels to words: which of the expressions of a list is said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from plait.formats.grec import Expression
from plait.formats.mention_columns import type_of

_ONCE = 4  # what has more words than this is said once only


def ranked(shares: Mapping[str, float], available: Iterable[str]) -> list[str]:
    """The labels that can be said, the best first: those of the type that is likeliest on the whole, and of these the
    likeliest. A label that the model does not know is never said.
    """
    known = [label for label in available if label in shares]
    types: dict[str, float] = {}
    for label in known:
        types[type_of(label)] = types.get(type_of(label), 0.0) + shares[label]
    return sorted(known, key=lambda label: (types[type_of(label)], shares[label]), reverse=True)


def last(expressions: Sequence[Expression]) -> Expression:
    """Favre and Bohnet 2009, section 2: of those with the same label the last of the list."""
    return expressions[-1]


class RoundRobin:
    """Favre and Bohnet 2010, section 5: the longest first, then round the list at each later use; an expression of more
    than four words is used once only. One for every text.
    """

    def __init__(self) -> None:
        self._next: dict[tuple[str, str], int] = {}
        self._said: set[tuple[str, str]] = set()

    def choose(self, entity: str, label: str, expressions: Sequence[Expression]) -> Expression | None:
        """None if all of them were used up."""
        # Of two with the same words one is enough.
        listed = sorted({each.text: each for each in expressions}.values(), key=lambda each: -len(each.text))
        start = self._next.get((entity, label), 0)
        for step in range(start, start + len(listed)):
            found = listed[step % len(listed)]
            if (entity, found.text) not in self._said:
                self._next[entity, label] = step + 1
                if len(found.text.split()) > _ONCE:
                    self._said.add((entity, found.text))
                return found
        return None
