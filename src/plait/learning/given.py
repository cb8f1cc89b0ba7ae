"""Heads that are given and stay: whether they can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plait.errors import FormatError, Problem
from plait.sentence import Sentence, each_sentence
from plait.trees import find_fault


def fault_of(sentence: Sentence) -> str:
    """Why the given heads of a sentence cannot be kept, or nothing."""
    # Words without a head hang from the root for this check: only the given arcs can form a cycle.
    fault = find_fault([head or 0 for head in sentence.heads])
    return f"the given heads: {fault[1]}" if fault else ""


def checked(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences; FormatError at the first whose given heads cannot be kept."""
    for sentence in each_sentence(sentences):
        if reason := fault_of(sentence):
            raise FormatError(Problem(reason, "", sentence.line, sentence.sent_id))
        yield sentence
