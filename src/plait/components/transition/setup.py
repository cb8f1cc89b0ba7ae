"""What a parser is before it learns, from its options and a treebank: labels, and what it looks at."""

from __future__ import annotations

from plait.components.transition import completion
from plait.components.transition.model import Setup
from plait.components.transition.options import TransitionOptions
from plait.errors import InputError
from plait.features import templates
from plait.features.encoding import silent_columns
from plait.features.morphology import Morphology
from plait.learning.arcs import LabelledTrees
from plait.learning.candidates import with_right_tags
from plait.learning.lessons import Lessons
from plait.learning.seen_labels import SeenLabels


def load_templates(options: TransitionOptions, lessons: Lessons) -> templates.Templates:
    """What is seen of states; InputError if the templates are wrong."""
    return templates.load(
        options.chosen_features,
        system=options.system,
        clusters=lessons.clusters is not None,
        guided=options.guided,
        joint=options.joint,
    )


def make_setup(options: TransitionOptions, lessons: Lessons, gold: LabelledTrees) -> Setup:
    """Without the columns in which the lessons say nothing."""
    features = load_templates(options, lessons)
    clustered = lessons.clusters is not None
    parts = completion.templates(options.completion, options.parts, clusters=clustered)
    columns = list(dict.fromkeys([*features.columns, *parts.columns]))
    morphology = Morphology.of(options.keep_feats, options.lexicon, lessons)
    silent = silent_columns(lessons, columns, lessons.columns, morphology)
    labels = gold.inventory(options.system)
    label_filter = None
    if options.filter_labels:
        versions = [lessons, [with_right_tags(sentence) for sentence in lessons]]
        label_filter = SeenLabels.of(gold, labels, versions, options.system)
    try:
        return Setup(
            options,
            labels,
            features.without(silent),
            single_root=gold.wants_single_root(options.single_root),
            parts=parts.without(silent),
            silent=silent,
            clusters=lessons.clusters,
            label_filter=label_filter,
            morphology=morphology,
        )
    except ValueError as error:  # more templates or labels than the core can hold
        raise InputError(f"{options.chosen_features}, {lessons.place}: {error}.") from None
