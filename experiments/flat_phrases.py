"""German of Universal Dependencies with flat prepositional phrases, as in the Tiger treebank: for `plait convert --pp`.

    python experiments/flat_phrases.py de_gsd-ud-dev.conllu flat.conllu
    plait convert flat.conllu -o nested.conllu --pp nested

The first preposition of a noun takes its place and all its children; the noun, determiners, adjectives and numbers get
the label NK. So these are not the trees of Tiger, only its prepositional phrases.
"""

from __future__ import annotations

import sys

from plait import Sentence, formats
from plait.trees import tree_of

PREPOSITIONS = frozenset({"APPR", "APPRART"})
KERNEL = frozenset({"det", "amod", "nummod"})


def flatten(sentence: Sentence) -> Sentence:
    """A copy in which prepositions head their phrases."""
    heads, labels = list(tree_of(sentence)), list(sentence.deprels)
    phrases: dict[int, int] = {}  # nouns and their prepositions
    for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
        if label == "case" and word < head and sentence.xpos[word - 1] in PREPOSITIONS:
            phrases.setdefault(head, word)
    flat, named = list(heads), list(labels)
    for word, head in enumerate(heads, 1):
        if head in phrases and word != phrases[head]:
            flat[word - 1] = phrases[head]
            named[word - 1] = "NK" if labels[word - 1].split(":")[0] in KERNEL else labels[word - 1]
    for noun, preposition in phrases.items():
        flat[preposition - 1], named[preposition - 1] = flat[noun - 1], labels[noun - 1]
        flat[noun - 1], named[noun - 1] = preposition, "NK"
    copy = sentence.copy()
    copy.heads, copy.deprels = list(flat), named
    copy.deps, copy.empty_nodes = ["_"] * len(flat), []
    return copy


def main(path: str, flat: str) -> None:
    formats.write([flatten(sentence) for sentence in formats.read(path)], flat)


if __name__ == "__main__":
    main(*sys.argv[1:])
