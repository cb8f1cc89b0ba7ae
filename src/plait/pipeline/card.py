"""The card of a pipeline: what it is, where it comes from, how good it is, what it is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plait.evaluation.scores import CONLL18
from plait.pipeline.recipe import Recipe


def write_card(
    about: Mapping[str, Any], scores: Mapping[str, Mapping[str, float]], recipe: Recipe, parts: Sequence[str]
) -> str:
    """Markdown with the front matter model hubs read."""
    model = recipe.model
    lines = [
        "---",
        "library_name: plait",
        *([f"language: {model.name}"] if model.name else []),
        f"license: {model.licence or 'unknown'}",
        "tags: [dependency-parsing, part-of-speech-tagging, lemmatization, tokenization, plait]",
        "---",
        "",
        f"# {model.language or 'A pipeline'}: {', '.join(parts)}",
        "",
        f"Learned from {about['treebank'] or 'an unnamed treebank'}: {about['sentences']:,} sentences, "
        f"{about['words']:,} words.",
        *([model.attribution] if model.attribution else []),
        "",
    ]
    if scores:
        ways = list(scores)
        lines += [
            f"CoNLL-18 scores (F1) on {about['dev']}, from the gold tokens and from nothing but the text. Choices "
            "such as the number of epochs were made on the same set.",
            "",
            f"| | {' | '.join(ways)} |",
            "|---|" + "---|" * len(ways),
            *(
                f"| {CONLL18[name]} | " + " | ".join(f"{scores[way][name]:.2f}" for way in ways) + " |"
                for name in scores[ways[0]]
            ),
            "",
        ]
    lines += [f"**Intended use.** {model.use}", ""] if model.use else []
    lines += [f"**Limits.** {model.limits}", ""] if model.limits else []
    lines += [
        f"**Licence.** {model.licence or 'Unknown'}. The licence of the treebank may bind the model too.",
        "",
        "All options are in `config.toml`; `plait train --config config.toml` with the same treebank gives the same "
        "bytes again.",
        "",
    ]
    return "\n".join(lines)
