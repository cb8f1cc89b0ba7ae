"""The card of a model: what it is, where it comes from, how good it is."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from plait.parser.options import ParserOptions


def write_card(about: dict[str, Any], options: ParserOptions) -> str:
    method = f"System `{options.system}`, oracle `{options.chosen_oracle}`, beam {options.beam}, seed {options.seed}"
    return write_parser_card(about, method)


def write_parser_card(about: dict[str, Any], method: str) -> str:
    """Markdown with the front matter model hubs read, of a parser that works by some method."""
    treebank = PurePath(str(about.get("treebank") or "an unnamed treebank")).name
    scores = about.get("scores", {})
    lines = [
        "---",
        "library_name: plait",
        f"license: {about.get('licence') or 'unknown'}",
        "tags: [dependency-parsing, plait]",
        "---",
        "",
        f"# A parser trained on {treebank}",
        "",
        f"{about['sentences']:,} sentences, {about['words']:,} words; {len(about['labels']['names'])} labels.",
        f"{method}; epoch {about['best_epoch']} of {len(about['history'])}.",
        "",
    ]
    if scores:
        lines += [
            "| dev set, gold tags, CoNLL-18 | |",
            "|---|---|",
            f"| LAS | {scores['dev_las']:.2f} |",
            f"| UAS | {scores['dev_uas']:.2f} |",
            "",
        ]
    lines += [
        "The parser reads the tags, lemmas and features that its templates name from its input; it was trained",
        "on those of the treebank. The licence of the treebank may bind the model too.",
        "",
        "All options are in `config.toml`; `plait info` prints them.",
        "",
    ]
    return "\n".join(lines)
