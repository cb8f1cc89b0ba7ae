"""The card of a component: what it is, where it comes from, how good it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from plait.learning.lessons import Origin

if TYPE_CHECKING:
    from plait.learning.component import Component

# Scores by the names they have in the shared task of 2018.
NAMES = {
    "words": "Words",
    "sentences": "Sentences",
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "las": "LAS",
    "uas": "UAS",
    "las_full": "LAS, whole labels",
}


def write_card(component: Component[Any], origin: Origin) -> str:
    """Markdown with the front matter model hubs read."""
    lines = [
        *front_matter(origin.licence, component.topics),
        f"# {component.title} trained on {origin.treebank or 'an unnamed treebank'}",
        "",
        f"{origin.sentences:,} sentences, {origin.words:,} words{_taught(origin.seen)}.",
        *filter(None, (component.method() if component.ready else "", component.kept())),
        "",
    ]
    if component.scores_:
        lines += [
            f"| {origin.dev or 'dev set'}, {origin.dev_seen} annotation of all else, CoNLL-18 | |",
            "|---|---|",
            *(f"| {NAMES.get(name, name)} | {score:.2f} |" for name, score in component.scores_.items()),
            "",
        ]
    lines += [
        "All options are in `config.toml`; `plait info` prints them.",
        "The licence of the treebank may bind the model too.",
        "",
    ]
    return "\n".join(lines)


def front_matter(licence: str, topics: Iterable[str], language: str = "") -> list[str]:
    return [
        "---",
        "library_name: plait",
        *([f"language: {language}"] if language else []),
        f"license: {licence or 'unknown'}",
        f"tags: [{', '.join([*topics, 'plait'])}]",
        "---",
        "",
    ]


def _taught(seen: str) -> str:
    return {
        "gold": "",
        "predicted": ", as taggers see them that have not learned from them",
        "both": ", each as it is and as taggers see it that have not learned from it",
    }[seen]
