"""A text in pieces, cut where the tokenizer needs nothing of what is before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plait.cancel import Cancel
from plait.components.tokenizer.assembly import Assembler
from plait.components.tokenizer.segmentation import Segmenter
from plait.errors import InputError
from plait.sentence import Sentence

SIZE = 1 << 14  # characters at a time


def tokenize_pieces(
    segmenter: Segmenter,
    assembler: Assembler,
    pieces: Iterable[str],
    *,
    lines: bool,
    size: int = SIZE,
    cancel: Cancel | None = None,
) -> Iterator[Sentence]:
    """Sentences as soon as nothing that follows can change them. What is left waits for as much again, so that the
    work stays linear however long a sentence is. Before a fault of the input come the sentences that would be the
    same whatever stood in its place: never the beginning of one.
    """
    kept: list[str] = []
    length, enough = 0, size
    fault: InputError | None = None
    source = _small(pieces, size)
    while True:
        try:
            piece = next(source)
        except StopIteration:
            break
        except InputError as error:
            fault = error
            break
        kept.append(piece)
        length += len(piece)
        if length < enough:
            continue
        text = "".join(kept)
        found = segmenter.segment(text, lines=lines, fresh=assembler.fresh, is_all=False, cancel=cancel)
        yield from assembler.sentences(text, found)
        text = text[found.used :]
        kept, length = [text], len(text)
        enough = max(size, 2 * length)
    text = "".join(kept)
    if text:
        found = segmenter.segment(
            text, lines=lines, fresh=assembler.fresh, is_all=fault is None, cancel=cancel
        )
        yield from assembler.sentences(text, found)
    if fault:
        raise fault


def _small(pieces: Iterable[str], size: int) -> Iterator[str]:
    for piece in pieces:
        for start in range(0, len(piece), size):
            yield piece[start : start + size]
