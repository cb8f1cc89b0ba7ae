"""From words to text: where there is no space, which words melt into one token, and how a sentence begins.

All is counted in a treebank: `SpaceAfter=No`, multiword tokens whose form is not that of their words, and the first
letters of sentences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.checks import is_cell
from plait.components.inflector.lexicon import first_letter
from plait.features.texts import pack_texts, unpack_texts
from plait.sentence import EMPTY, MultiwordToken, Sentence

Tensors = dict[str, NDArray[np.generic]]
_QUOTES = frozenset("\"'`")
_MARKS = ("PUNCT", "SYM", "X")
_LONGEST = 4  # words that melt into one token
_SPACES, _NO_SPACE = "Space", "SpaceAfter=No"  # SpacesAfter and SpacesBefore begin so too


@dataclass(slots=True)
class Spacing:
    """`joins`: of two neighbours, as they are seen, how often there is a space between them and how often not.
    `contractions`: of words in a row, how they are written as one token, if they mostly are. `capitals`: of the tags of
    first words, how often these begin small and how often large.
    """

    joins: dict[str, tuple[int, int]] = field(default_factory=dict)
    contractions: dict[str, str] = field(default_factory=dict)
    capitals: dict[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Spacing:
        joins: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        capitals: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        melted: defaultdict[str, Counter[str]] = defaultdict(Counter)
        rows: list[list[str]] = []
        for sentence in sentences:
            closed = _closed(sentence)
            seen = _seen(sentence)
            for i, no_space in enumerate(closed[:-1]):
                for place in _places(seen, sentence.upos, i):
                    joins[place][no_space] += 1
            for token in sentence.multiword_tokens:
                words = sentence.forms[token.first - 1 : token.last]
                if token.form != "".join(words) and len(words) <= _LONGEST:
                    melted[_row_of(words)][token.form.lower()] += 1
            rows.append([form.lower() for form in sentence.forms])
            first = first_letter(sentence.forms)
            if first is not None and sentence.lemmas[first][:1].islower():
                capitals[sentence.upos[first]][sentence.forms[first][:1].isupper()] += 1
        apart = _count_rows(rows, melted)
        contractions = {}
        for row, forms in melted.items():
            form, count = min(forms.items(), key=lambda pair: (-pair[1], pair[0]))
            if 2 * count > apart[row] and is_cell(form) and is_cell(row):
                contractions[row] = form
        return cls(_kept(joins), contractions, _kept(capitals))

    def write(self, sentence: Sentence) -> None:
        """Put capital, spaces and tokens of several words into a sentence, and its text as a comment."""
        sentence.misc = [_without_space(cell) if _SPACES in cell else cell for cell in sentence.misc]
        self._begin(sentence)
        sentence.multiword_tokens = list(self._melt(sentence.forms))
        inside = {
            word: token for token in sentence.multiword_tokens for word in range(token.first, token.last + 1)
        }
        seen = _seen(sentence)
        for i in range(len(sentence) - 1):
            token = inside.get(i + 1)
            if token is not None and token.last != i + 1:
                continue
            if self._joined(seen, sentence.upos, i):
                if token is None:
                    sentence.misc[i] = _with_no_space(sentence.misc[i])
                else:
                    token.misc = _NO_SPACE
        kept = [line for line in sentence.comments if not line[1:].lstrip().startswith("text")]
        sentence.comments = [*kept, f"# text = {sentence.detokenized()}"]

    def _begin(self, sentence: Sentence) -> None:
        first = first_letter(sentence.forms)
        if first is None:
            return
        small, large = self.capitals.get(sentence.upos[first], (0, 0))
        form = sentence.forms[first]
        # Not an address in the web or a name such as iPod.
        if large > small and form.lower() == form and not any(mark in form for mark in "@/_"):
            sentence.forms[first] = form[:1].upper() + form[1:]

    def _melt(self, forms: Sequence[str]) -> Iterator[MultiwordToken]:
        i = 0
        while i < len(forms):
            for size in range(min(_LONGEST, len(forms) - i), 1, -1):
                found = self.contractions.get(_row_of(forms[i : i + size])) if self.contractions else None
                if found:
                    large = forms[i][:1].isupper()
                    yield MultiwordToken(i + 1, i + size, found[:1].upper() + found[1:] if large else found)
                    i += size - 1
                    break
            i += 1

    def _joined(self, seen: Sequence[Seen], upos: Sequence[str], i: int) -> bool:
        """By the forms of both words if they were seen together, otherwise by what is most sure."""
        exact, *others = _places(seen, upos, i)
        counts = self.joins.get(exact)
        if counts and sum(counts) > 1:
            return counts[1] > counts[0]
        best = 1.0
        for place in others if counts is None else (exact, *others):
            apart, joined = self.joins.get(place, (0, 0))
            odds = (joined + 0.3) / (apart + 0.3)
            if max(odds, 1 / odds) > max(best, 1 / best):
                best = odds
        return best > 1.0

    def tensors(self) -> Tensors:
        return {
            "join_places": pack_texts(self.joins),
            "join_counts": _table(self.joins),
            "capital_tags": pack_texts(self.capitals),
            "capital_counts": _table(self.capitals),
            "melting": pack_texts(self.contractions),
            "melted": pack_texts(self.contractions.values()),
        }

    @classmethod
    def from_tensors(cls, tensors: Tensors) -> Spacing:
        """What was written; ValueError if the pieces do not fit together."""
        melting = zip(unpack_texts(tensors["melting"]), unpack_texts(tensors["melted"]), strict=True)
        return cls(
            _untable(tensors["join_places"], tensors["join_counts"]),
            dict(melting),
            _untable(tensors["capital_tags"], tensors["capital_counts"]),
        )


def _closed(sentence: Sentence) -> list[bool]:
    """Whether there is no space after each word: as MISC says, and within a token of several words."""
    closed = [_NO_SPACE in cell for cell in sentence.misc]
    for token in sentence.multiword_tokens:
        for word in range(token.first, token.last):
            closed[word - 1] = True
        closed[token.last - 1] = _NO_SPACE in token.misc
    return closed


Seen = tuple[str, str]  # in short, and in full


def _seen(sentence: Sentence) -> list[Seen]:
    """Words as their neighbours see them: of a mark also its XPOS, whether a quote opens or closes, and where its head
    is.
    """
    found = []
    opened: Counter[str] = Counter()
    rows = zip(sentence.forms, sentence.upos, sentence.xpos, sentence.heads, strict=True)
    for number, (form, upos, xpos, head) in enumerate(rows, 1):
        short = full = form.lower()
        if upos in _MARKS:
            side = "" if not head else "<" if head < number else ">"
            if form in _QUOTES:
                opened[form] += 1
                side = "(" if opened[form] % 2 else ")"
            short += f" {xpos}"
            full = f"{short} {side}{'+' if head and abs(head - number) == 1 else ''}"
        found.append((short, full))
    return found


def _places(seen: Sequence[Seen], upos: Sequence[str], i: int) -> tuple[str, ...]:
    """What may be known of two neighbours, the most exact first."""
    (short, full), (next_short, next_full) = seen[i], seen[i + 1]
    return (
        f"{full} | {next_full}",
        f"{full} |. {upos[i + 1]}",
        f"{upos[i]} .| {next_full}",
        f"{short} :. {upos[i + 1]}",
        f"{upos[i]} .: {next_short}",
        f"{upos[i]} .|. {upos[i + 1]}",
    )


def _row_of(words: Sequence[str]) -> str:
    return " ".join(word.lower().replace(" ", "\u00a0") for word in words)


def _count_rows(rows: Iterable[list[str]], wanted: Mapping[str, object]) -> Counter[str]:
    """How often words stand in a row, of those that melt somewhere."""
    found: Counter[str] = Counter()
    sizes = sorted({row.count(" ") + 1 for row in wanted})
    for forms in rows:
        for size in sizes:
            for i in range(len(forms) - size + 1):
                row = _row_of(forms[i : i + size])
                if row in wanted:
                    found[row] += 1
    return found


def _kept(counts: Mapping[str, Sequence[int]]) -> dict[str, tuple[int, int]]:
    """What a model keeps; a pair of words that was seen once teaches little."""
    return {
        place: (found[0], found[1])
        for place, found in sorted(counts.items())
        if is_cell(place) and (" | " not in place or sum(found) > 1)
    }


def _without_space(misc: str) -> str:
    """What MISC says beside spaces."""
    return "|".join(entry for entry in misc.split("|") if not entry.startswith(_SPACES)) or EMPTY


def _with_no_space(misc: str) -> str:
    return _NO_SPACE if misc == EMPTY else f"{misc}|{_NO_SPACE}"


def _table(counts: Mapping[str, tuple[int, int]]) -> NDArray[np.uint32]:
    return np.array(list(counts.values()), np.uint32).reshape(-1)


def _untable(places: NDArray[np.generic], counts: NDArray[np.generic]) -> dict[str, tuple[int, int]]:
    flat = checks.counts(counts, "counts")
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    return dict(zip(unpack_texts(places), pairs, strict=True))
