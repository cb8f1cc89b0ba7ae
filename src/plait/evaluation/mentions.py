"""Scores of mentions, as the GREC tasks count them (Belz and Kow 2009, 2010): from 0 to 1, and edits in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from plait.errors import InputError
from plait.evaluation.texts.bleu import bleu_counts, bleu_of
from plait.evaluation.texts.nist import nist_score
from plait.formats.grec import Expression, MentionText, Reference
from plait.formats.mention_columns import ChainRow

Words = tuple[str, ...]
_PUNCTUATION = re.compile(r"[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class MentionScores:
    """Of all references, with precision and recall of types where references stand inside others."""

    references: int
    type_accuracy: float
    type_precision: float
    type_recall: float
    string_accuracy: float
    edit: float
    normalized_edit: float
    bleu1: float
    bleu2: float
    bleu3: float
    nist: float
    by_domain: dict[str, float]  # type accuracy by SEMCAT

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ChainScores:
    """Of labels in columns."""

    references: int
    type_accuracy: float
    label_accuracy: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def words_of(text: str) -> Words:
    """Lower case, without punctuation, cut at white space."""
    return tuple(_PUNCTUATION.sub("", text.lower()).split())


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Levenshtein's, over words."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]


def score_mentions(gold: Sequence[MentionText], system: Sequence[MentionText]) -> MentionScores:
    """InputError if the texts are not the same, or a mention has nothing in it."""
    pairs = list(_pairs(gold, system))
    if not pairs:
        raise InputError("There is no mention to score.")
    same_type = [right.type == said.type for _, right, said in pairs]
    texts = [(words_of(right.text), words_of(said.text)) for _, right, said in pairs]
    edits = [edit_distance(*both) for both in texts]
    counts = bleu_counts(texts).sum(axis=0, keepdims=True)
    matched, said_count, right_count = _nested_types(pairs)
    domains: dict[str, list[bool]] = {}
    for (reference, _, _), same in zip(pairs, same_type, strict=True):
        domains.setdefault(reference.get("SEMCAT"), []).append(same)
    return MentionScores(
        references=len(pairs),
        type_accuracy=_mean(same_type),
        type_precision=matched / said_count,
        type_recall=matched / right_count,
        string_accuracy=_mean([right == said for right, said in texts]),
        edit=_mean(edits),
        normalized_edit=_mean(
            [edit / max(1, *map(len, both)) for edit, both in zip(edits, texts, strict=True)]
        ),
        bleu1=float(bleu_of(counts, 1)[0]) / 100,
        bleu2=float(bleu_of(counts, 2)[0]) / 100,
        bleu3=float(bleu_of(counts, 3)[0]) / 100,
        nist=nist_score(texts),
        by_domain={name: _mean(found) for name, found in sorted(domains.items())},
    )


def _pairs(
    gold: Sequence[MentionText], system: Sequence[MentionText]
) -> Iterator[tuple[Reference, Expression, Expression]]:
    if len(gold) != len(system):
        raise InputError(f"There are {len(gold):,} gold texts but {len(system):,} of the system.")
    for one, other in zip(gold, system, strict=True):
        if one.name != other.name or len(one.references) != len(other.references):
            raise InputError(f"The text {one.name!r} is another one in the system's file: {other.name!r}.")
        for right, said in zip(one.references, other.references, strict=True):
            if right.chosen is None or said.chosen is None:
                raise InputError(
                    f"The text {one.name!r} has a mention with nothing in it (line {right.line})."
                )
            yield right, right.chosen, said.chosen


def _nested_types(pairs: Sequence[tuple[Reference, Expression, Expression]]) -> tuple[int, int, int]:
    """References with the same type in both, those of the system, and those of the gold texts; a reference inside is
    the same if it is the one of its entity there.
    """
    matched = said_count = right_count = 0
    for _, right, said in pairs:
        own = {each.entity: each.chosen.type for each in right.inner if each.chosen}
        others = {each.entity: each.chosen.type for each in said.inner if each.chosen}
        matched += (right.type == said.type) + len(own.items() & others.items())
        said_count += 1 + len(others)
        right_count += 1 + len(own)
    return matched, said_count, right_count


def score_chains(gold: Sequence[Sequence[ChainRow]], system: Sequence[Sequence[ChainRow]]) -> ChainScores:
    """InputError if the references are not the same."""
    rows = [[row for chain in chains for row in chain] for chains in (gold, system)]
    if [(row.text, row.entity, row.mention) for row in rows[0]] != [
        (row.text, row.entity, row.mention) for row in rows[1]
    ]:
        raise InputError("The two files have other references, or in another order.")
    both = list(zip(*rows, strict=True))
    return ChainScores(
        len(both),
        _mean([right.type == said.type for right, said in both]),
        _mean([right.label == said.label for right, said in both]),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
