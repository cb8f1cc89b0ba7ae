"""Parts of the server that need no server: normalization, questions, addresses."""

from __future__ import annotations

import json
import random
from unicodedata import normalize

import pytest

from plait.errors import InputError
from plait.server.connections import _key
from plait.server.normal import LONGEST_RUN, normalized
from plait.server.questions import ParseQuestion

MARK = "\u0301"


def test_normalization_in_pieces_is_normalization() -> None:
    chance = random.Random(1)
    letters = (
        "aeo q\u00e9\u1100\u1161\u11a8\uac00\u0928\u093c\u09c7\u09be\u0301\u0323\u0327\u0338\u212b\u2126中"
    )
    for size in (0, 5, 4095, 4096, 4097, 30_000):
        text = "".join(chance.choice(letters) for _ in range(size))
        pieces: list[str] = []
        list(normalized(text, pieces))
        assert "".join(pieces) == normalize("NFC", text)
    for before in range(3800, 4100):
        with pytest.raises(InputError, match="combining marks"):
            list(normalized("a" * before + MARK * (LONGEST_RUN + 1) + "a" * 5000, []))


def test_what_json_allows_can_be_asked() -> None:
    text = 'a "quoted" \\ text \u00e9 [[[[ \n'
    for ascii_only in (True, False):
        body = json.dumps({"text": text * 1000, "beam": 1}, ensure_ascii=ascii_only).encode()
        assert ParseQuestion.read(body).text == text * 1000


def test_addresses_of_one_client_are_one() -> None:
    assert _key("127.0.0.1") == _key("::ffff:127.0.0.1") == "127.0.0.1"
    assert _key("2001:db8::1") == _key("2001:db8::2%eth0") != _key("2001:db9::1")
