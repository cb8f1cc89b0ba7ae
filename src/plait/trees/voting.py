"""Several trees of a sentence into one: every system votes for its arcs, and the tree with the most votes wins.

Sagae and Lavie (2006) parse again with the votes as weights; as in Hall et al. (2007), the tree is the maximum spanning
tree (Chu and Liu 1965; Edmonds 1967), so crossing arcs are as welcome as others. An arc gets the label that most votes
give it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import isfinite, lcm

from plait.cancel import Cancel, Watching, check_cancelled
from plait.errors import FormatError, InputError, NotATreeError, Problem, excerpt
from plait.sentence import EMPTY, Sentence, Treebank, require_sentences
from plait.trees import tree_of

# For every word, its possible heads with what they are worth. Whole numbers, so that ties are ties.
ArcScores = Mapping[int, Mapping[int, int]]
_Arc = tuple[int, int, int, int]  # minus its score, its place among those of the word, head, dependent


def vote(
    treebanks: Sequence[Sequence[Sentence]],
    weights: Sequence[float] | None = None,
    *,
    single_root: bool | None = None,
    cancel: Cancel | None = None,
) -> Treebank:
    """One treebank from several that hold the same sentences, as different systems parsed them.

    Heads and labels are voted on, everything else is the first system's. With `weights`, one per system, votes count
    differently. Among trees with as many votes, the one with the most arcs of the first system wins, then the one with
    the most of the second, and so on. There is a `single_root` where all given trees of a sentence have one; True
    and False say so for all.
    """
    require_sentences(*treebanks)
    counts = _whole(weights, len(treebanks))
    _require_same_length(treebanks)
    with Watching(cancel):
        voted = [
            _vote(rivals, counts, single_root, [_path(each) for each in treebanks])
            for rivals in zip(*treebanks, strict=True)
        ]
    first = treebanks[0]
    return Treebank(voted, format=first.format if isinstance(first, Treebank) else "conllu")


def maximum_spanning_tree(scores: ArcScores) -> dict[int, int]:
    """For every word the head it has in the best tree under 0 (Chu and Liu 1965; Edmonds 1967).

    There must be a tree among the arcs. Most often the best heads are one; otherwise their cycles are made one word
    each, in time O(m log² m) for m arcs (Tarjan 1977).
    """
    best = _best_heads(scores)
    return _Contraction(scores).tree() if _has_cycle(best) else best


class _Contraction:
    """Words become groups: from any word the best arcs are followed upwards, and where they come back to a group that
    they have left, all groups on the way become one. An arc into a group is worth what it gains over the arc that it
    would replace.
    """

    def __init__(self, scores: ArcScores) -> None:
        self._above = {
            word: word for word in (0, *scores)
        }  # towards the group that a word is in, which is its own
        self._arcs: dict[int, list[_Arc]] = {}  # into a group, the best first
        for word, heads in scores.items():
            check_cancelled()
            arcs = [(-score, place, head, word) for place, (head, score) in enumerate(heads.items())]
            heapify(arcs)
            self._arcs[word] = arcs
        self._chosen: dict[int, _Arc] = {}  # by group: the arc into it
        self._parts: dict[int, list[int]] = {}  # by group: those it was made of
        self._whole: dict[int, int] = {}  # by group: the one it is part of

    def tree(self) -> dict[int, int]:
        done = {0}
        for word in list(self._arcs):
            path: dict[int, None] = {}
            group = self._group(word)
            while group not in done:
                if group in path:
                    cycle = [path.popitem()[0]]
                    while cycle[-1] != group:
                        cycle.append(path.popitem()[0])
                    group = self._join(cycle)
                path[group] = None
                self._chosen[group] = self._best_arc(group)
                group = self._group(self._chosen[group][2])
            done.update(path)
        return self._expand()

    def _group(self, word: int) -> int:
        top = word
        while self._above[top] != top:
            top = self._above[top]
        while self._above[word] != top:
            self._above[word], word = top, self._above[word]
        return top

    def _best_arc(self, group: int) -> _Arc:
        """The best one from outside; those within the group are of no more use."""
        arcs = self._arcs[group]
        while self._group(arcs[0][2]) == group:
            heappop(arcs)
        return arcs[0]

    def _join(self, cycle: Sequence[int]) -> int:
        """The group made of those on a cycle."""
        whole = max(len(self._above), max(cycle) + 1)
        self._above[whole] = whole
        self._parts[whole] = list(cycle)
        for part in cycle:
            self._above[part] = self._whole[part] = whole
        # The few move to the many, so that no arc moves often.
        largest = max(cycle, key=lambda part: len(self._arcs[part]))
        arcs = self._arcs[whole] = self._arcs.pop(largest)
        for part in cycle:
            if part != largest:
                gain = self._chosen[largest][0] - self._chosen[part][0]
                for score, place, head, word in self._arcs.pop(part):
                    heappush(arcs, (score + gain, place, head, word))
        return whole

    def _expand(self) -> dict[int, int]:
        """From the largest groups inwards: the arc into a group replaces that of the part which it reaches."""
        heads: dict[int, int] = {}
        waiting = [group for group in self._chosen if group not in self._whole]
        while waiting:
            group = waiting.pop()
            _, _, head, part = self._chosen[group]
            heads[part] = head
            while part != group:
                whole = self._whole[part]
                waiting += [other for other in self._parts[whole] if other != part]
                part = whole
        return heads


def _best_heads(scores: ArcScores) -> dict[int, int]:
    return {word: max(heads, key=heads.__getitem__) for word, heads in scores.items()}


def _has_cycle(heads: Mapping[int, int]) -> bool:
    done: set[int] = {0}
    for word in heads:
        check_cancelled()
        path: set[int] = set()
        while word not in done and word not in path:
            path.add(word)
            word = heads[word]
        if word in path:
            return True
        done |= path
    return False


def _vote(
    rivals: Sequence[Sentence], counts: Sequence[int], single_root: bool | None, paths: Sequence[str]
) -> Sentence:
    first = rivals[0]
    for rival, path in zip(rivals, paths, strict=True):
        _require_same_words(first, rival, path)
    trees = [_tree(rival, path) for rival, path in zip(rivals, paths, strict=True)]
    single = all(tree.count(0) == 1 for tree in trees) if single_root is None else single_root
    found = maximum_spanning_tree(_scores(trees, counts, single))
    heads = [found[word] for word in range(1, len(first) + 1)]
    if single and heads.count(0) > 1:
        problem = "no tree with a single root can be made of the given arcs."
        raise FormatError(Problem(problem, paths[0], first.line, first.sent_id))
    labels = [_label(i, head, rivals, counts) for i, head in enumerate(heads)]
    voted = first.copy()
    if heads != first.heads or labels != first.deprels:
        voted.heads, voted.deprels = list(heads), labels
        # The enhanced graph belongs to the first system's tree.
        voted.deps = [EMPTY] * len(heads)
        voted.empty_nodes = []
    return voted


def _scores(trees: Sequence[Sequence[int]], counts: Sequence[int], single_root: bool) -> ArcScores:
    """Votes are the first digits of a number, and arcs of the first, second, ... system the next ones. A digit has room
    for a whole tree, so that the order of sums is that of votes, then of arcs of the first system, and so on.
    """
    words = len(trees[0])
    # One root fewer is worth more than all votes together.
    penalty = words * sum(counts) + 1 if single_root else 0
    scores: dict[int, dict[int, int]] = {}
    for word in range(1, words + 1):
        check_cancelled()
        proposed = [tree[word - 1] for tree in trees]
        scores[word] = {}
        for head in dict.fromkeys(proposed):
            supporters = [other == head for other in proposed]
            score = sum(count for count, agrees in zip(counts, supporters, strict=True) if agrees)
            score -= penalty if head == 0 else 0
            for agrees in supporters:
                score = score * (words + 1) + agrees
            scores[word][head] = score
    return scores


def _label(index: int, head: int, rivals: Sequence[Sentence], counts: Sequence[int]) -> str:
    """Of those who propose the arc; the first of several with as many votes."""
    votes: dict[str, int] = {}
    for rival, count in zip(rivals, counts, strict=True):
        if rival.heads[index] == head:
            label = rival.deprels[index]
            votes[label] = votes.get(label, 0) + count
    return max(votes, key=votes.__getitem__)


def _whole(weights: Sequence[float] | None, systems: int) -> list[int]:
    """The weights as whole numbers in the same proportions."""
    if not systems:
        raise InputError("There is nothing to vote on: no treebanks are given.")
    if weights is None:
        return [1] * systems
    if len(weights) != systems:
        raise InputError(f"There are {systems} treebanks but {len(weights)} weights.")
    for weight in weights:
        if not (isfinite(weight) and weight > 0):
            raise InputError(f"A weight must be more than 0, not {weight!r}.")
    # As they are written: 0.1 and 0.2 together are 0.3.
    exact = [Fraction(str(weight)) for weight in weights]
    unit = lcm(*(weight.denominator for weight in exact))
    return [int(weight * unit) for weight in exact]


def _require_same_length(treebanks: Sequence[Sequence[Sentence]]) -> None:
    size = len(treebanks[0])
    for number, treebank in enumerate(treebanks, 1):
        if len(treebank) != size:
            name = _path(treebank) or f"treebank {number}"
            raise InputError(f"{name}: {len(treebank):,} sentences, but {size:,} in the first treebank.")


def _require_same_words(first: Sentence, other: Sentence, path: str) -> None:
    if first.forms == other.forms:
        return
    if len(first) != len(other):
        problem = f"the sentence has {len(other)} words, but {len(first)} in the first treebank."
    else:
        pairs = zip(first.forms, other.forms, strict=True)
        word = next(i for i, (ours, theirs) in enumerate(pairs, 1) if ours != theirs)
        ours, theirs = excerpt(first.forms[word - 1]), excerpt(other.forms[word - 1])
        problem = f"word {word} is {theirs}, but {ours} in the first treebank."
    raise FormatError(Problem(problem, path, other.line, other.sent_id))


def _tree(sentence: Sentence, path: str) -> list[int]:
    try:
        return tree_of(sentence)
    except NotATreeError as error:
        raise FormatError(Problem(str(error), path, sentence.line, sentence.sent_id)) from None


def _path(sentences: Sequence[Sentence]) -> str:
    return sentences.path if isinstance(sentences, Treebank) else ""
