"""Verbs with sub-verbs, one of which need not be said: `plait aspects train FILE`, but `plait aspects "A text."`."""

from __future__ import annotations

import click


class UsualVerb(click.Group):
    """A group whose `usual` command is meant when none of the others is named.

    A file that has the name of a sub-verb is given as `./NAME`.
    """

    usual = "apply"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asks_help = args[:1] and args[0] in ctx.help_option_names
        if not asks_help and not (args and args[0] in self.commands):
            args = [self.usual, *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """How the usual command is called, and that there are others."""
        command = self.commands[self.usual]
        pieces = command.collect_usage_pieces(click.Context(command, parent=ctx))
        formatter.write_usage(ctx.command_path, " ".join(pieces))
        others = [name for name in self.commands if name != self.usual]
        formatter.write_usage(ctx.command_path, f"{'|'.join(others)} …", prefix="   or: ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of the usual command, and the others."""
        command = self.commands[self.usual]
        with formatter.section("Options"):
            inner = click.Context(command, parent=ctx)
            found = [
                parameter.get_help_record(inner)
                for parameter in command.get_params(inner)
                if isinstance(parameter, click.Option)
            ]
            formatter.write_dl([record for record in found if record])
        with formatter.section("Other commands"):
            formatter.write_dl(
                [
                    (name, each.get_short_help_str())
                    for name, each in self.commands.items()
                    if name != self.usual
                ]
            )
