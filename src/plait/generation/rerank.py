"""The best orders of a tree, judged anew by a language model (Bohnet et al. 2010, section 5)."""

from __future__ import annotations

from plait.components.ngrams import Ngrams
from plait.layers import WordOrder, WordOrders
from plait.sentence import Sentence


def rerank(sentence: Sentence, ngrams: Ngrams) -> bool:
    """Sort the orders of an inflected sentence, and put its words into the best one; whether that is another one.

    The forms are those of the first order: what stands beside a word changes few of them.
    """
    layer = sentence.find(WordOrders)
    if layer is None or len(layer.orders) < 2:
        return False
    rows = [[sentence.forms[word - 1] for word in order.words] for order in layer]
    weight = ngrams.options.weight
    scores = [
        order.score + weight * float(fluency)
        for order, fluency in zip(layer, ngrams.scores(rows), strict=True)
    ]
    ranks = sorted(range(len(scores)), key=lambda place: -scores[place])
    first = list(layer.orders[ranks[0]].words)
    if ranks[0]:
        sentence.reorder(first)
    numbers = {word: number for number, word in enumerate(first, 1)}
    sentence.put(
        WordOrders(
            tuple(
                WordOrder([numbers[word] for word in layer.orders[place].words], scores[place])
                for place in ranks
            )
        )
    )
    return ranks[0] != 0
