"""How long two-level rules take, random ones and English: python benchmarks/rules.py --nodes 100 --rules 200"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from plait import rules
from plait.rules import Grammar, Graph, from_texts

ROUNDS = 5


def random_graph(nodes: int, chance: random.Random) -> Graph:
    """A tree with some more edges, 20 labels, and 3 attributes of 10 values for every node."""
    names = [f"n{i}" for i in range(nodes)]
    attributes = {name: {key: str(chance.randrange(10)) for key in "abc"} for name in names}
    edges = {(names[chance.randrange(i)], f"r{chance.randrange(20)}", names[i]) for i in range(1, nodes)}
    edges |= {(*chance.sample(names, 1), f"r{chance.randrange(20)}", *chance.sample(names, 1)) for _ in names}
    return Graph.build("A", attributes, sorted(edges))


def random_grammar(count: int, chance: random.Random) -> Grammar:
    """Half of the rules are about nodes, a quarter about edges, a quarter about two edges with a context."""
    texts = []
    for i in range(count):
        value, label, other = chance.randrange(10), chance.randrange(20), chance.randrange(20)
        key = chance.choice("abc")
        left = (
            f"left: ?X {{ {key} = {value} }}",
            f"left: ?X.{key} = {value}; ?X.b",
            f"left: ?X -r{label}-> ?Y; conditions: ?X.{key} != {value}",
            f"left: ?X -r{label}-> ?Y; context: ?Y -r{other}-> ?Z; conditions: not ?Z -r{label}-> ?X",
        )[i % 4]
        texts.append(
            f"rule rule{i} (A -> B) {{ {left}; right: ?T {{ k{i % 7} = {i} }}; correspondence: ?X <=> ?T }}"
        )
    return from_texts({"random.rules": "\n".join(texts)})


def best_of(work: Callable[[], object]) -> float:
    """Milliseconds of CPU time of the fastest round."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=100)
    parser.add_argument("--rules", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    print(f"{options.nodes} nodes, {options.rules} rules, best of {ROUNDS}")
    for seed in range(options.seeds):
        chance = random.Random(seed)
        graph, grammar = random_graph(options.nodes, chance), random_grammar(options.rules, chance)
        (step,) = grammar.apply(graph).steps
        print(
            f"seed {seed}: {len(graph.edges)} edges, {len(step.fired) + len(step.lost):,} matches, "
            f"{len(step.fired):,} fire, exact: {not step.notes}, {best_of(lambda: grammar.apply(graph)):.0f} ms"  # noqa: B023
        )
    english = rules.load("english")
    print(f"english, {len(english.rules)} rules: read in {best_of(lambda: rules.load('english')):.0f} ms")
    for graph in english.examples:
        steps = english.apply(graph).steps
        fired = sum(len(step.fired) for step in steps)
        print(f"  {best_of(lambda: english.apply(graph)):.1f} ms, {fired} firings: {graph.title}")  # noqa: B023


if __name__ == "__main__":
    main()
