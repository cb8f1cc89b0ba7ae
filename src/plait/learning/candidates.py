"""Sentences whose words have several candidates for their tags (the layer `Candidates`), for who looks at each of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from plait.layers import Candidate, Candidates, Norms
from plait.sentence import EMPTY, Sentence


def spread(sentence: Sentence) -> Sentence:
    """As if every candidate were a word of its own: what is encoded, row by row."""
    candidates = sentence.find(Candidates)
    if candidates is None or not candidates.others:
        return sentence
    columns: list[list[str]] = [[], [], [], [], []]
    times: list[int] = []
    own = zip(sentence.forms, sentence.upos, sentence.xpos, sentence.feats, sentence.lemmas, strict=True)
    for number, (form, *first) in enumerate(own, 1):
        times.append(1 + len(candidates.others.get(number, ())))
        rows: Iterable[Sequence[str]] = [first]
        if number in candidates.others:
            rows = chain(rows, (tag[:4] for tag in candidates.others[number]))
        for row in rows:
            for column, value in zip(columns, (form, *row), strict=True):
                column.append(value)
    forms, upos, xpos, feats, lemmas = columns
    rows_of_words = Sentence(forms=forms, upos=upos, xpos=xpos, feats=feats, lemmas=lemmas)
    norms = sentence.find(Norms)
    if norms is not None:
        pairs = zip(norms.words, times, strict=True)
        rows_of_words.put(Norms(tuple(norm for norm, count in pairs for _ in range(count))))
    return rows_of_words


def relemmatized(
    rows: Sequence[str], candidates: Candidates, given: Sequence[str] | None = None
) -> tuple[list[str], Candidates]:
    """Lemmas of all candidates, row by row, as those of the best ones and as candidates that have theirs. A word that
    has a `given` lemma has it whatever its tag.
    """
    remaining = iter(rows)
    words = len(rows) - sum(map(len, candidates.others.values()))
    best: list[str] = []
    others: dict[int, Sequence[Candidate]] = {}
    for word in range(1, words + 1):
        fixed = given[word - 1] if given else EMPTY
        best.append(next(remaining))
        if word in candidates.others:
            found = [(tag, next(remaining)) for tag in candidates.others[word]]
            others[word] = [tag._replace(lemma=lemma if fixed == EMPTY else fixed) for tag, lemma in found]
    return best, Candidates(others, candidates.right)


def choose(sentence: Sentence, chosen: Mapping[int, Candidate]) -> None:
    """Put tags and lemmas into a sentence."""
    for word, tag in chosen.items():
        sentence.upos[word - 1] = tag.upos
        sentence.xpos[word - 1] = tag.xpos
        sentence.feats[word - 1] = tag.feats
        sentence.lemmas[word - 1] = tag.lemma


def with_right_tags(sentence: Sentence) -> Sentence:
    """The sentence with the right tags instead of the best ones."""
    candidates = sentence.find(Candidates)
    if candidates is None:
        return sentence
    twin = sentence.copy()
    choose(twin, {word: candidates.others[word][rank - 1] for word, rank in candidates.right.items() if rank})
    return twin
