"""Columns of slots for chains over the mentions of one subject: those of Favre and Bohnet 2009 (section 2), and what
our parser and the list of alternatives tell besides. `lists/msr.txt` says which are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, takewhile
from math import log2

from plait.formats.grec import MentionText, Reference
from plait.generation.mentions.context import Place, Seen, Token

NOTHING = "_"
FIRST = "first"
_PRONOUNS = ("he", "she", "it", "they", "his", "her", "its", "their", "him", "them")
_OPENERS = ("CC", "IN", "WDT", "WP", ",", "TO")  # tags of what a clause may begin with
_EDGES = (0, 0.1, 0.2, 0.35, 0.6)
_NEAR = 4  # words after a slot among which its verb is looked for


class SlotView:
    """A slot, with all that is around it."""

    def __init__(self, text: MentionText, seen: Seen, slot: int) -> None:
        self.text, self.seen, self.slot = text, seen, slot
        self.reference: Reference = text.references[slot]
        self.place: Place = seen.places[slot]
        self.before = seen.neighbour(slot, -1)
        self.after = seen.neighbour(slot, 1)

    def form(self, distance: int) -> str:
        return form_of(self.seen.neighbour(self.slot, distance))

    def tag(self, distance: int) -> str:
        token = self.seen.neighbour(self.slot, distance)
        return token.tag if token else NOTHING

    @property
    def sentence_before(self) -> list[Token]:
        """The words of its sentence before it, the nearest first."""
        own = self.seen.sentence(self.slot)
        return list(takewhile(lambda token: token.sentence == own, self.seen.before(self.slot)))

    @property
    def sentences_back(self) -> str:
        """How many sentences ago the last mention was."""
        if not self.slot:
            return FIRST
        return quantized(self.seen.sentence(self.slot) - self.seen.sentence(self.slot - 1), 2)

    @property
    def distance(self) -> float:
        """The logarithm of how many characters ago it was."""
        gap = self.place.offset - self.seen.places[self.slot - 1].offset
        return log2(1 + max(gap, 0))

    def listed(self, kind: str) -> int:
        """How many different expressions of a type there are, those with emphasis left out."""
        found = (
            each.text.lower()
            for each in self.reference.alternatives
            if each.type == kind and each.attributes.get("EMPHATIC") != "yes"
        )
        return len(set(found))


def form_of(token: Token | None) -> str:
    return token.form.lower() if token else NOTHING


def quantized(number: int, most: int) -> str:
    return str(number) if number <= most else f"{most + 1}+"


def _sign(token: Token | None) -> str:
    return token.form if token and not token.is_word else NOTHING


def _verb(view: SlotView) -> str:
    near = islice(view.seen.after(view.slot), _NEAR)
    return next((token.tag for token in near if token.tag[:1] == "V" or token.tag == "MD"), NOTHING)


def _pronoun(view: SlotView) -> str:
    listed = {each.text.lower() for each in view.reference.alternatives}
    return next((each for each in _PRONOUNS if each in listed), NOTHING)


def _names_between(view: SlotView) -> str:
    """How many words of other names stand between it and the last mention."""
    between = takewhile(lambda token: token.slot < 0, view.seen.before(view.slot))
    return quantized(sum(token.upos == "PROPN" for token in between), 4)


def _own_words(view: SlotView, kind: str) -> str:
    """How many expressions of a type there are beside those that every list of the domain has, per slot of the text:
    they are there because the text has them.
    """
    usual = {view.text.title.lower(), f"the {view.reference.get('SEMCAT')}"}
    own = {
        each.text.lower()
        for each in view.reference.alternatives
        if each.type == kind
        and each.attributes.get("EMPHATIC") != "yes"
        and each.attributes.get("CASE") != "genitive"
    }
    share = len(own - usual) / len(view.seen.places)
    return str(sum(share > edge for edge in _EDGES))


def _title_since(view: SlotView) -> str:
    """Whether a word of the title stands between it and the last mention."""
    words = set(view.text.title.split())
    between = takewhile(lambda token: token.slot < 0, view.seen.before(view.slot))
    return str(any(token.form in words and token.upos == "PROPN" for token in between))


def _begins(view: SlotView) -> str:
    return str(not view.sentence_before)


_COLUMNS: dict[str, Callable[[SlotView], str]] = {
    # Favre and Bohnet 2009
    "before": lambda view: view.form(-1),
    "before2": lambda view: f"{view.form(-2)} {view.form(-1)}",
    "after": lambda view: view.form(1),
    "after2": lambda view: f"{view.form(1)} {view.form(2)}",
    "ending_before": lambda view: view.form(-1)[-2:],
    "ending_after": lambda view: view.form(1)[-2:],
    "sign_before": lambda view: _sign(view.before),
    "sign_after": lambda view: _sign(view.after),
    "syncat": lambda view: view.reference.get("SYNCAT"),
    "semcat": lambda view: view.reference.get("SEMCAT"),
    "count": lambda view: quantized(view.slot + 1, 3),
    "opens": lambda view: str(view.place.opens),
    # the text
    "count10": lambda view: quantized(view.slot + 1, 10),
    "left": lambda view: quantized(len(view.seen.places) - view.slot, 3),
    "sentences": lambda view: view.sentences_back,
    "distance": lambda view: str(int(view.distance)) if view.slot else FIRST,
    "distance2": lambda view: str(int(2 * view.distance)) if view.slot else FIRST,
    "lead": lambda view: str(view.place.paragraph == 0),
    "names_between": _names_between,
    "title_since": _title_since,
    "slots": lambda view: quantized(len(view.seen.places), 12),
    "title_before": lambda view: str(
        any(token.form in view.text.title.split() and token.upos == "PROPN" for token in view.sentence_before)
    ),
    # our parser
    "begins": _begins,
    "tag_before": lambda view: view.tag(-1),
    "tag_before2": lambda view: view.tag(-2),
    "tag_after": lambda view: view.tag(1),
    "tag_after2": lambda view: view.tag(2),
    "deprel": lambda view: view.place.deprel,
    "governor": lambda view: view.place.governor.lemma if view.place.governor else NOTHING,
    "governor_tag": lambda view: view.place.governor.tag if view.place.governor else NOTHING,
    "verb": _verb,
    "verb_before": lambda view: str(any(token.tag[:1] == "V" for token in view.sentence_before)),
    "clause": lambda view: next(
        (form_of(token) for token in view.sentence_before if token.tag in _OPENERS), NOTHING
    ),
    # the list of alternatives
    "pronoun": _pronoun,
    "names": lambda view: quantized(view.listed("name"), 3),
    "commons": lambda view: quantized(view.listed("common"), 3),
    "own_commons": lambda view: _own_words(view, "common"),
    "own_names": lambda view: _own_words(view, "name"),
    "types": lambda view: "".join(sorted({each.type[0] for each in view.reference.alternatives})),
}
COLUMNS = tuple(_COLUMNS)


def look(text: MentionText, seen: Seen, columns: tuple[str, ...] | list[str]) -> dict[str, list[str]]:
    """These columns of all slots of a text."""
    views = [SlotView(text, seen, slot) for slot in range(len(seen.places))]
    return {name: [_COLUMNS[name](view) or NOTHING for view in views] for name in columns}
