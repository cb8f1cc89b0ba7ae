"""Scenes and speakers of our own making: shapes on a grid, and five people who speak of them, each in their own way.

They are for the playground, for tests and for whoever wants to see a model work without a corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from plait.generation.refer.model import Origin, Referrer
from plait.generation.refer.options import ReferOptions
from plait.generation.refer.scene import Scene
from plait.generation.refer.trials import HEAD, Span, Trial, join_words

DOMAIN = "shapes"
X, Y, BORDER = "x-dimension", "y-dimension", "hasBorder"
TYPES = ("circle", "square", "triangle", "star")
COLOURS = ("red", "blue", "green", "yellow")
SIZES = ("large", "small")
GRID = 3
_THINGS = 7
_ROWS = ("top", "middle", "bottom")
_COLUMNS = ("left", "centre", "right")
_NUMBERS = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Person:
    """What somebody always tells, in which order they add more until it is clear, and their words."""

    always: tuple[str, ...]
    more: tuple[str, ...]
    determiner: str
    large: str = "large"
    counts_rows: bool = False


PEOPLE = {
    "Ada": Person((HEAD, "colour"), ("size", BORDER, Y, X), "the"),
    "Ben": Person((HEAD, Y, X), ("colour", "size", BORDER), "the"),
    "Cleo": Person((HEAD, "colour", "size", BORDER), (X, Y), "a", large="big"),
    "Dan": Person((HEAD,), ("colour", "size", BORDER, X, Y), "", large="big"),
    "Eva": Person((HEAD, "colour", Y), (X, "size", BORDER), "the", counts_rows=True),
}


def make_scene(random: Random) -> Scene:
    """Seven things in different cells of the grid; something tells the first from the others even without place."""
    cells = random.sample([(x, y) for x in range(1, GRID + 1) for y in range(1, GRID + 1)], _THINGS)
    while True:
        things: list[dict[str, str | int | bool]] = [
            {
                HEAD: random.choice(TYPES[:3] if place else TYPES),
                "colour": random.choice(COLOURS),
                "size": random.choice(SIZES),
                BORDER: random.random() < 1 / 3,
                X: str(x),
                Y: str(y),
            }
            for place, (x, y) in enumerate(cells)
        ]
        scene = Scene(things[0], things[1:], DOMAIN)
        if scene.identifies([HEAD, "colour", "size", BORDER]):
            return scene


def make_trials(seed: int = 1, count: int = 24) -> list[Trial]:
    """So many of every speaker."""
    random = Random(seed)
    found = []
    for name, person in PEOPLE.items():
        for number in range(1, count + 1):
            scene = make_scene(random)
            names = choose(scene, person)
            words, heads, spans = phrase(scene, names, person)
            gold = frozenset((each, scene.target[each]) for each in names)
            said = tuple(words), tuple(spans), tuple(heads)
            found.append(Trial(f"s{name}t{number}", name, scene, gold, join_words(words), *said))
    return found


def choose(scene: Scene, person: Person) -> list[str]:
    chosen = [name for name in person.always if name != BORDER or scene.target[BORDER] == "1"]
    for name in person.more:
        if scene.identifies(chosen):
            break
        chosen.append(name)
    return chosen


class _Writer:
    """Words with their heads; a head is named before its place is known."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._above: list[int | None] = []
        self.spans: list[Span] = []

    def add(self, word: str) -> int:
        self.words.append(word)
        self._above.append(None)
        return len(self.words)

    def hang(self, words: Sequence[int], head: int) -> None:
        for word in words:
            self._above[word - 1] = head

    def tell(self, start: int, name: str, value: str) -> None:
        self.spans.append(Span(start, len(self.words), name, value))

    @property
    def heads(self) -> list[int]:
        return [head or 0 for head in self._above]


def phrase(scene: Scene, names: Sequence[str], person: Person) -> tuple[list[str], list[int], list[Span]]:
    """Words, heads and spans."""
    writer, target = _Writer(), scene.target
    before = [writer.add(person.determiner)] if person.determiner else []
    for name in ("size", "colour"):
        if name in names:
            word = person.large if target[name] == "large" else target[name]
            before.append(writer.add(word))
            writer.tell(len(writer.words) - 1, name, target[name])
    noun = writer.add(target[HEAD])
    if HEAD in names:
        writer.tell(len(writer.words) - 1, HEAD, target[HEAD])
    writer.hang(before, noun)
    if BORDER in names:
        start = len(writer.words)
        small = [writer.add("with" if target[BORDER] == "1" else "without"), writer.add("a")]
        border = writer.add("border")
        writer.hang(small, border)
        writer.hang([border], noun)
        writer.tell(start, BORDER, target[BORDER])
    _place(writer, noun, {name: int(target[name]) for name in (Y, X) if name in names}, person)
    return writer.words, writer.heads, writer.spans


def _place(writer: _Writer, noun: int, told: dict[str, int], person: Person) -> None:
    """Where it is: `in the first row`, or `at the top left`."""
    if person.counts_rows:
        for name, value in told.items():
            start = len(writer.words)
            small = [writer.add(word) for word in ("in", "the", _NUMBERS[value - 1])]
            head = writer.add("row" if name == Y else "column")
            writer.hang(small, head)
            writer.hang([head], noun)
            writer.tell(start, name, str(value))
        return
    if told:
        small = [writer.add(word) for word in ("at", "the")]
        places = []
        for name, value in told.items():
            places.append(writer.add((_ROWS if name == Y else _COLUMNS)[value - 1]))
            writer.tell(places[-1] - 1, name, str(value))
        writer.hang(small + places[:-1], places[-1])
        writer.hang(places[-1:], noun)


@cache
def referrer(seed: int = 1) -> Referrer:
    """A model that learned from made trials, in a moment."""
    return Referrer.fit(make_trials(seed), ReferOptions(), origin=Origin(corpus="made scenes", licence="MIT"))
