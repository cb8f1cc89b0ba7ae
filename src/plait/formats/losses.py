"""What a format has no place for. `docs/formats.md` is the same as a table."""

from __future__ import annotations

from collections import Counter

from plait.formats import words
from plait.formats.conll import CONLL09, CONLLU, CONLLX
from plait.layers import Frames, Norms
from plait.sentence import EMPTY, Sentence

_LAYOUTS = {"conllu": CONLLU, "conllx": CONLLX, "conll09": CONLL09}
_TITLES = {
    "lemmas": "LEMMA",
    "upos": "UPOS",
    "xpos": "XPOS",
    "feats": "FEATS",
    "heads": "HEAD",
    "deprels": "DEPREL",
    "deps": "DEPS",
    "misc": "MISC",
}


def losses(sentence: Sentence, target: str) -> Counter[str]:
    """How many cells, comments, tokens and nodes a conversion of the sentence leaves behind, by name."""
    lost: Counter[str] = Counter()
    if target in ("jsonl", "deep", "semantics"):  # the last two are meant to be less
        return lost
    layout = _LAYOUTS.get(target)
    kept = set(layout.columns) if layout else set()
    for name, title in _TITLES.items():
        if name not in kept:
            column = getattr(sentence, name)
            lost[title] = len(column) - column.count(None if name == "heads" else EMPTY)
    if layout and "upos" not in kept:
        lost["UPOS"] -= sum(
            fine == EMPTY != coarse for fine, coarse in zip(sentence.xpos, sentence.upos, strict=True)
        )
    for name, column in sentence.extra.items():
        if name not in kept:
            lost[name.upper()] = len(column) - column.count(EMPTY)
    for layer in sentence.layers.values():
        if isinstance(layer, Norms):  # for features, and made anew from the forms
            continue
        if layout is None or target == "conllx" or not isinstance(layer, Frames):
            lost[layer.name] = 1  # what a list of frames says of them it says again
    if not (layout and layout.comments):
        lost["comments"] = len(sentence.comments)
    if not (layout and layout.ranges):
        lost["multiword tokens"] = len(sentence.multiword_tokens)
        lost["empty nodes"] = len(sentence.empty_nodes)
    if target in ("horizontal", "vertical"):
        lost["white space in words"] = sum(not words.is_kept(form, target) for form in sentence.forms)
    return +lost
