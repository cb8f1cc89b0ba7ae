"""Pseudo-projective trees: non-projective arcs lifted until the tree is projective, and brought back.

Nivre and Nilsson (2005), section 3 and Table 1. Each encoding says in the labels what was lifted:

=========  ===================  ===========
encoding   lifted arc           path arc
=========  ===================  ===========
baseline   label                label
head       label↑head's label   label
path       label↑               label↓
head+path  label↑head's label   label↓
=========  ===================  ===========

A path arc is one the lifted arc was moved over. Bringing back searches top-down and is not always exact: the
encodings are lossy by design, and where no target fits, the arc stays where it is. The baseline says nothing, and
nothing is brought back: what a projective parser learns from that is to see every sentence (the S_p of Nivre 2009).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

from plait.cancel import check_cancelled
from plait.errors import InputError
from plait.trees import nonprojective_arcs

BASELINE = "baseline"
ENCODINGS = (BASELINE, "head", "path", "head+path")
UP = "↑"
DOWN = "↓"
STEPS = 10_000_000  # some seconds; ten thousand words that cross at random need more


def projectivize(
    heads: Sequence[int], labels: Sequence[str], encoding: str = "head+path"
) -> tuple[list[int], list[str]]:
    """A projective tree, with the lifts encoded in its labels. A projective tree comes back unchanged."""
    _check_encoding(encoding)
    for label in labels:
        if encoding != BASELINE and (UP in label or DOWN in label):
            raise InputError(f"the label {label!r} holds {UP} or {DOWN}, which mark lifted arcs.")
    lifting = _Lifting(heads)
    lifting.run()
    lifted, passed = lifting.heads, lifting.passed
    marked = list(labels)
    if encoding == BASELINE:
        return lifted, marked
    for i, (old, new) in enumerate(zip(heads, lifted, strict=True)):
        if old != new:
            marked[i] += UP + (labels[old - 1] if encoding != "path" else "")
        if i + 1 in passed and encoding != "head":
            marked[i] += DOWN
    return lifted, marked


class _Lifting:
    """The paper's PROJECTIVIZE: the shortest non-projective arc is lifted first, the leftmost of several.

    A lift takes words only from what the old head dominates. So no arc becomes projective but the lifted one, and of
    the others only those of the old head may cease to be.
    """

    def __init__(self, heads: Sequence[int]) -> None:
        self.heads = list(heads)
        self.passed: set[int] = set()  # words over which arcs were moved
        self._dependents: list[set[int]] = [set() for _ in range(len(heads) + 1)]
        for word, head in enumerate(heads, 1):
            self._dependents[head].add(word)
        self._crossing = {word for _, word in nonprojective_arcs(heads)}
        self._waiting = [self._key(word) for word in self._crossing]
        heapify(self._waiting)
        self._steps = 0

    def run(self) -> None:
        while self._waiting:
            word = heappop(self._waiting)[2]
            head = self.heads[word - 1]
            self._crossing.remove(word)
            self._lift(word)
            changed = [other for other in self._uncovered(head, word) if other not in self._crossing]
            if self._is_crossing(word):
                changed.append(word)
            for each in changed:
                self._crossing.add(each)
                heappush(self._waiting, self._key(each))
            if self._steps > STEPS:
                raise InputError(
                    f"its crossing arcs take more than {STEPS:,} steps to lift; the sentence has "
                    f"{len(self.heads):,} words."
                )

    def _key(self, word: int) -> tuple[int, int, int]:
        head = self.heads[word - 1]
        return abs(head - word), min(head, word), word

    def _lift(self, word: int) -> None:
        head = self.heads[word - 1]
        above = self.heads[head - 1]
        self.passed.add(head)
        self.heads[word - 1] = above
        self._dependents[head].remove(word)
        self._dependents[above].add(word)

    def _uncovered(self, head: int, gone: int) -> list[int]:
        """The dependents with a word between them and their head that went away with `gone`."""
        left, right = 0, len(self.heads) + 1  # the nearest such words on either side of the head
        todo = [gone]
        while todo:
            word = todo.pop()
            todo += self._dependents[word]
            self._steps += 1
            if word < head:
                left = max(left, word)
            else:
                right = min(right, word)
        self._steps += len(self._dependents[head])
        return [word for word in self._dependents[head] if word < left or word > right]

    def _is_crossing(self, word: int) -> bool:
        head = self.heads[word - 1]
        if not head:
            return False
        below = {head}  # what is known to be dominated
        for between in range(min(head, word) + 1, max(head, word)):
            climbed = []
            while between not in below:
                if not between:
                    return True
                climbed.append(between)
                between = self.heads[between - 1]
                self._steps += 1
            below.update(climbed)
            self._steps += 1
        return False


def lift_deepest(heads: Sequence[int]) -> list[int]:
    """A projective tree, by lifting arcs from the deepest words to the highest, the leftmost first (Bohnet et al. 2012,
    section 3): that order is known without the order of the words. A lift may leave a word between another one and its
    head, so this is done again until no arc crosses.
    """
    lifted = list(heads)
    crossing = {word for _, word in nonprojective_arcs(lifted)}
    while crossing:
        check_cancelled()
        depths = _depths(lifted)
        for word in sorted(crossing, key=lambda word: (-depths[word], word)):
            while _crosses(lifted, word):
                lifted[word - 1] = lifted[lifted[word - 1] - 1]
        crossing = {word for _, word in nonprojective_arcs(lifted)}
    return lifted


def _depths(heads: Sequence[int]) -> list[int]:
    depths = [0] * (len(heads) + 1)
    for word in range(1, len(heads) + 1):
        path = []
        while word and not depths[word]:
            path.append(word)
            word = heads[word - 1]
        for below, each in enumerate(reversed(path), 1):
            depths[each] = depths[word] + below
    return depths


def _crosses(heads: Sequence[int], word: int) -> bool:
    """Whether a word between it and its head is not below that head."""
    head = heads[word - 1]
    if not head:
        return False
    below = {head}
    for between in range(min(head, word) + 1, max(head, word)):
        path = []
        while between and between not in below:
            path.append(between)
            between = heads[between - 1]
        if not between:
            return True
        below.update(path)
    return False


def deprojectivize(
    heads: Sequence[int], labels: Sequence[str], encoding: str = "head+path"
) -> tuple[list[int], list[str]]:
    """The tree with its lifted arcs brought back to the heads their labels point to."""
    _check_encoding(encoding)
    restored = list(heads)
    if encoding == BASELINE:
        return restored, list(labels)
    plain, targets, path = [], [], []
    for label in labels:
        own, _, target = label.removesuffix(DOWN).partition(UP)
        plain.append(own)
        targets.append(target if UP in label else None)
        path.append(label.endswith(DOWN))
    # From the top down, and again as long as an arc that came back has brought another's head into reach.
    waiting = [word for word in _breadth_first(restored, 0) if targets[word - 1] is not None]
    progress = True
    while progress:
        progress = False
        for dependent in list(waiting):
            found = _find_head(restored, dependent, plain, targets[dependent - 1] or "", path, encoding)
            if found:
                restored[dependent - 1] = found
                waiting.remove(dependent)
                progress = True
    return restored, plain


def _find_head(
    heads: list[int], dependent: int, labels: list[str], target: str, path: list[bool], encoding: str
) -> int | None:
    """Search below the present head, breadth first; `path` encodings follow marked arcs only."""
    allowed = None if encoding == "head" else path
    for word in _breadth_first(heads, heads[dependent - 1], allowed, without=dependent):
        if encoding != "path":
            if labels[word - 1] == target:
                return word
        elif not any(
            path[below - 1] for below in _dependents(heads, word) if below != dependent
        ):  # the end of a marked path
            return word
    return None


def _breadth_first(
    heads: list[int], top: int, allowed: list[bool] | None = None, without: int = 0
) -> Iterator[int]:
    queue = deque([top])
    while queue:
        check_cancelled()
        for word in _dependents(heads, queue.popleft()):
            if word != without and (allowed is None or allowed[word - 1]):
                yield word
                queue.append(word)


def _dependents(heads: list[int], head: int) -> list[int]:
    return [word for word, above in enumerate(heads, 1) if above == head]


def _check_encoding(encoding: str) -> None:
    if encoding not in ENCODINGS:
        raise InputError(f"No encoding {encoding!r}. Available: {', '.join(ENCODINGS)}.")
