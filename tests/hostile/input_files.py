"""Files for the attack on the verbs: of every format, well-formed, odd and damaged."""

from __future__ import annotations

import gzip
import json
import lzma
import os
from collections.abc import Callable
from random import Random

ODD = (
    *("", "_", " ", "\t", "\n", "\r", "\0", "\x0b", "\x1b[31m", "\x7f", "\x85", "\x9b", "\xa0", "\u2028"),
    *(
        "\u202e",
        "\ufeff",
        "\ufffe",
        "\U0010ffff",
        "\u3000",
        "e" + "\u0301" * 50,
        "\u0301",
        "日本",
        "שלום",
        "ﬃ",
    ),
    *(
        "👩‍👩‍👧",
        "<b>&\"'",
        "]]>",
        "[red]x[/red]",
        "%s%n",
        "{0}",
        "\\n",
        "\\",
        "|",
        "=",
        "#",
        "-",
        "↑",
        "↓",
        "-1",
    ),
    *(
        "0",
        "00",
        "1e9",
        "²",
        "٣",
        "1-2",
        "2-1",
        "1.1",
        "0.1",
        "9" * 12,
        "9" * 5000,
        "a" * 3000,
        "NaN",
        "None",
    ),
)
_FORMS = (
    "the",
    "dog",
    "cat",
    "saw",
    "a",
    "today",
    "that",
    "slept",
    ".",
    "don't",
    "3.5",
    "U.S.",
    "…",
    "日本語",
)
_TAGS = ("NOUN", "VERB", "DET", "ADV", "PUNCT", "X", "_", "nn")
_LABELS = ("nsubj", "root", "det", "obj", "punct", "acl:relcl", "_", "dep")
_BAD_BYTES = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xed\xb3\xbf", b"\0", b"\xf4\x90\x80\x80", b"\xc0\x80")
SUFFIXES = (".conllu", ".conllx", ".conll", ".conll09", ".jsonl", ".txt", "", ".csv")


# --- Trees


def _heads(chance: Random, size: int) -> list[int]:
    kind = chance.randrange(16)
    if kind == 0:
        return [chance.randint(0, size) for _ in range(size)]  # cycles, several roots
    if kind == 1:
        return list(range(size))  # a deep chain
    if kind == 2:
        return [*range(2, size + 1), 0]
    if kind == 3:
        return [0] * size
    order = chance.sample(range(1, size + 1), size)
    heads = [0] * size
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = order[chance.randrange(max(0, place - 3), place) if kind < 12 else 0]
    return heads


def _cell(chance: Random, usual: tuple[str, ...], oddness: float) -> str:
    return chance.choice(ODD) if chance.random() < oddness else chance.choice(usual)


def _rows(chance: Random, size: int, oddness: float) -> list[list[str]]:
    heads = _heads(chance, size)
    rows = []
    for number, head in enumerate(heads, 1):
        label = "root" if head == 0 else _cell(chance, _LABELS, oddness)
        rows.append(
            [
                str(number),
                _cell(chance, _FORMS, oddness),
                _cell(chance, ("_", "see"), oddness),
                _cell(chance, _TAGS, oddness),
                _cell(chance, ("_", "nn"), oddness),
                _cell(chance, ("_", "A=B", "A=B|C=D"), oddness),
                _cell(chance, (str(head),), oddness / 2),
                label,
                _cell(chance, ("_", f"{head}:{label}"), oddness),
                _cell(chance, ("_", "SpaceAfter=No", r"SpacesAfter=\n"), oddness),
            ]
        )
    return rows


def _special_rows(chance: Random, rows: list[list[str]], oddness: float) -> None:
    """Multiword tokens and empty nodes, most of them where they may be."""
    blank = ["_"] * 8
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        place = chance.randrange(len(rows) + 1)
        word = sum(row[0].isdigit() for row in rows[:place])
        if chance.random() < 0.5:
            end = word + chance.choice((*[1] * 9, *[2] * 9, 3, 0, 10**6, 10**30))
            rows.insert(place, [f"{word + 1}-{end}", _cell(chance, ("don't", "im"), oddness), *blank])
        else:
            index = chance.choice((*[1] * 20, 2, 0, 10**30))
            rows.insert(place, [f"{word}.{index}", _cell(chance, ("_", "x"), oddness), *blank])


# --- Files


def _size(chance: Random) -> int:
    return (
        chance.choice((1, 1, 2, 3, 5, 8, 13)) if chance.random() < 0.98 else chance.choice((100, 600, 2100))
    )


def conllu(chance: Random) -> str:
    oddness = chance.choice((0.0, 0.0, 0.0, 0.01, 0.05))
    newline = "\r\n" if chance.random() < 0.05 else "\n"
    sentences = []
    for number in range(chance.choice((1, 1, 2, 3, 6))):
        rows = _rows(chance, _size(chance), oddness)
        if chance.random() < 0.3:
            _special_rows(chance, rows, oddness)
        comments = []
        if chance.random() < 0.8:
            comments.append(f"# sent_id = {_cell(chance, (f's{number}',), oddness)}")
        if chance.random() < 0.5:
            comments.append(f"# text = {_cell(chance, ('the dog saw a cat',), oddness)}")
        if chance.random() < oddness * 4:
            comments.append("#" + chance.choice(ODD))
        sentences.append(newline.join([*comments, *("\t".join(row) for row in rows)]))
    gap = newline * chance.choice((2, 2, 2, 2, 3, 50))
    ending = newline * chance.choice((2, 2, 2, 1, 0, 5))
    return chance.choice((*[""] * 20, newline, "\ufeff")) + gap.join(sentences) + ending


