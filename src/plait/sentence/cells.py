"""Cells of the columns: which there are, and what stands in FEATS and MISC."""

from __future__ import annotations

EMPTY = "_"
TEXT_COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "deprels", "deps", "misc")


def parse_pairs(text: str) -> dict[str, str]:
    """`A=1|B=2` as a dictionary; an entry without `=` maps to the empty string, `_` to no entries."""
    if text == EMPTY:
        return {}
    return {name: value for name, _, value in (entry.partition("=") for entry in text.split("|"))}


def format_pairs(pairs: dict[str, str]) -> str:
    return "|".join(f"{name}={value}" if value else name for name, value in pairs.items()) or EMPTY
