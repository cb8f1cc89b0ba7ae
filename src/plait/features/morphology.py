"""What is seen of the features of words (FEATS): all or chosen ones, of one reading or of several, whole or as sets.

A parser may keep some features only, such as Case and Number, and may look up in a lexicon which readings a form has
instead of trusting the one that a tagger chose (Seeker et al. 2010). Then a word that is not told apart has several:
as one value they are all of them in alphabetical order, `Case=Acc|Number=Sing Case=Nom|Number=Sing`; of one feature
that is `Acc,Nom`, as treebanks write it too; and as a set they are their members.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.errors import InputError
from plait.features.readings import Lexicon
from plait.sentence import EMPTY, Sentence, format_pairs, parse_pairs

TREEBANK = "treebank"  # in the place of a file
_STORED = "readings"  # in model files
_BETWEEN = " "  # readings
_SLOT = "#"
_SLOTS, _SLOTS_OF_FEATURE = 12, 6  # members of a set that are seen; few words have more
# Tags of words that bear case, in Universal Dependencies and in the STTS: others keep what the tagger found.
_BEARING = frozenset(
    (
        *("NOUN", "PROPN", "ADJ", "DET", "PRON", "NUM"),
        *("NN", "NE", "ADJA", "ART", "CARD", "PPER", "PPOSAT", "PPOSS", "PRF"),
        *(f"P{kind}{use}" for kind in "DI" for use in ("AT", "S")),
        *(f"P{kind}{use}" for kind in ("REL", "W") for use in ("AT", "S")),
    )
)


@dataclass(frozen=True, slots=True)
class Morphology:
    """Without `keep` all features are seen; with a `lexicon`, words that bear case have the readings that it knows."""

    keep: tuple[str, ...] = ()
    lexicon: Lexicon | None = None

    @classmethod
    def of(cls, keep: str, lexicon: str, treebank: Iterable[Sentence]) -> Morphology:
        """From options: names of features, and the file of a lexicon, or `treebank`: the readings that words have
        there. InputError if there is no such file.
        """
        known = None
        if lexicon == TREEBANK:
            known = Lexicon.of(treebank)
        elif lexicon:
            known = Lexicon.read(lexicon)
        return cls(split_names(keep, "keep_feats"), known)

    @classmethod
    def from_tensors(cls, keep: str, tensors: Mapping[str, NDArray[np.generic]]) -> Morphology:
        """ValueError if the pieces do not fit together."""
        lexicon = Lexicon.from_tensors(tensors, _STORED) if _STORED in tensors else None
        return cls(split_names(keep, "keep_feats"), lexicon)

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        return self.lexicon.tensors(_STORED) if self.lexicon else {}

    @property
    def is_plain(self) -> bool:
        """Whether words are seen just as they are."""
        return not self.keep and self.lexicon is None

    def cells(self, sentence: Sentence) -> Sequence[str]:
        """The features of every word, as they are seen."""
        if self.is_plain:
            return sentence.feats
        words = zip(sentence.forms, sentence.upos, sentence.feats, strict=True)
        return [self.cell(*word) for word in words]

    def cell(self, form: str, upos: str, feats: str) -> str:
        entry = self.lexicon.find(form) if self.lexicon and upos in _BEARING else None
        readings = {self._reduced(reading) for reading in (entry.readings if entry else ()) or (feats,)}
        return _BETWEEN.join(sorted(readings - {EMPTY})) or EMPTY

    def _reduced(self, reading: str) -> str:
        if not self.keep:
            return reading
        pairs = parse_pairs(reading)
        return format_pairs({name: pairs[name] for name in self.keep if name in pairs})


PLAIN = Morphology()


def split_names(text: str, option: str) -> tuple[str, ...]:
    """`Case,Number` as names of features; InputError if there is something else in it."""
    names = tuple(name.strip() for name in text.split(",")) if text else ()
    if len(set(names)) != len(names) or any(not name or set(name) & set(" =|") for name in names):
        raise InputError(
            f"{option} must be names of features that differ, such as Case,Number, not {text!r}."
        )
    return names


def feature_value(cell: str, feature: str) -> str:
    """The value of one feature in a cell; with several readings, all that it has."""
    if _BETWEEN not in cell:
        return parse_pairs(cell).get(feature, EMPTY)
    found = (parse_pairs(reading).get(feature, "") for reading in cell.split(_BETWEEN))
    return ",".join(sorted({value for values in found if values for value in values.split(",")})) or EMPTY


def set_columns(name: str) -> list[str]:
    """The columns of a set: of `feats`, all features of a word, or of one, `feats.Case`, all its values."""
    size = _SLOTS if name == "feats" else _SLOTS_OF_FEATURE
    return [f"{name}{_SLOT}{slot}" for slot in range(size)]


def is_slot(column: str) -> bool:
    return column.startswith("feats") and _SLOT in column


def member(column: str, cell: str) -> str | None:
    """What is in a column of a set, for a word with these features; none beyond its members."""
    name, _, slot = column.rpartition(_SLOT)
    feature = name.removeprefix("feats").removeprefix(".")
    found = dict.fromkeys(
        value if feature else f"{own}={value}"
        for reading in cell.split(_BETWEEN)
        for own, values in parse_pairs(reading).items()
        if not feature or own == feature
        for value in values.split(",")
    )
    members = sorted(found)
    return members[int(slot)] if int(slot) < len(members) else None
