"""What nets find, put into sentences."""

from __future__ import annotations

from math import inf

from plait.components.neural.model import Found, Model
from plait.features.encoding import norms_of
from plait.layers import Parse
from plait.sentence import EMPTY, Sentence


def put_tags(sentence: Sentence, model: Model, found: Found, place: slice, *, keep: bool) -> None:
    """A word that has one of UPOS, XPOS and FEATS keeps all of them if tags are kept, and a lemma stays."""
    known = model.classes
    upos, xpos, feats = (column[place] for column in found.tags[:3])
    tags = [
        [known.upos[number] for number in upos],
        [known.xpos[number] for number in xpos],
        [known.feats[number] for number in feats],
    ]
    if keep:
        given = (sentence.upos, sentence.xpos, sentence.feats)
        kept = [any(value != EMPTY for value in values) for values in zip(*given, strict=True)]
        tags = [
            [old if stays else new for stays, old, new in zip(kept, before, after, strict=True)]
            for before, after in zip(given, tags, strict=True)
        ]
    sentence.upos, sentence.xpos, sentence.feats = tags
    scripts = found.scripts[place]
    lemma_of = model.lemmas.of
    words = enumerate(zip(norms_of(sentence), tags[0], tags[2], strict=True))
    lemmas = [lemma_of(*seen, scripts, word) for word, seen in words]
    if keep:
        lemmas = [new if old == EMPTY else old for old, new in zip(sentence.lemmas, lemmas, strict=True)]
    sentence.lemmas = lemmas


def trees_of(
    sentence: Sentence, model: Model, found: Found, place: slice, number: int, *, keep: bool
) -> list[Parse]:
    """The best first."""
    parses: list[Parse] = []
    for trees in found.trees:
        if parses and trees.scores[number] == -inf:
            break
        labels = [model.classes.label[each] for each in trees.labels[place]]
        if keep:
            given = zip(sentence.heads, sentence.deprels, labels, strict=True)
            labels = [new if head is None or old == EMPTY else old for head, old, new in given]
        parses.append(Parse(trees.heads[place], labels, trees.scores[number]))
    return parses
