"""Deep trees for the toy language, and a little treebank in which auxiliaries and prepositions stand above content."""

from __future__ import annotations

import random
from pathlib import Path

import plait
from plait import Sentence, Treebank
from plait.formats.deep import to_sentence
from plait.layers import DeepNode, DeepTree

_PARTICIPLES = {"comer": "comido", "dormir": "dormido", "correr": "corrido"}
_RELATIONS = {"nsubj": "I", "obj": "II", "root": "ROOT"}


def with_content(sentences: Treebank) -> Treebank:
    """The sentences, each with the deep tree that has no articles and no punctuation."""
    for sentence in sentences:
        kept = [word for word in sentence if word.deprel not in ("det", "punct")]
        numbers = {word.id: number for number, word in enumerate(kept, 1)}
        articles = {word.head: word.id for word in sentence if word.deprel == "det"}
        nodes = [
            DeepNode(
                word.id,
                tuple(sorted({word.id, articles.get(word.id, word.id)})),
                word.lemma,
                word.xpos,
                "definiteness=DEF" if sentence.lemmas[articles.get(word.id, 0) - 1] == "the" else "_",
                numbers.get(word.head or 0, 0),
                _RELATIONS.get(word.deprel, "ATTR"),
            )
            for word in kept
        ]
        sentence.put(DeepTree(tuple(nodes)))
    return sentences


def spanish(size: int, seed: int = 1) -> Treebank:
    """Sentences such as *el perro ha comido en la casa*: the auxiliary governs the verb and the subject."""
    chance = random.Random(seed)
    return Treebank([_spanish(chance) for _ in range(size)], path=f"spanish{seed}.conll")


def _spanish(chance: random.Random) -> Sentence:
    noun, place = chance.choice(["perro", "gato", "niño"]), chance.choice(["casa", "calle", "plaza"])
    article = chance.choice(["el", "un"])
    verb = chance.choice(list(_PARTICIPLES))
    subject = chance.random() < 0.7
    helped = chance.random() < 0.5
    rows: list[tuple[str, str, str, str]] = []  # form, lemma, tag, relation
    if subject:
        rows += [(article, article, "DT", "det"), (noun, noun, "NN", "subj")]
    if helped:
        rows += [("ha", "haber", "VH", "ROOT"), (_PARTICIPLES[verb], verb, "VV", "analyt_perf")]
    else:
        rows.append((verb[:-1], verb, "VV", "ROOT"))
    rows += [("en", "en", "IN", "obl_obj"), ("la", "el", "DT", "det"), (place, place, "NN", "prepos")]
    rows.append((".", ".", "SYM", "punc"))
    top = 2 * subject + 1
    preposition = len(rows) - 3
    heads = {"subj": top, "analyt_perf": top, "obl_obj": top + helped, "prepos": preposition, "punc": top}
    sentence = Sentence(
        forms=[form for form, *_ in rows],
        lemmas=[lemma for _, lemma, *_ in rows],
        xpos=[tag for *_, tag, _ in rows],
        feats=[
            "finiteness=FIN|number=SG|person=3" if number == top else "_"
            for number in range(1, len(rows) + 1)
        ],
        heads=[
            heads.get(relation, 0) if relation != "det" else number + 1
            for number, (*_, relation) in enumerate(rows, 1)
        ],
        deprels=[relation for *_, relation in rows],
    )
    main, home = top + helped, preposition + 2
    nodes = [DeepNode(2, (1, 2), noun, "NN", f"definiteness={'DEF' if article == 'el' else 'INDEF'}", 2, "I")]
    nodes = nodes if subject else []
    number = len(nodes) + 1
    past = "|tense=PAST" if helped else ""
    nodes.append(
        DeepNode(
            main,
            tuple(range(top, main + 1)),
            verb,
            "VV",
            f"finiteness=FIN|number=SG|sent_type=declarative{past}",
            0,
            "ROOT",
        )
    )
    nodes.append(DeepNode(home, (preposition, home - 1, home), place, "NN", "definiteness=DEF", number, "II"))
    if not subject:
        nodes.append(DeepNode(0, (), "pers3_numSG", "_", "_", number, "I", main))
    sentence.put(DeepTree(tuple(nodes)))
    return sentence


def save_pairs(folder: Path, sizes: dict[str, int]) -> None:
    """Files as AnCora-UPF has them: `ssynt-train.conll` and `dsynt-train.conll`."""
    for seed, (part, size) in enumerate(sizes.items(), 1):
        sentences = spanish(size, seed)
        deep = [to_sentence(tree) for each in sentences if (tree := each.find(DeepTree))]
        for sentence in sentences:
            sentence.layers.clear()
        plait.write(sentences, folder / f"ssynt-{part}.conll", format="conll09")
        plait.write(deep, folder / f"dsynt-{part}.conll", format="conll09")
