"""Annotation of meaning as text: the words on one line, a node on each further one, then the sets of nodes.

    # text = She sold it.
    words	She	sold	it	.
    1	she	PRON	1	_
    2	sell.01	VERB	2	A1=1 A2=3	3
    3	it	PRON	3	_
    theme_1	1

Columns of a node: number, label, part of speech, word (0: none), arguments, and how many it may have, where that is
known.
"""

from __future__ import annotations

from plait.errors import InputError, Problem
from plait.formats.blocks import UNREADABLE, Block, is_unreadable
from plait.formats.tabular import whole_number
from plait.layers import Edge
from plait.meaning import InformationStructure, SemanticNode, SemanticStructure
from plait.sentence import EMPTY, Sentence

_WORDS = "words"


def parse(block: Block) -> Sentence | None:
    """The sentence of a block, or None if something is wrong with it."""
    if block.suspect:
        return None
    try:
        return _read(block)
    except ValueError:
        return None


def diagnose(block: Block) -> list[Problem]:
    for number, line in enumerate(block.text.split("\n"), block.line):
        if is_unreadable(line):
            return [Problem(UNREADABLE, line=number)]
    try:
        _read(block)
    except _LineError as fault:
        return [Problem(str(fault), line=fault.line)]
    except ValueError as error:
        return [Problem(f"{error}.", line=block.line)]
    return []


class _LineError(ValueError):
    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def _read(block: Block) -> Sentence:
    sentence = Sentence(
        forms=[], newline=block.newline, ending=block.ending, leading=block.leading, line=block.line
    )
    nodes: list[SemanticNode] = []
    edges: list[Edge] = []
    valency: dict[int, int] = {}
    sets: dict[str, frozenset[int]] = {}
    forms: list[str] | None = None
    for number, line in enumerate(block.text.split("\n"), block.line):
        first, *cells = line.split("\t")
        if line.startswith("#"):
            sentence.comments.append(line)
        elif first == _WORDS:
            forms = cells
        elif first.isascii() and first.isdigit():
            if whole_number(first) != len(nodes) + 1:
                raise _LineError(f"node {len(nodes) + 1} is expected, not {first[:20]!r}.", number)
            if len(cells) not in (4, 5):
                raise _LineError(f"a node has 5 or 6 columns, not {len(cells) + 1}.", number)
            label, pos, word, arguments, *most = cells
            nodes.append(SemanticNode(label, _number(word, number), pos))
            edges += [_edge(len(nodes), each, number) for each in arguments.split(" ") if arguments != EMPTY]
            if most:
                valency[len(nodes)] = _number(most[0], number)
        else:
            sets[first] = frozenset(_number(cell, number) for cell in " ".join(cells).split(" ") if cell)
    if forms is None:
        raise _LineError("a line with the words is missing.", block.line)
    graph = SemanticStructure(tuple(nodes), tuple(edges), valency)
    information = InformationStructure(sets)
    if not all(forms) or not graph.fits(len(forms)) or not information.fits(len(forms)):
        raise _LineError("a word, a node or an argument is not there, or has no name.", block.line)
    if any(node > len(nodes) for members in sets.values() for node in members):
        raise _LineError("a set holds a node that is not there.", block.line)
    found = Sentence(
        forms=forms, comments=sentence.comments, newline=block.newline, ending=block.ending,
        leading=block.leading, line=block.line,
    )  # fmt: skip
    found.put(graph)
    if sets:
        found.put(information)
    return found


def _number(cell: str, line: int) -> int:
    number = whole_number(cell)
    if number is None:
        raise _LineError(f"a number is expected, not {cell[:20]!r}.", line)
    return number


def _edge(head: int, cell: str, line: int) -> Edge:
    label, equals, number = cell.partition("=")
    if not equals or not label:
        raise _LineError(f"an argument such as A1=3 is expected, not {cell[:20]!r}.", line)
    return Edge(head, _number(number, line), label)


def render(sentence: Sentence) -> str:
    graph = sentence.find(SemanticStructure)
    if graph is None:
        raise InputError(
            f"{sentence.sent_id or 'A sentence'} has no annotation of meaning: plait convert --to semantics makes "
            "it of trees with predicates."
        )
    lines = [*sentence.comments, "\t".join([_WORDS, *sentence.forms])]
    for number, node in graph:
        arguments = " ".join(f"{edge.label}={edge.dependent}" for edge in graph.arguments(number)) or EMPTY
        most = [str(graph.valency[number])] if number in graph.valency else []
        lines.append("\t".join([str(number), node.label, node.pos, str(node.word), arguments, *most]))
    information = sentence.find(InformationStructure)
    for name, nodes in information.sets.items() if information else ():
        lines.append("\t".join([name, " ".join(map(str, sorted(nodes)))]))
    return sentence.leading + sentence.newline.join(lines) + sentence.ending
