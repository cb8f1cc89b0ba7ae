"""Comparisons and results: `more books than you have`, `so many books that they fell`."""

from __future__ import annotations

from random import Random

from clauses import Clause
from nodes import Node, Words, at, below, children, copied, plain, spoken, without

_PRONOUNS = {
    "I": "Case=Nom|Number=Sing|Person=1|PronType=Prs",
    "you": "Case=Nom|Person=2|PronType=Prs",
    "he": "Case=Nom|Gender=Masc|Number=Sing|Person=3|PronType=Prs",
    "she": "Case=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs",
    "we": "Case=Nom|Number=Plur|Person=1|PronType=Prs",
    "they": "Case=Nom|Number=Plur|Person=3|PronType=Prs",
}
_BETTER = {
    "better": "good", "worse": "bad", "bigger": "big", "larger": "large", "smaller": "small", "higher": "high",
    "lower": "low", "cheaper": "cheap", "stronger": "strong", "older": "old", "younger": "young", "faster": "fast",
    "easier": "easy", "nicer": "nice", "shorter": "short", "greater": "great", "longer": "long", "newer": "new",
}  # fmt: skip
_MUCH = {
    "money", "time", "work", "water", "food", "information", "trouble", "attention", "power", "space", "energy",
    "damage",
    "love", "experience", "pain", "fun", "help", "pressure", "interest", "support", "snow", "rain", "light", "noise",
}  # fmt: skip


def _place(source: Clause) -> tuple[Words, Node, Node] | None:
    """A copy of the clause, its top and a noun that can be counted or measured."""
    words = copied(source.words)
    top = words[at(source.words, source.top)]
    if top.upos != "VERB":
        return None
    for noun in [*children(words, top, "obj"), *children(words, top, "nsubj")]:
        bare = all(plain(child) in {"det", "amod", "compound", "nmod"} for child in children(words, noun))
        possessed = any(child.label == "nmod:poss" for child in children(words, noun))
        if noun.upos == "NOUN" and bare and not possessed:
            return words, top, noun
    return None


def _pronoun(random: Random) -> tuple[str, str]:
    form = random.choice(sorted(_PRONOUNS))
    return form, f"{form}/{form}/PRON/PRP/{_PRONOUNS[form]}/nsubj"


def _like_clause(mark: str, verb: Node, random: Random) -> str:
    """`than I do`, `as we expected`: its last word is the top, which depends on the measure."""
    form, subject = _pronoun(random)
    person = _PRONOUNS[form]
    number = "Plur" if "Plur" in person else "Sing"
    agreement = f"Number={number}|Person={person.split('Person=')[1][0]}"
    third = form in {"he", "she"}
    past = verb.xpos == "VBD"
    choice = random.random()
    linked = f"{mark}/{mark}/SCONJ/IN/_/mark/3 {subject}/3"
    if choice < 0.4:
        form = "did" if past else "does" if third else "do"
        xpos = "VBD" if past else "VBZ" if third else "VBP"
        feats = f"Mood=Ind|{agreement}|Tense={'Past' if past else 'Pres'}|VerbForm=Fin"
        return f"{linked} {form}/do/AUX/{xpos}/{feats}/advcl/0"
    if choice < 0.55:
        form = "could" if past else "can"
        return f"{linked} {form}/can/AUX/MD/VerbForm=Fin/advcl/0"
    form, lemma = random.choice(
        [
            ("expected", "expect"),
            ("thought", "think"),
            ("needed", "need"),
            ("wanted", "want"),
            ("had", "have"),
        ]
    )
    if choice < 0.8:
        return f"{linked} {form}/{lemma}/VERB/VBD/Mood=Ind|{agreement}|Tense=Past|VerbForm=Fin/advcl/0"
    had = f"had/have/AUX/VBD/Mood=Ind|{agreement}|Tense=Past|VerbForm=Fin/aux/4"
    linked = linked.replace("/3", "/4")
    return f"{linked} {had} {form}/{lemma}/VERB/VBN/Tense=Past|VerbForm=Part/advcl/0"


