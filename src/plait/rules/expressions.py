"""Reads what stands in one line of a rule: patterns, conditions, expressions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from plait.errors import FormatError, Problem, excerpt
from plait.rules import language as lang
from plait.rules.limits import LIMITS
from plait.rules.tokens import Token

_COMPARING = ("=", "!=", "<", ">", "<=", ">=", "starts", "ends")
_JOINING = ("+", "-")


class Expressions:
    """A place in the tokens, and what can be read from there."""

    def __init__(self, read: Sequence[Token], path: str) -> None:
        self.path = path
        self.at = 0
        self._tokens = read
        self._parts = 0

    # Tokens

    @property
    def here(self) -> Token:
        return self._tokens[self.at]

    @property
    def before(self) -> Token:
        return self._tokens[max(0, self.at - 1)]

    def _following(self) -> Token:
        return self._tokens[min(self.at + 1, len(self._tokens) - 1)]

    def take(self) -> Token:
        token = self.here
        if token.kind != "end":
            self.at += 1
        return token

    def shown(self) -> str:
        return "the end of the file" if self.here.kind == "end" else excerpt(self.here.text)

    def fault(self, message: str, token: Token | None = None) -> FormatError:
        place = (token or self.here).place
        return FormatError(Problem(message, self.path, place.line, column=place.column))

    def accept(self, text: str) -> Token | None:
        """The token if it is this sign or bare name."""
        if self.here.kind in ("sign", "name") and self.here.text == text:
            return self.take()
        return None

    def expect(self, text: str) -> Token:
        found = self.accept(text)
        if found is None:
            raise self.fault(f"{text} is expected, not {self.shown()}.")
        return found

    def same_line(self) -> bool:
        """Whether the next token belongs to the line of the last one."""
        return self.at > 0 and self.here.place.line == self.before.place.line

    def is_header(self, names: Collection[str]) -> bool:
        following = self._following()
        return self.here.kind == "name" and self.here.text in names and following.text == ":"

    def name(self, what: str) -> str:
        if self.here.kind != "name":
            raise self.fault(f"{what} is expected, not {self.shown()}.")
        return self.take().value

    def value(self, what: str) -> str:
        if self.here.kind not in ("name", "string"):
            raise self.fault(f"{what} is expected, not {self.shown()}.")
        return self.take().value

    def variable(self) -> str:
        """A variable that has a name."""
        if self.here.kind != "variable":
            raise self.fault(f"a variable such as ?X is expected, not {self.shown()}.")
        if not self.here.value:
            raise self.fault("? without a name can only stand in a condition about edges.")
        return self.take().value

    def separator(self) -> None:
        """Between the elements of a list: a comma, a semicolon or a new line."""
        if not (self.accept(",") or self.accept(";")) and self.same_line() and self.here.text != "}":
            raise self.fault(f"a comma or a new line is expected, not {self.shown()}.")

    def statement_end(self) -> None:
        if not self.accept(";") and self.same_line() and self.here.text != "}" and self.here.kind != "end":
            raise self.fault(f"the statement ends before {self.shown()}.")

    # Parts of rules

    def test(self) -> lang.Test:
        place = self.here.place
        name = self.value("an attribute")
        values = []
        if self.same_line() and self.accept("="):
            values.append(self.value("a value"))
            while self.same_line() and self.accept("|"):
                values.append(self.value("a value"))
        return lang.Test(name, tuple(values), place)

    def pattern(self) -> lang.Pattern:
        token = self.here
        variable = self.variable()
        if self.same_line() and self.here.kind == "edge":
            label = self.take()
            return lang.EdgePattern(
                variable, *self._label(label), self.variable(), label.text[1] == "?", token.place
            )
        if self.same_line() and self.accept("."):
            return lang.AttributePattern(variable, self.test(), token.place)
        tests = []
        if self.same_line() and self.accept("{"):
            while not self.accept("}"):
                tests.append(self.test())
                self.separator()
        return lang.NodePattern(variable, tuple(tests), token.place)

    def _label(self, token: Token) -> tuple[str]:
        if token.text == "-?->":
            raise self.fault("the label needs a name here, such as -?r->.", token)
        self.require_label(token)
        return (token.value.removeprefix("?") if token.text[1] == "?" else token.value,)

    def require_label(self, token: Token) -> None:
        if not token.value:
            raise self.fault("a label cannot be empty.", token)

    def creation(self) -> lang.NewNode | lang.NewEdge:
        token = self.here
        variable = self.variable()
        if self.same_line() and self.here.kind == "edge":
            label = self.take()
            return lang.NewEdge(
                variable, *self._label(label), self.variable(), label.text[1] == "?", token.place
            )
        settings: dict[str, lang.Expression] = {}
        if self.same_line() and self.accept("{"):
            while not self.accept("}"):
                name = self.value("an attribute")
                if name in settings:
                    raise self.fault(f"the attribute {name} is set twice.", self.before)
                self.expect("=")
                settings[name] = self.expression()
                self.separator()
        return lang.NewNode(variable, tuple(settings.items()), token.place)

    def correspondence(self) -> lang.Correspondence:
        place = self.here.place
        source = self.variable()
        self.expect("<=>")
        target = self.variable()
        role = self.name("a role") if self.same_line() and self.accept("as") else ""
        return lang.Correspondence(source, target, role, place)

    def condition(self) -> lang.Condition:
        token = self.here
        negated = self._following().text != "::" and self.accept("not") is not None
        following = self._following()
        if self.here.kind == "variable" and following.kind == "edge":
            return self._edge_condition(token, negated)
        left = self.expression(may_end_open=True)
        if isinstance(left, lang.Lookup) and not left.name and self.here.text == "is":
            self.expect("is")
            parents = [self.value("an entry")]
            while self.same_line() and self.accept("|"):
                parents.append(self.value("an entry"))
            return lang.Inherits(left.lexicon, left.entry, tuple(parents), negated, token.place)
        if self.same_line() and self.here.kind in ("sign", "name") and self.here.text in _COMPARING:
            operator = self.take()
            right = [self.expression()]
            while self.same_line() and self.accept("|"):
                right.append(self.expression())
            return lang.Comparison(left, operator.text, tuple(right), negated, token.place)
        return lang.Presence(left, negated, token.place)

    def _edge_condition(self, token: Token, negated: bool) -> lang.HasEdge:
        source = self.take().value
        label = self.take()
        self.require_label(label)
        if self.here.kind != "variable":
            raise self.fault(f"a variable such as ?X, or ?, is expected, not {self.shown()}.")
        target = self.take().value
        if label.text[1] == "?" and label.text != "-?->":
            raise self.fault("in a condition a label is a name, or ? for any.", label)
        if not source and not target:
            raise self.fault("one end of the edge needs a name.", token)
        any_label = label.text == "-?->"
        return lang.HasEdge(source, "" if any_label else label.value, target, negated, token.place)

    # Expressions: `or` binds least, then + and -.

    def expression(self, *, may_end_open: bool = False) -> lang.Expression:
        self._parts = 0
        return self._either(may_end_open)

    def _either(self, may_end_open: bool) -> lang.Expression:
        found = self._joined(may_end_open)
        while self.same_line() and self.here.kind == "name" and self.here.text == "or":
            token = self.take()
            found = lang.Combined("or", found, self._joined(False), token.place)
        return found

    def _joined(self, may_end_open: bool) -> lang.Expression:
        found = self._single(may_end_open)
        while self.same_line() and self.here.kind == "sign" and self.here.text in _JOINING:
            token = self.take()
            found = lang.Combined(token.text, found, self._single(False), token.place)
        return found

    def _single(self, may_end_open: bool) -> lang.Expression:
        token = self.here
        self._parts += 1
        if self._parts > LIMITS.parts:
            raise self.fault(f"an expression has at most {LIMITS.parts} parts.")
        if token.kind == "variable":
            variable = self.variable()
            if self.same_line() and self.accept("."):
                return lang.AttributeOf(variable, self.value("an attribute"), token.place)
            return lang.LabelOf(variable, token.place)
        if token.kind == "sign" and token.text == "(":
            self.take()
            inner = self._either(False)
            self.expect(")")
            return inner
        if token.kind not in ("name", "string"):
            raise self.fault(f"a value is expected, not {self.shown()}.")
        self.take()
        if token.kind == "string" or not (self.same_line() and self.accept("::")):
            return lang.Literal(token.value, token.place)
        return self._lookup(token, may_end_open)

    def _lookup(self, token: Token, may_end_open: bool) -> lang.Lookup:
        if self.accept("("):
            entry = self._either(False)
            self.expect(")")
        else:
            place = self.here.place
            entry = lang.Literal(self.value("an entry"), place)
        if may_end_open and self.same_line() and self.here.text == "is":
            return lang.Lookup(token.value, entry, "", token.place)
        self.expect(".")
        return lang.Lookup(token.value, entry, self.value("an attribute"), token.place)
