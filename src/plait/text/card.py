"""The card of a model: what it is, where it comes from, how good it is."""

from __future__ import annotations

from typing import Any

from plait.text.options import TokenizerOptions


def write_card(about: dict[str, Any], options: TokenizerOptions) -> str:
    """Markdown with the front matter model hubs read."""
    scores = about["scores"]
    lines = [
        "---",
        "library_name: plait",
        f"license: {about['licence'] or 'unknown'}",
        "tags: [tokenization, sentence-segmentation, plait]",
        "---",
        "",
        f"# A tokenizer trained on {about['treebank'] or 'an unnamed treebank'}",
        "",
        f"{about['sentences']:,} sentences, {about['words']:,} words; seed {options.seed}, "
        f"epoch {about['best_epoch']} of {len(about['history'])}.",
        "",
    ]
    if about["spaces_guessed"]:
        lines += [
            "The treebank does not tell where its text has spaces: they were guessed by general rules, so the",
            "tokenizer knows only what follows from these.",
            "",
        ]
    if scores:
        lines += [
            "| dev set, raw text, CoNLL-18 F1 | |",
            "|---|---|",
            f"| words | {scores['dev_words']:.2f} |",
            f"| sentences | {scores['dev_sentences']:.2f} |",
            "",
        ]
    lines += ["All options are in `config.toml`. The licence of the treebank may bind the model too.", ""]
    return "\n".join(lines)
