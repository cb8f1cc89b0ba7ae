"""A little language whose trees a parser can learn without a mistake, crossing arcs included."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import plait
from plait import MultiwordToken, Sentence, TransitionParser, Treebank
from plait.layers import Alternatives, Argument, Frame, Frames, GuideTree, Parse

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


_LEMMAS = {"saw": "see", "heard": "hear", "likes": "like", "slept": "sleep", "sang": "sing", "a": "a"}


def written(size: int, seed: int = 1) -> Treebank:
    """The same language as it is written: a capital at the beginning, a full stop at the end, and *don't* for two
    words; with tags, features and lemmas. Every fifth sentence begins a paragraph.
    """
    sentences = []
    for number, spoken in enumerate(toy(size, seed)):
        forms = [*spoken.forms, "."]
        verb = spoken.heads.index(0)
        lemmas = [_LEMMAS.get(form, form) for form in forms]
        feats = ["Tense=Past" if form in ("saw", "heard", "slept", "sang") else "_" for form in forms]
        sentence = Sentence(
            forms=[forms[0].capitalize(), *forms[1:]],
            lemmas=lemmas,
            upos=[*spoken.upos, "PUNCT"],
            xpos=[*spoken.xpos, "."],
            feats=feats,
            heads=[*spoken.heads, verb + 1],
            deprels=[*spoken.deprels, "punct"],
            misc=["_"] * (len(forms) - 2) + ["SpaceAfter=No", "_"],
            comments=(["# newpar"] if number % 5 == 0 else []) + [f"# sent_id = toy-{number + 1}"],
        )
        if number % 3 == 0:  # "... today don't." : do and n't hang from the verb
            size_before = len(forms) - 1
            for column, two in (
                (sentence.forms, ["do", "n't"]),
                (sentence.lemmas, ["do", "not"]),
                (sentence.upos, ["AUX", "PART"]),
                (sentence.xpos, ["aux", "part"]),
                (sentence.feats, ["_", "Polarity=Neg"]),
                (sentence.deprels, ["aux", "advmod"]),
                (sentence.deps, ["_", "_"]),
                (sentence.misc, ["_", "_"]),
            ):
                column[size_before:size_before] = two
            sentence.heads[size_before:size_before] = [verb + 1, verb + 1]
            sentence.misc[size_before - 1] = "_"
            sentence.multiword_tokens = [
                MultiwordToken(size_before + 1, size_before + 2, "don't", misc="SpaceAfter=No")
            ]
        sentence.comments.append(f"# text = {sentence.detokenized()}")
        sentences.append(sentence)
    return Treebank(sentences, path=f"written{seed}.conllu")


def quick_parser(**options: object) -> TransitionParser:
    """A parser that trains in a blink."""
    return TransitionParser(**({"beam": 1, "bits": 14, "epochs": 6} | options))


def accuracy(parser: TransitionParser, gold: Treebank, **search: object) -> float:
    """The share of words with the right head and label."""
    parsed = parser.apply(gold, **search)  # type: ignore[arg-type]
    right = [
        (word.head, word.deprel) == (twin.head, twin.deprel)
        for sentence, other in zip(gold, parsed, strict=True)
        for word, twin in zip(sentence, other, strict=True)
    ]
    return sum(right) / len(right)


def guided_by(guides: Iterable[Sentence], sentences: Treebank | None = None) -> Treebank:
    """Sentences with the trees that guides have of them; by default those of the guides themselves."""
    given = list(guides)
    copies = [sentence.copy() for sentence in sentences or given]
    for sentence, guide in zip(copies, given, strict=True):
        sentence.put(GuideTree(guide.tree(), list(guide.deprels)))
    return Treebank(copies, path=sentences.path if sentences else "")


def best_trees(
    parser: TransitionParser, sentences: Iterable[Sentence], count: int, **search: object
) -> list[list[Parse]]:
    """The best trees of every sentence, at least two of them being asked for."""
    found = parser.apply(sentences, nbest=count, **search)  # type: ignore[arg-type]
    return [list(sentence.find(Alternatives) or ()) for sentence in found]


def write_toy(folder: Path, name: str, size: int, seed: int, *, crossing: bool = True) -> Path:
    path = folder / name
    plait.write(toy(size, seed, crossing=crossing), path)
    return path


_ROLES = {"nsubj": "A0", "obj": "A1", "advmod:time": "AM-TMP", "aux": "AM-MOD", "acl": "A3"}


def framed(sentences: Treebank) -> Treebank:
    """With frames: verbs and those of relative clauses are predicates, whose arguments follow from labels. To see
    something today is another sense.
    """
    found = [sentence.copy() for sentence in sentences]
    for sentence in found:
        frames = []
        for word in sentence:
            if word.deprel not in ("root", "acl"):
                continue
            own = [each for each in sentence if each.head == word.id and each.deprel in _ROLES]
            arguments = {each.id: _ROLES[each.deprel] for each in own}
            if word.deprel == "acl" and word.head:
                arguments[word.head] = "A0"
                arguments = {
                    number: "R-A0" if sentence.forms[number - 1] == "that" else role
                    for number, role in arguments.items()
                }
            sense = "02" if "AM-TMP" in arguments.values() else "01"
            named = tuple(Argument(number, role) for number, role in sorted(arguments.items()))
            frames.append(Frame(word.id, f"{word.lemma}.{sense}", named))
        sentence.put(Frames(tuple(frames)))
    return Treebank(found, path=sentences.path)
