"""The card of a lemmatizer: what it is, where it comes from, how good it is."""

from __future__ import annotations

from typing import Any

from plait.lemmas.options import LemmatizerOptions


def write_card(about: dict[str, Any], options: LemmatizerOptions) -> str:
    """Markdown with the front matter model hubs read."""
    scores = about["scores"]
    lines = [
        "---",
        "library_name: plait",
        f"license: {about['licence'] or 'unknown'}",
        "tags: [lemmatization, plait]",
        "---",
        "",
        f"# A lemmatizer trained on {about['treebank'] or 'an unnamed treebank'}",
        "",
        f"{about['sentences']:,} sentences, {about['words']:,} words; seed {options.seed}, "
        f"epoch {about['best_epoch']} of {len(about['history'])}.",
        "",
    ]
    if scores:
        lines += [
            "| dev set, gold tags, CoNLL-18 | |",
            "|---|---|",
            f"| Lemmas | {scores['dev_lemmas']:.2f} |",
            "",
        ]
    lines += [
        "The lemma of a word follows from its form, UPOS, XPOS and FEATS as they are in the input. The licence of",
        "the treebank may bind the model too.",
        "",
        "All options are in `config.toml`; `plait info` prints them.",
        "",
    ]
    return "\n".join(lines)
