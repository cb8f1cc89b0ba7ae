"""The CoNLL formats: one word per line, columns separated by tabs. A `Layout` says which column is which.

`parse` is the fast path: it accepts exactly the blocks in which `plait.formats.diagnosis` finds no fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plait.errors import excerpt
from plait.formats import frames
from plait.formats.blocks import BYTE_ORDER_MARK, Block
from plait.sentence import EMPTY, EmptyNode, MultiwordToken, Sentence


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns after ID, by the name of the sentence's column they fill or by a name of their own."""

    title: str
    columns: tuple[str, ...]
    names: tuple[str, ...]  # as the format's own description calls them, ID first
    comments: bool = False
    ranges: bool = False  # multiword tokens and empty nodes
    arguments: bool = False  # any number of argument columns may follow
    predicted: tuple[tuple[str, str], ...] = ()  # columns that are as others unless something else is known

    @property
    def width(self) -> int:
        return len(self.columns) + 1

    def fits(self, width: int) -> bool:
        return width == self.width or (self.arguments and width > self.width)


def whole_number(cell: str) -> int | None:
    """The number a cell holds in its only spelling: no sign, no leading zero, no other digits than 0 to 9."""
    plain = cell.isascii() and cell.isdigit() and (cell[0] != "0" or cell == "0") and len(cell) <= 9
    return int(cell) if plain else None


class _Numbers(dict[str, int | None]):
    """Cells of the HEAD column: `_` and whole numbers in their only spelling."""

    def __missing__(self, cell: str) -> int:
        number = whole_number(cell)
        if number is None:
            raise KeyError(cell)
        return number


HEADS = _Numbers({EMPTY: None} | {str(number): number for number in range(1024)})
_ids: tuple[str, ...] = ()


def ids(size: int) -> tuple[str, ...]:
    """The strings 1 to size."""
    global _ids
    if size > len(_ids):
        _ids = tuple(map(str, range(1, 2 * size + 1)))
    return _ids[:size]


def parse(layout: Layout, block: Block) -> Sentence | None:
    """The sentence of a block, or None if something is wrong with it."""
    text = block.text
    lines = text.split("\n")
    first = 0
    while first < len(lines) and lines[first].startswith("#"):
        first += 1
    table = sum(map(len, lines[:first])) + first  # where it begins: comments may hold what cells may not
    if (
        block.suspect
        or (first and not layout.comments)
        or first == len(lines)
        or text.find("\t\t", table) >= 0
        or text.find("\t\n", table) >= 0
        or text.endswith("\t")
        or text.startswith(BYTE_ORDER_MARK)
    ):
        return None
    rows = [line.split("\t") for line in lines[first:]]
    if not layout.fits(len(rows[0])):
        return None
    try:
        columns = list(zip(*rows, strict=True))
    except ValueError:
        return None
    tokens: list[MultiwordToken] = []
    nodes: list[EmptyNode] = []
    if columns[0] != ids(len(rows)):
        words = _split_rows(rows, tokens, nodes) if layout.ranges else None
        if not words:
            return None
        columns = list(zip(*words, strict=True))
    return _assemble(layout, block, lines[:first], columns, tokens, nodes)


def _assemble(
    layout: Layout,
    block: Block,
    comments: list[str],
    columns: Sequence[Sequence[str]],
    tokens: list[MultiwordToken],
    nodes: list[EmptyNode],
) -> Sentence | None:
    size = len(columns[0])
    named = {name: list(column) for name, column in zip(layout.columns, columns[1:], strict=False)}
    try:
        heads = [HEADS[cell] for cell in named.pop("heads")]
    except KeyError:
        return None
    for head in heads:
        if head is not None and head > size:
            return None
    sentence = Sentence(
        forms=named.pop("forms"),
        lemmas=named.pop("lemmas"),
        upos=named.pop("upos", []),
        xpos=named.pop("xpos"),
        feats=named.pop("feats"),
        heads=heads,
        deprels=named.pop("deprels"),
        deps=named.pop("deps", []),
        misc=named.pop("misc", []),
        comments=comments,
        multiword_tokens=tokens,
        empty_nodes=nodes,
        extra=named,
        newline=block.newline,
        ending=block.ending,
        leading=block.leading,
        line=block.line,
    )
    if layout.arguments and not frames.read_columns(sentence, columns[layout.width :]):
        return None
    if layout.ranges and frames.MISC in block.text:
        frames.read_misc(sentence)
    return sentence


