"""No regular expression and no reader takes time that grows with the square of its input, whatever that is."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from hostile import patterns, readers
from hostile.growth import grows
from hostile.patterns import Use
from hostile.readers import ELSEWHERE, READERS
from nets import encoder_pieces
from plait.components.normalizer import Normalizer
from plait.errors import PlaitError
from plait.features.scripts import EditScript
from plait.server.normal import normalized
from serving import toy_pipeline

SIZE = 8000
SOON = 0.015  # seconds: what grows with the square takes longer for so many


def _square(size: int) -> None:
    end = time.thread_time() + (size / 8000) ** 2 * 0.05
    while time.thread_time() < end:
        pass


def _steady(size: int) -> None:
    end = time.thread_time() + size / 8000 * 0.05
    while time.thread_time() < end:
        pass


def test_squares_are_noticed() -> None:
    assert "take" in grows(lambda size: lambda: _square(size), SIZE, SOON)
    assert grows(lambda size: lambda: _steady(size), SIZE, SOON) == ""


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r'"(?:[^"\\]|\\.)*"', "sub"),
        (r"-[^\s]+?->", "search"),
        (r"\s+$", "search"),
        (r"(a|aa)+b", "match"),
        (r"(.*),(.*),(.*),x", "match"),
    ],
)
def test_slow_patterns_are_noticed(pattern: str, method: str) -> None:
    use = Use("here", re.compile(pattern), method)
    assert any(_fault(use))


def _fault(use: Use) -> list[str]:
    found = []
    for name, make in patterns.inputs(use.pattern):
        if fault := grows(lambda size, make=make: use.on(make(size)), SIZE, SOON):
            found.append(f"{use.place}: {use.method}: {use.pattern.pattern!r}: {name}: {fault}")
            break
    return found


USES = patterns.all_uses()


def test_there_are_patterns() -> None:
    assert len(USES) > 80
    assert {use.method for use in USES} >= {"match", "fullmatch", "search", "sub"}


@pytest.mark.parametrize("use", USES, ids=lambda use: f"{use.place}-{use.method}")
def test_patterns_take_time_in_proportion(use: Use) -> None:
    assert _fault(use) == []


# --- Readers

# Characters, and seconds that linear work on so many of them may take before it is looked at closely. What copies the
# rest of the text at every step is only noticed where that is long.
SHORT, LONG = (6_000, 0.03), (60_000, 0.2)
OF_LONG = 6  # inputs


def test_no_reader_is_forgotten() -> None:
    known = {name.split(" ")[0] for name in READERS}
    assert sorted({*readers.all_readers()}) == sorted({*known, *ELSEWHERE})


@pytest.mark.parametrize("name", READERS)
def test_readers_take_time_in_proportion(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    for sample in reader.samples:
        reader.on(name, sample, tmp_path)()
        for number, (what, make) in enumerate(readers.inputs(sample)):

            def work(size: int, make: Callable[[int], str] = make) -> Callable[[], object]:
                return reader.on(name, make(size), tmp_path)

            fault = grows(work, *SHORT) or (grows(work, *LONG) if number < OF_LONG else "")
            assert fault == "", f"{what}: {fault}"


_TEXT = (
    "The dog's (cat) saw\ta bird... \"Don't!\" he\n\nsaid: 1.5 #red @me http://x.y/z?a=b \u0301\u200d*so*\n"
)


def _objects() -> dict[str, Callable[[str], object]]:
    tokenizer = toy_pipeline().tokenizer
    normalizer = Normalizer()
    normalizer.learn_words(["dog"])
    return {
        "tokenizer": lambda text: list(tokenizer.tokenize(text)),
        "normalizer": lambda text: list(map(normalizer.state.norm, text.split(" "))),
        "pieces": encoder_pieces().cut,
        "server": lambda text: list(normalized(text, [])),
        "script": lambda text: str(EditScript.of(text[: len(text) // 2], text[len(text) // 2 :])),
    }


@pytest.mark.parametrize("name", ["tokenizer", "normalizer", "pieces", "server", "script"])
def test_what_reads_words_takes_time_in_proportion(name: str) -> None:
    use = _objects()[name]

    def read(text: str) -> None:
        with suppress(PlaitError):
            use(text)

    for what, make in readers.inputs(_TEXT):
        fault = grows(lambda size, make=make: partial(read, make(size)), *SHORT)
        assert fault == "", f"{what}: {fault}"
