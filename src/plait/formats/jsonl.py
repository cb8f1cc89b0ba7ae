"""JSON lines: one sentence per line, everything a `Sentence` holds, cells that are `_` left out; and the dictionaries
that these lines are, of sentences and of treebanks.
"""

from __future__ import annotations

import json
from typing import Any

from plait.errors import FormatError, InputError, Problem, excerpt
from plait.formats.blocks import UNREADABLE, Block
from plait.formats.tabular import whole_number
from plait.layers import Layer
from plait.meaning import ALL_LAYERS
from plait.sentence import EMPTY, EmptyNode, MultiwordToken, Sentence

_CELLS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "heads", "deprels", "deps", "misc")
_KEYS = {"comments", "words", "multiword_tokens", "empty_nodes", "extra", *ALL_LAYERS}


UNFIT = "\t\n\r\0"  # in a cell
_PLACES = ("start", "end")  # of a word: found anew when it is read


class _LineError(Exception):
    """What is wrong with a line."""


def render(sentence: Sentence) -> str:
    return dumps(to_dict(sentence)) + "\n"


def dumps(content: dict[str, Any], indent: int | None = None) -> str:
    return json.dumps(content, ensure_ascii=False, indent=indent)


def loads(text: str) -> dict[str, Any]:
    """An object of JSON; FormatError if it is none."""
    try:
        found = _object(text)
    except _LineError as fault:
        raise FormatError(Problem(str(fault))) from None
    if not isinstance(found, dict):
        raise FormatError(Problem("an object of JSON is needed."))
    return found


def to_dict(sentence: Sentence, *, places: bool = False) -> dict[str, Any]:
    """All that a sentence holds; with `places`, also where its words stand, if they stand in its text."""
    columns = [getattr(sentence, name) for name in _COLUMNS]
    words = []
    for number, cells in enumerate(zip(*columns, strict=True), 1):
        word: dict[str, Any] = {"id": number, "form": cells[0]}
        word |= _filled(dict(zip(_CELLS[1:], cells[1:], strict=True)))
        words.append(word)
    if places:
        for word, place in zip(words, known_places(sentence), strict=False):
            word |= zip(_PLACES, place, strict=True)
    document: dict[str, Any] = {"comments": list(sentence.comments)} if sentence.comments else {}
    document["words"] = words
    for name in ("multiword_tokens", "empty_nodes"):
        if items := getattr(sentence, name):
            document[name] = [
                {"id": item.id} | _filled({cell: getattr(item, cell) for cell in _CELLS}) for item in items
            ]
    if sentence.extra:
        document["extra"] = {name: list(column) for name, column in sentence.extra.items()}
    for layer in sentence.layers.values():
        document[layer.name] = layer.to_json()
    return document


def known_places(sentence: Sentence) -> tuple[tuple[int, int], ...]:
    """Where its words stand; of a sentence whose text is another one, none."""
    try:
        return sentence.offsets
    except InputError:
        return ()


def from_dict(stored: dict[str, Any]) -> Sentence:
    """What `to_dict` gave; FormatError if it is something else."""
    try:
        if isinstance(stored, dict) and isinstance(stored.get("words"), list):
            stored = stored | {"words": [_without_place(word) for word in stored["words"]]}
        return _sentence(stored, 0)
    except _LineError as fault:
        raise FormatError(Problem(str(fault))) from None


def sentences_from(stored: dict[str, Any], others: tuple[str, ...] = ()) -> list[Sentence]:
    """Those of a treebank as a dictionary, which may have other keys."""
    if not isinstance(stored, dict) or not isinstance(stored.get("sentences"), list):
        raise FormatError(Problem('a treebank is an object with a list "sentences".'))
    if unknown := stored.keys() - {"sentences", *others}:
        raise FormatError(Problem(f"unknown key {min(unknown, key=str)!r} of a treebank."))
    return [from_dict(each) for each in stored["sentences"]]


def _without_place(word: Any) -> Any:
    return {k: v for k, v in word.items() if k not in _PLACES} if isinstance(word, dict) else word


def parse(block: Block) -> Sentence | None:
    try:
        return _read(block)
    except _LineError:
        return None


def diagnose(block: Block) -> list[Problem]:
    try:
        _read(block)
    except _LineError as fault:
        return [Problem(str(fault), line=block.line)]
    return []


def _read(block: Block) -> Sentence:
    if block.suspect:
        raise _LineError(UNREADABLE)
    return _sentence(_object(block.text), block.line)


def _object(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError, TypeError) as error:
        raise _LineError(f"not a JSON object: {error}.") from None


