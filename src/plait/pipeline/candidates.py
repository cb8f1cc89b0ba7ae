"""Candidates for a joint parser: the best tags of a tagger, and the lemmas that go with them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from math import exp

from plait.lemmas import Lemmatizer
from plait.parser import Candidate, Candidates, ParserOptions
from plait.parser.candidates import spread
from plait.sentence import EMPTY, Sentence
from plait.tagger import Tagger
from plait.tagger.tags import ScoredTag

# Scores become probabilities (softmax) at this temperature, at which they are about as often right as they say.
_TEMPERATURE = 0.2
_CONSIDERED = 8  # tags of a word that may have a share of the probability
_FAR = 8 * _TEMPERATURE  # behind the best one; less than a thousandth of its probability


class Chooser:
    """Makes candidates as the options of a parser say."""

    def __init__(self, tagger: Tagger, lemmatizer: Lemmatizer | None, options: ParserOptions) -> None:
        self._tagger = tagger
        self._lemmatizer = lemmatizer
        self._options = options

    def annotate(
        self, sentences: Iterable[Sentence], *, threads: int = 1, keep_tags: bool = False
    ) -> Iterator[tuple[Sentence, Candidates]]:
        """Put the best tags and their lemmas into the sentences; the candidates are the others. With `keep_tags`,
        words that have tags have no candidates, and lemmas stay.
        """
        return self._with_lemmas(self._tagged(sentences, threads, keep_tags, False), threads, keep_tags)

    def annotate_to_learn(self, sentences: Iterable[Sentence]) -> Iterator[tuple[Sentence, Candidates]]:
        """The same for sentences with the right tags, which thereby are among the candidates: where the tagger has
        not found them, they come last.
        """
        return self._with_lemmas(self._tagged(sentences, 1, False, True), 1, False)

    def _tagged(
        self, sentences: Iterable[Sentence], threads: int, keep_tags: bool, learning: bool
    ) -> Iterator[tuple[Sentence, Candidates]]:
        """Without lemmas."""
        for sentence, lists in self._tagger.kbest(sentences, _CONSIDERED, margin=_FAR, threads=threads):
            others: dict[int, Sequence[Candidate]] = {}
            right: dict[int, int] = {}
            for word, scored in enumerate(lists, 1):
                given = (sentence.upos[word - 1], sentence.xpos[word - 1], sentence.feats[word - 1])
                if keep_tags and any(value != EMPTY for value in given):
                    continue
                tags = self._probable(scored)
                if learning:
                    ranks = [tag[:3] for tag in tags]
                    if given not in ranks:
                        tags.append(_candidate(given, _margin(scored, given)))
                        ranks.append(given)
                    right[word] = ranks.index(given)
                best = tags[0]
                sentence.upos[word - 1], sentence.xpos[word - 1], sentence.feats[word - 1] = best[:3]
                if len(tags) > 1:
                    others[word] = tags[1:]
            yield sentence, Candidates(others, {word: rank for word, rank in right.items() if rank})

    def _probable(self, scored: Sequence[ScoredTag]) -> list[Candidate]:
        most = self._options.tag_margin
        shares = _shares(scored)
        return [
            _candidate((tag.upos, tag.xpos, tag.feats), shares[0] - share)
            for tag, share in zip(scored[: self._options.tags_per_word], shares, strict=False)
            if shares[0] - share <= most
        ]

    def _with_lemmas(
        self, tagged: Iterable[tuple[Sentence, Candidates]], threads: int, keep: bool
    ) -> Iterator[tuple[Sentence, Candidates]]:
        if self._lemmatizer is None:
            for sentence, candidates in tagged:
                yield sentence, _relemmatized(candidates, _repeated(sentence.lemmas, candidates))
            return
        waiting: deque[tuple[Sentence, Candidates]] = deque()

        def rows() -> Iterator[Sentence]:
            for sentence, candidates in tagged:
                waiting.append((sentence, candidates))
                row = spread(sentence, candidates)
                # The lemmatizer writes into what it reads, and given lemmas are needed afterwards.
                yield sentence.copy() if row is sentence and keep else row

        for row in self._lemmatizer.annotate(rows(), threads=threads):
            sentence, candidates = waiting.popleft()
            found = list(row.lemmas)
            if keep:
                known = _repeated(sentence.lemmas, candidates)
                found = [new if old == EMPTY else old for old, new in zip(known, found, strict=True)]
            yield sentence, _relemmatized(candidates, found, sentence)


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


def _candidate(tag: tuple[str, str, str], margin: float) -> Candidate:
    return Candidate(*tag, EMPTY, margin)


def _repeated(lemmas: Sequence[str], candidates: Candidates) -> list[str]:
    """The lemma of every word for each of its candidates."""
    sizes = candidates.sizes(len(lemmas))
    return [lemma for lemma, size in zip(lemmas, sizes, strict=True) for _ in range(size)]


def _relemmatized(
    candidates: Candidates, lemmas: Sequence[str], sentence: Sentence | None = None
) -> Candidates:
    """The candidates with lemmas, given row by row; those of the best go into the sentence."""
    rows = iter(lemmas)
    words = len(lemmas) - sum(map(len, candidates.others.values()))
    best: list[str] = []
    others: dict[int, Sequence[Candidate]] = {}
    for word in range(1, words + 1):
        best.append(next(rows))
        if word in candidates.others:
            others[word] = [tag._replace(lemma=next(rows)) for tag in candidates.others[word]]
    if sentence is not None:
        sentence.lemmas = best
    return Candidates(others, candidates.right)
