"""Sentences as the arrays the core learns from and parses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.checks import Name, text
from plait.errors import FormatError, InputError, Problem
from plait.learning.lessons import Lessons
from plait.sentence import Sentence
from plait.trees import is_projective, tree_of
from plait.trees.lifting import projectivize

Indices = NDArray[np.int32]
_MOST_TRANSITIONS = 4096  # of the core


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a treebank, the most frequent first, and by number the arcs they may stand on."""

    names: list[Name]
    left: list[int]  # of LEFT-ARC
    right: list[int]  # of RIGHT-ARC
    of_root: list[int]
    of_words: list[int]

    def check(self, system: str) -> None:
        """They may come from a damaged file: ValueError if they do not fit together, or if a parser that
        has only them could get stuck.
        """
        known = set(range(len(self.names)))
        if len(set(self.names)) != len(known):
            raise ValueError("the labels are not names that differ")
        for name in self.names:
            text(name, "a label", "name")
        left, right, of_root, of_words = map(set, (self.left, self.right, self.of_root, self.of_words))
        sizes = [*map(len, (self.left, self.right, self.of_root, self.of_words))]
        root_side = left if system == "eager" else right
        if (
            not (left | right | of_root | of_words) <= known
            or sizes != [*map(len, (left, right, of_root, of_words))]
            or not (left & of_words and right & of_words and root_side & of_root)
        ):
            raise ValueError("the lists of labels do not fit together")
        transitions = 2 + len(left) + len(right)
        if transitions > _MOST_TRANSITIONS:
            raise ValueError(
                f"too many labels: with both directions there are {transitions:,} transitions, and "
                f"{_MOST_TRANSITIONS:,} are the most"
            )

    def __len__(self) -> int:
        return len(self.names)

    @property
    def root_name(self) -> str:
        """The most frequent label of words that hang from the root."""
        return self.names[self.of_root[0]]

    @property
    def word_name(self) -> str:
        """The most frequent label of words that hang from another."""
        return self.names[self.of_words[0]]


def check_labels(lessons: Lessons, system: str, projectivize: str = "") -> None:
    """InputError if a parser cannot learn from the trees of a treebank."""
    labels = LabelledTrees.of(lessons, lessons.path, projectivize).inventory(system)
    try:
        labels.check(system)
    except ValueError as error:
        raise InputError(f"{lessons.place}: {error}.") from None


@dataclass(frozen=True, slots=True)
class EncodedWords:
    """What the core reads of sentences: a row per word, or where tags are chosen a row per candidate, and then where
    the rows of each word begin, which of its tags each has and what it scores by itself; where labels are filtered,
    the class of every row.
    """

    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]  # of sentences, in words
    starts: NDArray[np.int64] | None = None
    classes: NDArray[np.uint16] | None = None
    row_tags: NDArray[np.uint8] | None = None
    priors: NDArray[np.float32] | None = None

    @property
    def arrays(self) -> list[NDArray[np.generic]]:
        every = (self.values, self.offsets, self.starts, self.classes, self.row_tags, self.priors)
        return [array for array in every if array is not None]


@dataclass(frozen=True, slots=True)
class GoldTrees:
    """Heads and labels of all words of a treebank, and the words themselves; where tags are chosen, the ranks of the
    right ones.
    """

    words: EncodedWords
    heads: Indices
    labels: Indices
    tags: Indices | None = None

    def __len__(self) -> int:
        return len(self.words.offsets) - 1

    @property
    def arrays(self) -> list[NDArray[np.generic]]:
        return [*self.words.arrays, self.heads, self.labels, *([] if self.tags is None else [self.tags])]


@dataclass(frozen=True, slots=True)
class LabelledTrees:
    """Checked heads and labels of sentences, lifted if asked."""

    heads: list[list[int]]
    labels: list[list[str]]

    @classmethod
    def of(cls, sentences: Sequence[Sentence], path: str, encoding: str = "") -> LabelledTrees:
        heads, labels = [], []
        for sentence in sentences:
            try:
                tree, names = tree_of(sentence), sentence.deprels
                if encoding and not is_projective(tree):
                    tree, names = projectivize(tree, names, encoding)
            except InputError as error:
                raise FormatError(Problem(str(error), path, sentence.line, sentence.sent_id)) from None
            heads.append(tree)
            labels.append(names)
        if not heads:
            raise InputError(f"{path or 'the treebank'}: there is no sentence to learn from.")
        return cls(heads, labels)

    def inventory(self, system: str) -> Labels:
        """The labels, with the transitions that build their arcs.

        A word to the left of its head is attached by LEFT-ARC, one to the right by RIGHT-ARC, in the swap
        system too: oracles sort words into the projective order, in which left dependents stand before
        their head and right ones after it (Nivre 2009, section 3.2). The root stands before all words,
        in the arc-eager system after them. A parser must be able to build any tree, so where a treebank
        has no arcs between words of one direction, all labels between words may stand there.
        """
        root_side = "left" if system == "eager" else "right"
        seen: Counter[tuple[str, str]] = Counter()
        for heads, labels in zip(self.heads, self.labels, strict=True):
            for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
                seen[label, "root" if head == 0 else "left" if head > word else "right"] += 1
        totals: Counter[str] = Counter()
        for (label, _), count in seen.items():
            totals[label] += count
        names = sorted(totals, key=lambda name: (-totals[name], name))
        of = {
            place: [i for i, name in enumerate(names) if seen[name, place]]
            for place in ("left", "right", "root")
        }
        of_words = sorted({*of["left"], *of["right"]}) or list(range(len(names)))
        sides = {side: of[side] or of_words for side in ("left", "right")}
        sides[root_side] = sorted({*sides[root_side], *of["root"]})
        return Labels(names, sides["left"], sides["right"], of["root"], of_words)

    def wants_single_root(self, asked: str) -> bool:
        """`yes` or `no` as asked; `auto`: if every tree has one."""
        return asked == "yes" or (asked == "auto" and all(heads.count(0) == 1 for heads in self.heads))

    def encode(self, words: EncodedWords, inventory: Labels, tags: Indices | None = None) -> GoldTrees:
        """A label that is not in the inventory is -1, which the core takes for unknown."""
        number = {name: i for i, name in enumerate(inventory.names)}
        size = int(words.offsets[-1])
        heads = np.fromiter((head for tree in self.heads for head in tree), np.int32, size)
        labels = np.fromiter((number.get(name, -1) for tree in self.labels for name in tree), np.int32, size)
        return GoldTrees(words, heads, labels, tags)
