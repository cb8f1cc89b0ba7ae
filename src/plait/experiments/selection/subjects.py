"""What templates are chosen for: transitions, parts of the completion model, of graphs, words of a tagger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plait.components.tagger import templates as tagger_templates
from plait.components.transition.completion import FULL
from plait.errors import InputError
from plait.experiments.selection.scores import TAG_SCORES, TREE_SCORES
from plait.features import parts, templates
from plait.features.reading import hint

_FIRST = "H.upos D.upos\nH.upos D.upos distance\nH.form D.upos\nH.upos D.form\n"
_THREE = "H.upos D.upos X.upos\n"


@dataclass(frozen=True, slots=True)
class Subject:
    """A component, and the option of it that names the lists; `usual` are the options of its trials."""

    name: str
    kind: str
    option: str
    whole: str  # the lists that are chosen from, unless others are given
    read: Callable[[str], dict[str, str]]  # the texts of lists, by their names
    begin: Mapping[str, str]  # what to begin with
    usual: Mapping[str, Any]
    passes: int
    scores: tuple[str, ...] = TREE_SCORES
    threshold: float = 0.0
    # Of elimination, whose few trainings can be like those of the parser that is wanted; none: it is not possible.
    used: Mapping[str, Any] | None = None
    used_passes: int = 0


def _read_parts(source: str) -> dict[str, str]:
    return dict(parts.load(("first", "sibling", "grandchild"), source).sources)


def _read_completion(source: str) -> dict[str, str]:
    return dict(parts.load(parts.LISTS, source).sources)


SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject(
            "parser",
            "transition",
            "features",
            "swap",
            lambda source: {"": templates.text_of(source)},
            {"": templates.text_of("basic")},
            {"beam": 1, "oracle": "lazy", "explore": 0.0, "bits": 22, "precision": "float32"},
            3,
            used={"beam": 1, "precision": "float32"},
            used_passes=5,
        ),
        # θ as the paper has it: 0 left too little of the completion model.
        Subject(
            "completion",
            "transition",
            "parts",
            "plain",
            _read_completion,
            {
                "first": _FIRST,
                "sibling": _THREE,
                "grandchild": _THREE,
                "third": "H.upos D.upos X.upos Y.upos\n",
            },
            {"beam": 8, "completion": FULL, "bits": 22},
            3,
            threshold=-0.02,
        ),
        Subject(
            "graph",
            "graph",
            "features",
            "context",
            _read_parts,
            {"first": _FIRST, "sibling": _THREE, "grandchild": _THREE},
            {"bits": 22},
            2,
        ),
        Subject(
            "tagger",
            "tagger",
            "features",
            "default",
            lambda source: {"": tagger_templates.text_of(source)},
            {"": "W0.lower\nW0.suffix3\nW-1.lower\nW+1.lower\nT-1.tag\n"},
            {"bits": 20},
            3,
            TAG_SCORES,
        ),
    )
}


def find_subject(name: str) -> Subject:
    if name not in SUBJECTS:
        raise InputError(f"No templates of {name!r} to choose.{hint(name, SUBJECTS)}")
    return SUBJECTS[name]
