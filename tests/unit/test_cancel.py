"""Long work ends soon after its flag is set, wherever it is just then."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import plait
from plait import Cancel, Cancelled, GraphParser, Sentence, TransitionParser, derive, vote, write
from plait.cancel import Watching, check_cancelled
from plait.drawing.arcs import WORDS as DRAWN
from plait.learning.component import Component
from plait.learning.request import Request
from plait.transitions.batch import ambiguous, count
from plait.transitions.lattice import build_lattice
from plait.trees import TreeBatch
from plait.trees.lifting import projectivize
from serving import toy_pipeline
from toy import toy

WORDS = 40_000
SOON = 5.0  # seconds; it takes milliseconds, but machines are busy at times


@cache
def long_sentence() -> Sentence:
    """One sentence of very many words, which hang together in a chain."""
    pieces = list(toy(50)) * (WORDS // 250)
    forms = [form for piece in pieces for form in piece.forms][:WORDS]
    tags = [tag for piece in pieces for tag in piece.upos][:WORDS]
    return Sentence(forms=forms, upos=tags, heads=list(range(WORDS)), deprels=["dep"] * WORDS)


def crossing(words: int = WORDS) -> list[int]:
    """Every word of the first half is the head of one in the second half: all these arcs cross."""
    half = words // 2
    return [0, *range(1, half), *range(1, half + 1)]


def rivals() -> list[list[Sentence]]:
    """Pairs of trees whose best arcs make cycle after cycle: up the sentence against down it."""
    down, up = long_sentence().copy(), long_sentence().copy()
    up.heads = [*range(2, WORDS + 1), 0]
    return [[down] * 30, [up] * 30]


@cache
def parser(system: str) -> TransitionParser:
    return TransitionParser(system=system, beam=4, epochs=1, bits=14, oracle="nd-all").fit(toy(30))


@cache
def pseudo_projective() -> TransitionParser:
    return TransitionParser(system="standard", projectivize="head", epochs=1, bits=14).fit(toy(30))


@cache
def graph_parser() -> GraphParser:
    return GraphParser(epochs=1, bits=14, longest=5000, heads=0).fit(toy(30))


def parse_with_beam(cancel: Cancel) -> object:
    return parser("swap").apply([long_sentence()], beam=64, cancel=cancel)


def parse_on_threads(cancel: Cancel) -> object:
    return parser("swap").apply([long_sentence()] * 3, beam=64, threads=3, cancel=cancel)


def parse_greedily(cancel: Cancel) -> object:
    return parser("swap").apply([long_sentence()] * 40, beam=1, cancel=cancel)


def parse_with_spines(cancel: Cancel) -> object:
    return parser("spine").apply([long_sentence()], beam=64, cancel=cancel)


def find_many(cancel: Cancel) -> object:
    return parser("swap").apply([long_sentence()], nbest=50, cancel=cancel)


def trace(cancel: Cancel) -> object:
    return parser("swap").trace(long_sentence(), beam=32, cancel=cancel)


def bring_back(cancel: Cancel) -> object:
    return pseudo_projective().apply([long_sentence()] * 40, beam=1, cancel=cancel)


def parse_by_graph(cancel: Cancel) -> object:
    return graph_parser().apply([long_sentence()] * 3, cancel=cancel)


def parse_text(cancel: Cancel) -> object:
    text = "The dog saw a cat. " * 10_000
    return [list(toy_pipeline().pipe([text] * 20, cancel=cancel)) for _ in range(20)]


def vote_on_trees(cancel: Cancel) -> object:
    return vote(rivals(), [1, 2], cancel=cancel)


@cache
def tangle() -> Sentence:
    """As many words as can be drawn, with arcs that cross."""
    words = [str(word) for word in range(1, DRAWN + 1)]
    return Sentence(forms=words, heads=list(crossing(DRAWN)), deprels=["dep"] * DRAWN)


def draw_picture(cancel: Cancel) -> object:
    return [tangle().draw(cancel=cancel).svg for _ in range(100)]


def draw_text(cancel: Cancel) -> object:
    return [tangle().draw(cancel=cancel).text() for _ in range(100)]


def count_derivation(cancel: Cancel) -> object:
    return count([crossing()], oracle="nd-all", cancel=cancel)


def find_minimal(cancel: Cancel) -> object:
    return count([crossing()], oracle="minimal", budget=1 << 40, cancel=cancel)


def look_for_others(cancel: Cancel) -> object:
    return [ambiguous([crossing()], cancel=cancel) for _ in range(1000)]


def derive_in_python(cancel: Cancel) -> object:
    return derive(crossing(2000), oracle="eager", cancel=cancel)


WORK = [
    parse_with_beam,
    parse_on_threads,
    parse_greedily,
    parse_with_spines,
    find_many,
    trace,
    bring_back,
    parse_by_graph,
    parse_text,
    vote_on_trees,
    draw_picture,
    draw_text,
    count_derivation,
    find_minimal,
    look_for_others,
    derive_in_python,
]


@pytest.mark.parametrize("work", WORK, ids=lambda work: work.__name__)
def test_work_ends_soon_after_its_flag_is_set(work: Callable[[Cancel], object]) -> None:
    cancel = Cancel()
    for make in long_sentence, graph_parser, pseudo_projective, toy_pipeline:
        make()
    parser("swap"), parser("spine")
    set_at: list[float] = []

    def give_up() -> None:
        set_at.append(time.monotonic())
        cancel.cancel()

    timer = threading.Timer(0.3, give_up)
    timer.start()
    with pytest.raises(Cancelled):
        work(cancel)
    assert time.monotonic() - set_at[0] < SOON


@pytest.mark.parametrize("work", WORK, ids=lambda work: work.__name__)
def test_nothing_begins_under_a_set_flag(work: Callable[[Cancel], object]) -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        work(cancel)


@pytest.mark.parametrize("part", ["tokenizer", "tagger", "lemmatizer"])
def test_every_part_looks_at_the_flag(part: str) -> None:
    cancel = Cancel()
    cancel.cancel()
    pipeline = toy_pipeline()
    if part == "tokenizer":
        found = pipeline.tokenize(["The dog saw a cat."], cancel=cancel)
    else:
        unknown = Sentence(forms=["Zyxwv"], upos=["NOUN"])
        found = pipeline[part].annotate([unknown], Request(cancel=cancel))
    with pytest.raises(Cancelled):
        list(found)


def test_a_flag_that_is_not_set_changes_nothing() -> None:
    sentences = list(toy(20, seed=5))
    parsers: tuple[Component[Any], ...] = parser("swap"), graph_parser()
    for each in parsers:
        found = each.apply(sentences, cancel=Cancel())
        assert [sentence.heads for sentence in found] == [
            sentence.heads for sentence in each.apply(sentences)
        ]


def test_a_flag_is_set_with_the_one_above_it() -> None:
    server = Cancel()
    request, other = Cancel(server), Cancel(server)
    request.cancel()
    assert (server.cancelled, request.cancelled, other.cancelled) == (False, True, False)
    server.cancel()
    assert other.cancelled


@pytest.mark.parametrize(
    "work",
    [
        lambda: projectivize(crossing(4000), ["dep"] * 4000),
        lambda: TreeBatch([crossing()]).crossing_pairs,
        lambda: TreeBatch([crossing()]).well_nested,
        lambda: build_lattice(crossing(20)),
        lambda: derive(crossing(20), oracle="minimal"),
    ],
    ids=["projectivize", "crossing_pairs", "well_nested", "lattice", "minimal"],
)
def test_what_has_no_argument_for_it_is_watched_from_outside(work: Callable[[], object]) -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled), Watching(cancel):
        work()
    check_cancelled()  # the watch is over


def test_watches_lie_within_each_other() -> None:
    outer, inner = Cancel(), Cancel()
    inner.cancel()
    with Watching(outer):
        with pytest.raises(Cancelled), Watching(inner):
            check_cancelled()
        check_cancelled()
        outer.cancel()
        with pytest.raises(Cancelled), Watching(None):
            check_cancelled()


def test_what_is_left_is_not_waited_for() -> None:
    # More than a batch of short ones, so that these come out before the others are done.
    sentences = [*[Sentence(forms=["the", "dog"])] * 200, *[long_sentence()] * 3]
    found = parser("swap").annotate((sentence.copy() for sentence in sentences), Request(beam=64, threads=2))
    assert len(next(found)) == 2
    start = time.monotonic()
    found.close()
    assert time.monotonic() - start < SOON


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_an_interrupt_ends_the_parse_of_one_huge_sentence(tmp_path: Path, threads: str) -> None:
    parser("swap").save(tmp_path / "model")
    write([long_sentence()], tmp_path / "long.conllu")
    options = ["-m", "model", "--beam", "64", "--threads", threads]
    command = [sys.executable, "-m", "plait", "parse", "long.conllu", *options]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        assert "will take long" in running.stderr.readline()
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        running.wait(timeout=30)
        assert "Traceback" not in running.stderr.read()
    assert running.returncode != 0


def test_no_block_that_watches_holds_a_yield() -> None:
    """A generator may go on in another thread, and the watch of the first would point to nothing."""
    watching = []
    for path in Path(plait.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.With) and "Watching(" in ast.unparse(node.items[0]):
                watching.append(path.name)
                inner = [each for line in node.body for each in ast.walk(line)]
                assert not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inner), path
    assert len(watching) > 5
