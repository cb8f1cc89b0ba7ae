"""A little language whose trees a parser can learn without a mistake, crossing arcs included."""

from __future__ import annotations

import random
from pathlib import Path

import plait
from plait import Parser, Sentence, Treebank

_LEXICON = {
    "DET": ("the", "a"),
    "NOUN": ("dog", "cat", "bird", "fish"),
    "VERB": ("saw", "heard", "likes"),
    "ADV": ("today", "here"),
    "PRON": ("that",),
    "AUX": ("slept", "sang"),
}


def toy(size: int, seed: int = 1, *, crossing: bool = True) -> Treebank:
    """Sentences such as *the dog saw a cat today that slept*: the relative clause belongs to the subject, so
    its arc crosses the one from the root.
    """
    chance = random.Random(seed)
    return Treebank(
        [_sentence(chance, crossing, number) for number in range(1, size + 1)], path=f"toy{seed}.conllu"
    )


def _sentence(chance: random.Random, crossing: bool, number: int) -> Sentence:
    tags = ["DET", "NOUN", "VERB", "DET", "NOUN"]
    heads = [2, 3, 0, 5, 3]
    labels = ["det", "nsubj", "root", "det", "obj"]
    if chance.random() < 0.5:
        tags.append("ADV")
        heads.append(3)
        labels.append("advmod:time")
    if crossing and chance.random() < 0.5:
        verb = len(tags) + 2
        tags += ["PRON", "AUX"]
        heads += [verb, 2]
        labels += ["nsubj", "acl"]
    return Sentence(
        forms=[chance.choice(_LEXICON[tag]) for tag in tags],
        lemmas=["_"] * len(tags),
        upos=tags,
        xpos=[tag.lower() for tag in tags],
        heads=list(heads),
        deprels=labels,
        comments=[f"# sent_id = toy-{number}"],
    )


def quick_parser(**options: object) -> Parser:
    """A parser that trains in a blink."""
    return Parser(**({"beam": 1, "bits": 14, "epochs": 6} | options))  # type: ignore[arg-type]


def accuracy(parser: Parser, gold: Treebank, **search: object) -> float:
    """The share of words with the right head and label."""
    parsed = parser.parse(gold, **search)  # type: ignore[arg-type]
    right = [
        (word.head, word.deprel) == (twin.head, twin.deprel)
        for sentence, other in zip(gold, parsed, strict=True)
        for word, twin in zip(sentence, other, strict=True)
    ]
    return sum(right) / len(right)


def write_toy(folder: Path, name: str, size: int, seed: int, *, crossing: bool = True) -> Path:
    path = folder / name
    plait.write(toy(size, seed, crossing=crossing), path)
    return path
