"""Candidates for who chooses among tags: the best ones of a word, and how much less probable than the best they are."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from plait.components.tagger.tags import ScoredTag
from plait.layers import Candidate, Candidates
from plait.learning.request import TagChoice
from plait.sentence import EMPTY, Sentence

# Scores become probabilities (softmax) at this temperature, at which they are about as often right as they say.
_TEMPERATURE = 0.2
CONSIDERED = 8  # tags of a word that may have a share of the probability
FAR = 8 * _TEMPERATURE  # behind the best one; less than a thousandth of its probability


def put_candidates(
    sentence: Sentence, lists: Sequence[Sequence[ScoredTag]], choice: TagChoice, *, keep_tags: bool
) -> None:
    """Put the best tags into the sentence, and the others into its layer `Candidates`. With `keep_tags`, words that
    have tags have no others. When someone learns from them, the right tags come last where the tagger has not found
    them.
    """
    others: dict[int, Sequence[Candidate]] = {}
    right: dict[int, int] = {}
    for word, scored in enumerate(lists, 1):
        given = (sentence.upos[word - 1], sentence.xpos[word - 1], sentence.feats[word - 1])
        if keep_tags and any(value != EMPTY for value in given):
            continue
        lemma = sentence.lemmas[word - 1]
        tags = _probable(scored, choice, lemma)
        if choice.learning:
            ranks = [tag[:3] for tag in tags]
            if given not in ranks:
                tags.append(Candidate(*given, lemma, _margin(scored, given)))
                ranks.append(given)
            right[word] = ranks.index(given)
        sentence.upos[word - 1], sentence.xpos[word - 1], sentence.feats[word - 1] = tags[0][:3]
        if len(tags) > 1:
            others[word] = tags[1:]
    sentence.put(Candidates(others, {word: rank for word, rank in right.items() if rank}))


def _probable(scored: Sequence[ScoredTag], choice: TagChoice, lemma: str) -> list[Candidate]:
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


def _margin(scored: Sequence[ScoredTag], tag: tuple[str, str, str]) -> float:
    """Of any tag; one that the tagger did not consider has no probability."""
    shares = _shares(scored)
    found = (
        share for each, share in zip(scored, shares, strict=True) if (each.upos, each.xpos, each.feats) == tag
    )
    return shares[0] - next(found, 0.0)
