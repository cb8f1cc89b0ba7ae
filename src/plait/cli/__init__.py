"""The command line: one file per verb. Only here is anything printed."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from importlib import import_module
from io import StringIO
from traceback import format_exc

import click

from plait.cli import streams
from plait.errors import InputError, PlaitError

# The verbs in groups, in the order of work, and what each does. A verb lives in the module and the function of its
# name, imported when it is called.
GROUPS = {
    "Treebanks": {
        "validate": "List every problem of a treebank file.",
        "convert": "Convert a treebank from one format to another.",
        "stats": "Count sentences, words, crossing arcs.",
    },
    "Trees and oracles": {
        "draw": "Draw trees, in the terminal or as pictures.",
        "oracle": "Derive trees, and compare the oracles on a treebank.",
        "lattice": "Draw all correct derivations of a sentence.",
    },
    "Parsing": {
        "train": "Train a parser, or all that turns text into trees, on a treebank.",
        "teach": "Let a model annotate raw text, and a student learn from it.",
        "adapt": "Make a model fit raw text of another kind, without new trees.",
        "models": "Models by name: list, train, get, verify and package them.",
        "info": "Tell what a model is: treebank, options, scores, size, licence.",
        "tokenize": "Cut text into sentences and words.",
        "tag": "Find tags, morphological features and lemmas.",
        "parse": "Parse text, or the sentences of files.",
        "aspects": "Find what reviews are about, and what they think of it.",
        "deep": "Make deep-syntactic trees of surface trees.",
        "vote": "Make one tree of what several parsers found for a sentence.",
        "evaluate": "Score a system's trees against gold ones.",
        "compare": "Test whether two systems' scores differ by more than chance.",
        "cluster": "Learn clusters of words from text.",
        "features": "Choose the feature templates that a treebank needs.",
    },
    "The way back": {
        "realize": "Put trees without order into words.",
        "circle": "From text to meaning and back, and what is lost where.",
        "refer": "Say which of several things is meant, as a given speaker would.",
        "rules": "Map structures by two-level rules, and see which rules did what.",
        "mention": "Fill the mentions of a text: names, pronouns, descriptions.",
    },
    "Serving and experiments": {
        "serve": "Serve models: a page in the browser, and UDPipe's REST interface.",
        "experiment": "Train many parsers on many treebanks and compare: tables and pictures.",
    },
}
VERBS = {verb: text for verbs in GROUPS.values() for verb, text in verbs.items()}

_DEBUG = "debug"


class Verbs(click.Group):
    """The verbs, imported one at a time so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            near = get_close_matches(cmd_name, VERBS, n=1)
            ctx.fail(f"No such command {cmd_name!r}." + (f" Did you mean {near[0]!r}?" if near else ""))
        command: click.Command = getattr(import_module(f"plait.cli.{cmd_name}"), cmd_name)
        _let_debug(command)
        if ctx.resilient_parsing:  # a shell asks what would fit
            import_module("plait.cli.completion").offer(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        width = max(map(len, VERBS))
        for title, verbs in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(verb.ljust(width), text) for verb, text in verbs.items()])


def _let_debug(command: click.Command) -> None:
    """The same option before and after the verb and its sub-verbs: where one is used to writing it."""
    if all(parameter.name != _DEBUG for parameter in command.params):
        command.params.append(_debug_option())
    for each in command.commands.values() if isinstance(command, click.Group) else ():
        _let_debug(each)


def _show_traces(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        ctx.ensure_object(set).add(_DEBUG)


def _debug_option() -> click.Option:
    text = "With an error, print where in the program it happened."
    return click.Option(["--debug"], is_flag=True, expose_value=False, callback=_show_traces, help=text)


@click.group(cls=Verbs, params=[_debug_option()], context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="plait", message="plait %(version)s")
def plait() -> None:
    """Dependency trees with crossing arcs: treebanks in and out, measures, scores, parsers.

    Files may be compressed (.gz, .xz); - stands for standard input or output. Exit status: 0 all went well,
    1 it failed, 2 something was wrong with the input.
    """


def main() -> None:
    """Run a verb; what goes wrong becomes one line on standard error and an exit status."""
    streams.prepare()
    wishes: set[str] = set()
    status = 0
    try:
        with streams.flushed_output():
            status = plait.main(prog_name="plait", standalone_mode=False, obj=wishes) or 0
    except click.exceptions.Exit as request:
        status = request.exit_code
    except click.ClickException as error:
        shown = StringIO()
        error.show(shown)
        streams.print_error(shown.getvalue())
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        streams.print_error("plait: interrupted")
        status = 130
    except BrokenPipeError:
        status = 141  # the reader of our output has gone (| head): nothing to say
    except Exception as error:  # whatever it is, a user meets one line and no traceback
        if _DEBUG in wishes:
            streams.print_error(format_exc())
        streams.print_error(f"plait: {message_of(error)}")
        status = 2 if isinstance(error, InputError) else 1
    sys.exit(status)


def message_of(error: Exception) -> str:
    """What a user is told of an error, on one line."""
    if isinstance(error, PlaitError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory."
    if isinstance(error, OSError) and error.strerror:
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        return f"{place}{error.strerror}."
    name = type(error).__name__
    return f"this should not have happened: {name}: {error} (--debug shows where; please report it)"
