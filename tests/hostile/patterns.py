"""All regular expressions of the package, found in its source: how they are used, and what could trouble them."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import plait

PACKAGE = Path(plait.__file__).parent
METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
_WITHOUT_PATTERN = ("escape", "purge")
_LONGEST_EXAMPLE = 40
# What local names in patterns stand for; the test fails for one that is not here.
LOCALS: dict[str, Any] = {
    "form": "a b",
    "marks": "a-z",
    "surface": "a b",
    "name": "name",
    "letters": "abc",
    "LETTERS": "abc",
}


@dataclass(frozen=True)
class Use:
    """A pattern, the place in the source where it stands, and how it is applied."""

    place: str
    pattern: re.Pattern[Any]
    method: str

    def on(self, text: Any) -> Callable[[], object]:
        empty = "" if isinstance(self.pattern.pattern, str) else b""
        works: dict[str, Callable[[], object]] = {
            "sub": lambda: self.pattern.sub(empty, text),
            "subn": lambda: self.pattern.subn(empty, text),
            "finditer": lambda: sum(1 for _ in self.pattern.finditer(text)),
        }
        return works.get(self.method, lambda: getattr(self.pattern, self.method)(text))


def all_uses() -> list[Use]:
    """ValueError for a pattern that nobody can tell from the source alone."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    found: dict[tuple[str, str, str], Use] = {}
    for path, tree in trees.items():
        if not any(_is_re(node) for node in ast.walk(tree)):
            continue
        module = importlib.import_module(_module_name(path))
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and _is_re(node.func)):
                continue
            method = node.func.attr  # type: ignore[attr-defined]
            if method in _WITHOUT_PATTERN:
                continue
            place = f"{path.relative_to(PACKAGE)}:{node.lineno}"
            pattern = _compiled(node, module, place)
            methods = {method}
            if method == "compile":
                names = _names(tree, node)
                methods = _methods(names, tree)
                for other in trees.values():
                    methods |= _methods(_imported(other, module.__name__, names), other)
                methods = methods or {"search", "fullmatch"}
            for each in sorted(methods):
                found[place, str(pattern.pattern), each] = Use(place, pattern, each)
    return [found[key] for key in sorted(found)]


def _module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_re(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "re"
        and (node.attr in ("compile", *METHODS))
    )


def _compiled(node: ast.Call, module: ModuleType, place: str) -> re.Pattern[Any]:
    given = {each.arg: each.value for each in node.keywords}
    flags = given.get("flags") or (
        node.args[1] if node.func.attr == "compile" and len(node.args) > 1 else None
    )  # type: ignore[attr-defined]
    known = {**LOCALS, **vars(module)}
    try:
        pattern = eval(compile(ast.Expression(node.args[0]), place, "eval"), known)
        wanted = eval(compile(ast.Expression(flags), place, "eval"), known) if flags else 0
        return re.compile(pattern, wanted)
    except Exception as error:
        raise ValueError(
            f"{place}: what this pattern is cannot be told ({error}); name an example of its local names in LOCALS"
        ) from None


