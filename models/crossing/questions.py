"""Questions, relative clauses and topics: a phrase before the clause that it comes out of."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from clauses import Clause, Gap, inverted, opened, to_you
from nodes import Node, Words, at, below, children, copied, is_span, plain, spoken, without

PERSONS = {
    "man", "woman", "people", "person", "friend", "mother", "father", "brother", "sister", "wife", "husband", "boy",
    "girl", "child", "doctor", "teacher", "guy", "lady", "neighbor", "boss", "parent", "son", "daughter", "uncle",
    "kid",
    "student", "officer", "owner", "manager", "lawyer", "soldier", "player", "customer", "guest", "nurse", "driver",
}  # fmt: skip
_THINGS = {"it", "this", "these", "those", "something", "everything", "anything", "nothing", "one", "that"}


def is_person(target: Node) -> bool:
    if target.upos == "PRON":
        return target.lemma not in _THINGS
    return target.upos == "PROPN" or target.lemma in PERSONS


def _asked(gap: Gap, random: Random) -> Words:
    """The words that ask for what is missing; the first one without a head among them depends on the clause."""
    target = gap.target
    if target is None:
        form = random.choice(["where", "where", "when", "how"])
        return spoken(f"{form}/{form}/ADV/WRB/PronType=Int/advmod/0", gap.head)
    label = target.label
    if is_person(target) and random.random() < 0.85:
        form = "whom" if plain(target) != "nsubj" and random.random() < 0.08 else "who"
        return spoken(f"{form}/{form}/PRON/WP/PronType=Int/{label}/0", gap.head)
    kind = random.random()
    if target.upos != "NOUN" or kind < 0.45:
        return spoken(f"what/what/PRON/WP/PronType=Int/{label}/0", gap.head)
    noun = f"{target.form.lower()}/{target.lemma}/NOUN/{target.xpos}/{target.feats}"
    if kind < 0.65:
        template = f"which/which/DET/WDT/PronType=Int/det/2 {noun}/{label}/0"
    elif kind < 0.78:
        template = f"what/what/DET/WDT/PronType=Int/det/2 {noun}/{label}/0"
    elif kind < 0.86:
        template = f"whose/whose/PRON/WP$/Poss=Yes|PronType=Int/nmod:poss/2 {noun}/{label}/0"
    elif kind < 0.93 or target.xpos != "NNS":
        sort = random.choice(["kind", "sort", "type"])
        template = (
            f"what/what/DET/WDT/PronType=Int/det/2 {sort}/{sort}/NOUN/NN/Number=Sing/{label}/0 "
            f"of/of/ADP/IN/_/case/4 {noun}/nmod/2"
        )
    else:
        template = (
            f"how/how/ADV/WRB/PronType=Int/advmod/2 many/many/ADJ/JJ/Degree=Pos/amod/3 {noun}/{label}/0"
        )
    return spoken(template, gap.head)


def _bind(gap: Gap, asked: Words) -> None:
    if gap.case is not None:
        gap.case.head = next(word for word in asked if word.head is gap.head)


def question(source: Gap, random: Random) -> Words | None:
    """`You sent it to him` becomes `Who did you send it to?`; rarely with the preposition in front."""
    gap, _ = opened(source)
    to_you(gap.clause.words, random)
    asked = _asked(gap, random)
    words = inverted(gap.clause)
    if words is None:
        return None
    _bind(gap, asked)
    if gap.case is not None and random.random() < 0.1:
        words = [gap.case, *asked, *without(words, [gap.case])]
        for word in asked:
            if word.form == "who":
                word.form = word.lemma = "whom"
    else:
        words = [*asked, *words]
    gap.clause.top.head, gap.clause.top.label = None, "root"
    return [*words, *spoken("?/?/PUNCT/./_/punct/0", gap.clause.top)]


def embedded(source: Gap, context: Sequence[Node], old: Node, random: Random) -> Words:
    """The question in place of one that depends on a verb elsewhere."""
    gap, _ = opened(source)
    asked = _asked(gap, random)
    _bind(gap, asked)
    return _spliced(context, old, [*asked, *gap.clause.words], gap.clause.top)


def relative(source: Gap, context: Sequence[Node], old: Node, random: Random) -> Words | None:
    """The clause in place of another relative clause, what is missing in place of its noun; some without a pronoun,
    where the preposition itself stands for the noun, as the treebank has it.
    """
    gap, _ = opened(source)
    target, noun = gap.target, old.head
    if target is None or noun is None or (plain(target) == "nsubj" and random.random() < 0.3):
        return None
    person = is_person(target)
    if target.upos == "NOUN":
        form, lemma, xpos, feats = target.form.lower(), target.lemma, target.xpos, target.feats
    else:
        lemma = (
            random.choice(sorted(PERSONS)) if person else random.choice(["thing", "stuff", "one", "matter"])
        )
        form, xpos, feats = lemma, "NN", "Number=Sing"
        if lemma == "people":
            lemma, xpos, feats = "people", "NNS", "Number=Plur"
    choice = random.random()
    if choice < 0.15 and gap.head is gap.clause.top and plain(target) == "obl":
        assert gap.case is not None
        gap.case.label, gap.case.head = "obl", gap.head
        asked: Words = []
    else:
        pronoun = (
            "that/that/PRON/WDT" if choice < 0.65 else "who/who/PRON/WP" if person else "which/which/PRON/WDT"
        )
        asked = spoken(f"{pronoun}/PronType=Rel/{target.label}/0", gap.head)
        _bind(gap, asked)
    words = copied(context)
    noun, old = words[at(context, noun)], words[at(context, old)]
    noun.form, noun.lemma, noun.upos, noun.xpos, noun.feats = form, lemma, "NOUN", xpos, feats
    for child in children(words, noun):
        if child is not old and plain(child) not in {
            "det",
            "case",
            "punct",
            "cop",
            "nsubj",
            "mark",
            "aux",
            "expl",
        }:
            words = without(words, below(words, child))
    for det in children(words, noun, "det"):
        det.form = {"a": "the", "an": "the"}.get(det.form, det.form)
        if det.form == "the":
            det.lemma, det.xpos, det.feats = "the", "DT", "Definite=Def|PronType=Art"
    return _spliced(words, old, [*asked, *gap.clause.words], gap.clause.top)


def topic(source: Gap, random: Random) -> Words | None:
    """`I want to see that film` becomes `That film I want to see`."""
    gap, phrase = opened(source)
    target = gap.target
    if target is None or target.upos != "NOUN" or plain(target) != "obj":
        return None
    phrase = without(phrase, children(phrase, target, "det"))
    if children(phrase, target, "nmod") and any(
        child.label == "nmod:poss" for child in children(phrase, target)
    ):
        return None
    if target.xpos == "NNS":
        form, lemma = random.choice([("these", "this"), ("those", "that")])
        det = spoken(f"{form}/{lemma}/DET/DT/Number=Plur|PronType=Dem/det/0", target)
    else:
        form = random.choice(["this", "that"])
        det = spoken(f"{form}/{form}/DET/DT/Number=Sing|PronType=Dem/det/0", target)
    comma = spoken(",/,/PUNCT/,/_/punct/0", target) if random.random() < 0.25 else []
    gap.clause.top.head, gap.clause.top.label = None, "root"
    end = spoken("././PUNCT/./_/punct/0", gap.clause.top)
    return [*det, *phrase, *comma, *gap.clause.words, *end]


def whatever(source: Gap, main: Clause, random: Random) -> Words | None:
    """`Whatever you want to do , ...` before another clause."""
    gap, _ = opened(source)
    if gap.target is None or plain(gap.target) != "obj" or is_person(gap.target):
        return None
    to_you(gap.clause.words, random)
    rest = copied(main.words)
    top = rest[at(main.words, main.top)]
    top.head, top.label = None, "root"
    asked = spoken("whatever/whatever/PRON/WP/PronType=Int/obj/0", gap.head)
    gap.clause.top.head, gap.clause.top.label = top, "advcl"
    comma = spoken(",/,/PUNCT/,/_/punct/0", gap.clause.top)
    return [*asked, *gap.clause.words, *comma, *rest, *spoken("././PUNCT/./_/punct/0", top)]


def _spliced(context: Sequence[Node], old: Node, new: Words, top: Node) -> Words:
    words = copied(context)
    old = words[at(context, old)]
    part = below(words, old)
    place = at(words, part[0])
    if part[0].form == ",":
        part, place = part[1:], place + 1
        words[place - 1].head = top
    top.head, top.label = old.head, old.label
    return [*words[:place], *new, *words[place + len(part) :]]


_ASKING = {
    "know", "ask", "wonder", "tell", "see", "remember", "forget", "understand", "say", "show", "decide", "explain",
    "find", "guess", "figure", "have", "learn", "discover", "imagine", "sure", "care", "realize", "hear",
}  # fmt: skip


def question_place(words: Words) -> Node | None:
    """A clause that another question can take the place of."""
    for word in words:
        if word.label == "ccomp" and word.head and word.head.lemma in _ASKING:
            part = below(words, word)
            first = part[0]
            if (
                first.form.lower() in {"what", "who", "which", "where", "how"}
                and at(words, first)
                and is_span(words, part)
            ):
                return word
    return None


def relative_place(words: Words) -> Node | None:
    for word in words:
        if word.label == "acl:relcl" and word.head and word.head.upos == "NOUN":
            part = below(words, word)
            first = part[1] if part[0].form == "," and len(part) > 1 else part[0]
            if (
                first.lemma in {"that", "which", "who"}
                and first.head is word
                and is_span(words, part)
                and at(words, part[0]) > at(words, word.head)
                and part[-1].form != ","
            ):
                return word
    return None
