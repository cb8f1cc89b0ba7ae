"""Words with scores for praise and blame: python models/opinions.py reviews.txt CUSTOMER-REVIEWS > scores.tsv

Learned by a linear SVM from lines whose side is known: snippets of film reviews (Pang and Lee 2005), pros and cons of
products (Ganapathibhotla and Liu 2008), sentences of customer reviews whose marks agree (Hu and Liu 2004; Ding, Liu and
Yu 2008), all CC BY 4.0; and every opinion word of Hu and Liu is a line of its own. In the file of reviews the sides
stand one after the other.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from plait.components.aspects.lexicon import POSITIVE, packaged
from plait.components.aspects.sight import NEGATIONS
from plait.learning.svm import LinearSVM

# First and last line, whether they praise.
_SIDES = ((61728, 66890, True), (66891, 71900, False), (85603, 98812, True), (98820, 113717, False))
_REACH = 4  # words that a negation reaches, if the clause does not end
_LEAST, _FAINT = 4, 0.1


def labelled(reviews: Path, folder: Path) -> list[tuple[str, bool]]:
    lines = reviews.read_text("utf-8").split("\n")
    found = [(line, praise) for first, last, praise in _SIDES for line in lines[first - 1 : last]]
    found += [(word, polarity == POSITIVE) for (word, _), polarity in packaged().words.items()]
    for file in sorted(folder.glob("*.txt")):
        for line in file.read_text("latin-1").split("\n"):
            marks, _, text = line.partition("##")
            signs = set(re.findall(r"\[([+-])\d?\]", marks))
            if text and len(signs) == 1:
                found.append((text, signs == {"+"}))
    return found


def bag_of(text: str) -> dict[str, float]:
    words = re.findall(r"n't|[a-z][a-z'-]*[a-z]|[a-z]|[.,;!?]", re.sub(r"n't\b", " n't", text.lower()))
    bag, reach = {"": 1.0}, 0
    for word in words:
        if word in ".,;!?":
            reach = 0
            continue
        bag["!" * (reach > 0) + word] = 1.0
        reach = _REACH if word in NEGATIONS else max(0, reach - 1)
    return bag


def main() -> None:
    lessons = labelled(Path(sys.argv[1]), Path(sys.argv[2]))
    bags = [bag_of(text) for text, _ in lessons]
    model = LinearSVM.fit(bags, [["+"] if praise else [] for _, praise in lessons], cost=0.1)
    counts = Counter(word for bag in bags for word in bag if word)
    for word in sorted(counts):
        score = 2 * float(model.scores([{word: 1.0}])[0, 0])
        if counts[word] >= _LEAST and abs(score) >= _FAINT:
            print(f"{word}\t{score:.1f}")


if __name__ == "__main__":
    main()
