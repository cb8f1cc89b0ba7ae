"""Several trees of a sentence into one: every system votes for its arcs, and the tree with the most votes wins.

Sagae and Lavie (2006) parse again with the votes as weights; as in Hall et al. (2007), the tree is the maximum spanning
tree (Chu and Liu 1965; Edmonds 1967), so crossing arcs are as welcome as others. An arc gets the label that most votes
give it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite, lcm

from plait.errors import FormatError, InputError, NotATreeError, Problem, excerpt
from plait.sentence import EMPTY, Sentence, Treebank
from plait.trees import tree_of

# For every word, its possible heads with what they are worth. Whole numbers, so that ties are ties.
ArcScores = Mapping[int, Mapping[int, int]]


def vote(
    treebanks: Sequence[Sequence[Sentence]],
    weights: Sequence[float] | None = None,
    *,
    single_root: bool | None = None,
) -> Treebank:
    """One treebank from several that hold the same sentences, as different systems parsed them.

    Heads and labels are voted on, everything else is the first system's. With `weights`, one per system, votes count
    differently. Among trees with as many votes, the one with the most arcs of the first system wins, then the one with
    the most of the second, and so on. There is a `single_root` where all given trees of a sentence have one; True
    and False say so for all.
    """
    counts = _whole(weights, len(treebanks))
    _require_same_length(treebanks)
    voted = [
        _vote(rivals, counts, single_root, [_path(each) for each in treebanks])
        for rivals in zip(*treebanks, strict=True)
    ]
    first = treebanks[0]
    return Treebank(voted, format=first.format if isinstance(first, Treebank) else "conllu")


def maximum_spanning_tree(scores: ArcScores) -> dict[int, int]:
    """For every word the head it has in the best tree under 0 (Chu and Liu 1965; Edmonds 1967).

    There must be a tree among the arcs.
    """
    contractions: list[_Contraction] = []
    while cycle := _find_cycle(best := _best_heads(scores)):
        contractions.append(_Contraction(scores, best, cycle))
        scores = contractions[-1].scores
    for contraction in reversed(contractions):
        best = contraction.expand(best)
    return best


class _Contraction:
    """A cycle made one word. An arc into it is worth what it gains over the arc that it replaces."""

    def __init__(self, scores: ArcScores, best: Mapping[int, int], cycle: set[int]) -> None:
        self._kept = {word: best[word] for word in cycle}
        self._whole = max(scores) + 1
        self._entered: dict[int, int] = {}  # by a head outside the cycle: the word it would take
        self._left: dict[int, int] = {}  # by a word outside the cycle: its best head on it
        self.scores: dict[int, dict[int, int]] = {self._whole: {}}
        for word, heads in scores.items():
            if word in cycle:
                self._enter(word, heads, heads[best[word]])
            else:
                self.scores[word] = {head: score for head, score in heads.items() if head not in cycle}
                inside = {head: score for head, score in heads.items() if head in cycle}
                if inside:
                    self._left[word] = max(inside, key=inside.__getitem__)
                    self.scores[word][self._whole] = inside[self._left[word]]

    def _enter(self, word: int, heads: Mapping[int, int], replaced: int) -> None:
        gains = self.scores[self._whole]
        for head, score in heads.items():
            if head not in self._kept and (head not in gains or score - replaced > gains[head]):
                gains[head] = score - replaced
                self._entered[head] = word

    def expand(self, tree: Mapping[int, int]) -> dict[int, int]:
        """The tree with the words of the cycle in it."""
        above = tree[self._whole]
        outside = {
            word: self._left[word] if head == self._whole else head
            for word, head in tree.items()
            if word != self._whole
        }
        return outside | self._kept | {self._entered[above]: above}


def _best_heads(scores: ArcScores) -> dict[int, int]:
    return {word: max(heads, key=heads.__getitem__) for word, heads in scores.items()}


def _find_cycle(heads: Mapping[int, int]) -> set[int]:
    """The words of a cycle, none if there is none."""
    done: set[int] = {0}
    for word in heads:
        path: dict[int, None] = {}
        while word not in done and word not in path:
            path[word] = None
            word = heads[word]
        if word in path:
            steps = list(path)
            return set(steps[steps.index(word) :])
        done.update(path)
    return set()


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
