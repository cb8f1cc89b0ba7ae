"""How far the order of words is right: shares from 0 to 1 over pairs of reference and system, each a list of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Pair = tuple[Sequence[str], Sequence[str]]


def lcs(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence, by bits in parallel (Hyyrö 2004)."""
    if one == other:
        return len(one)
    places: dict[str, int] = {}
    for number, token in enumerate(one):
        places[token] = places.get(token, 0) | 1 << number
    full = (1 << len(one)) - 1
    row = full
    for token in other:
        matched = row & places.get(token, 0)
        row = ((row + matched) | (row - matched)) & full
    return len(one) - row.bit_count()


def edit_score(pairs: Iterable[Pair]) -> float:
    """1 - m / n, m the fewest words to be taken out and put back elsewhere (Ringger et al. 2004): where both have the
    same words, the longest common subsequence over the length. Otherwise the longer of the two is the length.
    """
    common = total = 0
    for reference, system in pairs:
        common += lcs(reference, system)
        total += max(len(reference), len(system))
    return common / total if total else 0.0


def exact_score(pairs: Iterable[Pair]) -> float:
    """The share of sentences that are the same."""
    same = [list(reference) == list(system) for reference, system in pairs]
    return sum(same) / len(same) if same else 0.0


def periphery_score(pairs: Iterable[Pair], *, last: bool = False, size: int = 3) -> float:
    """The share of sentences whose first (last) three tokens are all right."""
    place = slice(-size, None) if last else slice(size)
    return exact_score((reference[place], system[place]) for reference, system in pairs)
