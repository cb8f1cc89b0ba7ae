"""A sentence as JSON: its words, CoNLL-U, frames, and pictures of it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from plait.cancel import Cancel, Watching
from plait.drawing.frames import ink_of, segments
from plait.drawing.picture import drawing_of
from plait.drawing.tree import draw_tree
from plait.errors import InputError
from plait.formats import FORMATS
from plait.formats.detection import UNIVERSAL_TAGS
from plait.layers import DeepTree
from plait.meaning import SemanticStructure
from plait.semantics.convert import Converter
from plait.semantics.rules import load as load_rules
from plait.sentence import PredicateFrame, Sentence
from plait.server.aspects import aspects_as_json
from plait.server.limits import Limits


class Showing:
    """With a width in pixels, pictures are drawn, if the sentence is not too long and can be drawn; 0 is one row."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._converter = Converter(load_rules())

    def sentence(
        self, sentence: Sentence, width: int | None, cancel: Cancel, *, meaning: bool = False
    ) -> str:
        found: dict[str, Any] = {
            "text": sentence.text,
            "conllu": FORMATS["conllu"].render(sentence),
            "words": [
                {
                    "id": word.id,
                    "form": word.form,
                    "lemma": word.lemma,
                    "upos": word.upos,
                    "xpos": word.xpos,
                    "feats": word.feats,
                    "head": word.head,
                    "deprel": word.deprel,
                }
                for word in sentence
            ],
            "frames": [_frame(frame) for frame in sentence.frames],
            "aspects": aspects_as_json(sentence),
            "svg": None,
            "deep": None,
            "graph": None,
        }
        if width is not None and len(sentence) <= self._limits.words_drawn:
            with suppress(InputError), Watching(cancel):
                found["svg"] = draw_tree(sentence, width=width or None, frames=False, colours=True)
            if meaning:
                self._add_meaning(sentence)
                for name, layer in (("deep", DeepTree), ("graph", SemanticStructure)):
                    if sentence.find(layer):
                        with suppress(InputError):
                            drawing = drawing_of(sentence, layer, width=width or None, cancel=cancel)
                            found[name] = drawing.svg
        return dump(found)

    def _add_meaning(self, sentence: Sentence) -> None:
        """A graph of meaning, of sentences with predicates and a tree of Universal Dependencies."""
        if sentence.frames and not sentence.find(SemanticStructure) and set(sentence.upos) <= UNIVERSAL_TAGS:
            self._converter.convert(sentence)


def _frame(frame: PredicateFrame) -> dict[str, Any]:
    """A predicate with its arguments, and the sentence in segments."""
    return {
        "predicate": frame.predicate.id,
        "sense": frame.sense,
        "meaning": frame.meaning,
        "arguments": [
            {
                "word": each.word.id,
                "role": each.role,
                "meaning": each.meaning,
                "segments": each.segments,
            }
            for each in frame.arguments
        ],
        "segments": [
            {
                "first": each.first,
                "last": each.last,
                "role": each.role,
                "meaning": each.meaning,
                "later": each.later,
                "ink": ink_of(each.role).name if each.role else "",
            }
            for each in segments(frame)
        ],
    }


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
