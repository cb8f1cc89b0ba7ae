"""`plait validate`: every problem of a file, not only the first."""

from __future__ import annotations

import click

from plait.cli.common import print_json
from plait.cli.options import from_option, json_option
from plait.validation import validate as problems_of


@click.command()
@click.argument("files", nargs=-1, required=True)
@from_option
@click.option("--no-warnings", is_flag=True, help="Leave out breaches of convention that lose nothing.")
@json_option
@click.pass_context
def validate(
    ctx: click.Context, files: tuple[str, ...], from_format: str | None, no_warnings: bool, as_json: bool
) -> None:
    """List every problem of FILES; the exit status is 2 if there are errors."""
    errors = warnings = 0
    listed = []
    for path in files:
        for problem in problems_of(path, format=from_format):
            errors += not problem.warning
            warnings += problem.warning
            if problem.warning and no_warnings:
                continue
            if as_json:
                listed.append(
                    {
                        "path": problem.path,
                        "line": problem.line,
                        "sent_id": problem.sent_id,
                        "severity": "warning" if problem.warning else "error",
                        "message": problem.message,
                    }
                )
            else:
                click.echo(str(problem))
    if as_json:
        print_json({"errors": errors, "warnings": warnings, "problems": listed})
    else:
        click.echo(f"{_count(errors, 'error')}, {_count(warnings, 'warning')}", err=True)
    ctx.exit(2 if errors else 0)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