def _conllx(chance: Random) -> str:
    oddness = chance.choice((0.0, 0.0, 0.03))
    return "".join(
        "".join(
            "\t".join([*row[:3], _cell(chance, ("N", "V"), 0), *row[4:8], "_", "_"]) + "\n"
            for row in _rows(chance, _size(chance), oddness)
        )
        + "\n"
        for _ in range(chance.randint(1, 3))
    )


def _conll09(chance: Random) -> str:
    oddness = chance.choice((0.0, 0.0, 0.03))
    sentences = []
    for _ in range(chance.randint(1, 3)):
        extra = chance.randint(0, 3)
        lines = [
            [
                *row[:3],
                row[2],
                row[3],
                row[4],
                row[5],
                "_",
                row[6],
                "_",
                row[7],
                "_",
                "_",
                "_",
                *["A0"] * extra,
            ]
            for row in _rows(chance, _size(chance), oddness)
        ]
        sentences.append("".join("\t".join(cells) + "\n" for cells in lines) + "\n")
    return "".join(sentences)


def _jsonl(chance: Random) -> str:
    names = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
    oddness = chance.choice((0.0, 0.0, 0.03))
    lines = []
    for _ in range(chance.randint(1, 3)):
        words = [
            {
                name: int(cell)
                if name in ("id", "head") and cell.isascii() and cell.isdigit() and len(cell) < 99
                else cell
                for name, cell in zip(names, row, strict=True)
                if cell != "_"
            }
            for row in _rows(chance, _size(chance), oddness)
        ]
        document: dict[str, object] = {"comments": [f"# sent_id = {chance.choice(ODD)}"], "words": words}
        if chance.random() < 0.2:
            document["multiword_tokens"] = [{"id": chance.choice(("1-2", "2-1", "1-1", "x")), "form": "zum"}]
        if chance.random() < 0.2:
            document["empty_nodes"] = [{"id": chance.choice(("0.1", "1.1", "1.2", "9.1")), "form": "e"}]
        if chance.random() < 0.1:
            document["extra"] = {chance.choice(ODD): [chance.choice(ODD)] * len(words)}
        if chance.random() < 0.1:
            document[chance.choice(("words", "comments", "x", "extra"))] = chance.choice(
                (None, 1, [], {}, [None])
            )
        lines.append(json.dumps(document, ensure_ascii=chance.random() < 0.5))
    return "\n".join(lines).replace("[[", "[" * chance.choice((2, 2, 100_000))) + "\n"


def plain_text(chance: Random) -> str:
    oddness = chance.choice((0.0, 0.02, 0.2))
    size = chance.choice((0, 1, 3, 10, 40, 400))
    gaps = (" ", " ", " ", "", "\n", "\n\n", "\t", "  ")
    return "".join(_cell(chance, _FORMS, oddness) + _cell(chance, gaps, oddness) for _ in range(size))


WRITERS: tuple[Callable[[Random], str], ...] = (*[conllu] * 8, _conllx, _conll09, _jsonl, plain_text)
SUFFIX_OF = {_conllx: (".conllx",), _conll09: (".conll09",), _jsonl: (".jsonl",), plain_text: (".txt",)}


# --- Damage


def mutated(chance: Random, data: bytes) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 4))):
        data = _mutation(chance, data)
    return data


def _mutation(chance: Random, data: bytes) -> bytes:
    place = chance.randint(0, len(data))
    kind = chance.randrange(10)
    if kind == 0:
        return data[:place]  # cut off
    if kind == 1:
        return data[place:]
    if kind == 2:
        return data[:place] + chance.choice(_BAD_BYTES) + data[place:]
    if kind == 3:
        return data[:place] + chance.choice(ODD).encode("utf-8", "surrogatepass") + data[place:]
    if kind == 4:
        return data[:place] + bytes(chance.randrange(256) for _ in range(4)) + data[place + 4 :]
    if kind == 5:
        end = chance.randint(place, min(len(data), place + 200))
        return data[:end] + data[place:]  # a piece twice
    lines = data.split(b"\n")
    line = chance.randrange(len(lines))
    if kind == 6:
        del lines[line]
    elif kind == 7:
        lines.insert(line, chance.choice(lines))
    elif kind == 8:
        lines[line] = lines[line].replace(
            *chance.choice(((b"\t", b" "), (b"\t", b"\t\t"), (b"1", b"2"), (b"_", b"")))
        )
    else:
        other = chance.randrange(len(lines))
        lines[line], lines[other] = lines[other], lines[line]
    return b"\n".join(lines)


def content_of(chance: Random, writer: Callable[[Random], str]) -> bytes:
    text = writer(chance)
    data = text.encode("utf-16" if chance.random() < 0.005 else "utf-8", "surrogatepass")
    if chance.random() < 0.2:
        data = mutated(chance, data)
    if chance.random() < 0.04:
        data = gzip.compress(data) if chance.random() < 0.5 else lzma.compress(data)
        if chance.random() < 0.6:
            data = mutated(chance, data)
    return data


def file_name(chance: Random, suffixes: tuple[str, ...] = SUFFIXES) -> str:
    stem = chance.choice(
        ("a", "b", "c d", "é", "-x", "a\n\x1b[1m", os.fsdecode(b"\xff\xfe"), "1-2", "#", "a.b")
    )
    return (stem if chance.random() < 0.1 else "a") + chance.choice(suffixes)
