"""`plait rules check`: what is wrong with rule files, or looks like it (section 2.1 of the paper: semantic checks)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from plait.cancel import check_cancelled
from plait.errors import FormatError, InputError, Problem
from plait.rules import language as lang
from plait.rules.binding import all_expressions, binding_problems, problem
from plait.rules.firing import never_fires
from plait.rules.grammar import Grammar
from plait.rules.language import AttributePattern, EdgePattern, NodePattern, parts_of
from plait.rules.lexicon import Lexicon
from plait.rules.order import BEFORE, NEXT
from plait.rules.parser import parse_leniently

_MOST = 200  # problems that are told
_FEW = 20_000  # characters among which a similar name is looked for


def check(texts: Mapping[str, str]) -> list[Problem]:
    """All problems of files that are read together, file by file, line by line; warnings are for what may be meant."""
    problems: list[Problem] = []
    found = []
    for path, text in texts.items():
        parsed, faults = parse_leniently(text, path)
        found.append(parsed)
        problems += faults
    broken: list[Problem] = []
    for parsed in found:
        for rule in parsed.rules:
            broken += binding_problems(rule)
    lexicons = _lexicons(found)
    for lexicon in lexicons.values():
        broken += lexicon.problems()
    problems += broken
    if not broken:
        try:
            grammar = Grammar(tuple(found))
        except FormatError as error:
            problems.append(error.problem)
        except InputError as error:
            problems.append(Problem(str(error)))
        else:
            problems += never_fires(grammar)
    problems += _repeated(found)
    declared = {stratum.name: stratum for parsed in found for stratum in parsed.declared}
    for rule in (rule for parsed in found for rule in parsed.rules):
        check_cancelled()
        problems += _Words(rule, declared, lexicons).problems()
        if len(problems) > _MOST:
            break
    order = {path: number for number, path in enumerate(texts)}
    unique = sorted(dict.fromkeys(problems), key=lambda p: (order.get(p.path, len(order)), p.line, p.column))
    if len(unique) > _MOST:
        return [
            *unique[:_MOST],
            replace(unique[_MOST], message=f"here, and perhaps later, are more problems than {_MOST}."),
        ]
    return unique


def _lexicons(texts: Iterable[lang.Text]) -> dict[str, Lexicon]:
    lexicons: dict[str, Lexicon] = {}
    for text in texts:
        for block in text.lexicons:
            lexicons.setdefault(block.name, Lexicon(block.name)).add(block.entries)
    return lexicons


def _repeated(texts: Iterable[lang.Text]) -> Iterator[Problem]:
    rules: dict[str, lang.Rule] = {}
    entries: dict[tuple[str, str], lang.Entry] = {}
    for text in texts:
        for rule in text.rules:
            if (first := rules.setdefault(rule.name, rule)) is not rule:
                where = f"line {first.place.line}" + (f" of {first.path}" if first.path != rule.path else "")
                yield problem(rule, rule.place, f"another rule has this name already, in {where}.")
        for block in text.lexicons:
            for entry in block.entries:
                if (old := entries.setdefault((block.name, entry.name), entry)) is not entry:
                    message = (
                        f"{block.name} has {entry.name} already, in line {old.place.line}; this one is used."
                    )
                    place = entry.place
                    yield Problem(message, entry.path, place.line, warning=True, column=place.column)


class _Words:
    """The words that a rule uses: attributes, values and labels of strata, entries and attributes of lexicons."""

    def __init__(
        self, rule: lang.Rule, declared: Mapping[str, lang.Stratum], lexicons: Mapping[str, Lexicon]
    ) -> None:
        self._rule = rule
        self._source = declared.get(rule.source)
        self._target = declared.get(rule.target)
        self._lexicons = lexicons

    def problems(self) -> Iterator[Problem]:
        for pattern in self._rule.patterns:
            if isinstance(pattern, EdgePattern):
                if not pattern.is_variable:
                    yield from self._label(self._source, pattern.label, pattern)
                continue
            tests = pattern.tests if isinstance(pattern, NodePattern) else ()
            for test in (pattern.test,) if isinstance(pattern, AttributePattern) else tests:
                yield from self._attribute(self._source, test.name, test.values, test)
        for condition in self._rule.conditions:
            yield from self._condition(condition)
        for made in self._rule.right:
            if isinstance(made, lang.NewEdge):
                if not made.is_variable:
                    yield from self._label(self._target, made.label, made)
                continue
            for name, value in made.settings:
                values = (value.value,) if isinstance(value, lang.Literal) else ()
                yield from self._attribute(self._target, name, values, made)
        for expression in all_expressions(self._rule):
            for part in parts_of(expression):
                if isinstance(part, lang.AttributeOf):
                    yield from self._attribute(self._source, part.name, (), part)
                elif isinstance(part, lang.Lookup):
                    yield from self._lookup(part)

    def _label(
        self, stratum: lang.Stratum | None, label: str, where: EdgePattern | lang.NewEdge | lang.HasEdge
    ) -> Iterator[Problem]:
        if stratum is None or not stratum.edges or label in stratum.edges:
            return
        if stratum.ordered and label in (BEFORE, NEXT):
            return
        yield self._unknown(where, f"{stratum.name} has no edge {label}", label, stratum.edges)

    def _attribute(
        self,
        stratum: lang.Stratum | None,
        name: str,
        values: Iterable[str],
        where: lang.Test | lang.NewNode | lang.AttributeOf,
    ) -> Iterator[Problem]:
        if stratum is None or not stratum.attributes:
            return
        known = {test.name: test for test in stratum.attributes}
        if name not in known:
            yield self._unknown(where, f"{stratum.name} has no attribute {name}", name, known)
            return
        for value in values:
            if not known[name].holds(value):
                message = f"{stratum.name} has no {name} = {value}"
                yield self._unknown(where, message, value, known[name].values)

    def _condition(self, condition: lang.Condition) -> Iterator[Problem]:
        if isinstance(condition, lang.HasEdge) and condition.label:
            yield from self._label(self._source, condition.label, condition)
        if isinstance(condition, lang.Inherits):
            lexicon = self._lexicons.get(condition.lexicon)
            if lexicon is None:
                message = f"there is no lexicon {condition.lexicon}"
                yield self._unknown(condition, message, condition.lexicon, self._lexicons)
                return
            for parent in condition.parents:
                if parent not in lexicon.entries:
                    message = f"{lexicon.name} has no entry {parent}"
                    yield self._unknown(condition, message, parent, lexicon.entries)
        if isinstance(condition, lang.Comparison) and condition.operator in ("=", "!="):
            literals = [each.value for each in condition.right if isinstance(each, lang.Literal)]
            if isinstance(condition.left, lang.AttributeOf):
                left = condition.left
                test = lang.Test(left.name, (), condition.place)
                if not [*self._attribute(self._source, left.name, (), test)]:
                    yield from self._attribute(self._source, left.name, literals, test)
            elif isinstance(condition.left, lang.Lookup):
                yield from self._lexical_values(condition.left, literals)

    def _lexical_values(self, lookup: lang.Lookup, literals: Iterable[str]) -> Iterator[Problem]:
        """Values that no entry has: `cat = adk` (the paper's example)."""
        lexicon = self._lexicons.get(lookup.lexicon)
        if lexicon is None or not (known := lexicon.values(lookup.name)):
            return
        for value in literals:
            if value not in known:
                message = f"no entry of {lexicon.name} has {lookup.name} = {value}"
                yield self._unknown(lookup, message, value, known)

    def _lookup(self, lookup: lang.Lookup) -> Iterator[Problem]:
        lexicon = self._lexicons.get(lookup.lexicon)
        if lexicon is None:
            message = f"there is no lexicon {lookup.lexicon}"
            yield self._unknown(lookup, message, lookup.lexicon, self._lexicons)
            return
        if not lexicon.values(lookup.name):
            message = f"no entry of {lexicon.name} has an attribute {lookup.name}"
            yield self._unknown(lookup, message, lookup.name, lexicon.names())
        if isinstance(lookup.entry, lang.Literal) and lookup.entry.value not in lexicon.entries:
            message = f"{lexicon.name} has no entry {lookup.entry.value}"
            yield self._unknown(lookup, message, lookup.entry.value, lexicon.entries)

    def _unknown(
        self,
        where: lang.Test | lang.NewNode | lang.NewEdge | lang.Expression | lang.Condition | EdgePattern,
        message: str,
        name: str,
        known: Iterable[str],
    ) -> Problem:
        names = list(known)
        near = get_close_matches(name, sorted(names), n=1) if len(names) * len(name) < _FEW else []
        hint = f"; did you mean {near[0]}?" if near else "."
        return problem(self._rule, where.place, message + hint)
