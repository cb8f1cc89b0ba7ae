"""The card of a pipeline: what it is, where it comes from, how good it is, what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plait.evaluation.roles import ROLE_SCORES
from plait.evaluation.scores import CONLL18
from plait.learning.card import front_matter

if TYPE_CHECKING:
    from plait.learning.lessons import Origin
    from plait.pipeline.pipeline import Pipeline


def _learned_from(origin: Origin) -> list[str]:
    lines = []
    if origin.sentences or not origin.teacher:
        lines.append(
            f"Learned from {origin.treebank or 'an unnamed treebank'}: {origin.sentences:,} sentences, "
            f"{origin.words:,} words."
        )
    if origin.teacher:
        text = f" of {origin.sources}" if origin.sources else ""
        lines.append(
            f"Taught by {origin.teacher}, which annotated {origin.labelled:,} words{text}. What the teacher learned "
            "from, and the text, may have licences that bind this model too."
        )
    return lines


def write_card(pipeline: Pipeline) -> str:
    """Markdown with the front matter model hubs read."""
    model, origin, scores = pipeline.model, pipeline.origin_, pipeline.scores_
    topics = dict.fromkeys(topic for each in pipeline.components.values() for topic in each.topics)
    lines = [
        *front_matter(model.licence, topics, model.name.partition("-")[0]),
        f"# {model.language or 'A pipeline'}: {', '.join(pipeline.components)}",
        "",
        *_learned_from(origin),
        *([model.attribution] if model.attribution else []),
        "",
    ]
    if scores:
        ways = list(scores)
        lines += [
            f"CoNLL-18 scores (F1) on {origin.dev}, from the gold tokens"
            f"{' and from nothing but the text' if len(ways) > 1 else ''}. Choices "
            "such as the number of epochs were made on the same set.",
            "",
            f"| | {' | '.join(ways)} |",
            "|---|" + "---|" * len(ways),
            *(
                f"| {(CONLL18 | ROLE_SCORES)[name].strip()} | "
                + " | ".join(f"{scores[way][name]:.2f}" for way in ways)
                + " |"
                for name in scores[ways[0]]
            ),
            "",
        ]
    lines += [f"**Intended use.** {model.use}", ""] if model.use else []
    lines += [f"**Limits.** {model.limits}", ""] if model.limits else []
    lines += [
        f"**Licence.** {model.licence or 'Unknown'}. The licence of the treebank may bind the model too.",
        "",
        "All options are in `config.toml`."
        + (
            " `plait train --config config.toml` with the same treebank gives the same bytes again."
            if not origin.teacher
            and all(each.history_ or each.members for each in pipeline.components.values())
            else ""
        ),
        "",
    ]
    return "\n".join(lines)
