"""The attack on the verbs that read: every case is a command with its files, run in this process."""

from __future__ import annotations

import io
import json
import re
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import ClassVar, NoReturn, Self
from unittest.mock import patch
from xml.etree import ElementTree

import plait
from hostile.input_cases import Case, make
from hostile.report import Finding
from hostile.toy_models import toy_fillers, toy_pipelines
from plait.cli import main
from plait.errors import PlaitError
from plait.generation.mentions import MentionFiller
from plait.pipeline import Pipeline
from plait.trees import tree_of

_PATIENCE = 10  # seconds until a command counts as hanging
# All but tab and line end; drawings and derivations may hold right-to-left marks, which are harmless.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class _HangError(BaseException):
    """No `except Exception` may hide it."""


class Attack:
    """Runs one command per case, and looks at its status, its messages and what it wrote."""

    name: ClassVar[str] = "inputs"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        models = toy_pipelines()  # once for all cases
        self._stack.enter_context(
            patch.object(Pipeline, "load", lambda name: models.get(name, models["toy"]))
        )
        fillers = toy_fillers(self._folder)
        self._stack.enter_context(patch.object(MentionFiller, "load", lambda name: fillers[name]))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def run(self, case: int) -> Finding | None:
        made = make(case)
        folder = self._folder / "case"
        folder.mkdir(exist_ok=True)
        try:
            for name, data in made.files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
            with chdir(folder):
                for kind, detail in self._faults(made):
                    return Finding(self.name, case, kind, f"{str(made.arguments)[:300]}: {detail[-1500:]}")
        finally:
            shutil.rmtree(folder)
        return None

    def _faults(self, made: Case) -> Iterator[tuple[str, str]]:
        try:
            with _at_most(_PATIENCE):
                status, out, err = _call(made)
        except _HangError:
            yield "hang", traceback.format_exc()
            return
        except Exception as error:
            places = "".join(traceback.format_tb(error.__traceback__))
            yield "traceback", f"{places[-1000:]}{type(error).__name__}: {str(error)[:300]}"
            return
        said = err.decode("utf-8", "replace")
        if status not in (0, 2) or "Traceback" in said:
            yield "traceback", f"status {status}: {said}"
        lists = made.verb == "validate" or made.arguments[:2] == ["rules", "check"]  # problems, as its answer
        if status == 2 and not lists and not said.strip():
            yield "invalid output", "status 2 without a message"
        if found := _CONTROL.search(said):
            yield (
                "invalid output",
                f"a raw control character in a message: {said[max(0, found.start() - 80) :]!r}",
            )
        if status == 0:
            try:
                _examine(made, out)
            except (PlaitError, ValueError, ElementTree.ParseError, UnicodeError) as error:
                yield "invalid output", f"{out[:800]!r}\n{type(error).__name__}: {str(error)[:300]}"


def _call(made: Case) -> tuple[int, bytes, bytes]:
    out, err = io.BytesIO(), io.BytesIO()
    with (
        patch.object(sys, "argv", ["plait", *made.arguments]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(made.stdin)), "utf-8")),
        patch.object(sys, "stdout", io.TextIOWrapper(out, "utf-8")),
        patch.object(sys, "stderr", io.TextIOWrapper(err, "utf-8", "backslashreplace")),
    ):
        status: object = 0
        try:
            main()
        except SystemExit as done:
            status = done.code or 0
        sys.stdout.flush()
        sys.stderr.flush()
        return int(str(status)), out.getvalue(), err.getvalue()


def _examine(made: Case, out: bytes) -> None:
    """Raise an error if what a command wrote is not what it promises."""
    if made.answer == "json":
        json.loads(out, parse_constant=_refuse)
    elif made.answer == "svg":
        ElementTree.fromstring(out.decode())
    elif made.answer == "conllu":
        _examine_conllu(made, out)
    if made.answer in ("json", "svg", "terminal") and (found := _CONTROL.search(out.decode())):
        raise ValueError(f"a raw control character reaches the terminal: {found[0]!r}")


def _examine_conllu(made: Case, out: bytes) -> None:
    path = Path("answer.conllu")
    path.write_bytes(out)
    sentences = plait.read(path)  # raises where the file cannot be read
    if made.has_trees:
        for sentence in sentences:
            tree_of(sentence)
    if made.is_valid:
        errors = [str(problem) for problem in plait.validate(path) if not problem.warning]
        if errors:
            raise ValueError(errors[0])


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
        raise _HangError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
