"""Annotations as they will be when parsing: made by models that have not seen the sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from plait.sentence import Sentence

_BLOCK = 50  # sentences

Annotator = Callable[[Iterable[Sentence]], Iterable[Sentence]]


def jackknife(
    sentences: Sequence[Sentence],
    learn: Callable[[list[Sentence]], Annotator],
    *,
    folds: int,
    threads: int = 1,
    on_fold: Callable[[int], None] | None = None,
    fold_of: Sequence[int] | None = None,
) -> list[Sentence]:
    """Copies of the sentences, every fold annotated by what was learned from the other folds.

    The folds are learned on so many threads at once; the result does not depend on their number. `fold_of` is the fold
    of every sentence, if it is not to be the one that `assign` gives it.
    """
    if fold_of is None:
        fold_of = assign(sentences, folds)
    copies = [sentence.copy() for sentence in sentences]

    def annotate(fold: int) -> None:
        others = [sentence for sentence, own in zip(sentences, fold_of, strict=True) if own != fold]
        held_out = [copy for copy, own in zip(copies, fold_of, strict=True) if own == fold]
        for _ in learn(others)(held_out):
            pass

    with ThreadPoolExecutor(threads) as workers:
        for fold, _ in enumerate(workers.map(annotate, range(folds)), 1):
            if on_fold:
                on_fold(fold)
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
