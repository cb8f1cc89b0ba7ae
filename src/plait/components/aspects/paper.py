"""The system of Pekar, Afzal and Bohnet (2014): candidates and a linear SVM for terms, clauses for all else, and a
lexicon with rules for polarity. What the paper leaves open is marked as a choice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from plait.components.aspects.sight import CONTENT, LINKS, Sight, opinion, words_of
from plait.components.aspects.wordnet import WordNet, extended
from plait.layers import AspectCategory, Aspects, AspectTerm
from plait.learning.svm import LinearSVM

_TERM = "term"
_PRODUCTS = frozenset(
    ["restaurant", "place", "laptop", "computer", "notebook", "netbook", "machine", "product", "pc"]
)
_MODIFIERS = frozenset(["compound", "amod", "nummod", "flat", "nmod:poss"])
_SINGLE = ("ADJ", "VERB")
_OPPOSITE = {"positive": "negative", "negative": "positive", "": ""}
_START = 2  # words in which a negation is one of the whole sentence


def candidates(sight: Sight) -> Iterator[list[int]]:
    """Nouns, noun phrases, adjectives and verbs (section 3.1), but for what the guidelines of the task exclude. A noun
    phrase (choice) is a noun with what modifies it to the left, without gaps, as far as compounds or all the way, and
    with a phrase in *of* that follows.
    """
    for word, tag in enumerate(sight.tags):
        if tag in _SINGLE:
            found = [[word]]
        elif tag in ("NOUN", "PROPN"):
            left = [child for child in sight.children[word] if child < word]
            spans = [_run(word, [c for c in left if sight.labels[c] == "compound"]),
                     _run(word, [c for c in left if sight.labels[c] in _MODIFIERS])]  # fmt: skip
            found = [[word], *spans, *(_with_of(sight, span) for span in spans)]
        else:
            continue
        for words in {tuple(each) for each in found}:
            if not _excluded(sight, words):
                yield list(words)


def _run(word: int, modifiers: Collection[int]) -> list[int]:
    first = word
    while first - 1 in modifiers:
        first -= 1
    return list(range(first, word + 1))


def _with_of(sight: Sight, words: list[int]) -> list[int]:
    noun = words[-1]
    after = sight.forms[noun + 1 : noun + 2] == ["of"]
    inner = [
        child for child in sight.children[noun] if after and child > noun + 1 and sight.tags[child] == "NOUN"
    ]
    return list(range(words[0], inner[0] + 1)) if inner else words


def _excluded(sight: Sight, words: Sequence[int]) -> bool:
    brand = all(sight.written[word][:1].isupper() for word in words) and words[0] > 0
    return (
        any(sight.plain[word] for word in words)
        or brand
        or any(len(sight.written[word]) > 1 and sight.written[word].isupper() for word in words)
        or (len(words) == 1 and sight.lemmas[words[0]] in _PRODUCTS)
    )


class AspectLexicon:
    """Terms of WordNet's classes that aspects belong to, and the lemmas they are made of."""

    def __init__(self, terms: Collection[str]) -> None:
        self.terms = frozenset(terms)
        self.lemmas = frozenset(lemma for term in terms for lemma in term.split())

    @classmethod
    def learn(
        cls, sights: Sequence[Sight], gold: Sequence[Aspects], wordnet: WordNet | None
    ) -> AspectLexicon:
        """From terms that occur with one category only; without categories, from all, as one."""
        seen: dict[str, set[str]] = defaultdict(set)
        corpus: list[str] = []
        for sight, each in zip(sights, gold, strict=True):
            corpus += [lemma for lemma, tag in zip(sight.lemmas, sight.tags, strict=True) if tag == "NOUN"]
            names = {category.name for category in each.categories} or {""}
            for term in each.terms:
                seen[lemmas_of(sight, words_of(term))] |= names if len(names) == 1 else {"", "several"}
        by_category: dict[str, list[str]] = defaultdict(list)
        for lemmas, names in sorted(seen.items()):
            if len(names) == 1:
                by_category[next(iter(names))].append(lemmas)
        if wordnet is None:
            return cls([term for terms in by_category.values() for term in terms])
        return cls(list(extended(wordnet, by_category, corpus)))


def lemmas_of(sight: Sight, words: Sequence[int]) -> str:
    return " ".join(sight.lemmas[word] for word in words)


def term_bag(sight: Sight, words: Sequence[int], lexicon: AspectLexicon) -> dict[str, float]:
    """The features of section 3.1, in their order."""
    content = [sight.lemmas[word] for word in words if sight.tags[word] in CONTENT]
    first, last, head = words[0], words[-1], sight.head(words)
    bag = {"bias": 1.0, "form=" + " ".join(sight.forms[word] for word in words): 1.0}
    bag |= {f"lemma={lemma}": 1.0 for lemma in content}
    bag["in lexicon"] = float(lemmas_of(sight, words) in lexicon.terms)
    bag["share"] = sum(lemma in lexicon.lemmas for lemma in content) / max(1, len(content))
    for distance in range(1, 4):
        bag[f"-{distance}={sight.at(sight.forms, first - distance)}"] = 1.0
        bag[f"+{distance}={sight.at(sight.forms, last + distance)}"] = 1.0
    bag[f"before={sight.at(sight.forms, first - 2)} {sight.at(sight.forms, first - 1)}"] = 1.0
    bag[f"after={sight.at(sight.forms, last + 1)} {sight.at(sight.forms, last + 2)}"] = 1.0
    near = [*sight.children[head], *_through_link(sight, head)]
    bag["adjective"] = float(any(sight.tags[word] == "ADJ" for word in near))
    bag["sentiment"] = float(any(sight.plain[word] for word in near))
    bag["link"] = float(bool(_through_link(sight, head)))
    label = sight.labels[head].partition(":")[0]
    return {**bag, "subject": float(label == "nsubj"), "object": float(label in ("obj", "iobj"))}


