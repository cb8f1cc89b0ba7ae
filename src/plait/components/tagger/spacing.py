"""Where spaces were, guessed from the words alone: for sentences of formats that do not tell, such as CoNLL-09.

A tagger learns much from spaces (a hyphen without any is HYPH, a quotation mark before a word opens), so they had
better be guessed than be taken for unknown: that cost 0.6 XPOS and 0.7 LAS on English.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_CLOSING = frozenset(".,;:!?%…")
_JOINING = frozenset("-/")
_QUOTES = frozenset("\"'`")
_BEFORE_AMOUNTS = frozenset("$€£#")


def guess_spaces(forms: Sequence[str]) -> list[bool]:
    """For every word whether a space follows it."""
    spaces = [True] * len(forms)
    open_quotes: set[str] = set()
    for at, form in enumerate(forms):
        before = after = True  # a space
        category = unicodedata.category(form[0])
        if set(form) <= _CLOSING or (category in ("Pe", "Pf") and len(form) == 1):
            before = False
        elif form in _JOINING:
            before = after = not _is_between_words(forms, at)
        elif form in _QUOTES or form in ("''", "``"):
            after = form in open_quotes or at == len(forms) - 1
            before = not after
            open_quotes ^= {form}
        elif category in ("Ps", "Pi") or (form in _BEFORE_AMOUNTS and _is_number(forms[at + 1 : at + 2])):
            after = False
        if not before and at:
            spaces[at - 1] = False
        if not after:
            spaces[at] = False
    return spaces


def _is_between_words(forms: Sequence[str], at: int) -> bool:
    around = forms[at - 1 : at] if at else (), forms[at + 1 : at + 2]
    return all(form and form[0][-1].isalnum() and form[0][0].isalnum() for form in around)


def _is_number(forms: Sequence[str]) -> bool:
    return bool(forms) and forms[0][0].isdigit()
