"""What a parser is before it learns, from its options and a treebank: labels, and what it looks at."""

from __future__ import annotations

from collections.abc import Sequence

from plait.clusters import Clusters
from plait.errors import InputError
from plait.features import templates
from plait.features.encoding import silent_columns
from plait.parser import completion
from plait.parser.about import path_of
from plait.parser.candidates import NO_CHOICE, Candidates
from plait.parser.data import Trees
from plait.parser.filter import LabelFilter
from plait.parser.model import Setup
from plait.parser.options import ParserOptions
from plait.sentence import Sentence


def make_setup(
    options: ParserOptions,
    train: Sequence[Sentence],
    gold: Trees,
    seen: Sequence[Sentence],
    clusters: Clusters | None,
    candidates: Sequence[Candidates] | None,
) -> tuple[Setup, list[str]]:
    """A setup for the trees of a treebank, whose sentences will be `seen` so, and the columns in which these say
    nothing.
    """
    features = templates.load(
        options.chosen_features,
        system=options.system,
        clusters=clusters is not None,
        guided=options.guided,
        joint=options.joint,
    )
    parts = completion.templates(options.completion)
    columns = list(dict.fromkeys([*features.columns, *parts.columns]))
    silent = silent_columns(seen, columns, clusters.columns() if clusters else None)
    labels = gold.inventory(options.system)
    label_filter = None
    if options.filter_labels:
        pairs = zip(candidates or [NO_CHOICE] * len(train), train, strict=True)
        versions = [train, [each.with_right(sentence) for each, sentence in pairs]]
        label_filter = LabelFilter.of(gold, labels, versions, options.system)
    try:
        setup = Setup(
            options,
            labels,
            features.without(silent),
            single_root=gold.wants_single_root(options.single_root),
            parts=parts.without(silent),
            clusters=clusters,
            label_filter=label_filter,
        )
    except ValueError as error:  # more templates or labels than the core can hold
        raise InputError(f"{options.chosen_features}, {path_of(train) or 'the treebank'}: {error}.") from None
    return setup, silent
