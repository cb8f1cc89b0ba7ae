"""`plait rules`: two-level rules, checked, applied and explained."""

from __future__ import annotations

from collections.abc import Iterator

import click

from plait.cli.common import Sentences, print_json
from plait.cli.options import json_option
from plait.errors import InputError, Problem, printable
from plait.meaning import SemanticStructure
from plait.rules import Graph, check, explain, from_texts, names, of_meaning, of_tree, read_graphs
from plait.rules.explaining import Explanation, bindings
from plait.rules.grammar import Grammar, read_files
from plait.rules.instances import element_name

_TREEBANKS = (".conllu", ".conll", ".conllx", ".conll09", ".jsonl", ".gz", ".xz")
_RULES = f"RULES are files, or a grammar of the package: {', '.join(names())}."


@click.group()
def rules() -> None:
    """Map structures from stratum to stratum by two-level rules: check, apply, explain."""


@rules.command("check")
@click.argument("files", nargs=-1, required=True, metavar="RULES...")
@json_option
@click.pass_context
def check_files(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """List every problem of rule files, which are read together; the exit status is 2 if there are errors."""
    problems = check(read_files(*files))
    errors = sum(not problem.warning for problem in problems)
    if as_json:
        listed = [
            {
                "path": problem.path,
                "line": problem.line,
                "column": problem.column,
                "severity": "warning" if problem.warning else "error",
                "message": problem.message,
            }
            for problem in problems
        ]
        print_json({"errors": errors, "warnings": len(problems) - errors, "problems": listed})
    else:
        for problem in problems:
            click.echo(str(problem))
        click.echo(f"{_count(errors, 'error')}, {_count(len(problems) - errors, 'warning')}", err=True)
    ctx.exit(2 if errors else 0)


@rules.command("apply", epilog=_RULES)
@click.argument("files", nargs=-1, required=True, metavar="RULES...")
@click.argument("graph")
@click.option("--structure", is_flag=True, help="Print the last structure, not its words.")
@json_option
def apply_rules(files: tuple[str, ...], graph: str, structure: bool, as_json: bool) -> None:
    """Apply RULES to the graphs of a file: words where the last structure has forms, or else the structure.

    GRAPH is a file of graphs, in JSON or as the rules write them, or a treebank, whose graphs of meaning or trees are
    taken. What no rule covers is named on standard error.
    """
    grammar = from_texts(read_files(*files))
    listed = []
    for source in _graphs(graph, grammar):
        result = grammar.apply(source)
        for step in result.steps:
            for note in step.notes:
                click.echo(f"plait: {step.mapping}: {printable(note)}", err=True)
            if step.uncovered:
                parts = ", ".join(element_name(each, step.source) for each in step.uncovered)
                click.echo(printable(f"plait: {step.mapping} leaves uncovered: {parts}"), err=True)
        if as_json:
            listed.append({"text": result.text, "graph": result.graph.to_json()})
        elif result.words and not structure:
            click.echo(printable(result.text))
        else:
            click.echo("\n".join(map(printable, str(result.graph).splitlines())))
    if as_json:
        print_json({"results": listed})


@rules.command("explain", epilog=_RULES)
@click.argument("files", nargs=-1, required=True, metavar="RULES...")
@click.argument("graph")
@click.option("--rule", "only", metavar="NAME", help="Tell of this rule only.")
@json_option
def explain_rules(files: tuple[str, ...], graph: str, only: str | None, as_json: bool) -> None:
    """Tell which rules fired with which bindings, which did not, and the first condition that was not met."""
    grammar = from_texts(read_files(*files))
    if only is not None and all(rule.name != only for rule in grammar.rules):
        raise InputError(f"there is no rule {only!r}.")
    explained = [explain(grammar, source) for source in _graphs(graph, grammar)]
    if as_json:
        print_json({"results": [each.to_json() for each in explained]})
        return
    for each in explained:
        for line in _lines(each, only):
            click.echo(printable(line))


def _lines(explained: Explanation, only: str | None) -> Iterator[str]:
    """One paragraph for a mapping: what fired, what did not, what is left."""
    title = explained.result.source.title
    yield f"# {title}" if title else "# graph"
    for step, failures in zip(explained.result.steps, explained.failures, strict=True):
        fired = [each for each in step.fired if only in (None, each.rule.name)]
        failed = [each for each in failures if only in (None, each.rule.name)]
        if only is None or fired or failed:
            yield step.mapping
        for firing in fired:
            yield f"  + {firing.rule.name}: {bindings(firing.instance.match)}"
        for failure in failed:
            place = Problem("", failure.rule.path, failure.place.line)
            yield f"  - {failure.rule.name} ({str(place)[:-2]}): {failure.reason}"
        if only is None:
            yield from (f"  ! uncovered: {element_name(each, step.source)}" for each in step.uncovered)
            yield from (f"  ! {note}" for note in step.notes)
    if only is None and explained.result.words:
        yield f"= {explained.result.text}"


def _graphs(path: str, grammar: Grammar) -> Iterator[Graph]:
    """The graphs of a file; of a treebank, one for a sentence."""
    if path.endswith(_TREEBANKS):
        if not grammar.strata:
            raise InputError("there are no rules.")
        for sentence in Sentences(treebank=True).of(path):
            read = of_meaning if sentence.find(SemanticStructure) else of_tree
            yield read(sentence, grammar.strata[0])
        return
    yield from read_graphs(path)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
