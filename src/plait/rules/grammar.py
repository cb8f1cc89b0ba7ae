"""Grammars: rules of several strata, with lexicons, applied one mapping after the other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import pairwise

from plait.cancel import Cancel, Watching
from plait.errors import FormatError, InputError, Problem
from plait.formats.files import STANDARD, display_name, read_whole
from plait.rules import language as lang
from plait.rules.binding import binding_problems
from plait.rules.engine import Step, apply_rules
from plait.rules.graph import Graph, read_json
from plait.rules.lexicon import Lexicon
from plait.rules.limits import LIMITS, Limits
from plait.rules.order import joined, words_of
from plait.rules.parser import parse, parse_leniently

_FOLDER = resources.files("plait.rules") / "grammars"
SUFFIX, GRAPHS = ".rules", ".graphs"
_MOST_BYTES = 1 << 24  # of a file; of how many characters are understood the parser takes care


@dataclass(frozen=True, slots=True)
class Result:
    """The structure of the last stratum, and every step to it."""

    steps: tuple[Step, ...]
    source: Graph

    @property
    def graph(self) -> Graph:
        return self.steps[-1].target if self.steps else self.source

    @property
    def words(self) -> list[str]:
        return words_of(self.graph)

    @property
    def text(self) -> str:
        return joined(self.words)


@dataclass(slots=True)
class Grammar:
    """Files read together: `texts` in order. A later lexicon entry takes the place of an earlier one."""

    texts: tuple[lang.Text, ...]
    rules: tuple[lang.Rule, ...] = ()
    strata: tuple[str, ...] = ()
    lexicons: dict[str, Lexicon] = field(default_factory=dict)
    declared: dict[str, lang.Stratum] = field(default_factory=dict)
    examples: tuple[Graph, ...] = ()

    def __post_init__(self) -> None:
        self.rules = tuple(rule for text in self.texts for rule in text.rules)
        self.examples = tuple(graph for text in self.texts for graph in text.graphs)
        entries = sum(len(block.entries) for text in self.texts for block in text.lexicons)
        for count, most, what in (
            (len(self.rules), LIMITS.rules, "rules"),
            (entries, LIMITS.entries, "entries of lexicons"),
        ):
            if count > most:
                raise InputError(f"there are {count:,} {what}; at most {most:,} are read.")
        for text in self.texts:
            for block in text.lexicons:
                self.lexicons.setdefault(block.name, Lexicon(block.name)).add(block.entries)
            for stratum in text.declared:
                self.declared[stratum.name] = stratum
        for problem in self._problems():
            raise FormatError(problem)
        self.strata = _strata(self.texts, self.rules)

    def _problems(self) -> Iterator[Problem]:
        """What would stop the engine."""
        for rule in self.rules:
            yield from binding_problems(rule)
        for lexicon in self.lexicons.values():
            yield from lexicon.problems()

    def mapping(self, source: str, target: str) -> list[lang.Rule]:
        return [rule for rule in self.rules if (rule.source, rule.target) == (source, target)]

    def steps(self, graph: Graph, *, limits: Limits = LIMITS) -> Iterator[Step]:
        """One mapping after the other, from the stratum of the graph to the last one."""
        if graph.stratum not in self.strata:
            if not self.strata:
                raise InputError("there are no rules.")
            raise InputError(
                f"the graph is of the stratum {graph.stratum}; the rules know {', '.join(self.strata)}."
            )
        at = self.strata.index(graph.stratum)
        for source, target in pairwise(self.strata[at:]):
            declared = self.declared.get(target)
            step = apply_rules(
                self.mapping(source, target),
                self.lexicons,
                graph,
                target,
                ordered=bool(declared and declared.ordered),
                limits=limits,
            )
            yield step
            graph = step.target

    def apply(self, graph: Graph, *, cancel: Cancel | None = None, limits: Limits = LIMITS) -> Result:
        """Map a structure to the last stratum."""
        with Watching(cancel):
            return Result(tuple(self.steps(graph, limits=limits)), graph)

    def say(self, graph: Graph, *, cancel: Cancel | None = None) -> str:
        """The same, as words."""
        return self.apply(graph, cancel=cancel).text

    def extended(self, text: str, path: str = "") -> Grammar:
        """With more rules after these, and lexicon entries in the place of those that they name."""
        return Grammar((*self.texts, parse(text, path)))


def _strata(texts: Sequence[lang.Text], rules: Sequence[lang.Rule]) -> tuple[str, ...]:
    """As a file says it, or else as the mappings of rules hang together."""
    said = [(text.strata, text.strata_place) for text in texts if text.strata]
    for strata, place in said[1:]:
        if strata != said[0][0]:
            raise FormatError(Problem("another file says another order of strata.", "", place.line))
    following: dict[str, lang.Rule] = {}
    for rule in rules:
        first = following.setdefault(rule.source, rule)
        if first.target != rule.target or rule.source == rule.target:
            raise _misplaced(rule, f"{rule.source} is mapped to {first.target} already")
    if said:
        strata = said[0][0]
        pairs = set(pairwise(strata))
        for rule in rules:
            if (rule.source, rule.target) not in pairs:
                raise _misplaced(rule, f"the strata are {' -> '.join(strata)}")
        return strata
    if not following:
        return ()
    targets = {rule.target for rule in following.values()}
    starts = [name for name in following if name not in targets]
    chain = starts[:1] or list(following)[:1]
    while chain[-1] in following and len(chain) <= LIMITS.strata:
        chain.append(following[chain[-1]].target)
    left_out = [rule for rule in following.values() if rule.source not in chain]
    if left_out or len(starts) != 1 or len(set(chain)) < len(chain):
        rule = (left_out or list(following.values()))[0]
        raise _misplaced(rule, "the mappings make no chain of strata")
    return tuple(chain)


def _misplaced(rule: lang.Rule, why: str) -> FormatError:
    message = f"the rule {rule.name} maps {rule.source} to {rule.target}, but {why}."
    return FormatError(Problem(message, rule.path, rule.place.line, column=rule.place.column))


def names() -> list[str]:
    """The grammars that come with plait."""
    return sorted(path.name for path in _FOLDER.iterdir() if path.is_dir() and not path.name.startswith("_"))


def packaged(name: str) -> dict[str, str]:
    """The files of a grammar that comes with plait, in their order."""
    folder = _FOLDER / name
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(folder.iterdir(), key=lambda each: each.name)
        if path.name.endswith((SUFFIX, GRAPHS))
    }


def read_files(*places: str) -> dict[str, str]:
    """The texts of rule files, or of grammars by name, by path; InputError if one cannot be read."""
    found: dict[str, str] = {}
    for place in places:
        if place in names():
            found |= {f"{place}/{name}": text for name, text in packaged(place).items()}
            continue
        if place != STANDARD and not os.path.lexists(place):
            known = ", ".join(names())
            raise InputError(f"{place}: there is no such file. Grammars that come with plait: {known}.")
        found[display_name(place)] = _read(place)
    return found


def _read(place: str) -> str:
    """A file as text, compressed or not, or standard input."""
    content = read_whole(place, _MOST_BYTES)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FormatError(Problem("this line is not UTF-8.", display_name(place), line)) from None


def load(*places: str) -> Grammar:
    """A grammar that comes with plait, by its name, or rule files, read together in this order."""
    return from_texts(read_files(*places))


def from_texts(texts: Mapping[str, str]) -> Grammar:
    return Grammar(tuple(parse(text, path) for path, text in texts.items()))


def read_graphs(place: str) -> list[Graph]:
    """The graphs of a file, in the format of rule files or in JSON."""
    return graphs_of(_read(place), display_name(place))


def graphs_of(text: str, path: str = "") -> list[Graph]:
    """The same of a text."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return read_json(text)
        except InputError as error:
            raise FormatError(Problem(str(error), path)) from None
    graphs, problems = _graphs(text, path)
    if problems:
        raise FormatError(problems[0])
    if not graphs:
        raise FormatError(Problem("there is no graph in it.", path))
    return list(graphs)


def _graphs(text: str, path: str) -> tuple[Iterable[Graph], list[Problem]]:
    found, problems = parse_leniently(text, path)
    return found.graphs, problems
