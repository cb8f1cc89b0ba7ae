"""Annotations as they will be when parsing: made by models that have not seen the sentence.

Models are better on sentences they have learned from than on new ones. What learned from their annotation of those
would trust them too much, so the training set is annotated by jackknifing (Bohnet and Nivre 2012, section 3.1; Nivre
and McDonald 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from plait.learning.component import Component, through
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.watch import SILENT, Watch
from plait.learning.workshop import Workshop
from plait.sentence import Sentence

_BLOCK = 50  # sentences


def jackknife(
    components: Sequence[Component[Any]],
    lessons: Lessons,
    folds: Sequence[int],
    *,
    request: Request = PLAIN,
    threads: int = 1,
    watch: Watch = SILENT,
    workshop: Workshop | None = None,
    wanted: int | None = None,
) -> list[Sentence]:
    """Copies of the sentences, or of the first ones that are `wanted`, every fold annotated by twins of the components,
    one after the other, that have learned from the other folds only. `folds` has the fold of every sentence; they are
    learned on so many threads at once, and the result does not depend on their number. A workshop keeps every fold
    that is done.
    """
    place = workshop or Workshop()
    count = max(folds, default=-1) + 1
    copies: list[Sentence] = [sentence.copy() for sentence in lessons[:wanted]]

    def annotate(fold: int) -> None:
        members = [i for i, own in enumerate(folds[:wanted]) if own == fold]
        found = place.find_sentences(f"fold-{fold + 1}")
        if found is None:
            others = [sentence for sentence, own in zip(lessons, folds, strict=True) if own != fold]
            known = replace(lessons, sentences=others, folds=None)
            twins = [each.stand_in().fit(known) for each in components]
            found = list(through(twins, [copies[i] for i in members], request))
            place.keep_sentences(f"fold-{fold + 1}", found)
        for i, sentence in zip(members, found, strict=True):
            copies[i] = sentence

    with ThreadPoolExecutor(threads) as workers:
        for fold, _ in enumerate(workers.map(annotate, range(count)), 1):
            watch.on_fold(fold, count)
    return copies


def assign(sentences: Sequence[Sentence], folds: int) -> list[int]:
    """The fold of every sentence.

    Sentences of one document share words and topics, as those of a new text do not share them with the treebank: a
    document goes to one fold. Where a treebank does not tell its documents, neighbouring sentences stay together.
    Every fold has sentences from all over the treebank.
    """
    documents = 0
    document_of = []
    for sentence in sentences:
        documents += any(line[1:].lstrip().startswith("newdoc") for line in sentence.comments)
        document_of.append(documents)
    for blocks in (document_of, [number // _BLOCK for number in range(len(sentences))]):
        if len(set(blocks)) >= 5 * folds:
            return [block % folds for block in blocks]
    return [number % folds for number in range(len(sentences))]
