"""Sentences with crossing arcs out of sentences without: usage `make.py COUNT OUT.conllu PARSED.conllu...`.

Clauses, noun phrases and adverbials of parsed text are put together anew: questions, relative clauses and topics
(`questions.py`), clauses and phrases that come late (`moves.py`), comparisons and results (`degrees.py`). What the
words were tagged as stays. About a fifth of the sentences has no crossing arcs, so that the difference can be learned.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from clauses import Clause, Gap, clause_of, gaps
from degrees import compared
from moves import late_phrase, late_relative, late_subject_clause, not_another, parted, said_between
from nodes import Node, Words, below, copied, is_span, lowered, plain, sentence_of, tree_of
from questions import embedded, question, question_place, relative, relative_place, topic, whatever

import plait
from plait.trees import find_fault, is_projective

_TESTED = Path(__file__).parents[2] / "tests" / "data" / "crossing-english.conllu"  # never to be learned from
_ADVERBS = {
    "here", "there", "now", "once", "recently", "earlier", "later", "again", "online", "outside", "somewhere", "nearby",
    "before", "already", "upstairs", "abroad", "anywhere", "everywhere", "quickly", "slowly", "suddenly", "lately",
}  # fmt: skip
_TIMES = {
    "today", "yesterday", "tomorrow", "tonight", "day", "week", "month", "year", "morning", "afternoon", "evening",
    "night", "summer", "winter", "spring", "weekend", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
    "Saturday", "Sunday", "January", "March", "June", "September", "time",
}  # fmt: skip
# How often each kind is made, in sentences of a thousand.
SHARES = {
    "question": 230, "embedded": 150, "relative": 200, "topic": 25, "whatever": 8, "subject clause": 10,
    "late relative": 60, "parted": 100, "late phrase": 70, "said": 15, "not": 15, "compared": 160,
}  # fmt: skip


class Material:
    """What sentences are made of."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.deep: list[Gap] = []
        self.stranded: list[Gap] = []
        self.other: list[Gap] = []
        self.clauses: list[Clause] = []
        self.short: list[Clause] = []
        self.asking: list[tuple[Words, Node]] = []
        self.relatives: list[tuple[Words, Node]] = []
        self.phrases: list[Words] = []
        self.adverbials: list[Words] = []
        self.late: list[Words] = []
        self.whole: list[Words] = []

    def add(self, words: Words) -> None:
        self.whole.append(words)
        late = late_subject_clause(words)
        if late is not None:
            self.late.append(late)
        place = question_place(words)
        if place is not None:
            self.asking.append((words, place))
        place = relative_place(words)
        if place is not None and len(words) < 22:
            self.relatives.append((words, place))
        self._add_phrases(words)
        clause = clause_of(words)
        if clause is None:
            return
        self.clauses.append(clause)
        if 3 <= len(clause.words) <= 9:
            self.short.append(clause)
        for gap in gaps(clause):
            (self.deep if gap.is_deep else self.stranded if gap.case else self.other).append(gap)

    def _add_phrases(self, words: Words) -> None:
        for word in words:
            if word.head is None or word is words[0]:
                continue
            timely = word.label == "obl:unmarked" and word.lemma in _TIMES
            dated = word.label == "obl" and word.lemma in _TIMES
            if timely or dated or (word.label == "advmod" and word.form in _ADVERBS):
                part = below(words, word)
                clean = (
                    all(each.upos != "PUNCT" for each in part)
                    and part[-1] is word
                    and part[0] is not words[0]
                )
                if len(part) <= 3 and clean and is_span(words, part):
                    self.adverbials.append(_loose(part, word))
            elif plain(word) in {"obj", "nsubj"} and word.upos in {"NOUN", "PROPN"}:
                part = below(words, word)
                inner = {"det", "amod", "compound", "flat", "nmod", "case"}
                light = all(plain(each) in inner or each is word for each in part)
                if len(part) <= 5 and light and is_span(words, part) and part[0] is not words[0]:
                    self.phrases.append(_loose(part, word))

    def gap(self) -> Gap:
        kind = self.random.random()
        return self.random.choice(self.stranded if kind < 0.5 else self.deep if kind < 0.88 else self.other)


def _loose(part: Words, top: Node) -> Words:
    found = copied(part)
    for word, old in zip(found, part, strict=True):
        if old is top:
            word.head = None
    return found


def makers(stuff: Material) -> dict[str, Callable[[], Words | None]]:
    random, pick = stuff.random, stuff.random.choice

    def deep_or_other() -> Gap:
        return pick(stuff.deep if random.random() < 0.8 else stuff.other)

    return {
        "question": lambda: question(stuff.gap(), random),
        "embedded": lambda: embedded(stuff.gap(), *pick(stuff.asking), random),
        "relative": lambda: relative(stuff.gap(), *pick(stuff.relatives), random),
        "topic": lambda: topic(deep_or_other(), random),
        "whatever": lambda: whatever(deep_or_other(), pick(stuff.short), random),
        "subject clause": lambda: pick(stuff.late),
        "late relative": lambda: late_relative(
            pick(stuff.short),
            pick(stuff.adverbials) if random.random() < 0.5 else None,
            pick(stuff.relatives),
        ),
        "parted": lambda: parted(pick(stuff.whole), pick(stuff.adverbials)),
        "late phrase": lambda: late_phrase(pick(stuff.short), pick(stuff.phrases), stuff.adverbials, random),
        "said": lambda: said_between(pick(stuff.whole), random),
        "not": lambda: not_another(pick(stuff.clauses), pick(stuff.adverbials), pick(stuff.phrases)),
        "compared": lambda: compared(pick(stuff.clauses), pick(stuff.short), pick(stuff.phrases), random),
    }


def _spelled(sentence: plait.Sentence) -> str:
    return " ".join(sentence.forms).lower()


def main(count: int, out: Path, sources: list[str]) -> None:
    random = Random(1)
    stuff = Material(random)
    for source in sources:
        for sentence in plait.read(source):
            if 4 <= len(sentence) <= 40 and is_projective(sentence.tree()):
                stuff.add(tree_of(sentence))
    seen = {_spelled(sentence) for sentence in plait.read(str(_TESTED))}
    crossing: Counter[str] = Counter()
    made: Counter[str] = Counter()
    result = []
    for kind, make in makers(stuff).items():
        wanted = count * SHARES[kind] // sum(SHARES.values())
        for _ in range(wanted * 60):
            words = make()
            if words is None or not 4 <= len(words) <= 45:
                continue
            sentence = sentence_of(lowered(copied(words)))
            if _spelled(sentence) in seen or find_fault(sentence.tree()):
                continue
            plain_one = is_projective(sentence.tree())
            if plain_one and made[kind] - crossing[kind] > 0.2 * wanted:
                continue
            seen.add(_spelled(sentence))
            made[kind] += 1
            crossing[kind] += not plain_one
            sentence.comments = [f"# kind = {kind}"]
            result.append(sentence)
            if made[kind] >= wanted:
                break
    random.shuffle(result)
    plait.write(result, str(out))
    for kind in made:
        print(f"{kind}: {made[kind]} sentences, {crossing[kind]} with crossing arcs")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