def _split_rows(
    rows: list[list[str]], tokens: list[MultiwordToken], nodes: list[EmptyNode]
) -> list[list[str]] | None:
    """The rows of the words; ranges and empty nodes go to their lists. None if an ID is out of place."""
    words: list[list[str]] = []
    covered = 0  # the last word inside a multiword token so far
    minor = 0
    expects_word = False
    for row in rows:
        number = row[0]
        if number == str(len(words) + 1):
            words.append(row)
            minor = 0
            expects_word = False
            continue
        start, dash, end = number.partition("-")
        if dash:
            if expects_word or start != str(len(words) + 1) or len(words) < covered:
                return None
            last = whole_number(end)
            if last is None or last <= len(words):
                return None
            tokens.append(MultiwordToken(len(words) + 1, last, *row[1:]))
            covered = last
            expects_word = True
            continue
        if expects_word or number != f"{len(words)}.{minor + 1}":
            return None
        minor += 1
        nodes.append(EmptyNode(len(words), minor, *row[1:]))
    if covered > len(words):
        return None
    return words


def render(layout: Layout, sentence: Sentence) -> str:
    """The lines of a sentence with everything the layout has a place for."""
    size = len(sentence.forms)
    own = {
        "forms": sentence.forms,
        "lemmas": sentence.lemmas,
        "upos": sentence.upos,
        "xpos": sentence.xpos,
        "feats": sentence.feats,
        "heads": [EMPTY if head is None else str(head) for head in sentence.heads],
        "deprels": sentence.deprels,
        "deps": sentence.deps,
        "misc": sentence.misc,
    }
    if "upos" not in layout.columns:  # a format with one tag: the fine one, or the coarse one for want of it
        own["xpos"] = [
            fine if fine != EMPTY else coarse
            for fine, coarse in zip(sentence.xpos, sentence.upos, strict=True)
        ]
    arguments: list[list[str]] = []
    if layout.arguments:
        own[frames.MARK], own[frames.SENSE], arguments = frames.columns_of(sentence)
    elif "misc" in layout.columns:
        own["misc"] = frames.misc_of(sentence)
    own |= {name: own[same] for name, same in layout.predicted if name not in sentence.extra}
    blank = [EMPTY] * size
    columns = [own.get(name) or sentence.extra.get(name, blank) for name in layout.columns] + arguments
    rows = list(map("\t".join, zip(ids(size), *columns, strict=True)))
    if layout.ranges and (sentence.multiword_tokens or sentence.empty_nodes):
        rows = list(_weave(sentence, rows))
    comments = sentence.comments if layout.comments else []
    table = "\n".join(rows)
    text = "\n".join((*comments, table))
    if text.count("\n") >= len(comments) + len(rows) or table.count("\t") != len(columns) * len(rows):
        raise ValueError(f"a cell of the sentence {excerpt(sentence.text)} holds a tab or a line end")
    if sentence.newline != "\n":
        text = text.replace("\n", sentence.newline)
    return sentence.leading + text + sentence.ending


def _weave(sentence: Sentence, rows: list[str]) -> Iterator[str]:
    """The rows with multiword tokens before their first word and empty nodes after the word they follow."""
    tokens = {token.first: token for token in sentence.multiword_tokens}
    nodes: dict[int, list[EmptyNode]] = {}
    for node in sentence.empty_nodes:
        nodes.setdefault(node.after, []).append(node)
    for number, row in enumerate(["", *rows]):
        if number:
            if number in tokens:
                yield _line(tokens[number])
            yield row
        for node in nodes.get(number, ()):
            yield _line(node)


def _line(item: MultiwordToken | EmptyNode) -> str:
    return "\t".join(
        (
            item.id,
            item.form,
            item.lemma,
            item.upos,
            item.xpos,
            item.feats,
            item.head,
            item.deprel,
            item.deps,
            item.misc,
        )
    )
