"""The better recipe: a chain of labels for terms, linear classifiers for categories and polarities."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from plait.components.aspects.sight import CONTENT, CONTRASTS, Sight, words_of
from plait.layers import AspectCategory, Aspects, AspectTerm
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


def opinion_bag(sight: Sight, words: Sequence[int], others: int) -> dict[str, float]:
    """What is said of some words: everything near them in the tree, or at least in the sentence, with what is negated
    and on which side of a contrast it stands.
    """
    bag: dict[str, float] = defaultdict(float)
    head = sight.head(words)
    far = sight.distances(head)
    sides, contrasts = [], 0
    for form in sight.forms:
        contrasts += form in CONTRASTS
        sides.append(contrasts)
    sums: Counter[str] = Counter()
    for word, lemma in enumerate(sight.lemmas):
        if word in words:
            continue
        weight = (1.0 if sides[word] == sides[head] else 0.4) / (1 + 0.35 * (far[word] - 1))
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
            sums[told] += weight  # type: ignore[assignment]
            near = min(abs(word - words[0]), abs(word - words[-1]), 5)
            bag[f"o={told} {min(far[word], 4)}"] = 1.0
            bag[f"s={told} {'<' if word < words[0] else '>'}{near}"] = 0.5
        if sight.negates[word]:
            bag[f"not={min(far[word], 4)}"] = 1.0
    good, bad = sums["positive"], sums["negative"]
    bag |= {"good": min(good, 3.0), "bad": min(bad, 3.0), f"sign={(good > bad) - (good < bad)}": 1.0}
    bag |= {f"both={good > 0} {bad > 0}": 1.0, f"side={sides[head]}": 1.0, f"contrast={contrasts > 0}": 1.0}
    bag |= {f"w={sight.lemmas[word]}": 1.0 for word in words}
    bag |= {"t=" + " ".join(sight.lemmas[word] for word in words): 1.0, f"label={sight.labels[head]}": 1.0}
    above = sight.heads[head]
    return {
        **bag,
        f"h={sight.lemmas[above] if above >= 0 else 'ROOT'}": 1.0,
        f"others={min(others, 3)}": 1.0,
        "bias": 1.0,
    }


def category_opinion_bag(sight: Sight, category: str, categories: LinearSVM) -> dict[str, float]:
    """What is said of a category: the whole sentence, and nearer the clause that is most about it."""
    clauses = sorted(set(sight.clauses))
    worth = {}
    column = categories.classes.index(category) if category in categories.classes else -1
    for clause in clauses:
        words = [word for word, each in enumerate(sight.clauses) if each == clause]
        said = {f"l={sight.lemmas[word]}": 1.0 for word in words}
        worth[clause] = float(categories.scores([said])[0][column]) if column >= 0 else 0.0
    best = max(clauses, key=lambda clause: (worth[clause], -clause), default=0)
    bag: dict[str, float] = {"bias": 1.0, f"c={category}": 1.0}
    sums: Counter[str] = Counter()
    for word, lemma in enumerate(sight.lemmas):
        mark = "!" if sight.negated(word) else ""
        inside = sight.clauses[word] == best
        bag[f"g={mark}{lemma}"] = 1.0
        bag[f"b={sight.forms[word]} {sight.at(sight.forms, word + 1)}"] = 0.7
        bag[f"cg={category} {mark}{lemma}"] = 0.7
        if inside:
            bag[f"i={mark}{lemma}"] = 1.0
        if told := sight.polarities[word]:
            sums[told] += 1
            sums[f"{told} inside"] += inside
    for name in ("positive", "negative"):
        bag[name] = min(sums[name], 3.0)
        bag[f"{name} inside"] = min(sums[f"{name} inside"], 3.0)
    bag[f"both={sums['positive'] > 0} {sums['negative'] > 0} {len(clauses) > 1}"] = 1.0
    inner = sums["positive inside"] - sums["negative inside"]
    return {**bag, f"sign={(inner > 0) - (inner < 0)}": 1.0, f"not={any(sight.negates)}": 1.0,
            f"contrast={bool(CONTRASTS & set(sight.forms))}": 1.0}  # fmt: skip


class LearnedModel:
    """A chain for terms, and classifiers for categories, polarities of terms and polarities of categories."""

    recipe = "learned"

    def __init__(
        self, chain: Chain, categories: LinearSVM, term_polarity: LinearSVM, category_polarity: LinearSVM,
        kinds: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.chain, self.categories = chain, categories
        self.term_polarity, self.category_polarity = term_polarity, category_polarity
        self.kinds = kinds

    @classmethod
    def fit(
        cls,
        sights: Sequence[Sight],
        gold: Sequence[Aspects],
        kinds: Mapping[str, str],
        penalty: float,
        cost: float,
    ) -> LearnedModel:
        features = [term_features(sight, kinds) for sight in sights]
        pairs = list(zip(sights, gold, strict=True))
        chain = Chain.fit(features, [labels_of(sight, each.terms) for sight, each in pairs], l2=penalty)
        bags = [category_bag(sight, each.terms, kinds) for sight, each in pairs]
        categories = LinearSVM.fit(bags, [{c.name for c in each.categories} for each in gold], cost=cost)
        told = [(sight, each, t) for sight, each in pairs for t in each.terms if t.polarity]
        term_polarity = LinearSVM.fit(
            [opinion_bag(sight, words_of(term), len(each.terms)) for sight, each, term in told],
            [{term.polarity} for _, _, term in told],
            cost=cost,
        )
        named = [(sight, c) for sight, each in pairs for c in each.categories if c.polarity]
        category_polarity = LinearSVM.fit(
            [category_opinion_bag(sight, c.name, categories) for sight, c in named],
            [{c.polarity} for _, c in named],
            cost=cost,
        )
        return cls(chain, categories, term_polarity, category_polarity, kinds)

    def terms(self, sight: Sight) -> list[AspectTerm]:
        return terms_of(self.chain.label(term_features(sight, self.kinds)))

    def category_names(self, sight: Sight, terms: Sequence[AspectTerm]) -> list[str]:
        """Those that score above 0, or else the best."""
        if not self.categories.classes:
            return []
        scores = self.categories.scores([category_bag(sight, terms, self.kinds)])[0]
        known = self.categories.classes
        return [name for name, score in zip(known, scores, strict=True) if score > 0] or [
            known[int(scores.argmax())]
        ]

    def with_polarities(self, sight: Sight, found: Aspects) -> Aspects:
        bag_of = category_opinion_bag
        return Aspects(
            tuple(
                term._replace(
                    polarity=self.term_polarity.best(opinion_bag(sight, words_of(term), len(found.terms)))
                )
                for term in found.terms
            ),
            tuple(
                AspectCategory(c.name, self.category_polarity.best(bag_of(sight, c.name, self.categories)))
                for c in found.categories
            ),
        )
