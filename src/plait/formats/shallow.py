"""Shallow trees of the shared tasks on surface realization (T1; Belz et al. 2012, Mille et al. 2018, 2019): CoNLL-U
whose words are in no order, with the lemma in place of the form.

Some words have a fixed place beside their head in FEATS: `lin=-2`, `lin=-1` before it, `lin=+1`, `lin=+2` after it,
counted from the head over those that have one. Training files of the tasks hold the answer too: the form in the column
of the lemma, `original_id` in FEATS.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator

from plait.sentence import EMPTY, Sentence, format_pairs, parse_pairs

NAME = "t1"
_PLACE, _ANSWER = "lin", "original_id"
_FIXED = (
    "punct",
    "fixed",
    "flat",
    "compound",
    "goeswith",
)  # relations whose words keep their places, as in the tasks


def hide_order(sentences: Iterable[Sentence], *, seed: int = 0, places: bool = True) -> Iterator[Sentence]:
    """Trees as T1 has them: lemmas in any order, without forms and whatever else tells of the order (comments, MISC,
    multiword tokens, empty nodes, enhanced graphs). With `places`, punctuation and parts of names and compounds keep
    theirs beside their heads, as in the tasks.
    """
    chance = random.Random(seed)
    for sentence in sentences:
        lins = _fixed(sentence) if places else {}
        order = list(range(1, len(sentence) + 1))
        chance.shuffle(order)
        hidden = Sentence(
            forms=[
                form if lemma == EMPTY else lemma
                for form, lemma in zip(sentence.forms, sentence.lemmas, strict=True)
            ],
            upos=list(sentence.upos),
            xpos=list(sentence.xpos),
            feats=[
                format_pairs({_PLACE: f"{lins[number]:+d}", **parse_pairs(cell)}) if number in lins else cell
                for number, cell in enumerate(sentence.feats, 1)
            ],
            heads=list(sentence.heads),
            deprels=list(sentence.deprels),
            comments=[line for line in sentence.comments if line[1:].lstrip().startswith("sent_id")],
            line=sentence.line,
        )
        hidden.reorder(order)
        yield hidden


def _fixed(sentence: Sentence) -> dict[int, int]:
    sides: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
    for number, (head, label) in enumerate(zip(sentence.heads, sentence.deprels, strict=True), 1):
        if head and label.split(":")[0] in _FIXED:
            sides[head, number > head].append(number)
    places = {}
    for (_, after), numbers in sides.items():
        for place, number in enumerate(numbers if after else reversed(numbers), 1):
            places[number] = place if after else -place
    return places


def unordered(sentence: Sentence) -> Sentence:
    """A tree to be put into words, of T1 or of any treebank: the lemmas are where they belong, fixed places in MISC,
    and nothing else tells of forms.
    """
    lemmas, feats, misc = [], [], []
    for form, lemma, cell in zip(sentence.forms, sentence.lemmas, sentence.feats, strict=True):
        pairs = parse_pairs(cell) if _PLACE in cell or _ANSWER in cell else {}
        answered = pairs.pop(_ANSWER, None) is not None
        place = pairs.pop(_PLACE, None)
        lemmas.append(form if answered or lemma == EMPTY else lemma)
        feats.append(cell if place is None and not answered else format_pairs(pairs))
        misc.append(EMPTY if place is None else f"{_PLACE}={place}")
    comments = [line for line in sentence.comments if _stays_true(line)]
    return Sentence(
        forms=[EMPTY] * len(lemmas),
        lemmas=lemmas,
        upos=list(sentence.upos),
        xpos=list(sentence.xpos),
        feats=feats,
        heads=list(sentence.heads),
        deprels=list(sentence.deprels),
        misc=misc,
        comments=comments,
        line=sentence.line,
    )


def holds_answers(sentence: Sentence) -> bool:
    """Whether it is a sentence of a training file of the tasks."""
    return len(sentence) > 0 and all(f"{_ANSWER}=" in cell for cell in sentence.feats)


def answered(sentence: Sentence) -> Sentence:
    """The sentence that a training file holds: words in their order, with their forms; `lin` goes."""
    rows = []
    for word in sentence:
        pairs = parse_pairs(word.feats)
        place = pairs.pop(_ANSWER)
        pairs.pop(_PLACE, None)
        rows.append((int(place) if place.isdigit() else 0, word.id, format_pairs(pairs)))
    found = Sentence(
        forms=list(sentence.lemmas),
        lemmas=list(sentence.forms),
        upos=list(sentence.upos),
        xpos=list(sentence.xpos),
        feats=[feats for _, _, feats in rows],
        heads=list(sentence.heads),
        deprels=list(sentence.deprels),
        comments=list(sentence.comments),
        line=sentence.line,
    )
    found.reorder([number for _, number, _ in sorted(rows)])
    return found


def _stays_true(comment: str) -> bool:
    return not comment[1:].lstrip().startswith("text")
