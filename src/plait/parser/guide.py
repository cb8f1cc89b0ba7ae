"""The trees of a guide: another parser's, which a parser that is `guided` looks at (Nivre and McDonald 2008).

They come as heads and labels of the sentences: where a parser learns, in copies beside the gold trees; where it
parses, in the sentences themselves, before it puts its own trees there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from plait.errors import FormatError, InputError, NotATreeError, Problem
from plait.sentence import Sentence
from plait.trees import tree_of


def guided(sentences: Iterable[Sentence], path: str = "") -> Iterator[Sentence]:
    """The sentences; FormatError at the first without a tree to be guided by."""
    for sentence in sentences:
        try:
            tree_of(sentence)
        except NotATreeError as error:
            message = f"the parser needs the tree of a guide, but {error}"
            raise FormatError(Problem(message, path, sentence.line, sentence.sent_id)) from None
        yield sentence


def what_is_seen(
    is_guided: bool, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None, path: str
) -> Sequence[Sentence]:
    """The sentences as a parser sees them: as they are, or, if it is guided, the copies with the guide's trees."""
    name = path or "the treebank"
    if not is_guided:
        if guides is not None:
            raise InputError(f"{name}: trees of a guide are given, but the parser is not guided.")
        return sentences
    if guides is None:
        raise InputError(f"{name}: a guided parser learns from the trees of a guide too, and there are none.")
    if [*map(len, guides)] != [*map(len, sentences)]:
        raise InputError(f"{name}: the trees of the guide are not of the same sentences.")
    return list(guided(guides, path))
