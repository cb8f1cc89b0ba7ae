"""The card of a tagger: what it is, where it comes from, how good it is."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from plait.tagger.options import TaggerOptions

_NAMES = {"dev_upos": "UPOS", "dev_xpos": "XPOS", "dev_ufeats": "UFeats", "dev_alltags": "AllTags"}


def write_card(about: dict[str, Any], options: TaggerOptions) -> str:
    """Markdown with the front matter model hubs read."""
    treebank = PurePath(str(about.get("treebank") or "an unnamed treebank")).name
    scores = about.get("scores", {})
    lines = [
        "---",
        "library_name: plait",
        f"license: {about.get('licence') or 'unknown'}",
        "tags: [part-of-speech-tagging, morphology, plait]",
        "---",
        "",
        f"# A tagger trained on {treebank}",
        "",
        f"{about['sentences']:,} sentences, {about['words']:,} words; {len(about['tags']):,} tags (UPOS, XPOS and "
        "FEATS together).",
        f"Features `{options.features}`, seed {options.seed}; epoch {about['best_epoch']} of {len(about['history'])}.",
        "",
    ]
    if scores:
        lines += ["| dev set, gold words, CoNLL-18 | |", "|---|---|"]
        lines += [f"| {name} | {scores[key]:.2f} |" for key, name in _NAMES.items()]
        lines += [""]
    lines += [
        "The words of the treebank and their tags are stored in the model. The licence of the treebank may bind the",
        "model too.",
        "",
        "All options are in `config.toml`; `plait info` prints them.",
        "",
    ]
    return "\n".join(lines)
