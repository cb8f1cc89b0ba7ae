"""Scenes: one thing to speak of among others, each a bundle of attributes and values; plain JSON outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.errors import FormatError, InputError, Problem, excerpt
from plait.formats.files import display_name, read_whole

MOST_ATTRIBUTES = 12  # of a target: all its subsets are looked at
MOST_THINGS = 1000
_WORD = 62  # distractors that fit into one number of the core's size
Value = str | int | bool
Masks = NDArray[np.int64]


@dataclass(frozen=True)
class Scene:
    """The target and the distractors. Values are texts, numbers or truths; a truth is kept as 1 or 0.

    `domain` names the sort of scene, where a model knows several; otherwise the names of the attributes tell.
    """

    target: Mapping[str, str]
    distractors: Sequence[Mapping[str, str]]
    domain: str = ""
    truths: frozenset[str] = frozenset()  # the attributes that are true or false

    def __init__(
        self,
        target: Mapping[str, Value],
        distractors: Sequence[Mapping[str, Value]] = (),
        domain: str = "",
        truths: frozenset[str] = frozenset(),
    ) -> None:
        boolean = frozenset(name for name, value in target.items() if isinstance(value, bool))
        if not target:
            raise InputError("The target has no attributes.")
        if len(target) > MOST_ATTRIBUTES:
            raise InputError(
                f"The target has {len(target)} attributes, and {MOST_ATTRIBUTES} are the most: "
                "all their subsets are compared."
            )
        if len(distractors) > MOST_THINGS:
            raise InputError(f"The scene has {len(distractors):,} distractors; {MOST_THINGS:,} are the most.")
        set_ = object.__setattr__
        set_(self, "target", _plain(target))
        set_(self, "distractors", tuple(map(_plain, distractors)))
        set_(self, "domain", domain)
        set_(self, "truths", truths | boolean)

    @classmethod
    def from_json(cls, value: Any, place: str = "the scene") -> Scene:
        """From `{"target": {...}, "distractors": [{...}, ...], "domain": "..."}`; InputError names what is wrong."""
        try:
            return cls(*_read_scene(value, place))
        except (ValueError, InputError) as error:
            told = str(error).rstrip(".")
            raise InputError(told[:1].upper() + told[1:] + ".") from None

    @classmethod
    def read(cls, path: str | Path) -> Scene:
        """From a file with one JSON object."""
        return read_scene(path)[0]

    def to_json(self) -> dict[str, Any]:
        def shown(thing: Mapping[str, str]) -> dict[str, Value]:
            return {
                name: value == "1" if name in self.truths and value in ("0", "1") else value
                for name, value in thing.items()
            }

        found = {"target": shown(self.target), "distractors": [shown(each) for each in self.distractors]}
        return found | ({"domain": self.domain} if self.domain else {})

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes of the target, in the order of the bits of a mask."""
        return tuple(sorted(self.target))

    def mask(self, names: Sequence[str]) -> int:
        chosen = set(names)
        return sum(1 << place for place, name in enumerate(self.names) if name in chosen)

    def named(self, mask: int) -> list[str]:
        return [name for place, name in enumerate(self.names) if mask >> place & 1]

    def left(self) -> NDArray[np.int64]:
        """For every subset of the target's attributes, as a mask, of how many distractors it holds too."""
        count = len(self.names)
        total = np.zeros(1 << count, np.int64)
        for start in range(0, len(self.distractors), _WORD):
            part = self.distractors[start : start + _WORD]
            held = np.full(1 << count, (1 << len(part)) - 1, np.int64)
            for place, name in enumerate(self.names):
                same = sum(1 << number for number, each in enumerate(part) if self._same(each, name))
                # The subsets with this attribute stand at odd places of blocks of its size.
                held.reshape(-1, 2, 1 << place)[:, 1] &= same
            total += _bits(held)
        return total

    def identifies(self, names: Sequence[str]) -> bool:
        """Whether these attributes hold of the target and of nothing else."""
        return not any(all(self._same(each, name) for name in names) for each in self.distractors)

    def _same(self, thing: Mapping[str, str], name: str) -> bool:
        return thing.get(name) == self.target[name]


def identifying(scene: Scene) -> Masks:
    """All subsets that single out the target ("extended full brevity", Bohnet 2008), shortest masks first by number.

    Where nothing does, those that are true of the fewest others.
    """
    left = scene.left()[1:]  # something has to be said
    found: Masks = np.flatnonzero(left == left.min()).astype(np.int64) + 1
    return found


def sizes_of(count: int) -> NDArray[np.int64]:
    """The number of attributes in every mask."""
    return _bits(np.arange(1 << count, dtype=np.int64))


def read_scene(path: str | Path) -> tuple[Scene, str | None]:
    """A scene and, where the file names one, the speaker."""
    content = read_whole(path, checks.MOST_JSON)
    try:
        value = checks.parse_json(content)
        speaker = value.pop("speaker", None) if isinstance(value, dict) else None
        return Scene(*_read_scene(value, "the scene")), _speaker(speaker)
    except (ValueError, InputError) as error:
        raise FormatError(
            Problem(f"this is no scene: {str(error).rstrip('.')}.", display_name(path))
        ) from None


def _speaker(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return None if value is None else checks.text(value, "speaker", "cell")


def _read_scene(value: Any, place: str) -> tuple[dict[str, Value], list[dict[str, Value]], str]:
    if not isinstance(value, dict):
        raise ValueError(f"{place} is not a table with a target and distractors")
    if unknown := value.keys() - {"target", "distractors", "domain"}:
        raise ValueError(f"{place} has an unknown entry {excerpt(min(unknown))}")
    if "target" not in value:
        raise ValueError(f"{place} has no target")
    others = value.get("distractors", [])
    if not isinstance(others, list):
        raise ValueError("distractors is not a list")
    domain = checks.text(value.get("domain", ""), "domain")
    return _thing(value["target"], "target"), [_thing(each, "a distractor") for each in others], domain


def _thing(value: Any, place: str) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise ValueError(f"{place} is not a table of attributes")
    for name, each in value.items():
        checks.text(name, f"a name in {place}", "cell")
        if not name.strip() or (isinstance(each, str) and not each.strip()):
            raise ValueError(f"an attribute of {place} has no name or no value: {excerpt(name)}")
        if isinstance(each, str):
            checks.text(each, name)
        elif not isinstance(each, int) or abs(each) > checks.MOST_COUNTED:
            raise ValueError(f"{name} of {place} is neither text, nor a whole number, nor true or false")
    return value


def _plain(thing: Mapping[str, Value]) -> dict[str, str]:
    return {
        name: str(int(value)) if isinstance(value, bool) else str(value).strip()
        for name, value in thing.items()
    }


def _bits(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many bits are set, for numbers below 2 to the 62."""
    found = values - ((values >> 1) & 0x5555555555555555)
    found = (found & 0x3333333333333333) + ((found >> 2) & 0x3333333333333333)
    found = (found + (found >> 4)) & 0x0F0F0F0F0F0F0F0F
    counted: NDArray[np.int64] = sum((found >> shift) & 0xFF for shift in range(0, 64, 8))
    return counted
