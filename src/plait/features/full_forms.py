"""A lexicon of full forms: which lemmas a form has with which tags, or, backwards, which forms a lemma has.

A model keeps it as a few arrays and reads only the places it is asked for: keys are sorted and stored without what they
share with the key before (front coding), in blocks that a binary search finds. A key has the number of a list of
readings, and a reading is a tag with an edit script; few lists serve many keys. Words that are not in it are guessed by
their endings, with scripts that are productive: those that many different words have.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.checks import is_cell
from plait.errors import FormatError, Problem
from plait.features.lexicon import full_form_of
from plait.features.scripts import EditScript
from plait.features.texts import pack_texts, unpack_texts
from plait.features.word_lists import parse_rows, read_file
from plait.sentence import EMPTY, Sentence, parse_pairs

MISSPELLED = "Typo=Yes"  # among FEATS
Tensors = dict[str, NDArray[np.generic]]
_BLOCK = 16  # keys
_LONGEST_KEY = 255  # bytes
_LONGEST_ENDING = 5  # characters
PRODUCTIVE = 5  # different words with a tag that have a script
_FEWEST_AT_ENDING, _SHARE_AT_ENDING = 2, 0.01  # words with a tag that end so: rarer scripts are left out
_LONGEST_SUSPECT = 2  # characters: shorter results must be words that somebody wrote
_MOST_NUMBERS = 1 << 16
_SEAM = re.compile("[-'’:]")
_VOWELS = frozenset("aeiouyæœøəıаеиоуыэюяєіαεηιουω")
_ALIKE = {"AUX": "VERB"}


class FullForm(NamedTuple):
    """A line of a lexicon; FEATS are those of Universal Dependencies. `seen` are words of a treebank."""

    form: str
    lemma: str
    upos: str
    feats: str
    seen: bool = False


def read_full_forms(files: str) -> list[FullForm]:
    """Those of one or several files with commas between their names: CoNLL-U, UniMorph, or form, lemma, UPOS and FEATS
    with tabs between them. Lines without a lemma are skipped: they are for taggers. FormatError for bad lines. Of no
    files there are none.
    """
    found: list[FullForm] = []
    for path in filter(None, files.split(",")):
        for number, cells in parse_rows(read_file(path), path, range(2, 1 << 20), "form and lemma"):
            try:
                full = full_form_of(cells)
            except ValueError as error:
                raise FormatError(Problem(str(error), path, number)) from None
            if full is not None and EMPTY not in full[:3]:
                found.append(FullForm(*full))
    return found


def full_forms_of(sentences: Iterable[Sentence]) -> list[FullForm]:
    """The words of a treebank, the most frequent first, but for those that no model can keep, and misspelled ones: what
    is meant depends on the sentence.
    """
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for sentence in sentences:
        rows = zip(sentence.forms, sentence.lemmas, sentence.upos, sentence.feats, strict=True)
        counts.update(row for row in rows if row[1] != EMPTY and MISSPELLED not in row[3])
    chosen = sorted(counts, key=lambda row: (-counts[row], row))
    return [FullForm(*row, True) for row in chosen if all(map(is_cell, row))]


class _Tag:
    """A part of speech with features; `seen` in a treebank."""

    def __init__(self, text: str) -> None:
        """As `str` gives it."""
        self.seen = text.startswith("+")
        self.upos, _, feats = text.removeprefix("+").partition("|")
        self.feats = parse_pairs(feats or EMPTY)

    @staticmethod
    def text(full: FullForm) -> str:
        return ("+" if full.seen else "") + "|".join(
            cell for cell in (full.upos, full.feats) if cell != EMPTY
        )


class Table:
    """Keys with the number of a list each, in blocks of sorted keys."""

    def __init__(self, blocks: bytes, starts: Sequence[int]) -> None:
        self._blocks = blocks
        self._starts = starts
        self._firsts = _Firsts(blocks, starts)

    @classmethod
    def of(cls, numbers: Mapping[str, int]) -> Self:
        packed, starts = bytearray(), []
        before = b""
        for place, (key, number) in enumerate(
            sorted((key.encode(), number) for key, number in numbers.items())
        ):
            if place % _BLOCK == 0:
                starts.append(len(packed))
                before = b""
            shared = next((i for i, (a, b) in enumerate(zip(before, key, strict=False)) if a != b), None)
            if shared is None:
                shared = min(len(before), len(key))
            rest = key[shared:]
            packed += bytes((shared, len(rest))) + rest + number.to_bytes(2, "little")
            before = key
        return cls(bytes(packed), starts)

    def find(self, key: str) -> int | None:
        """None where there is no such key, or the file was damaged there."""
        wanted = key.encode("utf-8", "surrogatepass")
        place = bisect_right(self._firsts, wanted) - 1
        if place < 0:
            return None
        return next((number for each, number in self._block(place) if each == wanted), None)

    def _block(self, place: int) -> Iterator[tuple[bytes, int]]:
        blocks, at = self._blocks, self._starts[place]
        end = self._starts[place + 1] if place + 1 < len(self._starts) else len(blocks)
        key = b""
        while at + 4 <= end:
            shared, size = blocks[at], blocks[at + 1]
            key = key[:shared] + blocks[at + 2 : at + 2 + size]
            at += size + 4
            yield key, int.from_bytes(blocks[at - 2 : at], "little")

    def __iter__(self) -> Iterator[tuple[str, int]]:
        for place in range(len(self._starts)):
            for key, number in self._block(place):
                yield key.decode(), number

    def tensors(self, name: str) -> Tensors:
        return {
            f"{name}.keys": np.frombuffer(self._blocks, np.uint8),
            f"{name}.starts": np.array(self._starts, np.uint32),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[np.generic]], name: str) -> Self:
        """ValueError if the arrays do not fit together."""
        blocks = checks.vector(tensors[f"{name}.keys"], np.uint8, "keys").tobytes()
        starts = checks.vector(tensors[f"{name}.starts"], np.uint32, "starts")
        if len(starts) != bool(blocks) and not len(starts):
            raise ValueError("the keys have no starts")
        if len(starts) and (starts[0] != 0 or (np.diff(starts.astype(np.int64)) < 4).any()):
            raise ValueError("the starts of keys are out of order")
        if len(starts) and starts[-1] + 4 > len(blocks):
            raise ValueError("a start lies beyond the keys")
        return cls(blocks, starts.tolist())


class _Firsts(Sequence[bytes]):
    """The first key of every block, read when a search comes by."""

    def __init__(self, blocks: bytes, starts: Sequence[int]) -> None:
        self._blocks, self._starts = blocks, starts

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, place: int) -> bytes:  # type: ignore[override]
        at = self._starts[place]
        return self._blocks[at + 2 : at + 2 + self._blocks[at + 1]]


class FullForms:
    """Results for keys: lemmas for forms or, made with `backwards`, forms for lemmas."""

    def __init__(
        self,
        words: Table,
        endings: Table,
        lists: Sequence[Sequence[tuple[int, int]]] | _Lists,
        tags: Sequence[str],
        scripts: Sequence[EditScript],
        productive: int,
    ) -> None:
        """Of the scripts, so many at the beginning are productive."""
        self._words, self._endings, self._lists = words, endings, lists
        self._tag_texts = list(tags)
        self._tags = [_Tag(text) for text in tags]
        self._listed = {tag.upos for tag in self._tags if not tag.seen}
        self._scripts = list(scripts)
        self._productive = productive

    @property
    def productive(self) -> list[EditScript]:
        """The scripts that endings have."""
        return self._scripts[: self._productive]

    @classmethod
    def of(
        cls,
        full_forms: Iterable[FullForm],
        *,
        backwards: bool = False,
        listed_only: bool = False,
        productive: int = PRODUCTIVE,
    ) -> FullForms:
        """Of several results for a key with the same tag, the first comes first. With `listed_only`, words of a
        treebank count for endings alone. Scripts are `productive` if so many different words with a tag have them.
        """
        tags: dict[str, int] = {}
        scripts: dict[EditScript, int] = {}
        rows: dict[str, dict[tuple[int, int], None]] = {}
        listed = set()
        for full in full_forms:
            key, result = (full.lemma, full.form) if backwards else (full.form, full.lemma)
            script = script_of(key, result, backwards=backwards)
            if len(key.encode()) > _LONGEST_KEY or not all(map(is_cell, (key, result))):
                continue
            if not full.seen:
                listed.add(full.upos)
            pair = tags.setdefault(_Tag.text(full), len(tags)), scripts.setdefault(script, len(scripts))
            rows.setdefault(key, {})[pair] = None
        if len(tags) > _MOST_NUMBERS or len(scripts) > _MOST_NUMBERS:
            raise ValueError("there are more tags or edit scripts than a lexicon can hold")
        found_tags = [_Tag(text) for text in tags]
        endings = _endings_of(rows, found_tags, list(scripts), listed, productive, backwards=backwards)
        order = _productive_first(endings, len(scripts))
        rows = _renumbered(rows, order)
        if listed_only:
            rows = {
                key: kept
                for key, pairs in rows.items()
                if (kept := {pair: None for pair in pairs if not found_tags[pair[0]].seen})
            }
        lists: dict[tuple[tuple[int, int], ...], int] = {}
        tables: list[Table] = []
        for found in (rows, _renumbered(endings, order)):
            numbers = {key: lists.setdefault(tuple(pairs), len(lists)) for key, pairs in found.items()}
            tables.append(
                Table.of({key: number for key, number in numbers.items() if number < _MOST_NUMBERS})
            )
        ordered = sorted(scripts, key=lambda script: order[scripts[script]])
        used = {script for pairs in endings.values() for _, script in pairs}
        words, of_endings = tables
        return cls(words, of_endings, list(lists)[:_MOST_NUMBERS], list(tags), ordered, len(used))

    def lists(self, upos: str) -> bool:
        """Whether there are words of a list with this part of speech, and not only those of a treebank."""
        return upos in self._listed

    def __contains__(self, key: str) -> bool:
        return self._words.find(key) is not None

    def known(self, key: str, upos: str, feats: str = EMPTY, *, clashing: bool = True) -> list[str]:
        """The results of the readings that fit these tags best, whatever the case of the key; none if there is no
        reading with this part of speech, or, without `clashing`, none whose features all agree.
        """
        found: list[tuple[int, int]] = []
        for each in dict.fromkeys((key, key.lower())):
            number = self._words.find(each)
            if number is not None and number < len(self._lists):
                found += self._lists[number]
        return self._results(key, self._best(found, upos, feats, clashing))

    def guess(self, key: str, upos: str, feats: str = EMPTY, most: int = 0) -> list[str]:
        """Results by the longest ending that words with these tags have, the most productive first; then by shorter
        ones, until there are as many as wanted at `most`. Tags may clash only if there is nothing else.
        """
        found: dict[str, None] = {}
        for clashing in (False, True):
            for number in self._endings_in(key.lower()):
                best = self._best(self._lists[number], upos, feats, clashing)
                found |= {each: None for each in self._results(key, best) if self.may_be(each, key)}
                if found and len(found) >= most:
                    break
            if found:
                break
        return list(found)[: most or None]

    def _endings_in(self, lower: str) -> Iterator[int]:
        """The lists of the endings of a word, the longest first."""
        for size in range(min(_LONGEST_ENDING, len(lower)), -1, -1):
            number = self._endings.find(lower[len(lower) - size :])
            if number is not None and number < len(self._lists):
                yield number

    def may_be(self, result: str, key: str) -> bool:
        """Whether it is plausible, and not a very short string that is no word."""
        return plausible(result, key) and (
            len(result) > _LONGEST_SUSPECT or result.lower() == key.lower() or result in self
        )

    def _best(
        self, pairs: Sequence[tuple[int, int]], upos: str, feats: str, clashing: bool = True
    ) -> list[int]:
        """The scripts of those readings that clash with the tags least, then agree most, then say least beside them."""
        wanted, own = _ALIKE.get(upos, upos), parse_pairs(feats)
        best, found = None, list[int]()
        for tag_number, script in pairs:
            tag = self._tags[tag_number]
            if _ALIKE.get(tag.upos, tag.upos) != wanted:
                continue
            clashes = sum(own.get(name, value) != value for name, value in tag.feats.items())
            if clashes and not clashing:
                continue
            matches = sum(own.get(name) == value for name, value in tag.feats.items())
            others = len(tag.feats) - clashes - matches
            rank = (clashes, -matches - (tag.upos == upos), others)
            if best is None or rank < best:
                best, found = rank, []
            if rank == best and script not in found:
                found.append(script)
        return found

    def _results(self, key: str, scripts: Iterable[int]) -> list[str]:
        results = (self._scripts[script].apply(key) for script in scripts)
        return list(dict.fromkeys(result for result in results if result))

    def __iter__(self) -> Iterator[FullForm]:
        """All words, as those of a lexicon of forms."""
        for key, number in self._words:
            for tag_number, script in self._lists[number]:
                tag, result = self._tag_texts[tag_number], self._scripts[script].apply(key)
                upos, _, feats = tag.removeprefix("+").partition("|")
                if result:
                    yield FullForm(key, result, upos, feats or EMPTY, tag.startswith("+"))

    def tensors(self, name: str = "full_forms") -> Tensors:
        pairs = np.array([pair for each in self._lists for pair in each], np.uint16).reshape(-1, 2)
        return {
            **self._words.tensors(f"{name}.words"),
            **self._endings.tensors(f"{name}.endings"),
            f"{name}.tag_numbers": pairs[:, 0].copy(),
            f"{name}.script_numbers": pairs[:, 1].copy(),
            f"{name}.ends": np.cumsum([len(each) for each in self._lists], dtype=np.uint32),
            f"{name}.tags": pack_texts(self._tag_texts),
            f"{name}.scripts": pack_texts(map(str, self._scripts)),
            f"{name}.productive": np.array([self._productive], np.uint32),
        }

    @classmethod
    def from_tensors(
        cls, tensors: Mapping[str, NDArray[np.generic]], name: str = "full_forms"
    ) -> FullForms | None:
        """None if a model has none; ValueError if the arrays do not fit together."""
        if f"{name}.tags" not in tensors:
            return None
        tags = unpack_texts(tensors[f"{name}.tags"])
        scripts = [EditScript.parse(text) for text in unpack_texts(tensors[f"{name}.scripts"])]
        pairs = [
            checks.vector(tensors[f"{name}.{kind}_numbers"], np.uint16, kind) for kind in ("tag", "script")
        ]
        ends = checks.vector(tensors[f"{name}.ends"], np.uint32, "ends")
        if len(pairs[0]) != len(pairs[1]) or (np.diff(ends.astype(np.int64)) < 0).any():
            raise ValueError("the readings do not fit together")
        if (ends[-1] if len(ends) else 0) != len(pairs[0]):
            raise ValueError("the readings do not fit together")
        for numbers, known in zip(pairs, (len(tags), len(scripts)), strict=True):
            if len(numbers) and numbers.max() >= known:
                raise ValueError("a reading names a tag or a script that is not there")
        (productive,) = checks.counts(tensors[f"{name}.productive"], "productive")
        if productive > len(scripts):
            raise ValueError("there are fewer scripts than are productive")
        return cls(
            Table.from_tensors(tensors, f"{name}.words"),
            Table.from_tensors(tensors, f"{name}.endings"),
            _Lists(pairs[0], pairs[1], ends),
            tags,
            scripts,
            productive,
        )


class _Lists(Sequence[Sequence[tuple[int, int]]]):
    """Lists of readings as they are stored."""

    def __init__(
        self, tags: NDArray[np.uint16], scripts: NDArray[np.uint16], ends: NDArray[np.uint32]
    ) -> None:
        self._tags, self._scripts, self._ends = tags, scripts, ends

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: int) -> list[tuple[int, int]]:  # type: ignore[override]
        if not 0 <= number < len(self._ends):
            raise IndexError(number)
        place = slice(int(self._ends[number - 1]) if number else 0, int(self._ends[number]))
        return list(zip(self._tags[place].tolist(), self._scripts[place].tolist(), strict=True))


def script_of(key: str, result: str, *, backwards: bool = False) -> EditScript:
    """Forms of a lemma are written as the lemma is: *Magyars* of *Magyar*."""
    script = EditScript.of(key, result)
    if backwards and script.case == "lower" and key == key.lower():
        return EditScript("keep", script.prefix_cut, script.prefix, script.suffix_cut, script.suffix)
    return script


def _endings_of(
    rows: Mapping[str, Iterable[tuple[int, int]]],
    tags: Sequence[_Tag],
    scripts: Sequence[EditScript],
    listed: set[str],
    productive: int,
    *,
    backwards: bool,
) -> dict[str, list[tuple[int, int]]]:
    """By ending, readings with productive scripts, the most frequent first. Where a list knows a part of speech, its
    words are counted and not those of the treebank; a list that is that of the next shorter ending is not repeated.
    Forms of a list are not ranked by anything that comes after, so its rarest endings count too.
    """
    counts: defaultdict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
    for key, pairs in rows.items():
        lower = key.lower()
        for tag, script in pairs:
            if scripts[script].case == "whole" or (tags[tag].seen and tags[tag].upos in listed):
                continue
            for size in range(min(_LONGEST_ENDING, len(lower)) + 1):
                counts[lower[len(lower) - size :]][tag, script] += 1
    common = {pair for pair, count in counts[""].items() if count >= productive}
    if backwards:
        common -= _exceptions(counts[""], tags, scripts)
    fewest = [1 if backwards and not tag.seen else _FEWEST_AT_ENDING for tag in tags]
    found: dict[str, list[tuple[int, int]]] = {}
    for ending in sorted(counts, key=len):
        of_tag: Counter[int] = Counter()
        for (tag, _), count in counts[ending].items():
            of_tag[tag] += count
        kept = [
            pair
            for pair, count in sorted(counts[ending].items(), key=lambda item: (-item[1], item[0]))
            if pair in common and count >= max(fewest[pair[0]], _SHARE_AT_ENDING * of_tag[pair[0]])
        ]
        if kept and kept != _shorter(found, ending):
            found[ending] = kept
    return found


def _exceptions(
    counts: Mapping[tuple[int, int], int], tags: Sequence[_Tag], scripts: Sequence[EditScript]
) -> set[tuple[int, int]]:
    """Readings of a list that leave the word as it is, where most words with the tag change: many lists tell so that a
    noun has no plural.
    """
    unchanged = {pair for pair in counts if not tags[pair[0]].seen and scripts[pair[1]] == EditScript("keep")}
    of_tag: Counter[int] = Counter()
    for (tag, _), count in counts.items():
        of_tag[tag] += count
    return {pair for pair in unchanged if 2 * counts[pair] < of_tag[pair[0]]}


def _shorter(found: Mapping[str, list[tuple[int, int]]], ending: str) -> list[tuple[int, int]] | None:
    for start in range(1, len(ending) + 1):
        if ending[start:] in found:
            return found[ending[start:]]
    return None


def _productive_first(endings: Mapping[str, Iterable[tuple[int, int]]], scripts: int) -> list[int]:
    """The new number of every script: those that most endings have come first."""
    uses = Counter(script for pairs in endings.values() for _, script in pairs)
    ordered = sorted(range(scripts), key=lambda script: (-uses[script], script))
    numbers = [0] * scripts
    for number, script in enumerate(ordered):
        numbers[script] = number
    return numbers


def _renumbered(
    rows: Mapping[str, Iterable[tuple[int, int]]], order: Sequence[int]
) -> dict[str, dict[tuple[int, int], None]]:
    return {key: {(tag, order[script]): None for tag, script in pairs} for key, pairs in rows.items()}


def plausible(result: str, key: str) -> bool:
    """Whether somebody may write this: it is not empty, and has a vowel if the key has one. Numbers and abbreviations
    with an ending, *kft-nek*, have none.
    """
    if not result or not any(map(str.isalpha, result)):
        return bool(result)
    return _has_vowel(result) or not _has_vowel(_SEAM.split(key, maxsplit=1)[0])


def _has_vowel(text: str) -> bool:
    return not _VOWELS.isdisjoint(text.lower() if text.isascii() else normalize("NFD", text.lower()))
