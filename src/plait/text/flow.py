"""A text in pieces, cut where the tokenizer needs nothing of what is before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plait.sentence import Sentence
from plait.text.assembly import Assembler
from plait.text.segmentation import Segmenter

SIZE = 1 << 16  # characters at a time


def tokenize_pieces(
    segmenter: Segmenter, assembler: Assembler, pieces: Iterable[str], *, lines: bool, size: int = SIZE
) -> Iterator[Sentence]:
    """Sentences as soon as nothing that follows can change them. What is left waits for as much again, so that the
    work stays linear however long a sentence is.
    """
    kept: list[str] = []
    length, enough = 0, size
    for piece in _small(pieces, size):
        kept.append(piece)
        length += len(piece)
        if length < enough:
            continue
        text = "".join(kept)
        found = segmenter.segment(text, lines=lines, fresh=assembler.fresh, is_all=False)
        yield from assembler.sentences(text, found)
        text = text[found.used :]
        kept, length = [text], len(text)
        enough = max(size, 2 * length)
    text = "".join(kept)
    if text:
        found = segmenter.segment(text, lines=lines, fresh=assembler.fresh)
        yield from assembler.sentences(text, found)


def _small(pieces: Iterable[str], size: int) -> Iterator[str]:
    for piece in pieces:
        for start in range(0, len(piece), size):
            yield piece[start : start + size]
