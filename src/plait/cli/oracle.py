"""`plait oracle`: derivations of a treebank's trees, and how the oracles differ on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from math import isnan
from typing import NamedTuple

import click
from rich.cells import cell_len

from plait.cli.common import Sentences, print_json, print_table
from plait.cli.options import from_option, json_option, lenient_option
from plait.components.transition import TransitionParser
from plait.drawing.measure import visible
from plait.errors import InputError, printable
from plait.formats.files import display_name
from plait.learning.flow import batches
from plait.pipeline import load
from plait.sentence import EMPTY, Sentence
from plait.transitions import SYSTEMS, State, derivations, find_system
from plait.transitions.batch import count
from plait.transitions.comparison import Comparison, compare_oracles, fit_growth
from plait.transitions.kinds import Kind, read_letters
from plait.transitions.minimal import BUDGET
from plait.transitions.registry import oracle_name
from plait.trees import TreeBatch, is_projective
from plait.trees.lifting import ENCODINGS, projectivize

_LONGEST = 500  # words of a sentence whose steps are shown: every step shows them all
_FORESEEN = 500  # words of a sentence for the ND oracles, which look ahead to its end at every step
_COLUMNS = (
    *("file", "sentences", "words", "% projective", "EAGER swaps"),
    *("LAZY saves", "MINIMAL saves", "% unique derivation"),
)


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--system", default="swap", show_default=True, help=f"One of {', '.join(SYSTEMS)}.")
@click.option("--oracle", help="An oracle of the system; otherwise lazy for swap, static for the others.")
@click.option("--compare", is_flag=True, help="Compare the oracles of the swap system.")
@click.option("--derivations", "as_letters", is_flag=True, help="One line of letters per sentence.")
@click.option("--plot", metavar="PICTURE", help="Draw transitions against sentence length.")
@click.option("--parser", "model", metavar="MODEL", help="With --plot or --json: the transitions by which the parser "
              "of a model comes to its own trees, instead of those of an oracle.")  # fmt: skip
@click.option("--single-root", is_flag=True, help="Permit the arc from the root only as the last one.")
@click.option("--projectivize", "encoding", type=click.Choice(ENCODINGS), help="Lift crossing arcs first.")
@click.option("--budget", type=click.IntRange(0, 10**9), default=BUDGET, show_default=True,
              help="How much MINIMAL may search per sentence.")  # fmt: skip
@from_option
@lenient_option
@json_option
def oracle(
    files: tuple[str, ...],
    system: str,
    oracle: str | None,
    compare: bool,
    as_letters: bool,
    plot: str | None,
    model: str | None,
    single_root: bool,
    encoding: str | None,
    budget: int,
    from_format: str | None,
    lenient: bool,
    as_json: bool,
) -> None:
    """Derive the trees of FILES: every step, or with the options below letters, counts, a comparison, a plot.

    Letters: S shift, L left-arc, R right-arc, W swap, D reduce; R2 is a right-arc from the second node of a spine.
    """
    name = oracle_name(system, oracle)
    if sum([compare, as_letters, as_json and not compare]) > 1:
        raise click.UsageError("Only one of --compare, --derivations, --json can say what is printed.")
    if compare and (oracle or system != "swap" or plot):
        raise click.UsageError("--compare speaks of the oracles of the swap system: no other option with it.")
    if model and (not (plot or as_json) or compare or oracle or single_root or encoding or system != "swap"):
        raise click.UsageError(
            "--parser goes with --plot and --json, and with no option that says how to derive."
        )
    sentences = Sentences(lenient=lenient, format=from_format, treebank=True)
    if model:
        parser = _find_parser(model)
        walks = [parser.walk(sentence) for path in files for sentence, _ in sentences.trees_of(path)]
        _tell(walks, sentences, parser.title, as_json, plot)
        sentences.report()
        return
    source = _Source(sentences, system, "" if compare else name, single_root, encoding)
    if compare:
        _compare(files, source, budget, as_json)
    elif as_json or plot:
        _count(files, source, name, budget, as_json, plot)
    else:
        for path in files:
            for batch in source.batches(path):
                found = derivations(batch, system=system, oracle=name, single_root=single_root, budget=budget)
                for sentence, letters in zip(batch, found, strict=True):
                    if as_letters:
                        click.echo(letters)
                    elif len(sentence) > _LONGEST:
                        reason = (
                            f"the sentence has {len(sentence):,} words, and the steps of up to {_LONGEST:,} are "
                            "shown; use --derivations."
                        )
                        sentences.bad_tree(path, sentence, reason)
                    else:
                        _print_steps(sentence, letters, system)
    sentences.report()


class _Source:
    """The sentences of files, ready to be derived: trees that the system can derive."""

    def __init__(
        self, sentences: Sentences, system: str, oracle: str, single_root: bool, encoding: str | None
    ) -> None:
        self.sentences = sentences
        self.system = system
        self.oracle = oracle
        self.single_root = single_root
        self.encoding = encoding

    def batches(self, path: str) -> Iterator[list[Sentence]]:
        return batches(self._derivable(path), 1)

    def _derivable(self, path: str) -> Iterator[Sentence]:
        for sentence, heads in self.sentences.trees_of(path):
            if self.single_root and heads.count(0) > 1:
                reason = f"{heads.count(0)} words hang from the root, and --single-root allows one."
                self.sentences.bad_tree(path, sentence, reason)
                continue
            if self.oracle.startswith("nd-") and len(heads) > _FORESEEN and not is_projective(heads):
                reason = (
                    f"the sentence has {len(heads):,} words, and the oracle '{self.oracle}' is for trees of up "
                    f"to {_FORESEEN:,}, unless they are projective."
                )
                self.sentences.bad_tree(path, sentence, reason)
                continue
            if self.encoding:
                try:
                    lifted, labels = projectivize(heads, sentence.deprels, self.encoding)
                except InputError as error:
                    self.sentences.bad_tree(path, sentence, str(error))
                    continue
                sentence.heads, sentence.deprels = list(lifted), labels
            elif find_system(self.system).projective and not is_projective(heads):
                reason = (
                    f"the tree is not projective, and the system '{self.system}' derives projective trees "
                    "only; use --projectivize or --system swap."
                )
                self.sentences.bad_tree(path, sentence, reason)
                continue
            yield sentence


class _Walk(NamedTuple):
    """How long a derivation is."""

    words: int
    transitions: int
    swaps: int
    over_budget: bool = False


@dataclass(frozen=True, slots=True)
class _Parser:
    """Walks through sentences as a model does."""

    model: TransitionParser
    title: str

    def walk(self, sentence: Sentence) -> _Walk:
        steps = self.model.trace(sentence, alternatives=1).steps
        swaps = sum(step.transition.kind == Kind.SWAP for step in steps)
        return _Walk(len(sentence), len(steps), swaps)


def _find_parser(path: str) -> _Parser:
    parser = load(path).parser
    if not isinstance(parser, TransitionParser):
        raise InputError(f"{path}: no transition-based parser, so there are no transitions to count.")
    return _Parser(parser, f"{parser.options.system}, {display_name(path)}")


def _count(
    files: tuple[str, ...], source: _Source, name: str, budget: int, as_json: bool, plot: str | None
) -> None:
    walks: list[_Walk] = []
    for path in files:
        for batch in source.batches(path):
            counts = count(
                batch, system=source.system, oracle=name, single_root=source.single_root, budget=budget
            )
            numbers = (counts.transitions.tolist(), counts.swaps.tolist(), counts.over_budget.tolist())
            walks += map(_Walk, map(len, batch), *numbers)
    _tell(walks, source.sentences, f"{source.system}, {name}", as_json, plot)


def _tell(walks: list[_Walk], sentences: Sentences, title: str, as_json: bool, plot: str | None) -> None:
    lengths, transitions = [walk.words for walk in walks], [walk.transitions for walk in walks]
    growth = fit_growth(lengths, transitions)
    if plot:
        from plait.drawing.growth import draw_growth

        draw_growth(lengths, transitions, growth, plot, title=title)
        if not as_json:
            click.echo(f"{printable(plot)}: {len(lengths):,} sentences, {growth}")
    if as_json:
        print_json(
            {
                "sentences": len(lengths),
                "words": sum(lengths),
                "transitions": sum(transitions),
                "swaps": sum(walk.swaps for walk in walks),
                "skipped": sentences.skipped,
                "over_budget": sum(walk.over_budget for walk in walks),
                "slope": None if isnan(growth.slope) else round(growth.slope, 4),
                "r_squared": None if isnan(growth.slope) else round(growth.r_squared, 4),
            }
        )


def _compare(files: tuple[str, ...], source: _Source, budget: int, as_json: bool) -> None:
    counts = {
        path: sum(
            (
                compare_oracles(TreeBatch(sentence.tree() for sentence in batch), budget=budget)
                for batch in source.batches(path)
            ),
            Comparison(),
        )
        for path in files
    }
    total = sum(counts.values(), Comparison())
    if as_json:
        rows = [{"path": display_name(path)} | asdict(each) for path, each in counts.items()]
        print_json({"files": rows, "total": asdict(total), "skipped": source.sentences.skipped})
        return
    table = [_row(display_name(path), each) for path, each in counts.items()]
    if len(counts) > 1:
        table.append(_row("total", total))
    note = "Saved: percent of EAGER's swaps. Unique: sentences with one derivation only (ND-ALL)."
    if total.over_budget:
        note += f" MINIMAL was cut short on {total.over_budget:,} sentences; --budget gives it more."
    print_table(_COLUMNS, table, note=note)


def _row(name: str, counts: Comparison) -> list[str]:
    return [
        name,
        f"{counts.sentences:,}",
        f"{counts.words:,}",
        f"{counts.projective_share:.2f}",
        f"{counts.eager_swaps:,}",
        _percent(counts.lazy_reduction),
        _percent(counts.minimal_reduction),
        f"{counts.unique_share:.2f}",
    ]


def _percent(share: float) -> str:
    return "–" if isnan(share) else f"{share:.1f}%"


def _print_steps(sentence: Sentence, letters: str, system: str) -> None:
    """One line per step: stack and buffer before it, the transition, and the arc it adds."""
    rows = []
    state = State(list(map(visible, sentence.forms)), system=system)
    for step in read_letters(letters):
        stack, buffer = state.stack_text(), state.buffer_text()
        dependent = state.dependent(step.kind)
        label = None if dependent is None else sentence.deprels[dependent - 1]
        transition = replace(step, label=None if label is None or label == EMPTY else visible(label))
        state.apply(transition)
        arc = (
            ""
            if dependent is None
            else f"{state.name(state.heads[dependent] or 0)} → {state.name(dependent)}"
        )
        rows.append((stack, buffer, str(transition), arc))
    widths = [max((cell_len(row[column]) for row in rows), default=0) for column in range(3)]
    lines = [f"# sent_id = {visible(sentence.sent_id)}"] if sentence.sent_id else []
    lines.append(f"# text = {visible(sentence.text)}")
    for row in rows:
        padded = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row[:3], widths, strict=True)]
        lines.append("  ".join([*padded, row[3]]).rstrip())
    click.echo("\n".join([*lines, ""]))