def _names(tree: ast.Module, call: ast.Call) -> set[str]:
    """What a compiled pattern is called: the variable that it, or what it is in, is assigned to, or the function that
    gives it.
    """
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and call in set(ast.walk(node.value)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {
                each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
            }
    return found


def _imported(tree: ast.Module, module: str, names: set[str]) -> set[str]:
    """What these names of a module are called in another."""
    return {
        each.asname or each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == module
        for each in node.names
        if each.name in names
    }


def _methods(names: set[str], tree: ast.Module) -> set[str]:
    """How what is called so is applied: directly, or as an entry of a table."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            value = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            if isinstance(value, ast.Name) and value.id in names:
                found.add(node.attr)
    return found


# What could trouble a pattern.


def inputs(pattern: re.Pattern[Any]) -> Iterator[tuple[str, Callable[[int], Any]]]:
    """A name, and an input of so many units: what the pattern names again and again, after what it begins with, before
    what does not belong there.
    """
    parsed = _parser.parse(pattern.pattern, pattern.flags)
    letters = _few(_letters(parsed), 16)
    example = _example(parsed)[:_LONGEST_EXAMPLE]
    prefixes = [example[:end] for end in range(1, len(example) + 1)]
    pairs = [one + other for one in _few(letters, 7) for other in _few(letters, 7) if one != other]
    starts = list(dict.fromkeys(["", *prefixes[:4], *prefixes[-1:]]))
    units = [(unit, starts) for unit in dict.fromkeys([*letters, *prefixes[:16]])]
    units += [(unit, starts[:2]) for unit in pairs]
    as_given = (
        (lambda text: text) if isinstance(pattern.pattern, str) else (lambda text: text.encode("latin-1"))
    )
    for unit, places in units:
        for start in places:
            for end in ("", "\0", example[-1:]):

                def make(size: int, unit: str = unit, start: str = start, end: str = end) -> Any:
                    return as_given(start + unit * (size // len(unit)) + end)

                yield f"{start!r} + {unit!r} * n + {end!r}", make


def _few(letters: Iterable[str], most: int) -> list[str]:
    """Signs first, as they decide more often than letters where something ends."""
    return sorted(letters, key=lambda letter: (letter.isalnum(), letter))[:most]


_CATEGORIES = {
    code.CATEGORY_DIGIT: "0",
    code.CATEGORY_NOT_DIGIT: "a",
    code.CATEGORY_SPACE: " ",
    code.CATEGORY_NOT_SPACE: "a",
    code.CATEGORY_WORD: "a",
    code.CATEGORY_NOT_WORD: "!",
}


def _letters(parsed: Any) -> set[str]:
    """Of every set and every letter of a pattern one that is in it, and of sets the limits."""
    found: set[str] = set()
    for operation, value in _walk(parsed):
        if operation in (code.LITERAL, code.NOT_LITERAL):
            found.add(chr(value))
        elif operation is code.IN:
            found |= _members(value)
        elif operation is code.ANY:
            found.add("a")
    return {each for each in found if not 0xD800 <= ord(each) < 0xE000}


def _members(items: Any) -> set[str]:
    found = set()
    for kind, value in items:
        if kind is code.LITERAL:
            found.add(chr(value))
        elif kind is code.RANGE:
            found |= {chr(value[0]), chr(value[1])}
        elif kind is code.CATEGORY:
            found.add(_CATEGORIES[value])
    return found | ({"a"} if items and items[0][0] is code.NEGATE else set())


def _walk(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, _parser.SubPattern | list):
        for each in value:
            yield from _walk(each)
    elif isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], code._NamedIntConstant):
            yield value
        for each in value:
            if isinstance(each, _parser.SubPattern | list | tuple):
                yield from _walk(each)


def _example(parsed: Any) -> str:
    """A text that matches, or nearly: every part at least once."""
    found = ""
    groups: dict[int, str] = {}
    for operation, value in parsed:
        if operation is code.LITERAL:
            found += chr(value)
        elif operation is code.NOT_LITERAL:
            found += "a" if chr(value) != "a" else "b"
        elif operation is code.ANY:
            found += "a"
        elif operation is code.IN:
            outside = value[0][0] is code.NEGATE
            members = _members(value)
            found += next(each for each in "ab0 !x" if each not in members) if outside else min(members)
        elif operation in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
            found += _example(value[2]) * max(1, min(value[0], 2))
        elif operation is code.SUBPATTERN:
            groups[value[0]] = _example(value[3])
            found += groups[value[0]]
        elif operation is code.BRANCH:
            found += _example(value[1][0])
        elif operation is code.ATOMIC_GROUP:
            found += _example(value)
        elif operation is code.GROUPREF:
            found += groups.get(value, "")
    return found
