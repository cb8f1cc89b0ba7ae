"""The workbench: rules and a graph come in, and what every rule did goes out. Nothing is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from plait.cancel import Cancel, Watching
from plait.drawing.structure import place
from plait.errors import FormatError, InputError, Problem
from plait.rules import Graph, Step, check, from_texts, graphs_of
from plait.rules import Limits as RuleLimits
from plait.rules.explaining import failures_of, step_json
from plait.rules.grammar import GRAPHS, Grammar, Result, packaged
from plait.server.limits import Limits
from plait.server.questions import RulesQuestion

GRAPH = "graph"  # what problems of the graph are told of


class Workbench:
    """Answers of the page at /workbench."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._rule_limits = RuleLimits(match_steps=limits.rule_steps, instances=limits.rule_matches)

    def answer(self, asked: RulesQuestion, cancel: Cancel) -> Iterator[str]:
        if len(asked.names) != len(asked.files):
            raise InputError("There must be as many names as files.")
        if (size := sum(map(len, asked.files)) + len(asked.graph)) > self._limits.rule_characters:
            most = self._limits.rule_characters
            raise InputError(f"Rules and graph have {size:,} characters; up to {most:,} are read.")
        texts = {
            f"{number} {name}": text
            for number, (name, text) in enumerate(zip(asked.names, asked.files, strict=True))
        }
        with Watching(cancel):
            problems = check(texts)
        yield ""
        grammar: Grammar | None = None
        graph: Graph | None = None
        steps: list[Step] = []
        titles: list[str] = []
        try:
            with Watching(cancel):
                graphs = graphs_of(asked.graph, GRAPH)
            titles = [each.title for each in graphs]
            graph = graphs[min(asked.which, len(graphs)) - 1]
        except FormatError as error:
            problems.append(error.problem)
        try:  # what only looks wrong does not stop it
            with Watching(cancel):
                grammar = from_texts(texts)
        except FormatError as error:
            if error.problem not in problems:
                problems.append(error.problem)
        yield ""
        if grammar is not None and graph is not None:
            try:
                found_steps = grammar.steps(graph, limits=self._rule_limits)
                while True:
                    with Watching(cancel):
                        step = next(found_steps, None)
                    if step is None:
                        break
                    steps.append(step)
                    yield ""
            except InputError as error:
                problems.append(Problem(str(error), GRAPH))
        told = _dump([_problem_json(each) for each in problems])
        yield f'{{"problems": {told}, "graphs": {_dump(titles)}, "steps": ['
        above: dict[str, Any] | None = None
        for number, step in enumerate(steps):
            with Watching(cancel):
                found = step_json(step, failures_of(grammar, step) if grammar else ())
                most = self._limits.nodes_drawn
                above = above if number else place(step.source, most)
                below = place(step.target, most)
                found["places"] = {"source": above, "target": below}
                above = below
            yield (", " if number else "") + _dump(found)
        text = Result(tuple(steps), graph).text if graph and steps else ""
        yield f'], "text": {_dump(text)}}}'


def _problem_json(problem: Problem) -> dict[str, Any]:
    number, _, name = problem.path.partition(" ")
    return {
        "file": name if number.isdecimal() else problem.path,
        "number": int(number) if number.isdecimal() else -1,
        "line": problem.line,
        "column": problem.column,
        "severity": "warning" if problem.warning else "error",
        "message": problem.message,
    }


def grammar_json(name: str) -> dict[str, Any]:
    """A grammar of the package, whole: what the menu of examples offers."""
    files = packaged(name)
    texts = {path: text for path, text in files.items() if not path.endswith(GRAPHS)}
    return {
        "name": name,
        "files": [{"name": path, "text": text} for path, text in texts.items()],
        "graphs": [{"title": graph.title, "text": str(graph)} for graph in from_texts(files).examples],
    }


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
