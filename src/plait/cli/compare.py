"""`plait compare`: whether two systems differ by more than chance."""

from __future__ import annotations

import click

from plait import formats
from plait.cli.common import print_json, print_table
from plait.cli.options import from_option, json_option, seed_option
from plait.evaluation import Significance, evaluate
from plait.evaluation import compare as test
from plait.evaluation.confusions import MOST_SHOWN, TABLES, TagScore
from plait.evaluation.scores import plain
from plait.evaluation.significance import METRICS, SEMANTIC, SentenceTest
from plait.formats.files import display_name


@click.command()
@click.argument("gold")
@click.argument("a")
@click.argument("b")
@click.option(
    "--metric",
    "--score",
    type=click.Choice((*METRICS, *SEMANTIC)),
    default="las",
    show_default=True,
    help="What to compare by.",
)
@click.option(
    "--samples", type=click.IntRange(1, 10**7), default=10_000, show_default=True, help="Bootstrap samples."
)
@seed_option("Of the bootstrap.", default=0)
@click.option(
    "--by",
    type=click.Choice([*TABLES]),
    multiple=True,
    help="Also which tags, or features, each system takes for which others, side by side.",
)
@click.option("--no-punct", is_flag=True, help="Leave out the words whose gold UPOS is PUNCT.")
@from_option
@json_option
def compare(
    gold: str,
    a: str,
    b: str,
    metric: str,
    samples: int,
    seed: int,
    by: tuple[str, ...],
    no_punct: bool,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Test whether systems A and B differ on GOLD: McNemar, Wilcoxon, t-test, bootstrap (all two-sided)."""
    files = [formats.read(path, format=from_format, treebank=True) for path in (gold, a, b)]
    result = test(
        *files,
        metric=metric,
        samples=samples,
        seed=seed,
        punctuation=not no_punct,
    )
    both = [evaluate(files[0], system) for system in files[1:]] if by else []
    both = [scores.without_punctuation() for scores in both] if no_punct else both
    tables = {table: [scores.by_tag(table) for scores in both] for table in by}
    if as_json:
        print_json(
            result.as_dict()
            | {
                f"by_{table}": [{tag: plain(each) for tag, each in found.items()} for found in pair]
                for table, pair in tables.items()
            }
        )
        return
    print_table(
        ("system", metric),
        [
            [f"A {display_name(a)}", f"{result.a:.2f}"],
            [f"B {display_name(b)}", f"{result.b:.2f}"],
            ["B - A", f"{result.difference:+.2f}"],
        ],
    )
    click.echo()
    _print_tests(result)
    for table, pair in tables.items():
        click.echo()
        _print_confusions(table, *pair)


def _print_confusions(table: str, a: dict[str, TagScore], b: dict[str, TagScore]) -> None:
    """As in Bohnet and Nivre (2012), Table 5."""
    rows: list[list[str]] = []
    none = TagScore(0, 0, 0)
    for tag in dict.fromkeys([*a, *b]):
        one, other = a.get(tag, none), b.get(tag, none)
        rows.append([tag, *(f"{each.wrong:,}" for each in (one, other)), f"{one.f1:.2f}", f"{other.f1:.2f}"])
        counts = {name: (one.taken_for.get(name, 0), other.taken_for.get(name, 0)) for name in one.taken_for}
        counts |= {name: (one.taken_for.get(name, 0), count) for name, count in other.taken_for.items()}
        most = sorted(counts.items(), key=lambda item: (-sum(item[1]), item[0]))[:MOST_SHOWN]
        rows += [[f"  → {name}", *(f"{count:,}" for count in pair), "", ""] for name, pair in most]
    print_table(
        (table, "wrong in A", "wrong in B", "F1 of A", "F1 of B"),
        rows,
        note=f"Gold words that have another tag in A and in B; → the {MOST_SHOWN} that they have most often.",
    )


def _print_tests(result: Significance) -> None:
    words, interval = result.mcnemar, result.bootstrap
    things = "dependencies" if result.metric in SEMANTIC else "words"
    print_table(
        ("test", "p", "based on"),
        [
            [
                "McNemar",
                _p(words.p),
                f"{things} right only in A: {words.only_a:,}, only in B: {words.only_b:,}",
            ],
            ["Wilcoxon", _p(result.wilcoxon.p), _sentences("W", result.wilcoxon)],
            ["paired t", _p(result.t_test.p), _sentences("t", result.t_test)],
            [
                "bootstrap",
                _p(interval.p),
                f"{interval.confidence:g} % interval {interval.low:+.2f} to {interval.high:+.2f}, "
                f"{interval.samples:,} samples, seed {interval.seed}",
            ],
        ],
        note=f"Two-sided; {result.convention}. McNemar: exact, over gold {things}. Wilcoxon, t: scores of gold "
        "sentences, for Wilcoxon where they differ. Bootstrap: F1, sentences resampled.",
    )


def _sentences(letter: str, test: SentenceTest) -> str:
    statistic = "" if test.statistic is None else f"{letter} = {test.statistic:,.2f}, "
    return f"{statistic}{test.sentences:,} {'sentence' if test.sentences == 1 else 'sentences'}"


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"
