"""Requests that no honest client sends, and some that one might; every case is made from its number alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from urllib.parse import quote_from_bytes, quote_plus

from hostile import later_files

_SENTENCES = (
    "The dog saw a cat today.",
    "A bird heard the fish that slept.",
    "the cat likes a bird",
    "Don't!",
)
_ODD = (
    *("\0", "\t", "\n", "\r", "\r\n", "\n\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u00a0", "\u200b", "\u3000"),
    *("\ufeff", "\ufffe", "\u202e", "\u0301", "\u0301" * 40, "\u0345" * 300),
    *("\u1100\u1161\u11a8", "\u0e33", "\U0001f468\u200d"),
    *("_", "#", "# text = x", "|", "=", "&", "%", "%%", "+", ";", '"', "\\", "<script>"),
    *("{}", "[]", "\U000e0100", "中文", "שלום"),
    *("a" * 5000, "-1", "1-2", "1.1", "0", "10" * 200, "\x7f", "\x1b[31m", "..", "...!?", "''", "…"),
)  # fmt: skip
_ODD_BYTES = (
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"\xf5\x80\x80\x80",
    b"\x80",
    b"\xe2\x82",
    b"\xfe\xff",
    b"%ED%A0%80",
)
_CELLS = (
    "_",
    "",
    "a",
    "a b",
    "0",
    "1",
    "2",
    "7",
    "-1",
    "01",
    "99999999999",
    "1-2",
    "1.1",
    "A=b",
    "A=b|A=c",
    "\u00a0",
    "x\x85",
)
_NAMES = ("data", "model", "tokenizer", "tagger", "parser", "input", "output")
_VALUES = {
    "model": ("", "toy", "no", "../x", "t", "toy\0", "a" * 300),
    "tokenizer": ("", "none", "ranges", "presegmented", "presegmented;ranges", "=", "ranges,ranges", "\t"),
    "tagger": ("", "none", "x", "\0"),
    "parser": ("", "none", "x", "\ud7ff"),
    "input": ("", "conllu", "horizontal", "vertical", "generic_tokenizer", "conllu=v2", "epe", "=", "text"),
    "output": ("", "conllu", "horizontal", "vertical", "plaintext", "conllu=v1", "matxin", "=conllu"),
}
_PATHS = ("/", "/process", "/process/", "//process", "/models", "/health", "/metrics", "/openapi.json",
          "/static/main.js", "/static/..%2fapp.py", "/api/about", "/api/grammars", "/api/grammars?x=y",
          "/workbench", "/nowhere", "/%00", "*", "http://evil.example/process",
          "/process?%", "/%ff",
          "/process?" + "a=b&" * 300, "/process?data=" + "a" * 30_000, "?", "")  # fmt: skip
_ORACLES = (["eager", "lazy"], ["minimal"], [], ["nd-all", "static", "dynamic"])
_TREE = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"
_OPTIONS: dict[str, dict[str, tuple[object, ...]]] = {
    "parse": {"beam": (0, 1, 4, 64), "draw": (True, False), "width": (100, 900, 5000), "model": ("", "toy")},
    "tree": {"width": (0, 100, 900)},
    "complete": {
        "beam": (0, 1, 4),
        "draw": (True, False),
        "width": (0, 900),
        "model": ("", "toy", "english-ewt"),
    },
    "compare": {
        "draw": (True, False),
        "width": (0, 900),
        "model": ("", "toy"),
        "system": ("", "1\ta\n", _TREE),
    },
    "tikz": {"against": ("", "1\ta\n", _TREE)},
    "trace": {"sentence": (1, 2), "beam": (0, 1, 8), "alternatives": (1, 50)},
    "derivation": {"sentence": (1, 2), "system": ("swap", "standard", "eager", "spine"), "oracles": _ORACLES},
    "lattice": {"system": ("swap", "eager"), "oracle": ("", "lazy", "no")},
    "say": {"sentence": (1, 2), "seed": (0, 7), "nbest": (1, 5, 20), "model": ("", "say", "toy")},
    "circle": {"model": ("", "toy"), "realizer": ("", "say"), "width": (100, 800)},
    "scene": {"seed": (0, 1, 2**31 - 1)},
    "refer": {"speaker": ("", "Ada", "Nobody")},
    "rules": {"which": (1, 2, 99)},
}


@dataclass(slots=True)
class Case:
    """What is sent. `complete`: a server must answer it; `leaves`: the client does not stay to hear it."""

    pieces: list[bytes] = field(default_factory=list)
    pauses: float = 0.0  # seconds between pieces
    complete: bool = True
    leaves: bool = False
    half_closes: bool = False
    parses: bool = False  # the answer, if there is one, holds trees of the server


def make(number: int) -> Case:
    chance = Random(number)
    maker: Callable[[Random], Case] = chance.choices(
        (_form, _multipart, _query, _question, _chunked, _mangled, _unfinished, _pipelined, _large),
        (24, 12, 8, 32, 8, 7, 4, 4, 1),
    )[0]
    case = maker(chance)
    if case.complete and len(case.pieces) == 1 and chance.random() < 0.1:
        whole = case.pieces[0]
        cuts = sorted(chance.randrange(len(whole) + 1) for _ in range(chance.randrange(1, 6)))
        case.pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
        case.pauses = 0.01
    way = chance.random()
    case.leaves |= way < 0.03
    case.half_closes = 0.03 <= way < 0.06
    return case


def _text(chance: Random) -> str:
    parts = [
        chance.choice(_SENTENCES) if chance.random() < 0.6 else chance.choice(_ODD)
        for _ in range(chance.randrange(12))
    ]
    return chance.choice(("", " ", " ", "\n")).join(parts)


def _conllu(chance: Random) -> str:
    rows = []
    for sentence in range(chance.randrange(1, 4)):
        if chance.random() < 0.3:
            rows.append(f"# sent_id = {sentence}")
        if chance.random() < 0.2:
            rows.append("#" + _text(chance))
        size = chance.randrange(1, 8)
        for word in range(1, size + 1):
            if chance.random() < 0.05:
                rows.append(f"{word}-{word + chance.randrange(3)}\tdon't" + "\t_" * 8)
            head = chance.choice(("_", str(chance.randrange(size + 1)), str(word - 1)))
            rows.append(
                f"{word}\t{chance.choice(('dog', 'the', 'saw', 'a b'))}\t_\tX\t_\t_\t{head}\tdep\t_\t_"
            )
            if chance.random() < 0.03:
                rows.append(f"{word}.1\te" + "\t_" * 8)
        rows.append("")
    for _ in range(chance.choice((0, 0, 0, 1, 3))):
        at = chance.randrange(len(rows))
        cells = rows[at].split("\t")
        cells[chance.randrange(len(cells))] = chance.choice(_CELLS)
        rows[at] = chance.choice(
            (*["\t".join(cells)] * 4, rows[at][:5], rows[at] + "\t", "\t" + rows[at], " ", rows[at] + "\r")
        )
    return "\n".join(rows) + chance.choice(("\n", "", "\n\n\n"))


def _data(chance: Random, kind: str) -> str:
    if kind == "conllu" and chance.random() < 0.8:
        return _conllu(chance)
    return _text(chance)


def _fields(chance: Random) -> list[tuple[bytes, bytes]]:
    found = {name: chance.choice(values) for name, values in _VALUES.items() if chance.random() < 0.5}
    if chance.random() < 0.8:
        found["model"] = ""
    if chance.random() < 0.5:
        found["input"] = chance.choice(("conllu", "horizontal", "vertical"))
        found.pop("tokenizer", None)
    found["data"] = _data(chance, "text" if "tokenizer" in found else found.get("input", "conllu"))
    pairs = [(name.encode(), value.encode("utf-8", "surrogatepass")) for name, value in found.items()]
    if chance.random() < 0.1:
        pairs = [(name, value + chance.choice(_ODD_BYTES)) for name, value in pairs]
    if chance.random() < 0.08:
        pairs.append((_text(chance).encode() or b"a", b"1"))
    if chance.random() < 0.02:
        pairs.append((b"k" * chance.choice((1000, 300_000)), b"v"))
    if chance.random() < 0.05:
        pairs *= chance.choice((2, 4, 100))
    chance.shuffle(pairs)
    return pairs


def _is_parsed(pairs: list[tuple[bytes, bytes]]) -> bool:
    return any(name == b"parser" and value != b"none" for name, value in pairs)


def _urlencoded(chance: Random, pairs: list[tuple[bytes, bytes]]) -> bytes:
    def shown(value: bytes) -> bytes:
        way = chance.random()
        if way < 0.7:
            return quote_plus(value).encode()
        if way < 0.9:
            return quote_from_bytes(value, safe="").encode()
        return value

    return chance.choice((b"&", b"&", b"&", b"&&", b";")).join(
        shown(name) + (b"=" if chance.random() < 0.97 else b"") + shown(value) for name, value in pairs
    )


def _request(method: str, path: str, headers: list[str], body: bytes) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "Connection: close"]
    return "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + body


def _posted(path: str, kind: str, body: bytes) -> bytes:
    headers = [f"Content-Length: {len(body)}"]
    if kind:
        headers.append(f"Content-Type: {kind}")
    return _request("POST", path, headers, body)


def _form(chance: Random) -> Case:
    pairs = _fields(chance)
    kind = "application/x-www-form-urlencoded" + chance.choice(
        ("", "", "", "; charset=latin-1", ";", "; charset=\x01"[:10])
    )
    if chance.random() < 0.03:
        kind = chance.choice(
            ("", "text/plain", "application/json", "application/x-www-form-urlencodedx", ";;;")
        )
    return Case([_posted("/process", kind, _urlencoded(chance, pairs))], parses=_is_parsed(pairs))


def _multipart(chance: Random) -> Case:
    pairs = _fields(chance)
    boundary = chance.choice(("x", "----WebKitFormBoundary1234", "a b", "b" * 60, "'"))
    end = chance.choice(("\r\n", "\r\n", "\r\n", "\n")).encode()
    body = b""
    for name, value in pairs:
        disposition = b'Content-Disposition: form-data; name="' + name.replace(b'"', b"%22") + b'"'
        if chance.random() < 0.3:
            disposition += (
                b'; filename="' + chance.choice((b"a.txt", b"../../x", b"", b"\xff", b"a" * 2000)) + b'"'
            )
        if chance.random() < 0.05:
            disposition = chance.choice(
                (b"Content-Disposition: form-data", b"X: y", b"", b": :", b"Content-Disposition;")
            )
        extra = (
            b"Content-Type: " + chance.choice((b"text/plain", b"multipart/mixed; boundary=y", b"\x00")) + end
        )
        body += (
            b"--"
            + boundary.encode()
            + end
            + disposition
            + end
            + (extra if chance.random() < 0.2 else b"")
            + end
        )
        body += value + end
    body += b"--" + boundary.encode() + b"--" + end
    if chance.random() < 0.15:
        at = chance.randrange(len(body))
        body = chance.choice(
            (body[:at], body[at:], body[:at] + chance.choice(_ODD_BYTES) + body[at:], body + body, b"")
        )
    kind = f"multipart/form-data; boundary={boundary}"
    if chance.random() < 0.05:
        odd = ("", ";", "; boundary=", "; boundary=" + "b" * 500, '; boundary="')
        kind = "multipart/form-data" + chance.choice(odd)
    return Case([_posted("/process", kind, body)], parses=_is_parsed(pairs))


def _query(chance: Random) -> Case:
    if chance.random() < 0.4:
        method = chance.choice(
            ("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "POST", "get", "BREW", "CONNECT", "PATCH")
        )
        return Case([_request(method, chance.choice(_PATHS), _headers(chance), b"")], complete=False)
    pairs = _fields(chance)
    query = quote_from_bytes(_urlencoded(chance, pairs), safe="&=%+;")
    return Case(
        [_request("GET", "/process?" + query, [], b"")],
        parses=_is_parsed(pairs),
        complete=len(query) < 60_000,
    )


def _headers(chance: Random) -> list[str]:
    known = (
        *(
            "Content-Length: 0",
            "Content-Length: -1",
            "Content-Length: 5",
            "Content-Length: 99999999999999999999",
        ),
        *(
            "Expect: 100-continue",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: gzip",
            "Upgrade: websocket",
        ),
        *(
            "Connection: upgrade",
            "A" * 300 + ": b",
            "A: " + "b" * 70_000,
            "Host: evil.example",
            "If-None-Match: *",
        ),
        *(
            "Range: bytes=0-",
            "X-Forwarded-For: 1.2.3.4",
            " A: b",
            "A b: c",
            "Content-Encoding: gzip",
            "\0: \0",
        ),
        "Cookie: " + "a=b; " * 100,
    )
    return [chance.choice(known) for _ in range(chance.randrange(4))]


def _odd_value(chance: Random, depth: int = 0) -> object:
    choices: tuple[Callable[[], object], ...] = (
        lambda: chance.choice((None, True, 1.5, 0, 1, -1, 10**30, 64, 65)),
        lambda: _text(chance),
        lambda: [_odd_value(chance, depth + 1) for _ in range(chance.randrange(3))] if depth < 4 else [],
        lambda: {_text(chance): _odd_value(chance, depth + 1)} if depth < 4 else {},
    )
    return chance.choice(choices)()


def _rules(chance: Random) -> dict[str, object]:
    count = chance.choice((1, 1, 2, 3))
    return {
        "files": [later_files.rules(chance) for _ in range(count)],
        "names": ["a"] * (count if chance.random() < 0.95 else 1),
        "graph": later_files.graphs(chance),
    }


# What a route cannot do without, where that is not a tree.
_NEEDED: dict[str, Callable[[Random], dict[str, object]]] = {
    "parse": lambda chance: {"text": _text(chance)},
    "circle": lambda chance: {"text": _text(chance)},
    "scene": lambda _: {},
    "refer": lambda chance: {"scene": later_files.scene(chance)},
    "rules": _rules,
}


# Again and again: texts, lists and tables that do not end, and what a reader may go through twice.
_ENDLESS = (
    b'"',
    b'\\"',
    b'"\\"',
    b"[",
    b"[[],",
    b'{"a":',
    b'{"text": "',
    b" ",
    b"\\u00",
    b"-",
    b"1",
    b"\xff",
    b"{}",
)
_JSON_TYPES = (
    "",
    "text/plain",
    "application/json;",
    "application/json; charset=x",
    "APPLICATION/JSON",
    "json",
    ";",
)
_FROM = (
    b"Host: evil.example",
    b"Host: 127.0.0.1:80",
    b"Host: [::1",
    b"Host: [::1]:99999999",
    b"Host: localhost\r\nHost: evil.example",
    b"Host: localhost\r\nOrigin: null",
    b"Host: localhost\r\nOrigin: http://localhost",
    b"Host: localhost\r\nOrigin: //[",
    b"Host: \xff\r\nOrigin: \xff://\xff",
    b"Host: " + b"a." * 3000,
    b"Host:",
)


def _question(chance: Random) -> Case:
    name = chance.choice(list(_OPTIONS))
    asked = _NEEDED.get(name, lambda chance: {"conllu": _conllu(chance)})(chance)
    for option, values in _OPTIONS[name].items():
        if chance.random() < 0.6:
            asked[option] = chance.choice(values)
    if chance.random() < 0.3:
        asked[chance.choice([*asked, _text(chance)])] = _odd_value(chance)
    body = json.dumps(asked, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    if chance.random() < 0.15:
        at = chance.randrange(len(body))
        odd = (b'"', b"{", b"[" * 2000, b"\\ud800", b"\\u0000", b"NaN", b"\0", b"1e999", b"}", b"\xff")
        body = chance.choice((body[:at], body[:at] + chance.choice(odd) + body[at:], body[at:]))
    if chance.random() < 0.05:
        body = chance.choice(_ENDLESS) * chance.choice((100, 3000, 300_000))
    kind = chance.choice(_JSON_TYPES) if chance.random() < 0.1 else "application/json"
    sent = _posted(f"/api/{name}", kind, body)
    if chance.random() < 0.1:
        sent = sent.replace(b"Host: localhost", chance.choice(_FROM), 1)
    return Case([sent], parses=name in ("parse", "complete"))


def _chunked(chance: Random) -> Case:
    pairs = _fields(chance)
    body = _urlencoded(chance, pairs)
    pieces = []
    while body:
        size = chance.randrange(1, len(body) + 1)
        pieces.append(f"{size:x}\r\n".encode() + body[:size] + b"\r\n")
        body = body[size:]
    pieces.append(b"0\r\n\r\n")
    complete = True
    if chance.random() < 0.25:
        at = chance.randrange(len(pieces))
        pieces[at] = chance.choice(
            (
                b"-1\r\n",
                b"fffffffffffffffff\r\n",
                b"zz\r\n",
                b"",
                b"5\r\na",
                b"1;" + b"x" * 5000 + b"\r\na\r\n",
            )
        )
        complete = False
    head = _request(
        "POST",
        "/process",
        ["Transfer-Encoding: chunked", "Content-Type: application/x-www-form-urlencoded"],
        b"",
    )
    return Case([head, *pieces], complete=complete, parses=_is_parsed(pairs))


def _mangled(chance: Random) -> Case:
    whole = bytearray(_form(chance).pieces[0])
    for _ in range(chance.randrange(1, 10)):
        at = chance.randrange(min(len(whole), 300))
        way = chance.randrange(3)
        if way == 0:
            whole[at] = chance.randrange(256)
        elif way == 1:
            del whole[at : at + chance.randrange(1, 20)]
        else:
            whole[at:at] = chance.randbytes(chance.randrange(1, 10))
        if not whole:
            break
    if chance.random() < 0.1:
        whole = bytearray(chance.randbytes(chance.randrange(1, 3000)))
    return Case([bytes(whole)], complete=False)


def _unfinished(chance: Random) -> Case:
    whole = _form(chance).pieces[0]
    pieces = [whole[i : i + 1] for i in range(min(len(whole) - 1, chance.randrange(1, 30)))]
    if chance.random() < 0.5:
        pieces = [whole[: chance.randrange(1, len(whole))]]
    return Case(pieces, pauses=0.005, complete=False, leaves=chance.random() < 0.7)


def _pipelined(chance: Random) -> Case:
    single = [
        _form(chance).pieces[0].replace(b"Connection: close", b"A: b") for _ in range(chance.randrange(1, 20))
    ]
    return Case([b"".join(single) + _request("GET", "/health", [], b"")], complete=False)


def _large(chance: Random) -> Case:
    size = chance.choice((70_000, 400_000, 1_000_000, 5_000_000))
    unit = chance.choice(
        (
            "a ",
            "a\n",
            "a\u0301",
            "\u0301",
            "dog. ",
            "\n",
            "# a\n",
            "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
            "\0",
            "a",
            "中",
        )
    )
    kind = chance.choice(("conllu", "horizontal", "vertical", "generic_tokenizer"))
    body = f"input={kind}&output=horizontal&data=".encode() + (unit * (size // len(unit.encode()))).encode()
    return Case([_posted("/process", "application/x-www-form-urlencoded", body)], complete=size < 5_000_000)
