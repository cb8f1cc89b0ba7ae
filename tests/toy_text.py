"""A little language with abbreviations, clitics and contractions, and its raw text."""

from __future__ import annotations

import random

from plait import MultiwordToken, Sentence, Treebank
from plait.components.tokenizer import Tokenizer

_NAMES = ("Smith", "Jones", "Brown", "Miller")
_NOUNS = ("dog", "cat", "bird", "fish", "horse")
_VERBS = ("see", "hear", "like", "find")
_CLITICS = {"don't": ("do", "n't"), "won't": ("wo", "n't"), "didn't": ("did", "n't")}


def toy_text(size: int, seed: int = 1) -> Treebank:
    """Sentences such as *Mr. Smith didn't see the cat's tail.*, some of them first in a paragraph."""
    chance = random.Random(seed)
    return Treebank([_sentence(chance, number) for number in range(size)], path=f"text{seed}.conllu")


def _sentence(chance: random.Random, number: int) -> Sentence:
    tokens = [chance.choice(("Mr.", "Dr.")), chance.choice(_NAMES)] if chance.random() < 0.5 else ["They"]
    tokens += [chance.choice(list(_CLITICS)), chance.choice(_VERBS), "the"]
    noun = chance.choice(_NOUNS)
    tokens += [noun + "'s", "tail"] if chance.random() < 0.5 else [noun]
    if chance.random() < 0.3:
        tokens += [",", "too"]
    tokens.append(chance.choice(".!?"))
    words: list[str] = []
    misc: list[str] = []
    several: list[MultiwordToken] = []
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        space = "SpaceAfter=No" if following in (",", ".", "!", "?") else "_"
        parts = _CLITICS.get(token) or ((token[:-2], "'s") if token.endswith("'s") else (token,))
        if len(parts) > 1:
            several.append(MultiwordToken(len(words) + 1, len(words) + len(parts), token, misc=space))
            space = "_"
        words += parts
        misc += [space] * len(parts)
    return Sentence(
        forms=words,
        misc=misc,
        heads=list(range(len(words))),
        deprels=["dep"] * len(words),
        multiword_tokens=several,
        comments=["# newpar"] if number % 5 == 0 else [],
    )


def quick_tokenizer(size: int = 200, **options: object) -> Tokenizer:
    """A tokenizer that trains in a blink."""
    return Tokenizer(**({"bits": 14, "epochs": 4} | options)).fit(toy_text(size))  # type: ignore[arg-type]
