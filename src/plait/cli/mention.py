"""`plait mention`: what is said at the mentions of texts, learned and filled in."""

from __future__ import annotations

import click

from plait.cli.common import require_other_file
from plait.cli.options import model_output_option, output_option
from plait.cli.subverbs import UsualVerb
from plait.errors import InputError
from plait.formats.files import STANDARD, open_sink
from plait.formats.grec import read_mentions, write_mentions
from plait.formats.mention_columns import is_xml, read_chains, write_chains
from plait.generation.mentions import MentionFiller
from plait.generation.mentions.learners import LEARNERS
from plait.generation.mentions.options import CHAIN, MSR, NEG, MentionOptions
from plait.learning import store


class _Mention(UsualVerb):
    usual = "fill"


@click.group(cls=_Mention)
def mention() -> None:
    """Fill the mentions of a text: name, pronoun, description, or nothing at all.

    FILE is XML of the GREC tasks, in which every mention has a list of what may be said; what was said is not looked
    at. A file with the name of a sub-verb is given as ./NAME.
    """


@mention.command()
@click.argument("file")
@model_output_option
@click.option("--task", type=click.Choice([MSR, NEG]), default=MSR, show_default=True,
              help="msr: texts about one subject. neg: all people of a text, also from columns.")  # fmt: skip
@click.option("--learner", type=click.Choice([CHAIN, *LEARNERS]), default=CHAIN, show_default=True,
              help="A chain over all mentions of a text, or types one by one, by a learner of IS-G.")  # fmt: skip
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any option by its name, as l2=2."
)
@click.option("--force", is_flag=True, help="Replace a model that is there.")
@click.option("--tell", is_flag=True, help="Print what was learned: the tree, the parents in the network.")
def train(
    file: str, output: str, task: str, learner: str, settings: tuple[str, ...], force: bool, tell: bool
) -> None:
    """Learn from FILE, XML with all mentions filled, a folder of such files, or columns (--task neg)."""
    options = dict(MentionOptions.parse_setting(setting) for setting in settings)
    filler = MentionFiller(**{"task": task, "learner": learner, **options})
    store.require_free(output, force=force)
    if is_xml(file):
        texts = read_mentions(file)
        click.echo(f"plait: {len(texts):,} texts are read; they are parsed and learned from now", err=True)
        filler.fit(texts, source=file)
    else:
        filler.fit_chains(read_chains(file), source=file)
    filler.save(output, force=force)
    if tell:
        click.echo(filler.tell() or "There is nothing to read in what this learner learned.", nl=False)
    size = store.size(output) / 1e6
    facts = filler.facts
    click.echo(
        f"Saved {click.format_filename(output)}: {facts.references:,} mentions of {facts.texts:,} texts, {size:.1f} MB."
    )


@mention.command()
@click.argument("file")
@click.option(
    "-m", "--model", required=True, metavar="FOLDER", help="A model that `plait mention train` made."
)
@output_option
@click.option("--text", "as_text", is_flag=True, help="Write what one reads, not XML.")
def fill(file: str, model: str, output: str, as_text: bool) -> None:
    """Fill every mention of FILE and write it in the form in which it came."""
    if file != STANDARD:
        require_other_file(file, output)
    filler = MentionFiller.load(model)
    if not is_xml(file):
        if as_text:
            raise InputError(f"{file}: columns have no text that one could read.")
        write_chains(filler.label_chains(read_chains(file)), output)
        return
    texts = filler.fill(read_mentions(file))
    if not as_text:
        write_mentions(texts, output)
        return
    with open_sink(output) as sink:
        for text in texts:
            sink.write(f"{text.text}\n\n".encode())
