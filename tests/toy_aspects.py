"""Aspects in the toy language: what is seen, heard or liked, and which category that is."""

from __future__ import annotations

from plait import Treebank
from plait.layers import AspectCategory, Aspects, AspectTerm

_POLARITY = {"like": "positive", "hear": "negative", "see": "neutral"}


def with_aspects(sentences: Treebank) -> Treebank:
    """The object is a term, animals that fly are of another category, and the verb tells what is thought of it."""
    for sentence in sentences:
        root = sentence.heads.index(0) + 1
        object = next(word for word in sentence if word.deprel == "obj")
        told = _POLARITY[sentence[root].lemma]
        name = "air" if object.form == "bird" else "ground"
        sentence.put(Aspects((AspectTerm(object.id, object.id, told),), (AspectCategory(name, told),)))
    return sentences
