"""Two-level rules that one can watch (Bohnet, Langjahr and Wanner 2000): structures are mapped from stratum to stratum.

grammar = plait.rules.load("english")           # or paths of rule files
graph = plait.rules.read_graphs("chair.graphs")[0]
grammar.say(graph)                              # as words
grammar.apply(graph).steps                      # what fired, with which bindings, and what corresponds to what
"""

from plait.rules.checking import check
from plait.rules.engine import Firing, Step
from plait.rules.explaining import Explanation, Failure, explain
from plait.rules.grammar import Grammar, Result, from_texts, graphs_of, load, names, read_graphs
from plait.rules.graph import Edge, Graph
from plait.rules.limits import Limits
from plait.rules.parser import parse
from plait.rules.printing import render
from plait.rules.reading import of_attributes, of_meaning, of_tree

__all__ = [
    "Edge",
    "Explanation",
    "Failure",
    "Firing",
    "Grammar",
    "Graph",
    "Limits",
    "Result",
    "Step",
    "check",
    "explain",
    "from_texts",
    "graphs_of",
    "load",
    "names",
    "of_attributes",
    "of_meaning",
    "of_tree",
    "parse",
    "read_graphs",
    "render",
]