def compared(source: Clause, result: Clause, other: Words, random: Random) -> Words | None:
    found = _place(source)
    if found is None:
        return None
    words, top, noun = found
    plural = noun.xpos == "NNS"
    if not plural and noun.lemma not in _MUCH:
        if plain(noun) != "obj" or random.random() < 0.6:
            return None
        how = _better if random.random() < 0.75 else _same
        return how(words, top, noun, other, result, random)
    changed = children(words, noun, "det")
    changed += [child for child in children(words, noun, "amod") if random.random() < 0.5]
    words = without(words, *(below(words, child) for child in changed))
    kind = random.random()
    many = "many" if plural else "much"
    if kind < 0.4:
        form, lemma = random.choice([("more", "more"), ("fewer", "few") if plural else ("less", "less")])
        measure = spoken(f"{form}/{lemma}/ADJ/JJR/Degree=Cmp/amod/0", noun)
        if random.random() < 0.25:
            degree = random.choice(["far/far/ADV/RB/Degree=Pos/advmod/0", "even/even/ADV/RB/_/advmod/0"])
            measure = [*spoken(degree, measure[0]), *measure]
        tail = _tail("than", measure[-1], top, other, result, random)
    elif kind < 0.65:
        measure = spoken(f"as/as/ADV/RB/_/advmod/2 {many}/{many}/ADJ/JJ/Degree=Pos/amod/0", noun)
        tail = spoken(_like_clause("as", top, random), measure[-1])
    elif kind < 0.95:
        measure = spoken(f"so/so/ADV/RB/_/advmod/2 {many}/{many}/ADJ/JJ/Degree=Pos/amod/0", noun)
        tail = _result(result, measure[-1], random)
    else:
        return _same(words, top, noun, other, result, random) if plain(noun) == "obj" else None
    return _ended(words, top, noun, measure, tail)


def _tail(mark: str, measure: Node, top: Node, other: Words, result: Clause, random: Random) -> Words:
    kind = random.random()
    if kind < 0.5:
        return spoken(_like_clause(mark, top, random), measure)
    if kind < 0.65:
        doing = _doing(mark, measure, result)
        if doing is not None:
            return doing
    if kind < 0.75:
        _, subject = _pronoun(random)
        verb = "Mood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin"
        return spoken(
            f"{mark}/{mark}/ADP/IN/_/case/2 what/what/PRON/WP/PronType=Rel/obl/0 {subject}/4 "
            f"had/have/VERB/VBD/{verb}/acl:relcl/2",
            measure,
        )
    phrase = copied(other)
    head = next(word for word in phrase if word.head is None)
    head.head, head.label = measure, "obl"
    return [*spoken(f"{mark}/{mark}/ADP/IN/_/case/0", head), *phrase]


def _doing(mark: str, measure: Node, source: Clause) -> Words | None:
    """`than buying a new one`."""
    clause = copied(source.words)
    head = clause[at(source.words, source.top)]
    if head.upos != "VERB" or source.first_auxiliary is not None or head.lemma.endswith("e"):
        return None
    head.form, head.xpos, head.feats = head.lemma + "ing", "VBG", "VerbForm=Ger"
    head.head, head.label = measure, "advcl"
    return [*spoken(f"{mark}/{mark}/SCONJ/IN/_/mark/0", head), *clause[len(source.subject) :]]


def _result(result: Clause, measure: Node, random: Random) -> Words:
    clause = copied(result.words)
    head = clause[at(result.words, result.top)]
    head.head, head.label = measure, "advcl"
    mark = spoken("that/that/SCONJ/IN/_/mark/0", head) if random.random() < 0.9 else []
    return [*mark, *clause]


def _better(words: Words, top: Node, noun: Node, other: Words, result: Clause, random: Random) -> Words:
    words = without(words, *(below(words, child) for child in children(words, noun, "det", "amod")))
    if random.random() < 0.35:
        lemma = random.choice(sorted(set(_BETTER.values())))
        article = "an" if noun.form[0] in "aeiou" else "a"
        measure = spoken(
            f"as/as/ADV/RB/_/advmod/2 {lemma}/{lemma}/ADJ/JJ/Degree=Pos/amod/0 "
            f"{article}/a/DET/DT/Definite=Ind|PronType=Art/det/0",
            noun,
        )
        return _ended(words, top, noun, measure, _tail("as", measure[1], top, other, result, random))
    form = random.choice(sorted(_BETTER))
    measure = spoken(
        f"a/a/DET/DT/Definite=Ind|PronType=Art/det/0 {form}/{_BETTER[form]}/ADJ/JJR/Degree=Cmp/amod/0", noun
    )
    if form == "older":
        measure[0].form = "an"
    return _ended(words, top, noun, measure, _tail("than", measure[1], top, other, result, random))


def _same(words: Words, top: Node, noun: Node, _other: Words, _result: Clause, random: Random) -> Words:
    words = without(words, *(below(words, child) for child in children(words, noun, "det", "amod")))
    measure = spoken(
        "the/the/DET/DT/Definite=Def|PronType=Art/det/0 same/same/ADJ/JJ/Degree=Pos/amod/0", noun
    )
    return _ended(words, top, noun, measure, spoken(_like_clause("as", top, random), measure[1]))


def _ended(words: Words, top: Node, noun: Node, measure: Words, tail: Words) -> Words:
    place = at(words, below(words, noun)[0])
    top.head, top.label = None, "root"
    return [*words[:place], *measure, *words[place:], *tail, *spoken("././PUNCT/./_/punct/0", top)]
