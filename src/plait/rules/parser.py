"""Reads rule files; every message names line and column.

    strata Sem -> DSynt
    stratum DSynt ordered { attributes: lex, number = sg | pl
                            edges: ATTR, I, II }
    lexicon Lex { adjective { cat = adj }
                  red: adjective { class = 3 } }
    rule property (Sem -> DSynt) {
      left:           ?X -1-> ?Y
      conditions:     Lex::(?X.sem).cat = adj
      right:          ?Yd -ATTR-> ?Xd
      correspondence: ?X <=> ?Xd; ?Y <=> ?Yd
    }
    graph Sem "a title" { r { sem = red }; c { sem = chair }; r -1-> c }

A statement ends with its line or with a semicolon; # begins a comment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from plait.cancel import check_cancelled
from plait.errors import FormatError, InputError, Problem, excerpt
from plait.rules import language as lang
from plait.rules.expressions import Expressions
from plait.rules.graph import Edge, Graph
from plait.rules.limits import LIMITS
from plait.rules.tokens import Token, tokens

Item = TypeVar("Item")
SECTIONS = {
    "left": "left",
    "leftside": "left",
    "context": "context",
    "conditions": "conditions",
    "right": "right",
    "rightside": "right",
    "correspondence": "correspondence",
}
_TOP = ("strata", "stratum", "lexicon", "rule", "graph")


def parse(text: str, path: str = "") -> lang.Text:
    """The file; FormatError names its first fault."""
    found, problems = parse_leniently(text, path)
    if problems:
        raise FormatError(problems[0])
    return found


def parse_leniently(text: str, path: str = "") -> tuple[lang.Text, list[Problem]]:
    """What can be read of a file, and every rule, lexicon, stratum or graph that cannot, with its first fault."""
    try:
        read = list(tokens(text, path))
    except FormatError as error:
        return lang.Text(), [error.problem]
    return _Parser(read, path).text()


class _Parser(Expressions):
    def text(self) -> tuple[lang.Text, list[Problem]]:
        strata: tuple[str, ...] = ()
        place = lang.NOWHERE
        found: dict[str, list[object]] = {name: [] for name in _TOP}
        problems = []
        while self.here.kind != "end":
            start = self.at
            check_cancelled()
            try:
                keyword = self._keyword()
                if keyword.text == "strata":
                    place = keyword.place
                    strata = self._strata(strata)
                else:
                    found[keyword.text].append(getattr(self, f"_{keyword.text}")(keyword))
            except FormatError as error:
                problems.append(error.problem)
                self._skip(start)
        count = len(found["rule"])
        if count > LIMITS.rules:
            problems.append(
                Problem(f"there are {count:,} rules; at most {LIMITS.rules:,} are read.", self.path)
            )
        text = lang.Text(
            strata,
            tuple(found["stratum"]),  # type: ignore[arg-type]
            tuple(found["lexicon"]),  # type: ignore[arg-type]
            tuple(found["rule"]),  # type: ignore[arg-type]
            tuple(found["graph"]),  # type: ignore[arg-type]
            place,
        )
        return text, problems

    def _skip(self, start: int) -> None:
        """To the next item that begins a line."""
        self.at = max(self.at, start + 1)
        while self.here.kind != "end" and not (self.here.place.column == 1 and self.here.text in _TOP):
            self.at += 1

    def _keyword(self) -> Token:
        if self.here.kind != "name" or self.here.text not in _TOP:
            raise self.fault(f"{self.shown()} cannot stand here: {', '.join(_TOP)} can.")
        return self.take()

    def _strata(self, before: tuple[str, ...]) -> tuple[str, ...]:
        names = [self.name("a stratum")]
        while self.accept("->"):
            names.append(self.name("a stratum"))
        if before and tuple(names) != before:
            raise self.fault("the order of strata was said already, and it was another one.")
        if len(names) > LIMITS.strata:
            raise self.fault(f"there may be at most {LIMITS.strata} strata.")
        if len(set(names)) < len(names):
            raise self.fault("a stratum is named twice: a mapping never leads back.")
        return tuple(names)

    def _stratum(self, keyword: Token) -> lang.Stratum:
        name = self.name("a stratum")
        ordered = self.same_line() and self.accept("ordered") is not None
        attributes: list[lang.Test] = []
        edges: list[str] = []
        self.expect("{")
        while not self.accept("}"):
            kind = self.name("attributes: or edges:")
            if kind not in ("attributes", "edges"):
                raise self.fault(f"a stratum has attributes: and edges:, not {kind}:.", self.before)
            self.expect(":")
            while self.here.text != "}" and not self.is_header(("attributes", "edges")):
                if kind == "attributes":
                    attributes.append(self.test())
                else:
                    edges.append(self.value("the label of an edge"))
                self.separator()
        return lang.Stratum(name, ordered, tuple(attributes), tuple(edges), keyword.place)

    def _lexicon(self, keyword: Token) -> lang.LexiconBlock:
        name = self.name("a lexicon")
        self.expect("{")
        entries = []
        while not self.accept("}"):
            entries.append(self._entry())
            self.separator()
        return lang.LexiconBlock(name, tuple(entries), keyword.place)

    def _entry(self) -> lang.Entry:
        place = self.here.place
        name = self.value("an entry")
        parents = []
        if self.accept(":"):
            parents.append(self.value("the entry that it inherits from"))
            while self.same_line() and self.accept(","):
                parents.append(self.value("the entry that it inherits from"))
        if len(parents) >= LIMITS.parents:
            raise self.fault(f"an entry inherits from fewer than {LIMITS.parents} others.", self.before)
        return lang.Entry(name, tuple(parents), tuple(self._attributes().items()), place, self.path)

    def _graph(self, keyword: Token) -> Graph:
        stratum = self.value("a stratum") if self.here.kind == "name" else ""
        if not stratum:
            raise self.fault(f"a stratum is expected, not {self.shown()}.")
        title = self.take().value if self.here.kind == "string" else ""
        self.expect("{")
        nodes: dict[str, dict[str, str]] = {}
        edges: dict[Edge, Token] = {}
        while not self.accept("}"):
            first = self.here
            name = self.value("a node")
            if self.same_line() and self.here.kind == "edge":
                label = self.take()
                if label.text[1] == "?":
                    raise self.fault("a graph has no variables.", label)
                self.require_label(label)
                edge = Edge(name, label.value, self.value("a node"))
                if edge in edges:
                    raise self.fault(f"the edge {edge} is there twice.", first)
                edges[edge] = first
            elif name in nodes:
                raise self.fault(f"the node {name} is there twice.", first)
            else:
                nodes[name] = self._attributes()
            self.separator()
        for edge, token in edges.items():
            for end in (edge.source, edge.target):
                if end not in nodes:
                    raise self.fault(
                        f"the edge {edge} leads to a node {excerpt(end)} that is not there.", token
                    )
        try:
            return Graph(stratum, nodes, tuple(edges), title)
        except InputError as error:
            raise self.fault(str(error), keyword) from None

    def _attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        if self.same_line() and self.accept("{"):
            while not self.accept("}"):
                attribute = self.value("an attribute")
                if attribute in found:
                    raise self.fault(f"the attribute {attribute} is there twice.", self.before)
                self.expect("=")
                found[attribute] = self.value("a value")
                self.separator()
        return found

    def _rule(self, keyword: Token) -> lang.Rule:
        name = self.value("the name of a rule")
        self.expect("(")
        source = self.name("a stratum")
        self.expect("->")
        target = self.name("a stratum")
        self.expect(")")
        self.expect("{")
        parts: dict[str, list[object]] = {section: [] for section in SECTIONS.values()}
        readers: dict[str, Callable[[], object]] = {
            "left": self.pattern,
            "context": self.pattern,
            "conditions": self.condition,
            "right": self.creation,
            "correspondence": self.correspondence,
        }
        section = ""
        while not self.accept("}"):
            if self.is_header(SECTIONS):
                section = SECTIONS[self.take().text]
                self.expect(":")
                continue
            if not section:
                raise self.fault(f"a part of the rule is expected, such as left:, not {self.shown()}.")
            parts[section].append(readers[section]())
            self.statement_end()
        if (size := sum(map(len, parts.values()))) > LIMITS.statements:
            raise self.fault(
                f"the rule has {size:,} statements; at most {LIMITS.statements} are read.", keyword
            )
        if not parts["left"] and not parts["context"]:
            raise self.fault(f"the rule {name} has neither a left side nor a context.", keyword)
        return lang.Rule(
            name,
            source,
            target,
            tuple(parts["left"]),  # type: ignore[arg-type]
            tuple(parts["context"]),  # type: ignore[arg-type]
            tuple(parts["conditions"]),  # type: ignore[arg-type]
            tuple(parts["right"]),  # type: ignore[arg-type]
            tuple(parts["correspondence"]),  # type: ignore[arg-type]
            keyword.place,
            self.path,
        )
