"""From places in a text to sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from plait.components.tokenizer.multiword import Multiwords, Words
from plait.components.tokenizer.segmentation import Segments
from plait.formats.spaces import NO_SPACE, escape, misc_of
from plait.sentence import EMPTY, MultiwordToken, Sentence

_PARAGRAPH_END = 2


class Assembler:
    """Makes the sentences of one text, which may come in pieces."""

    def __init__(self, multiwords: Multiwords, *, ranges: bool, first: int = 1) -> None:
        self.fresh = True  # the next sentence begins a paragraph
        self._multiwords = multiwords
        self._ranges = ranges
        self._offset = 0  # of the piece in the text
        self._number = first - 1

    def sentences(self, text: str, found: Segments) -> Iterator[Sentence]:
        """The sentences of the next piece, of which `found.used` characters are theirs."""
        firsts, lasts = found.firsts.tolist(), found.lasts.tolist()
        forms = [text[first:last] for first, last in zip(firsts, lasts, strict=True)]
        misc, odd = self._misc(text, found)
        if self._offset == 0 and firsts and firsts[0]:
            misc[0] = _with(misc[0], "SpacesBefore=" + escape(text[: firsts[0]]))
        if self._ranges:
            places = zip(
                (found.firsts + self._offset).tolist(), (found.lasts + self._offset).tolist(), strict=True
            )
            misc = [
                _with(cell, f"TokenRange={first}:{last}")
                for cell, (first, last) in zip(misc, places, strict=True)
            ]
        ends = np.flatnonzero(found.ends)
        bounds = [0, *(ends + 1).tolist()]
        spans = [slice(start, end) for start, end in pairwise(bounds)]
        closes = (found.ends[ends] == _PARAGRAPH_END).tolist()
        is_odd = np.add.reduceat(odd, bounds[:-1]).tolist() if spans else []
        several = self._multiwords.find([forms[span] for span in spans])
        for span, closing, unusual, parts in zip(spans, closes, is_odd, several, strict=True):
            shown = text[firsts[span.start] : lasts[span.stop - 1]]
            if unusual:
                shown = _normalized(forms[span], firsts[span], lasts[span])
            sentence = self._sentence(shown, forms[span], misc[span], parts)
            sentence.offset = firsts[span.start] + self._offset
            yield sentence
            self.fresh = closing
        self._offset += found.used

    def _misc(
        self, text: str, found: Segments
    ) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.int64]]]:
        """MISC of the tokens; and which of them are followed by white space inside a sentence other than a space."""
        starts = np.append(found.firsts[1:], found.used)
        gaps = starts - found.lasts
        misc = np.array([NO_SPACE, EMPTY], object)[np.minimum(gaps, 1)].tolist()
        odd = np.zeros(len(gaps), np.int64)
        single = np.flatnonzero(gaps == 1)
        other = [
            i
            for i, last in zip(single.tolist(), found.lasts[single].tolist(), strict=True)
            if text[last] != " "
        ]
        for i in [*np.flatnonzero(gaps > 1).tolist(), *other]:
            misc[i] = misc_of(text[int(found.lasts[i]) : int(starts[i])])
            odd[i] = found.ends[i] == 0
        return misc, odd

    def _sentence(
        self, text: str, forms: list[str], misc: list[str], several: list[tuple[int, Words]]
    ) -> Sentence:
        self._number += 1
        comments = [f"# sent_id = {self._number}", f"# text = {text}"]
        if self.fresh:
            comments.insert(0, "# newpar")
        if not several:
            return Sentence(forms=forms, misc=misc, comments=comments)
        tokens: list[MultiwordToken] = []
        words: list[str] = []
        cells: list[str] = []
        done = 0
        for place, parts in several:
            words += forms[done:place]
            cells += misc[done:place]
            start = len(words) + 1
            words += parts
            cells += [EMPTY] * len(parts)
            tokens.append(MultiwordToken(start, len(words), forms[place], misc=misc[place]))
            done = place + 1
        words += forms[done:]
        cells += misc[done:]
        return Sentence(forms=words, misc=cells, comments=comments, multiword_tokens=tokens)


def _with(cell: str, entry: str) -> str:
    return entry if cell == EMPTY else f"{cell}|{entry}"


def _normalized(forms: list[str], firsts: list[int], lasts: list[int]) -> str:
    """The text of a sentence with one space for all white space."""
    pieces = [forms[0]]
    for form, first, last in zip(forms[1:], firsts[1:], lasts, strict=False):
        pieces.append(" " + form if first > last else form)
    return "".join(pieces)