def _sentence(document: Any, line: int) -> Sentence:
    if not isinstance(document, dict) or not isinstance(document.get("words"), list) or not document["words"]:
        raise _LineError('each line must be a JSON object with a list "words" that is not empty.')
    if unknown := document.keys() - _KEYS:
        raise _LineError(f"unknown key {min(unknown)!r}; known are {', '.join(sorted(_KEYS))}.")
    words = document["words"]
    for number, word in enumerate(words, 1):
        if not isinstance(word, dict) or word.get("id") != number or not isinstance(word.get("form"), str):
            raise _LineError(f'word {number} must be an object with "id": {number} and a "form".')
        if unknown := word.keys() - {"id", *_CELLS}:
            raise _LineError(
                f"unknown key {min(unknown)!r} of word {number}; known are id, {', '.join(_CELLS)}."
            )
    return Sentence(
        forms=_texts(words, "form"),
        lemmas=_texts(words, "lemma"),
        upos=_texts(words, "upos"),
        xpos=_texts(words, "xpos"),
        feats=_texts(words, "feats"),
        heads=[_head(word, len(words)) for word in words],
        deprels=_texts(words, "deprel"),
        deps=_texts(words, "deps"),
        misc=_texts(words, "misc"),
        comments=_comments(document),
        multiword_tokens=_tokens(document, len(words)),
        empty_nodes=_nodes(document, len(words)),
        extra=_extra(document, len(words)),
        layers=_layers(document, len(words)),
        line=line,
    )


def _filled(cells: dict[str, Any]) -> dict[str, Any]:
    return {name: cell for name, cell in cells.items() if cell != EMPTY and cell is not None}


def _texts(words: list[dict[str, Any]], name: str) -> list[str]:
    return [_text(word.get(name, EMPTY), f"{name} of word {word['id']}") for word in words]


def _text(cell: Any, name: str) -> str:
    if not isinstance(cell, str) or not cell or any(mark in cell for mark in UNFIT):
        raise _LineError(f"{name} must be text without tabs, line ends and NUL, not {excerpt(repr(cell))}.")
    try:
        cell.encode()
    except UnicodeEncodeError:
        raise _LineError(f"{name} holds half of a surrogate pair.") from None
    return cell


def _head(word: dict[str, Any], size: int) -> int | None:
    head = word.get("head")
    if head is not None and not (type(head) is int and 0 <= head <= size):
        raise _LineError(
            f"head of word {word['id']} must be a number from 0 to {size}, not {excerpt(repr(head))}."
        )
    return head


def _comments(document: dict[str, Any]) -> list[str]:
    comments = document.get("comments", [])
    if not isinstance(comments, list):
        raise _LineError('"comments" must be a list.')
    for comment in comments:
        if not _text(comment, "a comment").startswith("#"):
            raise _LineError(f"a comment must start with #, not {excerpt(comment)}.")
    return comments


def _extra(document: dict[str, Any], size: int) -> dict[str, list[str]]:
    extra = document.get("extra", {})
    if not isinstance(extra, dict):
        raise _LineError('"extra" must be an object.')
    for name, column in extra.items():
        if not isinstance(column, list) or len(column) != size:
            raise _LineError(
                f"the column {excerpt(name)} must be a list with one entry for each of the {size} words."
            )
        for cell in column:
            _text(cell, f"a cell of {name}")
    return extra


def _layers(document: dict[str, Any], size: int) -> dict[type[Layer], Layer]:
    found: dict[type[Layer], Layer] = {}
    for name, kind in ALL_LAYERS.items():
        if name not in document:
            continue
        try:
            layer = kind.from_json(document[name])
            fits = layer.fits(size)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
            fits = False
        if not fits:
            raise _LineError(f'"{name}" is not such a layer of a sentence of {size} words.')
        found[kind] = layer
    return found


def _items(document: dict[str, Any], name: str, mark: str) -> list[tuple[int, int, list[str]]]:
    items = document.get(name, [])
    if not isinstance(items, list):
        raise _LineError(f'"{name}" must be a list.')
    result = []
    for item in items:
        if not isinstance(item, dict) or not isinstance(item.get("id"), str) or item.keys() - {"id", *_CELLS}:
            raise _LineError(f'each of "{name}" must be an object with an "id" and CoNLL-U columns.')
        first, _, second = item["id"].partition(mark)
        numbers = whole_number(first), whole_number(second)
        if numbers[0] is None or numbers[1] is None:
            raise _LineError(f'{excerpt(item["id"])} is not an "id" for "{name}".')
        cells = [_text(item.get(cell, EMPTY), f"{cell} of {item['id']}") for cell in _CELLS]
        result.append((numbers[0], numbers[1], cells))
    return result


def _tokens(document: dict[str, Any], size: int) -> list[MultiwordToken]:
    covered = 0
    tokens = []
    for start, end, cells in _items(document, "multiword_tokens", "-"):
        if not covered < start <= end <= size:
            raise _LineError(f"the multiword token {start}-{end} is out of order or out of range.")
        covered = end
        tokens.append(MultiwordToken(start, end, *cells))
    return tokens


def _nodes(document: dict[str, Any], size: int) -> list[EmptyNode]:
    last = (0, 0)
    nodes = []
    for after, index, cells in _items(document, "empty_nodes", "."):
        expected = last[1] + 1 if after == last[0] else 1
        if not last[0] <= after <= size or index != expected:
            raise _LineError(f"the empty node {after}.{index} is out of order or out of range.")
        last = (after, index)
        nodes.append(EmptyNode(after, index, *cells))
    return nodes
