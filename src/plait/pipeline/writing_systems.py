"""Scripts (Latin, Cyrillic ...): whether a text is in one that a model has ever seen."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from unicodedata import category, name
from weakref import WeakKeyDictionary

from plait.pipeline.pipeline import Pipeline
from plait.sentence import Sentence

_ENOUGH = 5_000  # words, to know a text
_FEW = 0.01  # of the words a model knows: names and quotations in other scripts
# How many words a model knows in every script: it takes longer to count them than to parse a short text.
_known: WeakKeyDictionary[Pipeline, tuple[list[object], Counter[str]]] = WeakKeyDictionary()
_JAPANESE = ("CJK", "HIRAGANA", "KATAKANA")


@lru_cache(maxsize=1 << 14)
def script_of(word: str) -> str:
    """The script of the first letter by its name in Unicode; nothing for words without letters."""
    for letter in word:
        if category(letter)[0] == "L":
            found = name(letter, "").split(" ")[0]
            return _JAPANESE[0] if found in _JAPANESE else found
    return ""


class ScriptWatch:
    """Looks at the beginning of a text on its way through a pipeline."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._counts: Counter[str] = Counter()
        self._seen = 0

    def look_at(self, sentence: Sentence) -> None:
        if self._seen < _ENOUGH:
            self._seen += len(sentence)
            self._counts.update(map(script_of, sentence.forms))

    def strange(self) -> str:
        """The script of most words, if the model knows none of its words; nothing if all is well, or if it cannot be
        told: not every model keeps the words it knows.
        """
        self._counts.pop("", None)
        if not self._counts:
            return ""
        script, times = self._counts.most_common(1)[0]
        if 2 * times <= sum(self._counts.values()):
            return ""
        known = _scripts_of(self._pipeline)
        total = sum(known.values())
        return script.capitalize() if total > 0 and known[script] < _FEW * total else ""


def _scripts_of(pipeline: Pipeline) -> Counter[str]:
    components: list[object] = list(pipeline.components.values())
    before, known = _known.get(pipeline, ([], Counter()))
    if before != components:
        known = Counter(script_of(word) for each in pipeline.components.values() for word in each.words())
        known.pop("", None)
        _known[pipeline] = components, known
    return known
