"""Commands for the attack on the verbs that read more than treebanks."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from random import Random
from typing import Protocol

from hostile import later_files as files
from hostile.input_files import ODD, conllu, content_of


class Made(Protocol):
    """What of a case is written here."""

    files: dict[str, bytes]
    arguments: list[str]
    stdin: bytes
    answer: str


Writer = Callable[[Random], str]


def _file(chance: Random, made: Made, writer: Writer, name: str, *, stdin: bool = True) -> str:
    data = content_of(chance, writer)
    if stdin and not made.stdin and chance.random() < 0.05:
        made.stdin = data
        return "-"
    while name in made.files:
        name = "x" + name
    made.files[name] = data
    return f"./{name}"


def _maybe(chance: Random, made: Made, *options: tuple[str, ...]) -> None:
    for option in options:
        if chance.random() < 0.3:
            made.arguments += option


def _json(chance: Random, made: Made) -> None:
    if chance.random() < 0.3:
        made.arguments.append("--json")
        made.answer = "json"


def refer(chance: Random, made: Made) -> None:
    kind = chance.random()
    if kind < 0.5:
        made.arguments += [_file(chance, made, files.scene, "a.json")]
        _maybe(chance, made, ("--speaker", chance.choice(("Ada", "Nobody", "", *ODD)).replace("\0", "")))
        _json(chance, made)
        return
    for number in range(chance.choice((1, 2, 4))):
        _file(chance, made, files.tuna, f"corpus/shapes/s{number}t1.xml", stdin=False)
    if chance.random() < 0.3:
        listed = chance.choice(
            ("shapes/s0t1\n", "shapes/s9t1", "", "../x", "shapes/s0t1 " * 3, "\0", "a/" + "b" * 5000)
        )
        made.files["list.txt"] = listed.encode()
        made.arguments += ["--split", "./list.txt"]
    made.arguments.insert(1, "evaluate" if kind < 0.7 else "train")
    made.arguments.append("corpus")
    if kind < 0.7:
        _json(chance, made)
        return
    methods = ("log-linear", "is-fp", "fbn", "full-brevity", "incremental")
    made.arguments += ["-o", "model", "--set", "epochs=2", "--method", chance.choice(methods)]
    _maybe(chance, made, ("--no-words",))


def mention(chance: Random, made: Made) -> None:
    kind = chance.random()
    writers = (files.subject_mentions, files.people_mentions, files.nested_mentions, files.chains)
    writer = chance.choices(writers, (3, 3, 1, 1))[0]
    task = "msr" if (writer is files.subject_mentions) == (chance.random() < 0.95) else "neg"
    name = _file(chance, made, writer, "a.tsv" if writer is files.chains else "a.xml")
    if kind < 0.6:
        made.arguments += ["fill", name, "-m", task]
        _maybe(chance, made, ("--text",))
        made.answer = "other"
        return
    learner = chance.choice(("chain", "majority", "bayes"))
    made.arguments += ["train", name, "-o", "model", "--task", task, "--learner", learner]
    _maybe(chance, made, ("--set", "l2=1"), ("--tell",))


def rules(chance: Random, made: Made) -> None:
    kind = chance.choice(("check", "apply", "apply", "explain"))
    own = chance.random() < 0.7 or kind == "check"
    made.arguments += [kind, _file(chance, made, files.rules, "a.rules", stdin=False) if own else "english"]
    if kind != "check":
        writer = chance.choice((files.graphs, files.graphs, files.graphs, files.layered, conllu))
        suffix = {files.layered: ".jsonl", conllu: ".conllu"}.get(writer, chance.choice((".graphs", ".json")))
        made.arguments.append(_file(chance, made, writer, f"b{suffix}"))
    if kind == "apply":
        _maybe(chance, made, ("--structure",))
    elif kind == "explain":
        _maybe(chance, made, ("--rule", chance.choice(("noun", "many", "none"))))
    _json(chance, made)


def aspects(chance: Random, made: Made) -> None:
    name = _file(chance, made, files.reviews, "a.xml", stdin=False)
    if chance.random() < 0.6:
        target = chance.choice(("text", "jsonl", "semeval"))
        made.arguments += ["apply", name, "-m", "reviews", "--to", target]
        _maybe(chance, made, ("--given-terms",))
        made.answer = "terminal" if target == "text" else "other"
        return
    recipe = chance.choice(("learned", "paper", "baseline"))
    made.arguments += ["train", name, "-o", "model", "--on", "toy", "--recipe", recipe]
    if chance.random() < 0.7:
        tables = {
            "sentiwordnet-3.0.tsv.xz": files.sentiwordnet,
            "general-inquirer.tsv": files.inquirer,
            "wordnet-3.0.tsv.xz": files.wordnet,
        }
        for table, writer in tables.items():
            data = writer(chance).encode("utf-8", "surrogatepass")
            packed = table.endswith(".xz") and chance.random() < 0.95
            made.files[f"lexicons/{table}"] = lzma.compress(data, preset=0) if packed else data
        made.arguments += ["--lexicons", "lexicons"]


def realize(chance: Random, made: Made) -> None:
    start, writer, suffix = chance.choice(
        (
            ("graph", files.layered, ".jsonl"),
            ("graph", files.layered, ".jsonl"),
            ("deep", files.deep_trees, ".conll"),
            ("deep", files.layered, ".jsonl"),
            ("tree", conllu, ".conllu"),
            ("order", conllu, ".conllu"),
        )
    )
    made.arguments += [_file(chance, made, writer, f"a{suffix}"), "-m", "realizer", "--from", start]
    _maybe(chance, made, ("--lenient",), ("--nbest", "3"))
    if chance.random() < 0.2:
        made.arguments += ["--gold", chance.choice(("tree", "order", "forms", "tree,order,forms", "x", ""))]
    if chance.random() < 0.3:
        made.arguments += ["--to", "conllu"]
    made.answer = "conllu" if "conllu" in made.arguments else "other"


def deep(chance: Random, made: Made) -> None:
    writer, suffix = chance.choice(
        ((conllu, ".conllu"), (files.layered, ".jsonl"), (files.deep_trees, ".conll"))
    )
    made.arguments += [_file(chance, made, writer, f"a{suffix}"), "-m", "deep"]
    _maybe(chance, made, ("--lenient",), ("--to", chance.choice(("jsonl", "conllu", "semantics", "text"))))
    made.answer = "other"


def circle(chance: Random, made: Made) -> None:
    writer, suffix = chance.choice(((conllu, ".conllu"), (files.layered, ".jsonl")))
    made.arguments += [
        _file(chance, made, writer, f"a{suffix}"),
        "-m",
        "roles",
        "--realizer",
        "realizer",
        "--most",
        "1",
    ]
    _maybe(chance, made, ("--lenient",))
    _json(chance, made)


def layers(chance: Random, made: Made) -> None:
    """What treebanks hold beside trees, converted and drawn."""
    writer, suffix = chance.choice(
        ((files.layered, ".jsonl"), (files.deep_trees, ".conll"), (conllu, ".conllu"))
    )
    name = _file(chance, made, writer, f"a{suffix}")
    targets = ("graph", "graph", "semantics", "semantics", "t1", "deep", "conllu", "conll09", "jsonl")
    made.arguments += [name, "--to", chance.choice(targets)]
    _maybe(chance, made, ("--lenient",), ("--pp", chance.choice(("nested", "flat"))))
    if chance.random() < 0.2:
        made.arguments += ["--frames", _file(chance, made, files.frames, "frames.tsv", stdin=False)]
    made.answer = "other"


def scores(chance: Random, made: Made) -> None:
    """What is not a tree, scored."""
    option, writer, name = chance.choice(
        (
            ("--aspects", files.reviews, "a.xml"),
            ("--mentions", chance.choice((files.subject_mentions, files.people_mentions)), "a.xml"),
            ("--deep", files.deep_trees, "a.conll"),
            ("--deep", files.layered, "a.jsonl"),
            ("--by", files.layered, "a.jsonl"),
        )
    )
    first = _file(chance, made, writer, name, stdin=False)
    second = first if chance.random() < 0.5 else _file(chance, made, writer, name, stdin=False)
    made.arguments += [first, second, option, *(("role",) if option == "--by" else ())]
    _json(chance, made)


VERBS: dict[str, tuple[str, Callable[[Random, Made], None]]] = {
    "refer": ("refer", refer),
    "mention": ("mention", mention),
    "rules": ("rules", rules),
    "aspects": ("aspects", aspects),
    "realize": ("realize", realize),
    "deep": ("deep", deep),
    "circle": ("circle", circle),
    "layers": ("convert", layers),
    "scores": ("evaluate", scores),
}
