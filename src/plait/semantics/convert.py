"""From a tree with predicates and roles to an annotation of meaning (Wanner, Mille and Bohnet 2012, section 3).

The steps are those of the paper's principles: function words go, arguments count from A1, circumstances and modifiers
become predicates, verbs get time and aspect, and what is not connected is (`completion`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from plait.meaning import ASPECT, SLOTS, TIME, SemanticNode, SemanticStructure
from plait.semantics.builder import Builder
from plait.semantics.completion import CompletionTable, Key, Link
from plait.semantics.conditions import VERBS
from plait.semantics.information import information
from plait.semantics.reading import CORE, Reading
from plait.semantics.rules import ConversionRules
from plait.sentence import Sentence


class Converter:
    """`valencies` are the numbers of roles of senses, where a list of frames tells them."""

    def __init__(
        self,
        rules: ConversionRules,
        table: CompletionTable | None = None,
        valencies: Mapping[str, int] | None = None,
    ) -> None:
        self.rules = rules
        self.table = table or CompletionTable({})
        self.valencies = valencies or {}

    @classmethod
    def learn(
        cls, sentences: Iterable[Sentence], rules: ConversionRules, valencies: Mapping[str, int] | None = None
    ) -> Converter:
        """With what connects words in these sentences."""
        plain = cls(rules, valencies=valencies)
        return cls(rules, CompletionTable.learn(plain._links(sentences)), valencies)

    def convert(self, sentence: Sentence) -> None:
        """Give the sentence both layers."""
        reading = Reading(sentence, self.rules)
        graph = self.graph(reading)
        sentence.put(graph)
        sentence.put(information(reading, graph))

    def graph(self, reading: Reading) -> SemanticStructure:
        numbers = self._numbers(reading)
        builder = Builder([self._node(reading, word) for word in numbers])
        valency = self._frames(reading, numbers, builder)
        for word, number in numbers.items():
            if reading.pos[word] in VERBS:
                builder.add_value(TIME, number, reading.time(word))
                builder.add_value(ASPECT, number, reading.aspect(word))
        self._complete(reading, numbers, builder, valency)
        return builder.finish(valency)

    def _numbers(self, reading: Reading) -> dict[int, int]:
        words = [word for word, means in enumerate(reading.content) if means]
        return {word: number for number, word in enumerate(words, 1)}

    def _node(self, reading: Reading, word: int) -> SemanticNode:
        sense = next((frame.sense for frame in reading.frames if frame.predicate == word), "_")
        lemma = reading.sentence.lemmas[word - 1]
        label = sense if sense != "_" else lemma if lemma != "_" else reading.sentence.forms[word - 1]
        return SemanticNode(label, word, reading.pos[word])

    def _frames(self, reading: Reading, numbers: Mapping[int, int], builder: Builder) -> dict[int, int]:
        """Predicates with their arguments and circumstances; the valency of those in the list of frames."""
        valency: dict[int, int] = {}
        for frame in reading.frames:
            if frame.predicate not in numbers:
                continue
            head = numbers[frame.predicate]
            core = sorted((a for a in frame.arguments if a.role in CORE), key=lambda a: CORE.index(a.role))
            place = 0
            for argument in core:
                if argument.word in numbers and place < len(SLOTS):
                    place += builder.add(head, SLOTS[place], numbers[argument.word])
            if frame.sense in self.valencies:
                valency[head] = max(self.valencies[frame.sense], place)
            for argument in frame.arguments:
                if argument.role.startswith("AM-") and argument.word in numbers:
                    self._circumstance(
                        reading, builder, head, numbers[argument.word], argument.role, argument.word
                    )
        return valency

    def _circumstance(
        self, reading: Reading, builder: Builder, head: int, number: int, role: str, word: int
    ) -> None:
        meta = self.rules.meta.get(role)
        if number == head:
            return
        modifies = meta is None and reading.pos[word] in ("ADV", "ADJ", "AUX", "PART", "DET")
        if modifies and builder.add(number, "A1", head):
            return
        builder.add_meta(meta or "ELAB", head, number)

    def _complete(
        self, reading: Reading, numbers: Mapping[int, int], builder: Builder, valency: Mapping[int, int]
    ) -> None:
        """Breadth first from the root; what is in one piece with its governor stays as it is."""
        open_ = deque(reading.children[0])
        top = 0
        while open_:
            word = open_.popleft()
            open_ += reading.children[word]
            if word not in numbers:
                continue
            above = reading.above(word) or top
            if not above:
                top = word
                continue
            one, other = numbers[word], numbers[above]
            if not builder.together(one, other):
                self._connect(reading, builder, valency, (word, one), (above, other))

    def _connect(
        self,
        reading: Reading,
        builder: Builder,
        valency: Mapping[int, int],
        below: tuple[int, int],
        above: tuple[int, int],
    ) -> None:
        (word, number), (governor, head) = below, above
        relation = reading.relations[word]
        if relation in self.rules.addressing:
            builder.add_meta("ADDR", head, number)
            return
        link = self.table.link(_key(reading, word, governor), self.rules.completion, self.rules.modifiers)
        predicate, argument = (head, number) if link.downwards else (number, head)
        full = predicate in valency and len(builder.arguments(predicate)) >= valency[predicate]
        if relation in self.rules.elaborating or full or not builder.add(predicate, link.label, argument):
            builder.add_meta("ELAB", head, number)

    def _links(self, sentences: Iterable[Sentence]) -> Iterator[tuple[Key, Link]]:
        """Of words that are connected with their governors by a predicate."""
        for sentence in sentences:
            reading = Reading(sentence, self.rules)
            numbers = self._numbers(reading)
            builder = Builder([self._node(reading, word) for word in numbers])
            self._frames(reading, numbers, builder)
            for word, number in numbers.items():
                above = reading.above(word)
                if not above:
                    continue
                for predicate, argument, downwards in (
                    (numbers[above], number, True),
                    (number, numbers[above], False),
                ):
                    for label, found in builder.arguments(predicate).items():
                        if found == argument:
                            yield _key(reading, word, above), Link(label, downwards)


def _key(reading: Reading, word: int, governor: int) -> Key:
    return reading.pos[word], reading.pos[governor], reading.relations[word]
