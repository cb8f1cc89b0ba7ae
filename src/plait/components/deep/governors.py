"""Tree reconstruction: on what a content word depends when function words are gone.

Ballesteros et al. (2014), Algorithm 1 climbs to the nearest word that is left. Where a function word that goes stands
*above* the content word it belongs to, as an auxiliary above its verb does in their treebank, what else hangs from it
goes to that content word instead. Which relations lead down so is learned.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from plait.layers import DeepTree

_FEWEST = 2  # cases from which a relation is learned


class Governors:
    """A surface tree (heads of words 1 to n; the root is 0) and which of its words stay."""

    def __init__(
        self, heads: Sequence[int], relations: Sequence[str], kept: Collection[int], leading: Collection[str]
    ) -> None:
        """`leading` are the relations from a function word down to its content word."""
        self.heads = [-1, *heads]
        self.kept = [word in kept for word in range(len(heads) + 1)]
        self.children: list[list[int]] = [[] for _ in self.heads]
        for word, head in enumerate(heads, 1):
            self.children[head].append(word)
        self._below = [
            next((child for child in children if relations[child - 1] in leading), -1)
            for children in self.children
        ]
        self._found: dict[int, int] = {}

    def content_child(self, word: int) -> int:
        """The child by which a word stands for content, if it has one; -1 otherwise."""
        return self._below[word] if word > 0 else -1

    def content(self, word: int) -> int:
        """The word that is left of a function word's own subtree; 0 if there is none."""
        while word > 0 and not self.kept[word]:
            word = self._below[word]
        return max(word, 0)

    def of(self, word: int) -> int:
        """The governor of a word among those that stay; 0 is the root."""
        if word not in self._found:
            self._found[word] = self._climb(word)
        return self._found[word]

    def _climb(self, word: int) -> int:
        while (head := self.heads[word]) > 0:
            if self.kept[head]:
                return head
            # What stands for the head, unless the way up comes from there.
            if self._below[head] != word and (content := self.content(head)):
                return content
            word = head
        return 0

    def passed(self, word: int) -> list[int]:
        """The words above it that are gone, up to one that is left."""
        found = []
        while (word := self.heads[word]) > 0 and not self.kept[word]:
            found.append(word)
        return found

    def owner(self, word: int) -> int:
        """The word that swallows a function word: its content, or else its governor; 0 if there is none."""
        return self.content(word) or self.of(word)


def learn_leading(trees: Iterable[tuple[Sequence[int], Sequence[str], DeepTree]]) -> list[str]:
    """Relations that lead from a function word to its content in most cases: the dependent takes over what else hangs
    from the head once that is gone, or it swallows the head.
    """
    for_it: Counter[str] = Counter()
    against: Counter[str] = Counter()
    for heads, relations, tree in trees:
        above = governors_in(tree)
        owner = {word: node.word for node in tree for word in node.words}
        children = defaultdict(list)
        for word, head in enumerate(heads, 1):
            children[head].append(word)
        for head, own in children.items():
            if head == 0 or head in above:
                continue
            for word in own:
                if word not in above:
                    continue
                taken = [above[other] == word for other in own if other != word and other in above]
                if head in owner:
                    taken.append(owner[head] == word)
                for_it[relations[word - 1]] += sum(taken)
                against[relations[word - 1]] += len(taken) - sum(taken)
    return sorted(name for name, count in for_it.items() if count >= max(_FEWEST, against[name]))


def governors_in(tree: DeepTree) -> Mapping[int, int]:
    """By word that a node stands for, the word its head stands for; 0 for the root, -1 for a node without a word."""
    words = [0, *(node.word or -1 for node in tree)]
    return {node.word: words[node.head] for node in tree if node.word}
