"""What the shell completes beside verbs, options and choices: names of models, and files."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from plait.catalogue import registry
from plait.catalogue.names import every

_MODELS = ("model", "models", "names", "realizer")  # parameters that take the name of a model, or a path


class _ModelType(click.Path):
    """Names of models that are here; where none fits, files."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = sorted({each.name for each in every() if each.name.startswith(incomplete)})
        return [CompletionItem(name) for name in names] or super().shell_complete(ctx, param, incomplete)


def offer(command: click.Command) -> None:
    """Let the shell complete the texts that a command takes: files, unless it is known better. A shell that is told of
    nothing would not complete files by itself.
    """
    for parameter in command.params:
        if not isinstance(parameter.type, click.types.StringParamType):
            continue
        if command.name == "train" and parameter.name == "name":
            trainable = [name for name, entry in registry.entries().items() if entry.trainable]
            parameter.type = click.Choice(trainable)
        else:
            parameter.type = _ModelType() if parameter.name in _MODELS else click.Path()
    for each in command.commands.values() if isinstance(command, click.Group) else ():
        offer(each)
