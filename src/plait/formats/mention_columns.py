"""References as rows of columns, as the features of UMUS were published: one reference per line, tabs between columns,
a blank line after every chain (the references to one entity in one text).

Columns: text, entity, mention, the 22 features of Favre and Bohnet 2010 (section 3), the label, the words (`?` if
nobody knows them).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from plait.errors import FormatError, Problem, excerpt
from plait.formats.files import open_sink, open_source
from plait.formats.xml import begins_as_xml

FEATURES = (
    *("SYNFUNC", "SEMCAT", "SYNCAT", "CHANGE", "CHANGE+SYNFUNC", "PREV_GENDER_NUMBER", "FIRST_TIME", "BEG_PARAGRAPH"),
    *("PREV_PUNCT", "NEXT_PUNCT", "PREV_SENT", "NEXT_SENT", "PREV_WORD", "PREV_BIGRAM", "NEXT_WORD", "NEXT_BIGRAM"),
    *("PREV_TAG", "NEXT_TAG", "PREV_BE", "NEXT_BE", "EMBEDS_PREV", "EMBEDS_ALL_KNOWN"),
)  # fmt: skip
UNKNOWN = "?"
_PLACES = 3  # text, entity, mention
_COLUMNS = _PLACES + len(FEATURES) + 2
_MOST_BYTES = 1 << 28


@dataclass(frozen=True, slots=True)
class ChainRow:
    text: str
    entity: str
    mention: str
    features: tuple[str, ...]
    label: str
    words: str = UNKNOWN

    @property
    def type(self) -> str:
        return type_of(self.label)


def type_of(label: str) -> str:
    """That of what is outermost: of `pronoun_genitive_his:common_plain_nesting_left`, common."""
    return label.rsplit(":", 1)[-1].split("_", 1)[0]


def read_chains(path: str | Path) -> list[list[ChainRow]]:
    """The chains of a file; FormatError names the line of what is wrong."""
    with open_source(path) as source:
        content = bytearray()
        while data := source.read(1 << 20):
            content += data
            if len(content) > _MOST_BYTES:
                raise FormatError(Problem(f"the file is larger than {_MOST_BYTES:,} bytes.", source.name))
        name = source.name
    found: list[list[ChainRow]] = [[]]
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            cells = line.decode("utf-8").rstrip("\r").split("\t")
        except UnicodeDecodeError:
            raise FormatError(Problem("this line is not UTF-8.", name, number)) from None
        if cells == [""]:
            found.append([])
        elif len(cells) != _COLUMNS:
            problem = f"{_COLUMNS} columns are expected, not {len(cells)}: {excerpt(cells[0])}."
            raise FormatError(Problem(problem, name, number))
        else:
            text, entity, mention, *features, label, words = cells
            found[-1].append(ChainRow(text, entity, mention, tuple(features), label, words))
    chains = [chain for chain in found if chain]
    if not chains:
        raise FormatError(Problem("there is no reference in it.", name))
    return chains


def write_chains(chains: Iterable[Iterable[ChainRow]], path: str | Path) -> None:
    with open_sink(path) as sink:
        for chain in chains:
            lines = (
                "\t".join((row.text, row.entity, row.mention, *row.features, row.label, row.words))
                for row in chain
            )
            sink.write(("\n".join(lines) + "\n\n").encode())


def is_xml(path: str | Path) -> bool:
    """Whether a file begins as XML does, or is a folder of such files."""
    if Path(path).is_dir():
        return True
    return begins_as_xml(path)
