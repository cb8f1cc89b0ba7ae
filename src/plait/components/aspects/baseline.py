"""The baselines of SemEval-2014 task 4 (Pontiki et al. 2014, section 5): a dictionary, and sentences that are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from plait.components.aspects.sight import Sight, words_of
from plait.layers import AspectCategory, Aspects, AspectTerm

_NEAREST = 5


class BaselineModel:
    """Every sentence that was learned from, with its aspects."""

    recipe = "baseline"

    def __init__(self, sentences: Sequence[tuple[Sequence[str], Aspects]]) -> None:
        """By the forms of their words, in lower case."""
        self.sentences = [(tuple(forms), aspects) for forms, aspects in sentences]
        self._sets = [frozenset(forms) for forms, _ in self.sentences]
        self._terms = Counter(
            forms[term.first - 1 : term.last] for forms, aspects in self.sentences for term in aspects.terms
        )
        self._longest = max(map(len, self._terms), default=0)

    @classmethod
    def fit(cls, sights: Sequence[Sight], gold: Sequence[Aspects]) -> BaselineModel:
        return cls([(sight.forms, each) for sight, each in zip(sights, gold, strict=True)])

    def terms(self, sight: Sight) -> list[AspectTerm]:
        """Terms of the dictionary, from the left, the longest first."""
        found, word = [], 0
        while word < sight.size:
            sizes = range(min(self._longest, sight.size - word), 0, -1)
            size = next((s for s in sizes if tuple(sight.forms[word : word + s]) in self._terms), 0)
            if size:
                found.append(AspectTerm(word + 1, word + size))
            word += max(size, 1)
        return found

    def category_names(self, sight: Sight, terms: Sequence[AspectTerm]) -> list[str]:  # noqa: ARG002
        """The most frequent categories of the nearest sentences, as many as these mostly have."""
        near = self._nearest(sight, lambda aspects: bool(aspects.categories))
        names = Counter(c.name for each in near for c in each.categories)
        sizes = Counter(len(each.categories) for each in near)
        most = max(sizes, key=lambda size: (sizes[size], -size), default=0)
        return sorted(sorted(names, key=lambda name: (-names[name], name))[:most])

    def with_polarities(self, sight: Sight, found: Aspects) -> Aspects:
        forms = tuple(sight.forms)

        def of_term(term: AspectTerm) -> str:
            wanted = tuple(forms[word] for word in words_of(term))
            if wanted not in self._terms:
                return _majority(t.polarity for _, aspects in self.sentences for t in aspects.terms)
            near = self._holding(sight, wanted)
            return _majority(
                told.polarity
                for own, each in near
                for told in each.terms
                if own[told.first - 1 : told.last] == wanted
            )

        def of_category(name: str) -> str:
            near = self._nearest(sight, lambda aspects: any(c.name == name for c in aspects.categories))
            every = (aspects for _, aspects in self.sentences)
            return _majority(
                c.polarity for each in near for c in each.categories if c.name == name
            ) or _majority(c.polarity for each in every for c in each.categories)

        return Aspects(
            tuple(term._replace(polarity=of_term(term)) for term in found.terms),
            tuple(AspectCategory(c.name, of_category(c.name)) for c in found.categories),
        )

    def _nearest(self, sight: Sight, wanted: Callable[[Aspects], bool]) -> list[Aspects]:
        return [self.sentences[place][1] for place in self._alike(sight, lambda _, each: wanted(each))]

    def _holding(self, sight: Sight, term: tuple[str, ...]) -> list[tuple[tuple[str, ...], Aspects]]:
        def has(forms: tuple[str, ...], aspects: Aspects) -> bool:
            return any(forms[each.first - 1 : each.last] == term for each in aspects.terms)

        return [self.sentences[place] for place in self._alike(sight, has)]

    def _alike(self, sight: Sight, wanted: Callable[[tuple[str, ...], Aspects], bool]) -> list[int]:
        """The sentences with the largest Dice coefficient of their words, of those that are wanted."""
        own = frozenset(sight.forms)
        places = [place for place, each in enumerate(self.sentences) if wanted(*each)]
        alike = {p: 2 * len(own & self._sets[p]) / max(1, len(own) + len(self._sets[p])) for p in places}
        return sorted(places, key=lambda place: (-alike[place], place))[:_NEAREST]


def _majority(polarities: Iterable[str]) -> str:
    counts = Counter(each for each in polarities if each)
    return max(sorted(counts), key=lambda name: counts[name], default="")
