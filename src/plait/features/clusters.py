"""Brown clusters: words in a binary tree, by the company they keep, learned from text without annotation.

Brown et al. (1992), "Class-based n-gram models of natural language"; as features: Koo, Carreras and Collins (2008),
"Simple semi-supervised dependency parsing". The core merges, this module counts and names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plait import _core, checks
from plait.checks import is_cell
from plait.errors import FormatError, InputError, OutputError, Problem, excerpt
from plait.features.texts import pack_texts, unpack_texts

_MERGES = 256  # between two looks at the keyboard
_MOST = 4096
_PREFIXES = (4, 6)  # bits; Koo, Carreras and Collins (2008), section 3


@dataclass(frozen=True, slots=True)
class Clusters:
    """Words with their bit strings: words with the same one are a cluster, clusters that share a longer beginning are
    nearer to each other. `counts` tells how often a word was seen.
    """

    mapping: dict[str, str]
    counts: dict[str, int] = field(repr=False)

    @classmethod
    def learn(cls, sentences: Iterable[Sequence[str]], *, clusters: int = 256, least: int = 2) -> Clusters:
        """Clusters of the words that occur at least `least` times."""
        if not 1 <= clusters <= _MOST:
            raise InputError(f"clusters is {clusters} but must be from 1 to {_MOST:,}.")
        counts: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for tokens in sentences:
            counts.update(tokens)
            pairs.update(pairwise(tokens))
        words = sorted(
            (word for word in counts if counts[word] >= least and is_cell(word)),
            key=lambda word: (-counts[word], word),
        )
        if not words:
            raise InputError(f"No word occurs {least} times, so there is nothing to cluster.")
        numbers = {word: number for number, word in enumerate(words)}
        bigrams = sorted(
            (numbers[first], numbers[second], count)
            for (first, second), count in pairs.items()
            if first in numbers and second in numbers
        )
        firsts, seconds, amounts = np.array(bigrams, np.int32).reshape(-1, 3).T.copy()
        try:
            clustering = _core.BrownClustering(len(words), firsts, seconds, amounts, clusters)
        except ValueError as error:
            raise InputError(f"The words cannot be clustered: {error}.") from None
        while not clustering.advance(_MERGES):
            pass
        bits = _name(len(words), min(clusters, len(words)), *clustering.merges())
        return cls(dict(zip(words, bits, strict=True)), {word: counts[word] for word in words})

    def save(self, path: str | Path) -> None:
        """Lines of bit string, word and count, in the order of bit strings, as other tools write and read them."""
        rows = sorted(self.mapping, key=lambda word: (self.mapping[word], -self.counts.get(word, 0), word))
        for word in rows:
            if not is_cell(word):
                raise OutputError(f"{path}: the word {excerpt(word)} cannot stand on a line.")
        lines = [f"{self.mapping[word]}\t{word}\t{self.counts.get(word, 0)}\n" for word in rows]
        try:
            Path(path).write_bytes("".join(lines).encode())
        except (OSError, UnicodeEncodeError) as error:
            raise OutputError(f"{path}: the clusters cannot be written: {error}.") from None

    @classmethod
    def load(cls, path: str | Path) -> Clusters:
        """Read a file of bit strings, words and, if they are there, counts."""
        try:
            text = Path(path).read_bytes().decode()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: the clusters cannot be read: {error}.") from None
        mapping: dict[str, str] = {}
        counts: dict[str, int] = {}
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip("\r"):
                continue
            fields = line.rstrip("\r").split("\t")
            fault = _fault(fields, mapping)
            if fault:
                raise FormatError(Problem(fault, str(path), number))
            mapping[fields[1]] = fields[0]
            counts[fields[1]] = int(fields[2]) if len(fields) == 3 else 0
        if not mapping:
            raise FormatError(Problem("there are no clusters in it.", str(path)))
        return cls(mapping, counts)

    def columns(self) -> dict[str, dict[str, str]]:
        """What templates call `cluster`, `cluster4` and `cluster6`: the bit strings and their beginnings, by word."""
        cut = {
            f"cluster{size}": {word: bits[:size] for word, bits in self.mapping.items()} for size in _PREFIXES
        }
        return {"cluster": self.mapping, **cut}

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        """As a model keeps them."""
        return {
            "cluster_words": pack_texts(self.mapping),
            "cluster_bits": pack_texts(self.mapping.values()),
            "cluster_counts": np.array([self.counts.get(word, 0) for word in self.mapping], np.int64),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[np.generic]]) -> Clusters | None:
        """The clusters of a model, if it has some; ValueError if the pieces do not fit together."""
        if "cluster_words" not in tensors:
            return None
        words, bits = (unpack_texts(tensors[name]) for name in ("cluster_words", "cluster_bits"))
        if set("".join(bits)) - set("01"):
            raise ValueError("a cluster is not a bit string")
        counts = checks.counts(tensors["cluster_counts"], "cluster_counts")
        return cls(dict(zip(words, bits, strict=True)), dict(zip(words, counts, strict=True)))


def _fault(fields: Sequence[str], mapping: Mapping[str, str]) -> str:
    """What is wrong with a line, or nothing."""
    if len(fields) not in (2, 3):
        return f"bit string, word and count are expected, with tabs between them, not {len(fields)} columns."
    bits, word = fields[:2]
    if not bits or set(bits) - set("01"):
        return f"a bit string is expected, not {excerpt(bits)}."
    if not is_cell(word):
        return f"the word {excerpt(word)} holds a control character." if word else "there is no word."
    if word in mapping:
        return f"the word {excerpt(word)} has a bit string already."
    if len(fields) == 3 and not (fields[2].isascii() and fields[2].isdigit() and len(fields[2]) < 16):
        return f"a count is expected, not {excerpt(fields[2])}."
    return ""


def _name(words: int, clusters: int, kept: NDArray[np.int32], gone: NDArray[np.int32]) -> list[str]:
    """The bit strings of words, read off the merges from the last to the first: where two clusters became one, the
    one that stayed gets a 0 and the one that went a 1. The last merges, one fewer than clusters, are the tree. The
    first word's cluster never goes.
    """
    bits: dict[int, str] = {0: ""} if clusters > 1 else {0: "0"}
    for number in range(words - 2, -1, -1):
        stayed, went = int(kept[number]), int(gone[number])
        above = bits[stayed]
        inner = number >= words - clusters
        bits[stayed], bits[went] = (above + "0", above + "1") if inner else (above, above)
    return [bits[word] for word in range(words)]
