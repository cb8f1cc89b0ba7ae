"""A tree with predicates as a converter reads it: which words mean something, and how they hang together."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from plait.formats.detection import UNIVERSAL_TAGS
from plait.layers import Frame, Frames
from plait.semantics.rules import ConversionRules
from plait.sentence import EMPTY, Sentence, parse_pairs

CORE = ("AA", "A0", "A1", "A2", "A3", "A4", "A5")


class Reading:
    """Words by number; 0 is the root."""

    def __init__(self, sentence: Sentence, rules: ConversionRules) -> None:
        self.sentence = sentence
        self.rules = rules
        self.heads = [-1, *(head or 0 for head in sentence.heads)]
        self.relations = ["", *sentence.deprels]
        self.lemmas = ["", *(lemma.lower() for lemma in sentence.lemmas)]
        found = sentence.find(Frames)
        self.frames: tuple[Frame, ...] = () if found is None else found.frames
        self.content = [word > 0 and self._means(word) for word in range(len(self.heads))]

    @cached_property
    def features(self) -> list[dict[str, str]]:
        return [{}, *map(parse_pairs, self.sentence.feats)]

    @cached_property
    def children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.heads]
        for word, head in enumerate(self.heads[1:], 1):
            found[head].append(word)
        return found

    @cached_property
    def roles(self) -> dict[int, set[str]]:
        found: defaultdict[int, set[str]] = defaultdict(set)
        for frame in self.frames:
            for argument in frame.arguments:
                found[argument.word].add(argument.role)
        return found

    @cached_property
    def pos(self) -> list[str]:
        """UPOS, or what XPOS tells."""
        return ["", *map(self._pos, self.sentence.upos, self.sentence.xpos)]

    def _pos(self, upos: str, xpos: str) -> str:
        if upos != EMPTY:
            return upos
        if xpos in UNIVERSAL_TAGS:
            return xpos
        fitting = [tag for tag in self.rules.tags if xpos.startswith(tag)]
        return self.rules.tags[max(fitting, key=len)] if fitting else "X"

    def _means(self, word: int) -> bool:
        """Whether a word is a node."""
        relation, rules = self.relations[word], self.rules
        roles = self.roles.get(word, set())
        if self.features[word].get("PronType") == "Rel" and self.pos[word] in rules.relative:
            return False
        if relation not in rules.function or not roles.isdisjoint(rules.kept_roles):
            return True
        if relation == "cop":  # a predicate of its own, with what it joins
            return any(frame.predicate == word and len(frame.arguments) > 1 for frame in self.frames)
        if relation in ("det", "det:predet"):
            return self.lemmas[word] not in rules.articles
        if relation in ("case", "mark"):
            # Governed ones introduce an argument; the others mean something.
            above = self.roles.get(self.heads[word], set())
            plain = {role.removeprefix("C-").removeprefix("R-") for role in above}
            return plain.isdisjoint(CORE) and self.lemmas[word] not in ("to", "that", "of", "'s")
        return False

    def above(self, word: int) -> int:
        """The nearest word above that means something; 0 if there is none."""
        word = self.heads[word]
        while word > 0 and not self.content[word]:
            word = self.heads[word]
        return max(word, 0)

    def subtree(self, word: int) -> set[int]:
        """The word and all below it."""
        found, open_ = {word}, [word]
        while open_:
            more = self.children[open_.pop()]
            found.update(more)
            open_ += more
        return found

    def time(self, verb: int) -> str:
        """From the verb or its auxiliaries."""
        helpers = [child for child in self.children[verb] if self.relations[child].startswith("aux")]
        if any(self.lemmas[helper] in ("will", "shall", "'ll") for helper in helpers):
            return "future'"
        words = [*helpers, verb]
        finite = next((word for word in words if self.features[word].get("VerbForm") == "Fin"), verb)
        # A perfect, such as have seen, is past too.
        perfect = any(self.lemmas[helper] == "have" for helper in helpers)
        return "past'" if perfect or self.features[finite].get("Tense") == "Past" else "present'"

    def aspect(self, verb: int) -> str:
        helpers = {self.lemmas[child] for child in self.children[verb] if self.relations[child] == "aux"}
        if "be" in helpers and self.features[verb].get("Tense") == "Pres":
            return "durative'"
        return "telic'" if "have" in helpers else "nil'"
