"""Tokens that are several words: *don't* = *do* + *n't*, Portuguese *das* = *de* + *as*.

Forms seen in training are looked up; others are rewritten by the longest suffix that speaks for it; forms that
are sometimes one word are decided in context, by a linear model on the hash kernel.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from plait.checks import is_cell
from plait.components.tokenizer.context import ContextModel
from plait.features.memory import Memory
from plait.sentence import MultiwordToken, Sentence

Words = tuple[str, ...]
_LONGEST_SUFFIX = 8
_APOSTROPHES = str.maketrans("", "", "'’")
_BARE = 3  # one of so many *it's* is an example of *its*: people do leave out apostrophes, but rarely
_LEAST_SHARE = 0.01  # of a form's tokens; what is written more rarely as one word or as several is an error


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What turns a form into words: cut the end, put an ending there, and append the other words."""

    cut: int
    ending: str
    others: Words

    @classmethod
    def of(cls, form: str, words: Words) -> Rewriting:
        shared = _shared(form, words[0])
        return cls(len(form) - shared, words[0][shared:], words[1:])

    def apply(self, form: str) -> Words | None:
        """None where nothing is left of the first word."""
        first = form[: max(0, len(form) - self.cut)] + self.ending
        return (first, *self.others) if first else None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The words of a form; `doubtful` if it may be one word after all."""

    words: Words
    doubtful: bool = False


class Multiwords:
    """What a treebank teaches about its multiword tokens. A form seen before costs one look into a dictionary."""

    def __init__(
        self,
        table: dict[str, Words],
        doubtful: set[str],
        suffixes: dict[str, Rewriting | None],
        whole: set[str],
        context: ContextModel | None,
    ) -> None:
        """`table` has forms as written where their case matters, else in lower case, as all others are; `whole`
        are those that are one word although their suffix speaks against it.
        """
        self.table = table
        self.doubtful = doubtful
        self.suffixes = suffixes
        self.whole = whole
        self.context = context
        self._analyses: Memory[str, Analysis | None] = Memory(self._analyse)

    @classmethod
    def learn(cls, sentences: Sequence[Sentence], seed: int) -> Multiwords:
        counts = _Counts.of(sentences)
        table = counts.table()
        doubtful = {form for form in table if counts.is_doubtful(form)}
        learned = cls(table | counts.exceptions(table), doubtful, counts.suffixes(), set(), None)
        learned.whole = {form for form in counts.single if form not in table and learned._rewrite(form)}
        if doubtful:
            learned.context = ContextModel.learn(list(learned._examples(sentences)), seed)
        return learned

    def find(self, sentences: Sequence[Sequence[str]]) -> list[list[tuple[int, Words]]]:
        """For every list of tokens, those that are several words: their places and their words."""
        if self._analyses.is_full:
            self._analyses = Memory(self._analyse)
        analyses_of = self._analyses
        found = [
            [
                (place, analysis)
                for place, analysis in enumerate(map(analyses_of.__getitem__, forms))
                if analysis is not None
            ]
            for forms in sentences
        ]
        asked = [
            (forms, place)
            for forms, analyses in zip(sentences, found, strict=True)
            for place, analysis in analyses
            if analysis.doubtful
        ]
        answers = iter(self.context.decide(asked)) if asked and self.context else repeat(True)
        return [
            [
                (place, analysis.words)
                for place, analysis in analyses
                if not analysis.doubtful or next(answers)
            ]
            for analyses in found
        ]

    def _analyse(self, form: str) -> Analysis | None:
        lower = form.lower()
        words = self.table.get(form)
        if words:
            return Analysis(words, lower in self.doubtful)
        words = self.table.get(lower)
        if words:
            return Analysis(recased(form, words), lower in self.doubtful)
        words = self._rewrite(lower) if lower not in self.whole and len(lower) == len(form) else None
        return Analysis(recased(form, words)) if words else None

    def _rewrite(self, form: str) -> Words | None:
        """The words of a form in lower case, as its longest known suffix says."""
        for size in range(min(_LONGEST_SUFFIX, len(form) - 1), 0, -1):
            if form[-size:] in self.suffixes:
                rewriting = self.suffixes[form[-size:]]
                return rewriting.apply(form) if rewriting else None
        return None

    def _examples(self, sentences: Sequence[Sentence]) -> Iterator[tuple[Sequence[str], int, bool]]:
        skipped = 0
        for sentence in sentences:
            tokens = list(sentence.tokens)
            forms = [token.form for token in tokens]
            for place, token in enumerate(tokens):
                several = isinstance(token, MultiwordToken)
                if token.form.lower() in self.table:
                    yield forms, place, several
                bare = token.form.translate(_APOSTROPHES)
                if several and bare != token.form and bare.lower() in self.doubtful:
                    skipped += 1
                    if skipped % _BARE == 0:
                        yield [*forms[:place], bare, *forms[place + 1 :]], place, True


@dataclass(frozen=True, slots=True)
class _Counts:
    """How often which forms are which words; `single`: how often one word. Both in lower case but `exact`."""

    split: dict[str, Counter[Words]]
    exact: dict[str, Counter[Words]]
    single: Counter[str]

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> _Counts:
        counts = cls(defaultdict(Counter), defaultdict(Counter), Counter())
        for sentence in sentences:
            for token in sentence.tokens:
                words: Words = ()
                if isinstance(token, MultiwordToken):
                    words = tuple(sentence.forms[token.first - 1 : token.last])
                if not all(map(is_cell, (token.form, *words))):
                    continue  # no model can keep them
                if words:
                    counts.split[token.form.lower()][tuple(word.lower() for word in words)] += 1
                    counts.exact[token.form][words] += 1
                else:
                    counts.single[token.form.lower()] += 1
        counts._add_bare()
        return counts

    def _add_bare(self) -> None:
        """Many write *havent* for *haven't*: so do forms here that are never one word. A single letter is too little:
        *cats* is no *cat's*.
        """
        for form, words in list(self.split.items()):
            bare = form.translate(_APOSTROPHES)
            if bare == form or bare in self.single or bare in self.split:
                continue
            pieces = tuple(word.translate(_APOSTROPHES) for word in words.most_common(1)[0][0])
            if all(len(piece) > 1 for piece in pieces):
                self.split[bare][pieces] += 1

    def is_doubtful(self, form: str) -> bool:
        """Often enough one word."""
        return self.single[form] > _LEAST_SHARE * (self.split[form].total() + self.single[form])

    def table(self) -> dict[str, Words]:
        """The most frequent words of every form that is split often enough."""
        return {
            form: words.most_common(1)[0][0]
            for form, words in self.split.items()
            if words.total() >= _LEAST_SHARE * (words.total() + self.single[form])
            and (words.total() > 1 or self.single[form] <= 1)
        }

    def exceptions(self, table: dict[str, Words]) -> dict[str, Words]:
        """Forms whose words have another case than the rule says, with their words."""
        most = {form: words.most_common(1)[0][0] for form, words in self.exact.items()}
        return {
            form: words
            for form, words in most.items()
            if form.lower() in table and recased(form, table[form.lower()]) != words
        }

    def suffixes(self) -> dict[str, Rewriting | None]:
        """What suffixes say of forms never seen: the rewriting that most forms with the suffix have, at least two,
        or None where most are one word; shorter suffixes first, and only those that change what these say.
        """
        votes: dict[str, Counter[Rewriting | None]] = defaultdict(Counter)
        for form in {*self.split, *self.single}:
            words = self.split.get(form)
            several = words is not None and words.total() > self.single[form]
            vote = Rewriting.of(form, words.most_common(1)[0][0]) if words and several else None
            for size in range(1, min(_LONGEST_SUFFIX, len(form) - 1) + 1):
                votes[form[-size:]][vote if vote and vote.cut <= size else None] += 1
        chosen: dict[str, Rewriting | None] = {}
        for suffix in sorted(votes, key=lambda suffix: (len(suffix), suffix)):
            best, count = max(
                votes[suffix].items(), key=lambda item: (item[1], item[0] is None, str(item[0]))
            )
            if count < 2 or 2 * count <= votes[suffix].total():
                continue
            shorter = (suffix[start:] for start in range(1, len(suffix)))
            if best != next((chosen[end] for end in shorter if end in chosen), None):
                chosen[suffix] = best
        return chosen


def recased(form: str, words: Words) -> Words:
    """Words in lower case as the form writes them: `Don't` = `Do n't`, `DAS` = `DE AS`, `Trata-se` = `Trata se`."""
    lower = form.lower()
    if lower == form or len(lower) != len(form):
        return words
    pieces = _pieces(form, lower, words)
    if pieces:
        return pieces
    if form.isupper() and len(form) > 1:
        return tuple(word.upper() for word in words)
    shared = _shared(lower, words[0])
    if shared:
        return form[:shared] + words[0][shared:], *words[1:]
    return words[0][:1].upper() + words[0][1:], *words[1:]


def _pieces(form: str, lower: str, words: Words) -> Words | None:
    """The words as pieces of the form, if that is what they are, hyphens left out."""
    pieces: list[str] = []
    place = 0
    for word in words:
        if not lower.startswith(word, place) and lower.startswith("-", place):
            place += 1
        if not lower.startswith(word, place):
            return None
        pieces.append(form[place : place + len(word)])
        place += len(word)
    return tuple(pieces) if place == len(form) else None


def _shared(one: str, other: str) -> int:
    """The length of the beginning that two texts have in common."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
