"""Deep-syntactic trees in files: one node per line, as in AnCora-UPF (14 columns, Ballesteros et al. 2014) and in the
deep track of the surface realization tasks (CoNLL-U, Mille et al. 2019).

FEATS names the words of the sentence that a node has: `id0`, or `original_id`, is the one it stands for, `id1`, `id2`
... are all of them. `19_prosubj` is no word but the dropped subject of the 19th.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plait.errors import FormatError, InputError, Problem
from plait.formats import tabular
from plait.formats.conll import CONLL09
from plait.layers import DeepNode, DeepTree
from plait.sentence import EMPTY, Sentence, Word, format_pairs, parse_pairs

_ID = re.compile(r"(\d{1,9})(.*)", re.DOTALL)
_PLACE = re.compile(r"id\d+|original_id")
_STANDS_FOR = ("id0", "original_id")
_ADDED = "_prosubj"


def has_deep_nodes(sentence: Sentence) -> bool:
    """Whether the words are the nodes of a deep tree."""
    return bool(sentence.forms) and all(
        any(f"{name}=" in feats for name in _STANDS_FOR) for feats in sentence.feats
    )


def to_tree(sentence: Sentence) -> DeepTree:
    """The deep tree whose nodes are the words of a sentence; ValueError if they do not say what they stand for."""
    places = [_place(word) for word in sentence]
    nodes = []
    for word, (number, added) in zip(sentence, places, strict=True):
        pairs = parse_pairs(word.feats)
        # With original_id, the others are numbers of another file.
        others = (value for name, value in pairs.items() if _PLACE.fullmatch(name) and "id0" in pairs)
        words = sorted({int(value) for value in others if value.isdigit()} | {number})
        # One that is named after nobody is named after its head.
        host = number or places[(word.head or 1) - 1][0]
        nodes.append(
            DeepNode(
                0 if added else number,
                () if added else tuple(words),
                word.lemma if word.lemma != EMPTY else word.form,
                word.xpos if word.xpos != EMPTY else word.upos,
                format_pairs({name: value for name, value in pairs.items() if not _PLACE.fullmatch(name)}),
                word.head or 0,
                word.deprel,
                host if added else 0,
            )
        )
    return DeepTree(tuple(nodes))


def nodes_alone(sentence: Sentence) -> DeepTree:
    """The deep tree whose nodes are the words of a sentence, without the words they stand for, if that is told: what a
    generator is given.
    """
    return DeepTree(
        tuple(
            DeepNode(
                0,
                (),
                word.lemma if word.lemma != EMPTY else word.form,
                word.xpos if word.xpos != EMPTY else word.upos,
                format_pairs({n: v for n, v in word.features.items() if not _PLACE.fullmatch(n)}),
                word.head or 0,
                word.deprel,
            )
            for word in sentence
        )
    )


def _place(node: Word) -> tuple[int, bool]:
    """The word that a node stands for, and whether it is added beside that one; 0 if it says of none."""
    pairs = parse_pairs(node.feats)
    found = _ID.fullmatch(next((pairs[name] for name in _STANDS_FOR if name in pairs), ""))
    if found:
        return int(found[1]), bool(found[2])
    if node.form == EMPTY and "id1" in pairs:  # as the surface realization tasks write dropped subjects
        return 0, True
    raise ValueError(f"node {node.id} has no id0 or original_id with the number of a word")


def to_sentence(tree: DeepTree) -> Sentence:
    """The nodes as words of a sentence of their own."""
    feats = []
    for node in tree:
        places = {"id0": str(node.word) if node.word else f"{node.host}{_ADDED}"}
        if len(node.words) > 1:
            places |= {f"id{at}": str(word) for at, word in enumerate(node.words, 1)}
        feats.append(format_pairs(dict(sorted((parse_pairs(node.grammemes) | places).items()))))
    lemmas = [node.lemma for node in tree]
    relations = [node.relation for node in tree]
    return Sentence(
        forms=lemmas,
        lemmas=list(lemmas),
        xpos=[node.pos for node in tree],
        feats=feats,
        heads=[node.head for node in tree],
        deprels=relations,
        extra={"ppos": [node.pos for node in tree], "pdeprel": list(relations)},
    )


def render(sentence: Sentence) -> str:
    """The deep tree of a sentence, in 14 columns; of one whose words are such nodes already, these."""
    tree = sentence.find(DeepTree)
    if tree is None:
        if not has_deep_nodes(sentence):
            raise InputError(
                f"{sentence.sent_id or 'A sentence'} has no deep tree: a model with a component "
                "'deep' makes one (plait deep)."
            )
        tree = to_tree(sentence)
    if not tree.nodes:
        return ""  # a sentence of punctuation has no content words
    return tabular.render(CONLL09, to_sentence(tree))


def with_deep_trees(surface: Sequence[Sentence], deep: Sequence[Sentence], path: str) -> Iterator[Sentence]:
    """Sentences with the deep trees of another file, sentence by sentence; FormatError names the first that do not go
    together.
    """
    if len(surface) != len(deep):
        raise FormatError(
            Problem(f"there are {len(deep):,} deep trees for {len(surface):,} sentences.", path)
        )
    for number, (sentence, nodes) in enumerate(zip(surface, deep, strict=True), 1):
        try:
            tree = to_tree(nodes)
        except ValueError as error:
            raise FormatError(Problem(f"{error}.", path, nodes.line)) from None
        if not tree.fits(len(sentence)):
            raise FormatError(
                Problem(
                    f"sentence {number}: this is no deep tree of a sentence of {len(sentence)} words.",
                    path,
                    nodes.line,
                )
            )
        sentence.put(tree)
        yield sentence