def _through_link(sight: Sight, word: int) -> list[int]:
    """What is said of a subject by a link verb. In Universal Dependencies a copula hangs from the predicate."""
    head = sight.heads[word]
    if head < 0 or not sight.labels[word].startswith("nsubj"):
        return []
    if any(sight.labels[child] == "cop" for child in sight.children[head]):
        return [head]
    return (
        [c for c in sight.children[head] if sight.labels[c] == "xcomp"] if sight.lemmas[head] in LINKS else []
    )


def clause_bag(sight: Sight, words: Sequence[int], terms: Sequence[AspectTerm]) -> dict[str, float]:
    """Lemmas of content words, and whole terms with twice the weight (section 3.2)."""
    bag = {f"l={sight.lemmas[word]}": 1.0 for word in words if sight.tags[word] in CONTENT}
    inside = [words_of(term) for term in terms if sight.head(words_of(term)) in words]
    return {"bias": 1.0, **bag, **{f"t={lemmas_of(sight, term)}": 2.0 for term in inside}}


def clauses_of(sight: Sight) -> list[list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for word, clause in enumerate(sight.clauses):
        found[clause].append(word)
    return list(found.values())


def clause_opinion(sight: Sight, words: Sequence[int]) -> str:
    """One of four labels; a negation at the start of the sentence turns all its clauses (section 3.3)."""
    start = [word for word in range(min(_START, sight.size)) if sight.negates[word]]
    whole = bool(start) and sight.forms[start[0] + 1 : start[0] + 2] not in (["only"], ["just"])
    told = [
        _OPPOSITE[sight.plain[word]] if whole else sight.polarities[word]
        for word in words
        if sight.plain[word]
    ]
    return opinion(told)


class PaperModel:
    """One classifier for candidates and one for clauses; polarity is not learned."""

    recipe = "paper"

    def __init__(self, candidates: LinearSVM, categories: LinearSVM, lexicon: AspectLexicon) -> None:
        self.candidates, self.categories, self.lexicon = candidates, categories, lexicon

    @classmethod
    def fit(
        cls, sights: Sequence[Sight], gold: Sequence[Aspects], wordnet: WordNet | None, cost: float
    ) -> PaperModel:
        lexicon = AspectLexicon.learn(sights, gold, wordnet)
        bags, right, clauses, names = [], [], [], []
        for sight, each in zip(sights, gold, strict=True):
            own = [words_of(term) for term in each.terms]
            others = [words for words in candidates(sight) if words not in own]
            bags += [term_bag(sight, words, lexicon) for words in [*own, *others]]
            right += [[_TERM]] * len(own) + [[]] * len(others)
            # Choice: every clause is about the categories of its sentence.
            for words in clauses_of(sight):
                clauses.append(clause_bag(sight, words, each.terms))
                names.append([category.name for category in each.categories])
        return cls(LinearSVM.fit(bags, right, cost=cost), LinearSVM.fit(clauses, names, cost=cost), lexicon)

    def terms(self, sight: Sight) -> list[AspectTerm]:
        """Candidates that are accepted; of those that overlap (choice) the one with the best score."""
        every = list(candidates(sight))
        if not every or not self.candidates.classes:
            return []
        scores = self.candidates.scores([term_bag(sight, words, self.lexicon) for words in every])[:, 0]
        taken: set[int] = set()
        found = []
        for score, words in sorted(
            zip(scores.tolist(), every, strict=True), key=lambda pair: (-pair[0], pair[1])
        ):
            if score > 0 and taken.isdisjoint(words):
                taken.update(words)
                found.append(AspectTerm(words[0] + 1, words[-1] + 1))
        return sorted(found)

    def _by_clause(
        self, sight: Sight, terms: Sequence[AspectTerm]
    ) -> Mapping[str, list[tuple[float, list[int]]]]:
        """Clauses with their scores, by category, the best first."""
        clauses = clauses_of(sight)
        scores = self.categories.scores([clause_bag(sight, words, terms) for words in clauses])
        return {
            name: sorted(zip(scores[:, column].tolist(), clauses, strict=True), reverse=True)
            for column, name in enumerate(self.categories.classes)
        }

    def category_names(self, sight: Sight, terms: Sequence[AspectTerm]) -> list[str]:
        """The union over the clauses; if there is none (choice) the best one."""
        found = self._by_clause(sight, terms)
        best = [max(found, key=lambda name: found[name][0][0])] if found else []
        return sorted(name for name, clauses in found.items() if clauses[0][0] > 0) or best

    def with_polarities(self, sight: Sight, found: Aspects) -> Aspects:
        terms = [
            term._replace(polarity=clause_opinion(sight, self._clause(sight, term))) for term in found.terms
        ]
        by_clause = self._by_clause(sight, found.terms)
        categories = []
        for category in found.categories:
            clauses = by_clause.get(category.name) or [(0.0, words) for words in clauses_of(sight)]
            chosen = [words for score, words in clauses if score > 0] or [clauses[0][1]]
            said = {clause_opinion(sight, words) for words in chosen}
            both = "conflict" in said or {"positive", "negative"} <= said
            plain = next((one for one in ("positive", "negative") if one in said), "neutral")
            categories.append(AspectCategory(category.name, "conflict" if both else plain))
        return Aspects(tuple(terms), tuple(categories))

    @staticmethod
    def _clause(sight: Sight, term: AspectTerm) -> list[int]:
        clause = sight.clauses[sight.head(words_of(term))]
        return [word for word, each in enumerate(sight.clauses) if each == clause]
