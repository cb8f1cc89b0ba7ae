"""The better recipe: a chain of labels for terms, linear classifiers for categories and polarities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate

from plait.components.aspects.sight import CONTENT, CONTRASTS, Sight, opinion, words_of
from plait.layers import Aspects, AspectTerm
from plait.learning.chain import Chain
from plait.learning.svm import LinearSVM

OUT, BEGIN, INSIDE = "O", "B", "I"
_SPEAKING = (
    "amod",
    "compound",
    "nmod",
    "acl:relcl",
    "nsubj",
)  # relations whose dependents tell what a noun is

_NEAR = 0.5  # weight
_OPINION_COST = (
    0.3  # of that of the other classifiers: better by cross-validation, on restaurants and laptops alike
)
_STEPS = (0.3, 0.6, 1.0, 1.5, 2.5)  # of sums of scores


def term_features(sight: Sight, kinds: Mapping[str, str]) -> list[list[str]]:
    """Of every word, for the chain. `kinds` are classes of nouns by lemma, if WordNet is there."""
    own = [kinds.get(lemma, "") for lemma in sight.lemmas]
    return [[*_words(sight, word), *_opinions(sight, word), *_kinds(sight, word, own), *_tree(sight, word, own)]
            for word in range(sight.size)]  # fmt: skip


def _words(sight: Sight, word: int) -> list[str]:
    def at(column: Sequence[str], distance: int) -> str:
        return sight.at(column, word + distance)

    form, tag = sight.forms[word], sight.tags[word]
    found = ["bias", f"l={sight.lemmas[word]}", f"x={sight.fine[word]}", f"shape={sight.shape(word)}"]
    for distance in range(-2, 3):
        found += [f"w{distance}={at(sight.forms, distance)}", f"t{distance}={at(sight.tags, distance)}"]
    found += [f"l{distance}={at(sight.lemmas, distance)}" for distance in (-1, 1)]
    found += [f"w-+={at(sight.forms, -1)} {form}", f"w+-={form} {at(sight.forms, 1)}"]
    found += [f"t-+={at(sight.tags, -1)} {tag}", f"t+-={tag} {at(sight.tags, 1)}"]
    found.append(f"t-+-={at(sight.tags, -1)} {tag} {at(sight.tags, 1)}")
    return [*found, f"p3={form[:3]}", *(f"s{size}={form[-size:]}" for size in (2, 3, 4))]


def _opinions(sight: Sight, word: int) -> list[str]:
    near = range(max(0, word - 3), min(sight.size, word + 4))
    found = [f"o{other - word}={sight.plain[other]}" for other in near if sight.plain[other]]
    return [*found, "opinion"] if any(sight.plain) else found


def _kinds(sight: Sight, word: int, kinds: Sequence[str]) -> list[str]:
    found = [f"k{d}={sight.at(kinds, word + d)}" for d in (-1, 0, 1) if sight.at(kinds, word + d)]
    return [*found, f"kt={kinds[word]} {sight.tags[word]}"] if kinds[word] else found


def _tree(sight: Sight, word: int, kinds: Sequence[str]) -> list[str]:
    """Labels of the arcs around a word and what hangs there."""
    if not sight.trees:
        return []
    head, label = sight.heads[word], sight.labels[word]
    above = sight.lemmas[head] if head >= 0 else "ROOT"
    found = [f"r={label}", f"h={above}", f"rh={label} {above}"]
    if head >= 0:
        found += [f"rt={label} {sight.tags[head]}", f"rr={label} {sight.labels[head]}"]
        found += [f"rk={label} {kinds[head]}"] if kinds[head] else []
        found += [f"ro={label}"] if sight.plain[head] else []
    for child in sight.children[word]:
        found.append(f"c={sight.labels[child]}")
        if sight.labels[child] in _SPEAKING:
            found.append(f"cl={sight.labels[child]} {sight.lemmas[child]}")
        if sight.plain[child]:
            found.append(f"co={sight.labels[child]}")
    return found


def labels_of(sight: Sight, terms: Sequence[AspectTerm]) -> list[str]:
    found = [OUT] * sight.size
    for term in terms:
        for number, word in enumerate(words_of(term)):
            found[word] = INSIDE if number else BEGIN
    return found


def terms_of(labels: Sequence[str]) -> list[AspectTerm]:
    found: list[AspectTerm] = []
    for word, label in enumerate(labels, 1):
        if label == INSIDE and found and found[-1].last == word - 1:
            found[-1] = AspectTerm(found[-1].first, word)
        elif label != OUT:
            found.append(AspectTerm(word, word))
    return found


def category_bag(sight: Sight, terms: Sequence[AspectTerm], kinds: Mapping[str, str]) -> dict[str, float]:
    """Of a sentence: lemmas, pairs of words, pieces of words, pairs in the tree, terms."""
    bag = {"bias": 1.0}
    for word, lemma in enumerate(sight.lemmas):
        bag[f"l={lemma}"] = 1.0
        bag[f"b={sight.forms[word]} {sight.at(sight.forms, word + 1)}"] = 0.7
        if kind := kinds.get(lemma, ""):
            bag[f"k={kind}"] = 1.0
        edged = f"^{sight.forms[word]}$"
        for start in range(len(edged) - 3):
            bag[f"p={edged[start : start + 4]}"] = 0.3
        head = sight.heads[word]
        if head >= 0 and {sight.tags[word], sight.tags[head]} <= CONTENT:
            bag[f"d={lemma} {sight.lemmas[head]}"] = 0.7
    for term in terms:
        bag["t=" + " ".join(sight.lemmas[word] for word in words_of(term))] = 2.0
        bag[f"th={sight.lemmas[sight.head(words_of(term))]}"] = 1.0
    bag[f"n={min(len(terms), 2)}"] = 1.0
    return bag


def opinion_bag(sight: Sight, head: int, words: Sequence[int] = ()) -> dict[str, float]:
    """What is said around a word: the nearer in the tree, the louder, with what is negated and on which side of a
    contrast it stands. Some `words`, of a term, are what it is said of.
    """
    far = [max(1, each) for each in sight.distances(head)]
    sides = list(accumulate(form in CONTRASTS for form in sight.forms))
    weights = {
        word: (1.0 if sides[word] == sides[head] else 0.4) / (1 + 0.35 * (far[word] - 1))
        for word in range(sight.size)
        if word not in words
    }
    bag: dict[str, float] = defaultdict(float, _scores(sight, head, weights, sides))
    sums: dict[str, float] = defaultdict(float)
    for word, weight in weights.items():
        lemma = sight.lemmas[word]
        mark = "!" if sight.negated(word) else ""
        if sight.tags[word] != "PUNCT":
            bag[f"l={mark}{lemma}"] = max(bag[f"l={mark}{lemma}"], weight)
            bag[f"g={lemma}"] = 0.5
            if sight.trees and far[word] <= 2:
                bag[f"n={mark}{lemma}"] = 1.0
                bag[f"r={sight.labels[word]} {far[word]} {mark}{sight.plain[word]}"] = 1.0
        elif lemma in "!?":
            bag[f"p={lemma}"] = 1.0
        if word + 1 < sight.size and word + 1 not in words:
            pair = f"b={sight.forms[word]} {sight.forms[word + 1]}"
            bag[pair] = max(bag[pair], 0.7 * weight)
        if told := sight.polarities[word]:
            sums[told] += weight
            bag[f"o={told} {min(far[word], 4)}"] = 1.0
            bag[f"s={told} {'<' if word < head else '>'}{min(abs(word - head), 5)}"] = 0.5
        if sight.negates[word]:
            bag[f"not={min(far[word], 4)}"] = 1.0
    good, bad = sums["positive"], sums["negative"]
    signs = (
        f"sign={(good > bad) - (good < bad)}",
        f"both={good > 0} {bad > 0}",
        f"side={sides[head]} {sides[-1]}",
    )
    return {**bag, "good": min(good, 3.0), "bad": min(bad, 3.0), "bias": 1.0, **dict.fromkeys(signs, 1.0)}


def _scores(sight: Sight, head: int, others: Mapping[int, float], sides: Sequence[int]) -> dict[str, float]:
    """What the scores of the `others`, words with weights, add up to: in all, on this side of a contrast, in the
    clause, and by weight.
    """
    bag: dict[str, float] = {}
    sums = dict.fromkeys(("all", "side", "clause", "near", "good", "bad"), 0.0)
    for word, weight in others.items():
        score = sight.scores[word]
        sums["all"] += score
        sums["side"] += score * (sides[word] == sides[head])
        sums["clause"] += score * (sight.clauses[word] == sight.clauses[head])
        sums["near"] += score * weight
        sums["good" if score > 0 else "bad"] += abs(score) * weight
        if weight > _NEAR and (steps := _steps(score)):
            bag[f"v={steps[-1]} {weight:.1f}"] = 1.0
    good, bad = sums.pop("good"), sums.pop("bad")
    for name, total in sums.items():
        bag[f"v={name}"] = max(-1.5, min(1.5, total / 2))
        bag |= {f"v={name} {step}": 0.5 for step in _steps(total)}
    mixed = f"v={max(good, bad) < _STEPS[0]} {min(good, bad) > _STEPS[1]}"
    return bag | {"v=good": min(good, 3.0), "v=bad": min(bad, 3.0), mixed: 1.0}


def _steps(score: float) -> list[str]:
    return [f"{'+' if score > 0 else '-'}{step}" for step in _STEPS if abs(score) >= step]


def term_opinion_bag(sight: Sight, term: AspectTerm, terms: int) -> dict[str, float]:
    """What is said of a term that is one of so many."""
    words = words_of(term)
    head = sight.head(words)
    above = sight.lemmas[sight.heads[head]] if sight.heads[head] >= 0 else "ROOT"
    lemmas = [sight.lemmas[word] for word in words]
    more = [f"w={lemma}" for lemma in lemmas]
    more += [f"t={' '.join(lemmas)}", f"label={sight.labels[head]}", f"h={above}", f"others={min(terms, 3)}"]
    return opinion_bag(sight, head, words) | dict.fromkeys(more, 1.0)


def category_opinion_bag(sight: Sight, category: str, categories: LinearSVM) -> dict[str, float]:
    """What is said of a category: around the clause that is most about it, and in the whole sentence."""
    clauses: dict[int, list[int]] = defaultdict(list)
    for word, clause in enumerate(sight.clauses):
        clauses[clause].append(word)
    bags = [{f"l={sight.lemmas[word]}": 1.0 for word in words} for words in clauses.values()]
    known = category in categories.classes
    worth = (
        categories.scores(bags)[:, categories.classes.index(category)].tolist()
        if known
        else [0.0] * len(bags)
    )
    best = list(clauses.values())[worth.index(max(worth))]
    told = [[sight.polarities[word] for word in words] for words in (best, range(sight.size))]
    bag = opinion_bag(sight, sight.head(best) if sight.trees else best[0])
    bag |= {
        f"cg={category} {'!' * sight.negated(word)}{sight.lemmas[word]}": 0.7 for word in range(sight.size)
    }
    bag |= {f"ci={'!' * sight.negated(word)}{sight.lemmas[word]}": 0.7 for word in best}
    more = f"c={category}", f"inside={opinion(told[0])}", f"all={opinion(told[1])} {len(clauses) > 1}"
    return bag | dict.fromkeys(more, 1.0)


class LearnedModel:
    """A chain for terms, a classifier for categories, and one for polarities: what is thought of terms and what is
    thought of categories is said with the same words, so each learns from the other.
    """

    recipe = "learned"

    def __init__(
        self, chain: Chain, categories: LinearSVM, polarity: LinearSVM, kinds: Mapping[str, str]
    ) -> None:
        self.chain, self.categories, self.polarity, self.kinds = chain, categories, polarity, kinds

    @classmethod
    def fit(
        cls,
        sights: Sequence[Sight],
        gold: Sequence[Aspects],
        kinds: Mapping[str, str],
        penalty: float,
        cost: float,
    ) -> LearnedModel:
        pairs = list(zip(sights, gold, strict=True))
        labels = [labels_of(sight, each.terms) for sight, each in pairs]
        chain = Chain.fit([term_features(sight, kinds) for sight in sights], labels, l2=penalty)
        bags = [category_bag(sight, each.terms, kinds) for sight, each in pairs]
        names = [{category.name for category in each.categories} for each in gold]
        categories = LinearSVM.fit(bags, names, cost=cost, ratios=True)
        said, told = [], []
        for sight, each in pairs:
            for term in each.terms:
                said.append(term_opinion_bag(sight, term, len(each.terms)))
                told.append([term.polarity] if term.polarity else [])
            for category in each.categories:
                said.append(category_opinion_bag(sight, category.name, categories))
                told.append([category.polarity] if category.polarity else [])
        return cls(
            chain, categories, LinearSVM.fit(said, told, cost=_OPINION_COST * cost, ratios=True), kinds
        )

    def terms(self, sight: Sight) -> list[AspectTerm]:
        return terms_of(self.chain.label(term_features(sight, self.kinds)))

    def category_names(self, sight: Sight, terms: Sequence[AspectTerm]) -> list[str]:
        """Those that score above 0, or else the best."""
        known = self.categories.classes
        if not known:
            return []
        scores = self.categories.scores([category_bag(sight, terms, self.kinds)])[0]
        above = [name for name, score in zip(known, scores, strict=True) if score > 0]
        return above or [known[int(scores.argmax())]]

    def with_polarities(self, sight: Sight, found: Aspects) -> Aspects:
        terms = [
            term._replace(polarity=self.polarity.best(term_opinion_bag(sight, term, len(found.terms))))
            for term in found.terms
        ]
        categories = [
            category._replace(
                polarity=self.polarity.best(category_opinion_bag(sight, category.name, self.categories))
            )
            for category in found.categories
        ]
        return Aspects(tuple(terms), tuple(categories))
