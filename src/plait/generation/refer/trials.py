"""What people said of scenes: trials, from TUNA's XML or from JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from plait import checks
from plait.errors import FormatError, InputError, Problem, excerpt
from plait.formats.files import display_name, read_whole
from plait.formats.xml import line_of, read_xml
from plait.generation.refer.scene import Scene

ELIDED = "other"  # TUNA's value where a speaker says "the one" or "the picture" instead of what it is
HEAD = "type"  # the attribute that the head noun tells
_TRIAL = re.compile(r"s(?>(\w+?)t)\w+")
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|-")
_FILE = 1 << 20  # bytes: two hundred times as much as a trial has
_LINES = 1 << 28
_CARDINAL = "CARDINALITY"


@dataclass(frozen=True, slots=True)
class Span:
    """Words `start` to `end` (counted from 0, the end left out) tell this attribute."""

    start: int
    end: int
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Trial:
    """A scene, the attributes a speaker chose, and the words. `gold` is as annotated, values that contradict the target
    included; `heads` is the tree of the words where it is known, as in CoNLL-U.
    """

    name: str
    speaker: str
    scene: Scene
    gold: frozenset[tuple[str, str]]
    phrase: str
    words: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    heads: tuple[int, ...] = ()

    @property
    def domain(self) -> str:
        return self.scene.domain

    @property
    def said(self) -> dict[str, str]:
        """The attributes of the target that were told, with the target's own values."""
        return {name: self.scene.target[name] for name, _ in sorted(self.gold) if name in self.scene.target}


class TunaCorpus:
    """TUNA as it is distributed, singular trials: a folder for each domain, a file for each trial."""

    @staticmethod
    def read(folder: str | Path, split: str | Path | None = None) -> list[Trial]:
        """The trials that a list names (`domain/id` per line), or all, by name. A folder may hold JSON lines."""
        root = Path(folder)
        if not root.is_dir():
            raise InputError(f"{root}: this is no folder of trials.")
        if split is not None and not Path(split).exists() and (root / split).is_file():
            split = root / split  # a list that comes with the corpus may be named as it is there
        wanted = None if split is None else _names(split)
        lines = sorted(root.glob("*.jsonl"))
        if lines:
            found = [trial for path in lines for trial in read_trials(path)]
            return found if wanted is None else _those(found, wanted, split)
        names = wanted or sorted(f"{path.parent.name}/{path.stem}" for path in root.glob("*/*.xml"))
        if not names:
            raise InputError(f"{root}: there are no trials (DOMAIN/ID.xml, or *.jsonl).")
        return [read_tuna(root / f"{name}.xml") for name in names]


def _names(split: str | Path) -> list[str]:
    content = read_whole(split, _FILE)
    try:
        names = content.decode("utf-8").split()
        for name in names:
            if not re.fullmatch(r"[\w-]+/[\w-]+", name):
                raise ValueError(f"{excerpt(name)} is not of the form domain/id")
        if not names:
            raise ValueError("it names no trial")
    except ValueError as error:
        raise InputError(f"{split}: {error}.") from None
    return names


def _those(trials: Sequence[Trial], wanted: Sequence[str], split: object) -> list[Trial]:
    known = {f"{trial.domain}/{trial.name}": trial for trial in trials}
    for name in wanted:
        if name not in known:
            raise InputError(f"{split}: there is no trial {name}.")
    return [known[name] for name in wanted]


def read_tuna(path: str | Path) -> Trial:
    """One trial. A document type is passed over; values have blanks around them, which are dropped."""
    root = read_xml(path, limit=_FILE)
    place = str(path)

    def problem(message: str, element: Element = root) -> FormatError:
        return FormatError(Problem(message, place, line_of(element)))

    def child(name: str) -> Element:
        found = root.find(name)
        if found is None:
            raise problem(f"this trial has no {name}.")
        return found

    if root.tag != "TRIAL":
        raise problem(f"a TRIAL is expected, not {excerpt(root.tag)}.")
    if root.get(_CARDINAL, "1") != "1":
        raise problem(f"{_CARDINAL} is {root.get(_CARDINAL)}: only trials with one target are read.")
    name, domain = root.get("ID", ""), root.get("DOMAIN") or Path(path).parent.name
    speaker = _TRIAL.fullmatch(name)
    if speaker is None:
        raise problem(f"the ID {excerpt(name)} is not of the form s81t25, speaker and trial.")
    targets: list[Mapping[str, str]] = []
    others: list[Mapping[str, str]] = []
    truths: set[str] = set()
    for entity in child("DOMAIN").findall("ENTITY"):
        thing = {}
        for attribute in entity.findall("ATTRIBUTE"):
            key, value = _pair(attribute, problem)
            thing[key] = value
            if attribute.get("TYPE") == "boolean":
                truths.add(key)
        (targets if entity.get("TYPE") == "target" else others).append(thing)
    if len(targets) != 1:
        raise problem(f"there are {len(targets)} targets; one is expected.", child("DOMAIN"))
    gold = frozenset(_pair(each, problem) for each in child("ATTRIBUTE-SET").iter("ATTRIBUTE"))
    try:
        scene = Scene(targets[0], others, domain, frozenset(truths))
    except InputError as error:
        raise problem(str(error), child("DOMAIN")) from None
    said = (
        root.find("WORD-STRING") if root.find("STRING-DESCRIPTION") is None else child("STRING-DESCRIPTION")
    )
    phrase = " ".join((said.text or "").split()) if said is not None else ""
    annotated = root.find("DESCRIPTION")
    if annotated is None:
        annotated = root.find("ANNOTATED-WORD-STRING")
    words: list[str] = []
    spans: list[Span] = []
    if annotated is not None:
        _walk(annotated, words, spans, problem)
    return Trial(name, speaker[1], scene, gold, phrase, tuple(words), tuple(spans))


