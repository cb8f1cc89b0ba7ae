"""Candidates for who chooses among tags: the best ones of a word, and by how much the tagger likes them less."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from plait.components.tagger.tags import ScoredTag
from plait.layers import Candidate, Candidates, tag_name
from plait.learning.request import TagChoice
from plait.sentence import EMPTY, Sentence

_Triple = tuple[str, str, str]

# Scores become probabilities (softmax) at this temperature, at which they are about as often right as they say.
_TEMPERATURE = 0.2
_FAR = 8 * _TEMPERATURE  # behind the best one; less than a thousandth of its probability
_CONSIDERED = 8  # tags of a word that may have a share of the probability
_WITH_FEATS = 24  # if a tag is there as often as it has features


def considered(choice: TagChoice) -> tuple[int, float]:
    """How many tags of a word to look at, and how far behind the best one."""
    return (_WITH_FEATS if choice.feats else _CONSIDERED), _FAR


def put_candidates(
    sentence: Sentence, lists: Sequence[Sequence[ScoredTag]], choice: TagChoice, *, keep_tags: bool
) -> None:
    """Put the best tags into the sentence, and the others into its layer `Candidates`. With `keep_tags`, words that
    have tags have no others. When someone learns from them, the right one is told, or the nearest: with other features,
    or else the best. Nobody learns to choose what will not be offered.
    """
    others: dict[int, Sequence[Candidate]] = {}
    right: dict[int, int] = {}
    for word, scored in enumerate(lists, 1):
        given = (sentence.upos[word - 1], sentence.xpos[word - 1], sentence.feats[word - 1])
        if keep_tags and any(value != EMPTY for value in given):
            continue
        lemma = sentence.lemmas[word - 1]
        tags = _apart(scored, choice, lemma) if choice.feats else _together(scored, choice, lemma)
        if choice.learning:
            right[word] = _nearest(tags, given)
        sentence.upos[word - 1], sentence.xpos[word - 1], sentence.feats[word - 1] = tags[0][:3]
        if len(tags) > 1:
            others[word] = tags[1:]
    sentence.put(Candidates(others, {word: rank for word, rank in right.items() if rank}))


def _nearest(tags: Sequence[Candidate], right: _Triple) -> int:
    own = tag_name(*right[:2])
    same = [rank for rank, tag in enumerate(tags) if tag_name(tag.upos, tag.xpos) == own]
    exact = [rank for rank in same if tags[rank][:3] == right]
    return next(iter(exact or same), 0)


def _apart(scored: Sequence[ScoredTag], choice: TagChoice, lemma: str) -> list[Candidate]:
    """The best tags, each with its best features. A tag scores what it does with the best of them."""
    found: list[Candidate] = []
    for with_feats in list(_by_tag(scored).values())[: choice.most]:
        best = with_feats[0].score
        behind = scored[0].score - best
        if behind > choice.margin:
            break
        found += [
            Candidate(tag.upos, tag.xpos, tag.feats, lemma, behind, best - tag.score)
            for tag in with_feats[: choice.feats]
            if best - tag.score <= choice.feats_margin
        ]
    return found


def _by_tag(scored: Sequence[ScoredTag]) -> dict[str, list[ScoredTag]]:
    tags: dict[str, list[ScoredTag]] = {}
    for tag in scored:
        tags.setdefault(tag_name(tag.upos, tag.xpos), []).append(tag)
    return tags


def _together(scored: Sequence[ScoredTag], choice: TagChoice, lemma: str) -> list[Candidate]:
    """The most probable tags, their features being a part of them."""
    shares = _shares(scored)
    return [
        Candidate(tag.upos, tag.xpos, tag.feats, lemma, shares[0] - share)
        for tag, share in zip(scored[: choice.most], shares, strict=False)
        if shares[0] - share <= choice.margin
    ]


def _shares(scored: Sequence[ScoredTag]) -> list[float]:
    weights = [exp((tag.score - scored[0].score) / _TEMPERATURE) for tag in scored]
    total = sum(weights)
    return [weight / total for weight in weights]
