"""How a lemma follows from a form: what to cut and add at both ends, and which letters become large or small.

Edit scripts as classes of a lemmatizer: Chrupała (2006), "Simple data-driven context-sensitive lemmatization";
cutting and adding around the longest common substring, with case apart: Straka (2018), "UDPipe 2.0 prototype".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

CASES: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    # name: what is done to the form before the cutting, and to the lemma after it
    "keep": (str, str),
    "lower": (str.lower, str),
    "title": (str.lower, lambda text: text[:1].upper() + text[1:]),
    "upper": (str.lower, str.upper),
}
_MOST_COMPARED = 1 << 14  # pairs of characters; for longer words only their ends are compared
_EDIT = r"(?:-([0-9]+))?(?:\+((?:[^\\|]|\\.)+))?"
_TEXT = re.compile(rf"([a-z]+)\|{_EDIT}\|{_EDIT}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EditScript:
    """Cut so many characters at the beginning and at the end, add others there, and set the case.

    Applied to a form it gives the lemma; made of a lemma and a form it works in the other direction. `case` is
    a name of `CASES`, or "whole": then `suffix` is the whole result. As text: `lower|-2|-1+en` makes *sagen* of
    *Gesagt*, `=be` makes *be* of anything.
    """

    case: str
    prefix_cut: int = 0
    prefix: str = ""
    suffix_cut: int = 0
    suffix: str = ""

    @classmethod
    def of(cls, form: str, lemma: str) -> EditScript:
        """The script that keeps most of the form; of several, the one that treats *Dogs* and *dogs* alike. Where
        nothing is kept, the whole lemma.
        """
        best, most = cls("whole", suffix=lemma), 0
        for name in ("lower", "keep", "title", "upper") if lemma == lemma.lower() else CASES:
            # Undo the last step where it can be undone; whether it could is seen when the script is applied.
            target = lemma.lower() if name == "upper" else lemma
            if name == "title":
                target = lemma[:1].lower() + lemma[1:]
            source = CASES[name][0](form)
            start, end, size = _longest_common(source, target)
            script = cls(name, start, target[:end], len(source) - start - size, target[end + size :])
            if size > most and script.apply(form) == lemma:
                best, most = script, size
        return best

    def apply(self, form: str) -> str | None:
        """The result, or None where there is not enough to cut from."""
        if self.case == "whole":
            return self.suffix
        before, after = CASES[self.case]
        source = before(form)
        end = len(source) - self.suffix_cut
        if end <= self.prefix_cut:
            return None
        return after(self.prefix + source[self.prefix_cut : end] + self.suffix)

    def __str__(self) -> str:
        if self.case == "whole":
            return "=" + self.suffix
        ends = (self.prefix_cut, self.prefix), (self.suffix_cut, self.suffix)
        edits = [(f"-{cut}" if cut else "") + (f"+{_escape(text)}" if text else "") for cut, text in ends]
        return "|".join([self.case, *edits])

    @classmethod
    def parse(cls, text: str) -> EditScript:
        """The script that was written so; ValueError if it is none."""
        if text.startswith("="):
            return cls("whole", suffix=text[1:])
        fields = _TEXT.fullmatch(text)
        if not fields or fields[1] not in CASES:
            raise ValueError(f"no edit script: {text!r}")
        cuts = [int(fields[number] or 0) for number in (2, 4)]
        texts = [re.sub(r"\\(.)", r"\1", fields[number] or "", flags=re.DOTALL) for number in (3, 5)]
        return cls(fields[1], cuts[0], texts[0], cuts[1], texts[1])


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


def _longest_common(one: str, other: str) -> tuple[int, int, int]:
    """Where the longest common substring begins in both, and its length; of several, the first in `one`."""
    head = _common_start(one, other)
    if 2 * head >= min(len(one), len(other)):
        return 0, 0, head
    if len(one) * len(other) > _MOST_COMPARED:
        tail = _common_start(one[::-1], other[::-1])
        return (0, 0, head) if head >= tail else (len(one) - tail, len(other) - tail, tail)
    best = (0, 0, 0)
    row = [0] * (len(other) + 1)
    for i, character in enumerate(one, 1):
        diagonal = 0
        for j, candidate in enumerate(other, 1):
            above = row[j]
            row[j] = diagonal + 1 if character == candidate else 0
            if row[j] > best[2]:
                best = (i - row[j], j - row[j], row[j])
            diagonal = above
    return best


def _common_start(one: str, other: str) -> int:
    """How many characters at the beginning are the same."""
    for size, (character, candidate) in enumerate(zip(one, other, strict=False)):
        if character != candidate:
            return size
    return min(len(one), len(other))
