"""The template language of orders: one feature per line, such as `A.deprel B.deprel head`.

`A` and `B` are two words that stand beside each other in a domain (a head with its children), `A`, `B` and `C` three;
the ends of the domain count as words. `X` and `Y` are any two words of a domain of which `X` comes first. `F1` to `F4`
are the first words of a whole domain, `L1` to `L4` the last ones, from the end. In every line `H` is the head of the
domain, `G` the head of that, and `P` and `N` are the words before and after `H` in the domain of `G`, which has been
ordered before.

Seen of a word: `lemma`, `upos`, `xpos`, `feats`, `feats.Case`, `deprel`; and of what is below it `nchildren`,
`ngrandchildren`, `size`, `childlabels`, `childtags`, `marks` (lemmas of prepositions and conjunctions), `asks` (whether
there is a word that asks or relates). Bare words: `head`, which of the words is the head of the domain; `half`, or else
on which side of it they stand; `distance`, where in the domain; `headplace`, where the head is; `size`, how many words
there are; `question`, whether one is a question mark; `side`, on which side of `G` the head stands. Comments and `for`
blocks are as in all template files (`plait.features.reading`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import numpy as np

from plait import _core
from plait.features.atoms import Atom, AtomTemplates
from plait.features.encoding import hash_text
from plait.features.reading import BuiltIn, hint, read_lines
from plait.learning.unordered import ASKING, COLUMNS, MARKING, SHAPES

_FACTS = ("head", "half", "distance", "headplace", "size", "question", "side")
_VIEWS = {"AB": 0, "ABC": 1, "XY": 2, "FL": 3}
_PLACES = {
    **{name: number for number, name in enumerate("ABC")},
    **{name: number for number, name in enumerate("XY")},
    **{f"{side}{number}": 4 * (side == "L") + number - 1 for side in "FL" for number in range(1, 5)},
    **{name: 8 + number for number, name in enumerate("HGPN")},
}
_ATOM = re.compile(r"([A-Z][1-4]?)\.(\S+)")
_LISTS = BuiltIn(resources.files("plait.components.order") / "lists")


class Templates(AtomTemplates):
    """Lists of atoms, one list per feature."""

    @property
    def columns(self) -> list[str]:
        """Of the words, those first that the core knows."""
        return self.columns_after(COLUMNS)

    def compile(self, seed: int) -> _core.OrderProgram:
        """What the core executes."""
        columns = self.columns
        known = [*columns, *SHAPES]

        def number(atom: Atom) -> tuple[int, int]:
            if not atom.place:
                return -1, _FACTS.index(atom.attribute)
            return _PLACES[atom.place], known.index(atom.attribute)

        return _core.OrderProgram(
            len(columns),
            *self.joined(number),
            np.array([_view(line) for line in self.lines], np.int32),
            np.array([hash_text(tag) for tag in MARKING], np.uint32),
            np.array([hash_text(kind) for kind in ASKING], np.uint32),
            hash_text("?"),
            seed,
        )


def built_in() -> list[str]:
    """The names of the lists that come with plait."""
    return _LISTS.names


def load(name_or_path: str | Path) -> Templates:
    """Templates of a list that comes with plait, or of a file."""
    text, path = _LISTS.find(name_or_path)
    return parse(text, path)


def parse(text: str, path: str = "") -> Templates:
    """Read the lines of a template file. A fault is an error with its line and the nearest name."""
    return Templates(read_lines(text, path, _line), text)


def _line(line: str) -> tuple[Atom, ...]:
    atoms = tuple(_atom(word) for word in line.split())
    _view(atoms)
    return atoms


def _atom(word: str) -> Atom:
    if word in _FACTS:
        return Atom("", word)
    match = _ATOM.fullmatch(word)
    if not match or match[1] not in _PLACES:
        raise ValueError(
            f"{word}: a word such as A, X, F1 or H and what is seen of it, or one of {', '.join(_FACTS)}."
        )
    place, attribute = match[1], match[2]
    known = (*COLUMNS, *SHAPES)
    if attribute not in known and not attribute.startswith("feats."):
        raise ValueError(f"{word}: no attribute {attribute!r}.{hint(attribute, known)}")
    return Atom(place, attribute)


def _view(atoms: Sequence[Atom]) -> int:
    """What a line is about: two neighbours, three, any two words, or a whole domain."""
    places = {atom.place[0] for atom in atoms if atom.place and atom.place[0] not in "HGPN"}
    for names, number in _VIEWS.items():
        if places and places <= set(names):
            return number
    facts = {atom.attribute for atom in atoms if not atom.place}
    if not places and facts & {"headplace"}:
        return _VIEWS["FL"]
    raise ValueError("words of one kind are needed: A and B (and C), X and Y, or F1 and L1 and so on.")
