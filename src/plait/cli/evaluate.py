"""`plait evaluate`: the scores of a system's trees, or of its texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import click

from plait import formats
from plait.cli.aspect_scores import evaluate_aspects
from plait.cli.common import print_json, print_table
from plait.cli.deep_scores import evaluate_deep
from plait.cli.mention_scores import evaluate_mentions
from plait.cli.options import from_option, json_option
from plait.cli.roles import RATES, percent, print_by_predicate, print_by_role, print_roles, rates
from plait.cli.texts import evaluate_texts, text_score_options
from plait.errors import InputError
from plait.evaluation import ArcScore, LengthScore, Metric, Scores
from plait.evaluation import evaluate as score
from plait.evaluation.confusions import MOST_SHOWN, TABLES
from plait.evaluation.scores import CONLL18, plain

_PAPER_NAMES = {
    "las_full": "LAS, whole labels",
    "tlas": "TLAS (tag, head, label)",
    "pmlas": "PMLAS (tag, features, head, label)",
}
_JSON_KEYS = {
    **{"label": "by_label", "arc": "by_arc_length", "length": "by_sentence_length"},
    **{"role": "by_role", "predicate": "by_predicate"},
    **{table: f"by_{table}" for table in TABLES},
}


@click.command()
@click.argument("gold")
@click.argument("system")
@click.option(
    "--by",
    type=click.Choice([*_JSON_KEYS]),
    multiple=True,
    help="Also by label, sentence or arc length, role, tag of the predicate; by tag or feature, with what it is taken "
    "for.",
)
@click.option("--no-punct", is_flag=True, help="Also without the words whose gold UPOS is PUNCT.")
@click.option("--full-deprel", is_flag=True, help="Also with whole labels, subtypes included.")
@click.option(
    "--text", "as_text", is_flag=True, help="The files are texts, a sentence per line: score these."
)
@text_score_options
@click.option("--aspects", is_flag=True, help="The files hold aspects, in the XML of SemEval-2014 task 4.")
@click.option("--deep", is_flag=True, help="The files hold deep-syntactic trees; their nodes are scored.")
@click.option(
    "--mentions", is_flag=True, help="The files hold texts whose mentions were filled in: score these."
)
@from_option
@json_option
def evaluate(
    gold: str,
    system: str,
    by: tuple[str, ...],
    no_punct: bool,
    full_deprel: bool,
    as_text: bool,
    tokenize: str,
    lowercase: bool,
    nbest: bool,
    compare: str | None,
    aspects: bool,
    deep: bool,
    mentions: bool,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Score the trees of SYSTEM against those of GOLD, which must hold the same text.

    The tables by label and by length follow --no-punct and --full-deprel; all other scores keep to their
    convention, and the two options add columns. With --text, BLEU, NIST, TER, chrF, edit and exact of a text, which
    need plait[text].
    """
    if as_text:
        evaluate_texts(gold, system, tokenize, lowercase, nbest, compare, as_json=as_json)
        return
    if lowercase or nbest or compare:
        raise click.UsageError("--lowercase, --nbest and --compare are about --text.")
    if mentions:
        evaluate_mentions(gold, system, as_json=as_json)
        return
    if aspects:
        evaluate_aspects(gold, system, as_json=as_json)
        return
    if deep:
        evaluate_deep(gold, system, from_format, as_json=as_json)
        return
    files = [formats.read(path, format=from_format, treebank=True) for path in (gold, system)]
    scores = score(*files)
    variants = {}
    if full_deprel:
        variants["full_deprel"] = scores.with_full_labels()
    if no_punct:
        variants["no_punct"] = scores.without_punctuation()
    detailed = scores.with_full_labels() if full_deprel else scores
    detailed = detailed.without_punctuation() if no_punct else detailed
    if scores.roles is None and {"role", "predicate"} & set(by):
        raise InputError(f"{gold}, {system}: there are no predicates, so there are no scores by role.")
    if as_json:
        _print_json(scores, variants, detailed, by)
        return
    _print_shared_task(scores, variants)
    _print_papers(scores, variants.get("no_punct"))
    if scores.roles:
        print_roles(scores.roles)
    for name in by:
        click.echo()
        _TABLES[name](detailed)


def _print_json(scores: Scores, variants: dict[str, Scores], detailed: Scores, by: tuple[str, ...]) -> None:
    result = scores.as_dict()
    result |= {name: variant.as_dict() for name, variant in variants.items()}
    tables: dict[str, Callable[[], Mapping[str, Metric | ArcScore | LengthScore]]] = {
        "label": detailed.by_label,
        "arc": detailed.by_arc_length,
        "length": detailed.by_sentence_length,
        **{table: partial(detailed.by_tag, table) for table in TABLES},
    }
    if detailed.roles:
        tables |= {"role": detailed.roles.by_role, "predicate": detailed.roles.by_tag}
    for name in by:
        result[_JSON_KEYS[name]] = {row: plain(value) for row, value in tables[name]().items()}
    print_json(result)