def _pair(attribute: Element, problem: Any) -> tuple[str, str]:
    name, value = attribute.get("NAME"), attribute.get("VALUE")
    if name is None or value is None or not checks.is_cell(name):
        raise problem("an ATTRIBUTE needs a NAME and a VALUE.", attribute)
    return name, value.strip()


def _walk(element: Element, words: list[str], spans: list[Span], problem: Any) -> None:
    """The words of an annotated phrase, and what they tell. An empty ATTRIBUTE stands in a META-ATTRIBUTE for all of
    its words.
    """
    start = len(words)
    words += _TOKEN.findall(element.text or "")
    empty = []
    for inner in element:
        before = len(words)
        _walk(inner, words, spans, problem)
        if inner.tag == "ATTRIBUTE" and len(words) == before:
            empty.append(inner)
        words += _TOKEN.findall(inner.tail or "")
    for each in empty:
        if element.tag == "META-ATTRIBUTE" and start < len(words):
            spans.append(Span(start, len(words), *_pair(each, problem)))
    if element.tag == "ATTRIBUTE" and start < len(words):
        spans.append(Span(start, len(words), *_pair(element, problem)))


def read_trials(path: str | Path) -> Iterator[Trial]:
    """Trials as JSON lines: see `docs/referring.md`."""
    for number, line in enumerate(read_whole(path, _LINES).splitlines(), 1):
        try:
            yield _from_json(checks.parse_json(line), number)
        except (ValueError, InputError) as error:
            message = f"this is no trial: {str(error).rstrip('.')}."
            raise FormatError(Problem(message, display_name(path), number)) from None


@dataclass(frozen=True, slots=True)
class _Line:
    speaker: checks.Cell
    target: dict[str, Any]
    distractors: list[Any]
    attributes: list[checks.Cell]
    words: list[checks.Cell] = field(default_factory=list)
    spans: list[tuple[int, int, checks.Cell]] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    id: str = ""
    domain: str = ""


def _from_json(value: Any, number: int) -> Trial:
    if not isinstance(value, dict):
        raise ValueError("a table is expected")
    scene = Scene.from_json({key: value[key] for key in ("target", "distractors", "domain") if key in value})
    told = checks.record(_Line, {**value, "target": {}, "distractors": []}, "the trial")
    if unknown := set(told.attributes) - set(scene.target):
        raise ValueError(f"the target has no attribute {excerpt(min(unknown))}")
    for start, end, name in told.spans:
        if not start < end <= len(told.words) or name not in told.attributes:
            raise ValueError(
                f"the span {start} to {end} of {excerpt(name)} fits neither words nor attributes"
            )
    if told.heads and (len(told.heads) != len(told.words) or not _is_tree(told.heads)):
        raise ValueError("the heads are no tree of the words")
    gold = frozenset((name, scene.target[name]) for name in told.attributes)
    spans = tuple(Span(start, end, name, scene.target[name]) for start, end, name in told.spans)
    phrase = join_words(told.words)
    name = told.id or str(number)
    return Trial(name, told.speaker, scene, gold, phrase, tuple(told.words), spans, tuple(told.heads))


def to_json(trial: Trial) -> dict[str, Any]:
    """A line of `read_trials`; only attributes the target has can be told."""
    return {
        "id": trial.name,
        "speaker": trial.speaker,
        **trial.scene.to_json(),
        "attributes": list(trial.said),
        "words": list(trial.words),
        "spans": [[span.start, span.end, span.name] for span in trial.spans if span.name in trial.said],
        **({"heads": list(trial.heads)} if trial.heads else {}),
    }


def join_words(words: Sequence[str]) -> str:
    """Words as a phrase: a hyphen stands close."""
    return " ".join(words).replace(" - ", "-")


def _is_tree(heads: Sequence[int]) -> bool:
    if heads.count(0) != 1 or any(head > len(heads) for head in heads):
        return False
    for word in range(1, len(heads) + 1):
        steps = 0
        while word and steps <= len(heads):
            word, steps = heads[word - 1], steps + 1
        if word:
            return False
    return True
