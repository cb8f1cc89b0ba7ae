"""How much a rule file, a graph and their meeting may take: what is hostile ends with a message, never with a hang."""

from __future__ import annotations

from dataclasses import dataclass

from plait.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes of what is read and made, and steps of the two searches."""

    characters: int = 400_000  # of one text
    rules: int = 4_000
    entries: int = 100_000  # of all lexicons
    parents: int = 40  # of one entry, with theirs
    statements: int = 40  # of one rule
    parts: int = 40  # of one expression
    strata: int = 16
    nodes: int = 2_000
    edges: int = 8_000
    attributes: int = 60  # of one node
    value: int = 1_000  # characters
    instances: int = 20_000  # matches of all rules of a mapping
    match_steps: int = 2_000_000
    cluster_steps: int = 40_000  # beyond them the best cluster so far is taken


LIMITS = Limits()


class Budget:
    """Steps that are counted down; `spend` raises when there are none left."""

    def __init__(self, steps: int, doing: str) -> None:
        self.left = steps
        self._most = steps
        self._doing = doing

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise InputError(f"{self._doing} takes more than {self._most:,} steps.")


def require(size: int, most: int, what: str) -> None:
    if size > most:
        raise InputError(f"{what}: {size:,}, but at most {most:,} are allowed.")