def _print_shared_task(scores: Scores, variants: dict[str, Scores]) -> None:
    headings = {"full_deprel": "F1 whole labels", "no_punct": "F1 no punct."}
    rows = []
    for name, title in CONLL18.items():
        metric = scores.metrics[name]
        # As the official scorer prints it: for tokens, sentences and words this accuracy says nothing.
        accuracy = "" if metric.aligned is None or name == "words" else percent(metric.aligned_accuracy or 0)
        extra = [percent(variant.metrics[name].f1) for variant in variants.values()]
        rows.append([title, *rates(metric), accuracy, *extra])
    print_table(
        ("metric", *RATES, "aligned acc.", *(headings[name] for name in variants)),
        rows,
        note=f"CoNLL-18: words aligned by characters, {scores.convention}.",
    )


def _print_papers(scores: Scores, no_punct: Scores | None) -> None:
    each = [scores, no_punct] if no_punct else [scores]
    kinds: dict[str, list[Metric | ArcScore]] = {
        title: [one.metrics[name] for one in each] for name, title in _PAPER_NAMES.items()
    }
    kinds["non-projective arcs"] = [one.nonprojective for one in each]
    kinds["  without labels"] = [one.nonprojective_unlabeled for one in each]
    kinds["  non-projective in both trees"] = [one.nonprojective_in_both for one in each]
    rows = [[title, *rates(kind[0]), *(percent(one.f1) for one in kind[1:])] for title, kind in kinds.items()]
    extra = ["no punct."] if no_punct else []
    click.echo()
    print_table(("score", *RATES, *(f"F1 {name}" for name in extra)), rows)
    click.echo()
    print_table(
        ("exact match", "% of sentences", *(f"% {name}" for name in extra)),
        [
            ["labeled", *(percent(one.exact_labeled) for one in each)],
            ["unlabeled", *(percent(one.exact_unlabeled) for one in each)],
        ],
        note="As in papers: whole labels, punctuation counted. Non-projective arcs: precision over those of "
        "the system's trees, recall over those of the gold trees.",
    )


def _print_labels(scores: Scores) -> None:
    rows = [
        [label or "(none)", f"{metric.gold:,}", f"{metric.system:,}", *rates(metric)]
        for label, metric in scores.by_label().items()
    ]
    print_table(("label", "gold", "system", *RATES), rows, note=f"Right head and label: {scores.convention}.")


def _print_arcs(scores: Scores) -> None:
    rows = [
        [length, f"{arcs.gold:,}", f"{arcs.system:,}", *rates(arcs)]
        for length, arcs in scores.by_arc_length().items()
    ]
    print_table(
        ("arc length", "gold", "system", *RATES),
        rows,
        note="Words from dependent to head. Precision over system arcs of the length, recall over gold arcs. "
        f"Right head and label: {scores.convention}.",
    )


def _print_lengths(scores: Scores) -> None:
    rows = [
        [
            length,
            f"{each.sentences:,}",
            f"{each.words:,}",
            *map(percent, (each.uas, each.las, each.exact)),
        ]
        for length, each in scores.by_sentence_length().items()
    ]
    print_table(
        ("sentence length", "sentences", "words", "UAS", "LAS", "% exact"),
        rows,
        note=f"Words of the gold sentence; shares of gold words and sentences: {scores.convention}.",
    )


def _print_tags(table: str, scores: Scores) -> None:
    rows = []
    for tag, words in scores.by_tag(table).items():
        most = list(words.taken_for.items())[:MOST_SHOWN]
        taken_for = ", ".join(f"{other} {count:,}" for other, count in most)
        rows.append([tag, f"{words.gold:,}", f"{words.system:,}", *rates(words), taken_for])
    print_table(
        (table, "gold", "system", *RATES, "taken for"),
        rows,
        note=f"Taken for: what the system calls gold words that it has wrong, the {MOST_SHOWN} most frequent.",
    )


_TABLES: dict[str, Callable[[Scores], None]] = {
    "label": _print_labels,
    "arc": _print_arcs,
    "length": _print_lengths,
    "role": lambda scores: print_by_role(scores.roles),
    "predicate": lambda scores: print_by_predicate(scores.roles),
    **{table: partial(_print_tags, table) for table in TABLES},
}
