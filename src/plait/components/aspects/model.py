"""A model of any recipe with its opinion words, and the way to arrays and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from plait import checks
from plait.components.aspects.baseline import BaselineModel
from plait.components.aspects.learned import LearnedModel
from plait.components.aspects.lexicon import Lexicon
from plait.components.aspects.paper import AspectLexicon, PaperModel
from plait.components.aspects.sight import Sight
from plait.layers import AspectCategory, Aspects, AspectTerm
from plait.learning.chain import Chain
from plait.learning.svm import LinearSVM
from plait.learning.tensors import Tensors
from plait.sentence import Sentence


class AspectModel(Protocol):
    """What a recipe learns; what it gives first has no polarities yet."""

    recipe: str

    def terms(self, sight: Sight) -> list[AspectTerm]: ...
    def category_names(self, sight: Sight, terms: Sequence[AspectTerm]) -> list[str]: ...
    def with_polarities(self, sight: Sight, found: Aspects) -> Aspects: ...


@dataclass(frozen=True, slots=True)
class AspectState:
    """A model, the opinion words it looks for, and whether it looks at trees."""

    model: AspectModel
    lexicon: Lexicon
    trees: bool

    def find(self, sentence: Sentence, *, keep: bool = False) -> Aspects:
        """The aspects of a sentence; with `keep`, those that it has stay, and their polarities are found."""
        if not len(sentence):
            return Aspects()
        sight = Sight(sentence, self.lexicon, trees=self.trees)
        found = sentence.find(Aspects) if keep else None
        if found is None:
            terms = self.model.terms(sight)
            names = self.model.category_names(sight, terms)
            found = Aspects(tuple(terms), tuple(AspectCategory(name) for name in names))
        return self.model.with_polarities(sight, found)

    def pack(self) -> Tensors:
        tensors: Tensors = {"opinions": _bytes(self.lexicon.write())}
        match self.model:
            case LearnedModel() as model:
                tensors |= _prefixed("chain", model.chain.pack(), model.chain.labels)
                tensors |= _prefixed("categories", model.categories.pack(), model.categories.classes)
                tensors |= _prefixed("polarity", model.polarity.pack(), model.polarity.classes)
                kinds = sorted(model.kinds.items())
                tensors["kinds"] = _bytes("".join(f"{word}\t{kind}\n" for word, kind in kinds))
            case PaperModel() as model:
                tensors |= _prefixed("candidates", model.candidates.pack(), model.candidates.classes)
                tensors |= _prefixed("categories", model.categories.pack(), model.categories.classes)
                tensors["terms"] = _bytes("".join(f"{term}\n" for term in sorted(model.lexicon.terms)))
            case BaselineModel() as model:
                stored = [[list(forms), each.to_json()] for forms, each in model.sentences]
                tensors["sentences"] = _bytes(json.dumps(stored))
        return tensors

    @classmethod
    def unpack(cls, recipe: str, tensors: Tensors, *, trees: bool) -> AspectState:
        """ValueError, KeyError or TypeError if it does not fit together."""
        model: AspectModel
        if recipe == LearnedModel.recipe:
            labels, chain = _own("chain", tensors)
            kinds = dict(_pair(line) for line in _text("kinds", tensors).splitlines())
            model = LearnedModel(
                Chain.unpack(labels, chain),
                LinearSVM.unpack(*_own("categories", tensors)),
                LinearSVM.unpack(*_own("polarity", tensors)),
                kinds,
            )
        elif recipe == PaperModel.recipe:
            model = PaperModel(
                LinearSVM.unpack(*_own("candidates", tensors)),
                LinearSVM.unpack(*_own("categories", tensors)),
                AspectLexicon(_text("terms", tensors).splitlines()),
            )
        elif recipe == BaselineModel.recipe:
            model = BaselineModel(_sentences(checks.parse_json(_text("sentences", tensors).encode())))
        else:
            raise ValueError(f"there is no recipe {recipe!r}")
        return cls(model, Lexicon.read(_text("opinions", tensors)), trees)


def _bytes(text: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def _text(name: str, tensors: Tensors) -> str:
    return checks.vector(tensors[name], np.uint8, name).tobytes().decode("utf-8", "surrogatepass")


def _prefixed(prefix: str, tensors: Tensors, classes: Sequence[str]) -> Tensors:
    return {
        f"{prefix}.classes": _bytes("\n".join(classes)),
        **{f"{prefix}.{name}": each for name, each in tensors.items()},
    }


def _own(prefix: str, tensors: Tensors) -> tuple[list[str], Tensors]:
    own = {name[len(prefix) + 1 :]: each for name, each in tensors.items() if name.startswith(f"{prefix}.")}
    return _text("classes", own).split("\n") if own["classes"].size else [], own


def _pair(line: str) -> tuple[str, str]:
    word, kind = line.split("\t")
    return word, kind


def _sentences(stored: Any) -> list[tuple[list[str], Aspects]]:
    found = []
    for forms, aspects in stored:
        each = Aspects.from_json(aspects)
        if not each.fits(len(forms)):
            raise ValueError("a sentence and its aspects do not fit together")
        found.append((checks.read(list[str], forms, "a sentence"), each))
    return found
