"""What is asked of components when they annotate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from plait.errors import InputError

if TYPE_CHECKING:
    from plait.cancel import Cancel

_MOST = 4096
# Wishes that a user can have, by the words in which they are refused.
WISHES = {
    "beam": "have another beam",
    "confidence": "tell how sure it is",
    "keep_aspects": "keep given aspects",
    "keep_heads": "keep given heads",
    "keep_predicates": "keep given predicates",
    "keep_tags": "keep given tags",
    "nbest": "find several trees of a sentence",
    "vectors": "give vectors of words",
}


class Wishes(TypedDict, total=False):
    """What a request may say, for what takes it as keywords; the meaning: `Request`."""

    threads: int
    beam: int | None
    keep_tags: bool
    keep_heads: bool
    keep_predicates: bool
    keep_aspects: bool
    confidence: bool
    nbest: int
    vectors: bool
    cancel: Cancel | None


@dataclass(frozen=True, slots=True)
class TagChoice:
    """How many tags of a word a later component wants to choose from, and by how much less they may score than the best
    (k and α of Bohnet and Nivre 2012, section 2.2); of each tag so many features (with XPOS), which may score so much
    less than the best ones of the tag. Without a number of features, these are part of the tag, and margins are of
    probabilities. When it is `learning`, the right tags, which the sentences have, are among them.
    """

    most: int
    margin: float
    feats: int = 0
    feats_margin: float = 0.0
    learning: bool = False

    @property
    def key(self) -> str:
        """As part of the name of what is kept for it."""
        apart = f"-{self.feats}-{self.feats_margin}" if self.feats else ""
        return f"{self.most}-{self.margin}{apart}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The number of `threads` changes the time only. With `keep_tags`, tags, features and lemmas that are there stay,
    with `keep_heads` heads and labels, with `keep_predicates` which words are predicates, with `keep_aspects` aspects,
    whose polarities are found. With `nbest`, sentences carry that many trees (the layer `Alternatives`), with
    `confidence`, MISC tells how sure the parser is of every head, with
    `vectors` they carry those that a net made of their words (the layer `Vectors`). `cancel` is a flag that ends the
    work. `choice` is for components: what a joint parser asks of the tagger before it. With `shares`, a teacher that
    can tells which other heads are likely (the layer `HeadShares`).
    """

    threads: int = 1
    beam: int | None = None
    keep_tags: bool = False
    keep_heads: bool = False
    keep_predicates: bool = False
    keep_aspects: bool = False
    confidence: bool = False
    nbest: int = 1
    vectors: bool = False
    cancel: Cancel | None = None
    choice: TagChoice | None = None
    shares: bool = False

    def __post_init__(self) -> None:
        for name, value in ("threads", self.threads), ("nbest", self.nbest), ("beam", self.beam):
            if value is not None and not 1 <= value <= _MOST:
                raise InputError(f"{name} is {value} but must be from 1 to {_MOST:,}.")

    @property
    def wishes(self) -> list[str]:
        """What is asked for that not every component can do."""
        usual = {"beam": None, "nbest": 1}
        return [name for name in WISHES if getattr(self, name) != usual.get(name, False)]


PLAIN = Request()


def refusal(wish: str, able: Iterable[str], reason: str = "") -> InputError:
    """The error for a wish that nobody here can grant, with the reason or the kinds of components that could."""
    kinds = " or ".join(f"a {kind} component" for kind in able)
    can = f"{kinds} can" if kinds else "no component can"
    told = f": {reason}" if reason else f" ({wish.replace('_', ' ')}); {can}"
    return InputError(f"This model cannot {WISHES[wish]}{told}.")
