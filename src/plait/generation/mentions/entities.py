"""Columns of slots for chains per entity: the 22 features of UMUS (Favre and Bohnet 2010, section 3), in the form in
which they were published. Tags are those of our tagger.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from plait.formats.grec import EMPTY_TEXT, MentionText, Reference
from plait.formats.mention_columns import FEATURES, ChainRow
from plait.generation.mentions.context import Seen, Token
from plait.generation.mentions.sights import quantized

NOTHING = "_"
_SIGNS = {
    **dict.fromkeys(".?!", "sent"),
    **dict.fromkeys(",;", "comma"),
    **dict.fromkeys("()[]", "parenthesis"),
    **dict.fromkeys("\"'`“”‘’", "quote"),
}
_OPENING, _CLOSING = ("(", "["), (")", "]")
_BE = {"be", "am", "is", "are", "was", "were", "been", "being"}


def rows_of(text: MentionText, seen: Seen) -> list[ChainRow]:
    """A row for every reference, in the order of the text; what is said there is not looked at."""
    references = text.references
    known: set[str] = set()
    groups = {reference.entity: _group(reference) for reference in references}
    found = []
    for slot, reference in enumerate(references):
        before = references[slot - 1] if slot else None
        same = before is None or before.entity == reference.entity
        members = set(reference.entity.split(","))
        values = {
            **{name: reference.get(name) for name in ("SYNFUNC", "SEMCAT", "SYNCAT")},
            "CHANGE": "same" if same else "different",
            "CHANGE+SYNFUNC": f"{'same' if same else 'different'}_{reference.get('SYNFUNC')}",
            "PREV_GENDER_NUMBER": "na_"
            if same or before is None
            else "same"
            if groups[before.entity] == groups[reference.entity]
            else "different",
            "FIRST_TIME": "known" if members <= known else "new",
            "BEG_PARAGRAPH": "begin"
            if seen.places[slot].opens and seen.places[slot].paragraph
            else "continue",
            **_around(seen, slot, len(references)),
            **_embedding(reference, before, known),
        }
        known |= members
        features = tuple(values[name] or NOTHING for name in FEATURES)
        found.append(
            ChainRow(
                text.name.removesuffix(".xml"), reference.entity, reference.get("MENTION"), features, NOTHING
            )
        )
    return found


def _group(reference: Reference) -> str:
    """male, female or plural, as the pronouns tell that may be said."""
    if "," in reference.entity:
        return "plural"
    listed = {each.text.lower() for each in reference.alternatives if each.type == "pronoun"}
    if listed & {"they", "them", "their"}:
        return "plural"
    return "female" if listed & {"she", "her", "hers", "herself"} else "male"


def _around(seen: Seen, slot: int, slots: int) -> dict[str, str]:
    before, after = seen.neighbour(slot, -1), seen.neighbour(slot, 1)
    own = seen.sentence(slot)
    words_before = _words(seen.before(slot), own, opening=_CLOSING, closing=_OPENING)
    words_after = _words(seen.after(slot), own, opening=_OPENING, closing=_CLOSING)
    return {
        "PREV_PUNCT": _SIGNS.get(before.form, NOTHING) if before else NOTHING,
        "NEXT_PUNCT": _SIGNS.get(after.form, NOTHING) if after else NOTHING,
        "PREV_SENT": _yes(slot > 0 and seen.sentence(slot - 1) != own),
        "NEXT_SENT": _yes(slot + 1 == slots or seen.sentence(slot + 1) != own),
        "PREV_WORD": _joined(words_before[:1]),
        "PREV_BIGRAM": _joined(words_before[1::-1]) if len(words_before) > 1 else NOTHING,
        "NEXT_WORD": _joined(words_after[:1]),
        "NEXT_BIGRAM": _joined(words_after[:2]) if len(words_after) > 1 else NOTHING,
        "PREV_TAG": _tag(words_before),
        "NEXT_TAG": _tag(words_after),
        "PREV_BE": _yes(_has_be(seen.before(slot))),
        "NEXT_BE": _yes(_has_be(seen.after(slot))),
    }


def _has_be(tokens: Iterable[Token]) -> bool:
    """Whether a form of *be* stands before the next slot."""
    return any(token.form.lower() in _BE for token in takewhile(lambda token: token.slot < 0, tokens))


def _words(
    tokens: Iterable[Token], sentence: int, *, opening: Sequence[str], closing: Sequence[str]
) -> list[Token]:
    """Words up to another slot or the end of the sentence, without what stands in parentheses."""
    found, depth = [], 0
    for token in tokens:
        if token.slot >= 0 or token.sentence != sentence:
            break
        if token.form in opening:
            depth += 1
        elif token.form in closing:
            depth = max(0, depth - 1)
        elif not depth and token.is_word:
            found.append(token)
    return found


def _joined(words: Sequence[Token]) -> str:
    return "_".join("".join(filter(str.isalnum, token.form.lower())) for token in words) or NOTHING


def _tag(words: Sequence[Token]) -> str:
    """Of the nearest word, adverbs skipped."""
    return next((token.tag for token in words if not token.tag.startswith("RB")), NOTHING)


def _embedding(reference: Reference, before: Reference | None, known: set[str]) -> dict[str, str]:
    inside = {
        inner.entity for each in reference.alternatives if each.text != EMPTY_TEXT for inner in each.inner
    }
    return {
        "EMBEDS_PREV": "embeds_prev" if before is not None and before.entity in inside else NOTHING,
        "EMBEDS_ALL_KNOWN": "embeds_known" if inside and inside <= known else NOTHING,
    }


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


def chains_of(rows: Sequence[ChainRow]) -> list[list[int]]:
    """The places of the rows of every entity, in order."""
    found: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        found.setdefault(row.entity, []).append(place)
    return list(found.values())


# What can be told from the place in a chain; the published columns do not have it.
DERIVED = ("place", "kind")


def columns_of(chain: Sequence[ChainRow]) -> dict[str, list[str]]:
    found = {name: [row.features[number] for row in chain] for number, name in enumerate(FEATURES)}
    found["place"] = [quantized(number + 1, 3) for number in range(len(chain))]
    found["kind"] = [
        "main" if row.entity == "0" else "group" if "," in row.entity else "other" for row in chain
    ]
    return found
