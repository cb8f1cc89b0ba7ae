"""Commands for the attack on the verbs: which files they get, and with which options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from hostile import later_cases
from hostile.input_files import (
    ODD,
    SUFFIX_OF,
    SUFFIXES,
    WRITERS,
    conllu,
    content_of,
    file_name,
    mutated,
    plain_text,
)


@dataclass
class Case:
    """Files by name, the arguments, standard input, and what is known of a good answer."""

    files: dict[str, bytes] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    stdin: bytes = b""
    answer: str = "terminal"  # terminal | json | svg | conllu | other
    has_trees: bool = False  # every sentence of the answer must be a tree
    is_valid: bool = False  # the answer must be without errors

    @property
    def verb(self) -> str:
        return self.arguments[0]


def make(case: int) -> Case:
    """The case with this number, the same at any time and place."""
    chance = Random(case)
    made = Case()
    verb, write = _ALL[chance.choice(tuple(_ALL))]
    made.arguments = [verb]
    write(chance, made)
    return made


def _file(chance: Random, made: Case, writer: Callable[[Random], str] | None = None) -> str:
    """The argument for a new file: its place, or standard input."""
    writer = writer or chance.choice(WRITERS)
    data = content_of(chance, writer)
    if not made.stdin and chance.random() < 0.1:
        made.stdin = data
        return "-"
    name = file_name(chance, SUFFIXES if chance.random() < 0.15 else SUFFIX_OF.get(writer, ("", ".conllu")))
    while name in made.files:
        name = "x" + name
    made.files[name] = data
    return f"./{name}"


def _same_words(chance: Random, made: Case, amount: int) -> list[str]:
    """Files that differ a little: gold and system."""
    first = _file(chance, made, conllu if chance.random() < 0.8 else None)
    data = made.stdin if first == "-" else made.files[first[2:]]
    names = [first]
    for number in range(amount - 1):
        other = mutated(chance, data) if chance.random() < 0.3 else data
        made.files[f"other{number}.conllu"] = other
        names.append(f"./other{number}.conllu")
    return names


def _maybe(chance: Random, made: Case, *options: tuple[str, ...]) -> None:
    for option in options:
        if chance.random() < 0.2:
            made.arguments += option


def _json_or_table(chance: Random, made: Case) -> None:
    if chance.random() < 0.3:
        made.arguments.append("--json")
        made.answer = "json"


def _stats(chance: Random, made: Case) -> None:
    made.arguments += [_file(chance, made) for _ in range(chance.choice((1, 1, 2)))]
    _maybe(chance, made, ("--lenient",), ("--from", chance.choice(_FORMATS)))
    _json_or_table(chance, made)


def _validate(chance: Random, made: Case) -> None:
    made.arguments.append(_file(chance, made))
    _maybe(chance, made, ("--no-warnings",), ("--from", chance.choice(_FORMATS)))
    _json_or_table(chance, made)


_FORMATS = ("conllu", "conllx", "conll09", "jsonl", "text", "horizontal", "vertical")


def _convert(chance: Random, made: Case) -> None:
    target = chance.choice(("conllu", "conllu", "conllu", *_FORMATS))
    made.arguments += [_file(chance, made), "--to", target]
    _maybe(chance, made, ("--lenient",), ("--from", chance.choice(_FORMATS)))
    made.answer = "conllu" if target == "conllu" else "other"


def _evaluate(chance: Random, made: Case) -> None:
    made.arguments += _same_words(chance, made, 2)
    _maybe(
        chance,
        made,
        ("--by", "label"),
        ("--by", "arc"),
        ("--by", "length"),
        ("--no-punct",),
        ("--full-deprel",),
    )
    _json_or_table(chance, made)


def _compare(chance: Random, made: Case) -> None:
    made.arguments += [*_same_words(chance, made, 3), "--samples", "50"]
    _maybe(chance, made, ("--metric", chance.choice(("uas", "upos", "las_full"))), ("--no-punct",))
    _json_or_table(chance, made)


def _oracle(chance: Random, made: Case) -> None:
    made.arguments.append(_file(chance, made))
    system = chance.choice(("swap", "standard", "eager", "spine", "spine-swap"))
    _maybe(
        chance, made, ("--lenient",), ("--single-root",), ("--projectivize", chance.choice(("head", "path")))
    )
    _maybe(
        chance,
        made,
        ("--system", system),
        ("--oracle", chance.choice(("eager", "nd-all", "static", "minimal"))),
    )
    _maybe(chance, made, (chance.choice(("--compare", "--derivations")),))


def _lattice(chance: Random, made: Case) -> None:
    made.arguments += [_file(chance, made), "--limit", "60"]
    _maybe(chance, made, ("--sentence", chance.choice(("1", "2", "9" * 40))), ("--single-root",))
    made.answer = "svg"
    _json_or_table(chance, made)


def _draw(chance: Random, made: Case) -> None:
    against = chance.random() < 0.2
    names = _same_words(chance, made, 2) if against else [_file(chance, made)]
    made.arguments.append(names[0])
    if against:
        made.arguments += ["--against", names[1]]
    which = chance.choice(("1", "2", "all", "1-2", "0", "9" * 5000, *ODD)).replace("\0", "")
    _maybe(
        chance,
        made,
        ("--lemmas",),
        ("--ascii",),
        ("--sentence", which),
        ("--width", chance.choice(("0", "1", "200"))),
    )
    if chance.random() < 0.3:
        made.arguments += ["-o", "-"]
        made.answer = "svg"


def _vote(chance: Random, made: Case) -> None:
    made.arguments += _same_words(chance, made, chance.choice((1, 2, 3)))
    _maybe(
        chance,
        made,
        ("--weights", chance.choice(("1", "1,2", "1,1,1", "0.1,1e300", "nan,1", "-1,1", "", "x"))),
    )
    made.answer, made.has_trees = "conllu", True


def _annotate(chance: Random, made: Case) -> None:
    """parse, tag and tokenize share what they read."""
    made.answer = "conllu"
    made.has_trees = made.verb == "parse"
    kind = chance.random()
    if kind < 0.15:
        text = "x " + plain_text(chance).replace("\0", "")[:2000]
        made.arguments += [*chance.choice(((), ("--to", "conllu"))), "--", text]
        if made.verb == "parse" and made.arguments[1] == "--":
            made.answer = "terminal"
        return
    writer = plain_text if kind < 0.5 or made.verb == "tokenize" else None
    made.arguments += [_file(chance, made, writer) for _ in range(chance.choice((1, 1, 1, 2)))]
    made.is_valid = made.verb == "tokenize"
    _maybe(chance, made, ("--lenient",), ("--lines",), ("--ranges",))
    if made.verb != "tokenize":
        _maybe(chance, made, ("--tokenized",), ("--threads", "2"), ("--keep", "tags"))
    if made.verb == "parse":
        _maybe(chance, made, ("--nbest", "2"), ("--beam", "3"), ("--keep", "heads"), ("--confidence",))


_VERBS: dict[str, Callable[[Random, Case], None]] = {
    "stats": _stats,
    "validate": _validate,
    "convert": _convert,
    "evaluate": _evaluate,
    "compare": _compare,
    "oracle": _oracle,
    "lattice": _lattice,
    "draw": _draw,
    "vote": _vote,
    "parse": _annotate,
    "tag": _annotate,
    "tokenize": _annotate,
}
_ALL: dict[str, tuple[str, Callable[[Random, Case], None]]] = {
    **{verb: (verb, write) for verb, write in _VERBS.items()},
    **later_cases.VERBS,
}
