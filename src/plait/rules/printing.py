"""Writes rule files: `parse(render(text)) == text`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plait.rules import language as lang
from plait.rules.tokens import written, written_label


def render(text: lang.Text) -> str:
    """A file in the usual layout; comments are not kept."""
    parts = []
    if text.strata:
        parts.append(f"strata {' -> '.join(text.strata)}\n")
    parts += map(_stratum, text.declared)
    parts += map(_lexicon, text.lexicons)
    parts += map(render_rule, text.rules)
    parts += map(str, text.graphs)
    return "\n".join(parts)


def render_rule(rule: lang.Rule) -> str:
    lines = [f"rule {written(rule.name)} ({rule.source} -> {rule.target}) {{"]
    sections: dict[str, Iterable[str]] = {
        "left": map(show_pattern, rule.left),
        "context": map(show_pattern, rule.context),
        "conditions": map(show_condition, rule.conditions),
        "right": map(_creation, rule.right),
        "correspondence": map(_correspondence, rule.correspondences),
    }
    for name, statements in sections.items():
        found = [f"    {statement}" for statement in statements]
        if found:
            lines += [f"  {name}:", *found]
    return "\n".join([*lines, "}"]) + "\n"


def _stratum(stratum: lang.Stratum) -> str:
    lines = [f"stratum {stratum.name}{' ordered' if stratum.ordered else ''} {{"]
    if stratum.attributes:
        lines.append(f"  attributes: {', '.join(map(_test, stratum.attributes))}")
    if stratum.edges:
        lines.append(f"  edges: {', '.join(map(written, stratum.edges))}")
    return "\n".join([*lines, "}"]) + "\n"


def _lexicon(lexicon: lang.LexiconBlock) -> str:
    lines = [f"lexicon {lexicon.name} {{", *(f"  {line}" for line in map(_entry, lexicon.entries)), "}"]
    return "\n".join(lines) + "\n"


def _entry(entry: lang.Entry) -> str:
    parents = f": {', '.join(map(written, entry.parents))}" if entry.parents else ""
    inside = ", ".join(f"{written(name)} = {written(value)}" for name, value in entry.attributes)
    return f"{written(entry.name)}{parents}" + (f" {{ {inside} }}" if inside else "")


def _test(test: lang.Test) -> str:
    return written(test.name) + (f" = {' | '.join(map(written, test.values))}" if test.values else "")


def show_pattern(pattern: lang.Pattern) -> str:
    if isinstance(pattern, lang.EdgePattern):
        return _edge(pattern)
    if isinstance(pattern, lang.AttributePattern):
        return f"?{pattern.variable}.{_test(pattern.test)}"
    inside = ", ".join(map(_test, pattern.tests))
    return f"?{pattern.variable}" + (f" {{ {inside} }}" if inside else "")


def _edge(edge: lang.EdgePattern | lang.NewEdge) -> str:
    label = f"?{edge.label}" if edge.is_variable else written_label(edge.label)
    return f"?{edge.source} -{label}-> ?{edge.target}"


def _creation(made: lang.NewNode | lang.NewEdge) -> str:
    if isinstance(made, lang.NewEdge):
        return _edge(made)
    inside = ", ".join(f"{written(name)} = {show(value)}" for name, value in made.settings)
    return f"?{made.variable}" + (f" {{ {inside} }}" if inside else "")


def _correspondence(pair: lang.Correspondence) -> str:
    return f"?{pair.source} <=> ?{pair.target}" + (f" as {pair.role}" if pair.role else "")


def show_condition(condition: lang.Condition) -> str:
    negated = "not " if condition.negated else ""
    if isinstance(condition, lang.HasEdge):
        label = written_label(condition.label) if condition.label else "?"
        return f"{negated}?{condition.source} -{label}-> ?{condition.target}"
    if isinstance(condition, lang.Inherits):
        parents = " | ".join(map(written, condition.parents))
        return f"{negated}{condition.lexicon}::{_entry_name(condition.entry)} is {parents}"
    if isinstance(condition, lang.Presence):
        return negated + _guarded(condition.expression)
    right = " | ".join(map(show, condition.right))
    return f"{negated}{_guarded(condition.left)} {condition.operator} {right}"


def _guarded(expression: lang.Expression) -> str:
    """At the beginning of a condition the word `not` is no value, nor is a part of a rule followed by a colon."""
    shown = show(expression)
    return f"({shown})" if shown.split(" ")[0] == "not" else shown


def show(expression: lang.Expression) -> str:
    return "".join(_pieces(expression))


def _pieces(expression: lang.Expression) -> Iterator[str]:
    if isinstance(expression, lang.Literal):
        yield written(expression.value)
    elif isinstance(expression, lang.AttributeOf):
        yield f"?{expression.variable}.{written(expression.name)}"
    elif isinstance(expression, lang.LabelOf):
        yield f"?{expression.variable}"
    elif isinstance(expression, lang.Lookup):
        yield f"{expression.lexicon}::{_entry_name(expression.entry)}.{written(expression.name)}"
    else:
        loose = expression.operator != "or"
        yield _inside(expression.first, loose, False)
        yield f" {expression.operator} "
        yield _inside(expression.second, loose, True)


def _inside(expression: lang.Expression, loose: bool, is_second: bool) -> str:
    """Operators of one strength go from left to right; all else needs parentheses."""
    shown = show(expression)
    if not isinstance(expression, lang.Combined):
        return shown
    binds_less = loose and expression.operator == "or"
    same = loose == (expression.operator != "or")
    return f"({shown})" if binds_less or (same and is_second) else shown


def _entry_name(entry: lang.Expression) -> str:
    return written(entry.value) if isinstance(entry, lang.Literal) else f"({show(entry)})"
