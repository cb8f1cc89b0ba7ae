"""The command line: one file per verb. Only here is anything printed."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from importlib import import_module

import click

from plait.errors import InputError, PlaitError

# Verb, and what it does. A verb lives in the module and the function of its name, imported when it is called.
VERBS = {
    "cluster": "Learn clusters of words from text.",
    "compare": "Test whether two systems' scores differ by more than chance.",
    "convert": "Convert a treebank from one format to another.",
    "draw": "Draw trees, in the terminal or as pictures.",
    "evaluate": "Score a system's trees against gold ones.",
    "experiment": "Train many parsers on many treebanks and compare: tables and pictures.",
    "info": "Tell what a model is: treebank, options, scores, size, licence.",
    "lattice": "Draw all correct derivations of a sentence.",
    "oracle": "Derive trees, and compare the oracles on a treebank.",
    "parse": "Parse text, or the sentences of files.",
    "serve": "Serve models: a page in the browser, and UDPipe's REST interface.",
    "stats": "Count sentences, words, crossing arcs.",
    "tag": "Find tags, morphological features and lemmas.",
    "tokenize": "Cut text into sentences and words.",
    "train": "Train a parser, or all that turns text into trees, on a treebank.",
    "validate": "List every problem of a treebank file.",
    "vote": "Make one tree of what several parsers found for a sentence.",
}


class Verbs(click.Group):
    """The verbs, imported one at a time so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            near = get_close_matches(cmd_name, VERBS, n=1)
            ctx.fail(f"No such command {cmd_name!r}." + (f" Did you mean {near[0]!r}?" if near else ""))
        command: click.Command = getattr(import_module(f"plait.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(sorted(VERBS.items()))


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="plait", message="plait %(version)s")
def plait() -> None:
    """Dependency trees with crossing arcs: treebanks in and out, measures, scores, parsers.

    Files may be compressed (.gz, .xz); - stands for standard input or output. Exit status: 0 all went well,
    1 it failed, 2 something was wrong with the input.
    """


def main() -> None:
    """Run a verb; what goes wrong becomes one line on standard error and an exit status."""
    status = 0
    try:
        status = plait.main(standalone_mode=False) or 0
    except click.exceptions.Exit as request:
        status = request.exit_code
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except PlaitError as error:
        click.echo(f"plait: {error}", err=True)
        status = 2 if isinstance(error, InputError) else 1
    except (KeyboardInterrupt, click.Abort):
        click.echo("plait: interrupted", err=True)
        status = 130
    except BrokenPipeError:
        # The reader of our output has gone (| head): nothing to say, and nothing more to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 141
    sys.exit(status)
