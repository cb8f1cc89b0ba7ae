"""Which format a file has, seen from its beginning; the suffix decides only what the content leaves open."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"#\s*(\w+\s*=|newpar|newdoc)")  # other lines with # may be headings of a text
_SPECIAL_ID = re.compile(r"\d+[-.]\d+")
UNIVERSAL_TAGS = frozenset(
    {"ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT"}
    | {"SCONJ", "SYM", "VERB", "X"}
)
_ACCEPTED_TAGS = UNIVERSAL_TAGS | {"_", "CONJ"}  # CONJ: the first edition of UD


def detect(beginning: bytes, path: str) -> str:
    """The name of the format of a stream that begins like this."""
    name = path.removesuffix(".gz").removesuffix(".xz")
    for suffix, format in (
        (".conllu", "conllu"),
        (".jsonl", "jsonl"),
        (".txt", "text"),
        (".sem", "semantics"),
    ):
        if name.endswith(suffix):
            return format
    lines = [
        line
        for line in beginning.decode("utf-8", "replace").lstrip("\ufeff").split("\n")[:500]
        if line.strip()
    ]
    if not lines:
        return "conllu"
    if lines[0].lstrip().startswith("{"):
        return "jsonl"
    comments = [line for line in lines if _COMMENT.match(line)]
    rows = [line.rstrip("\r").split("\t") for line in lines if not line.startswith("#")]
    widest = max((len(row) for row in rows), default=0)
    if widest >= 12:
        return "conll09"
    if widest < 3 and not comments:
        return "text"
    complete = [row for row in rows if len(row) == 10]
    if comments or not complete or any(_SPECIAL_ID.fullmatch(row[0]) for row in complete):
        return "conllu"
    foreign_tags = any(row[3] not in _ACCEPTED_TAGS for row in complete)
    projective_heads = any(row[8].isdigit() for row in complete)
    return "conllx" if foreign_tags or projective_heads or name.endswith(".conllx") else "conllu"
