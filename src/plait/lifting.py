"""Pseudo-projective trees: non-projective arcs lifted until the tree is projective, and brought back.

Nivre and Nilsson (2005), section 3 and Table 1. Each encoding says in the labels what was lifted:

=========  ===================  ===========
encoding   lifted arc           path arc
=========  ===================  ===========
head       label↑head's label   label
path       label↑               label↓
head+path  label↑head's label   label↓
=========  ===================  ===========

A path arc is one the lifted arc was moved over. Bringing back searches top-down and is not always exact: the
encodings are lossy by design, and where no target fits, the arc stays where it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from plait.errors import InputError
from plait.trees import nonprojective_arcs

ENCODINGS = ("head", "path", "head+path")
UP = "↑"
DOWN = "↓"


def projectivize(
    heads: Sequence[int], labels: Sequence[str], encoding: str = "head+path"
) -> tuple[list[int], list[str]]:
    """A projective tree, with the lifts encoded in its labels. A projective tree comes back unchanged."""
    _check_encoding(encoding)
    for label in labels:
        if UP in label or DOWN in label:
            raise InputError(f"the label {label!r} holds {UP} or {DOWN}, which mark lifted arcs.")
    lifted = list(heads)
    passed: set[int] = set()
    # The shortest non-projective arc first, the leftmost of several: the paper's PROJECTIVIZE.
    while arcs := nonprojective_arcs(lifted):
        head, dependent = min(arcs, key=lambda arc: (abs(arc[0] - arc[1]), min(arc)))
        passed.add(head)
        lifted[dependent - 1] = lifted[head - 1]
    marked = list(labels)
    for i, (old, new) in enumerate(zip(heads, lifted, strict=True)):
        if old != new:
            marked[i] += UP + (labels[old - 1] if encoding != "path" else "")
        if i + 1 in passed and encoding != "head":
            marked[i] += DOWN
    return lifted, marked


def deprojectivize(
    heads: Sequence[int], labels: Sequence[str], encoding: str = "head+path"
) -> tuple[list[int], list[str]]:
    """The tree with its lifted arcs brought back to the heads their labels point to."""
    _check_encoding(encoding)
    restored = list(heads)
    plain, targets, path = [], [], []
    for label in labels:
        own, _, target = label.removesuffix(DOWN).partition(UP)
        plain.append(own)
        targets.append(target if UP in label else None)
        path.append(label.endswith(DOWN))
    # From the top down, and again as long as an arc that came back has brought another's head into reach.
    waiting = [word for word in _breadth_first(restored, 0) if targets[word - 1] is not None]
    progress = True
    while progress:
        progress = False
        for dependent in list(waiting):
            found = _find_head(restored, dependent, plain, targets[dependent - 1] or "", path, encoding)
            if found:
                restored[dependent - 1] = found
                waiting.remove(dependent)
                progress = True
    return restored, plain


def _find_head(
    heads: list[int], dependent: int, labels: list[str], target: str, path: list[bool], encoding: str
) -> int | None:
    """Search below the present head, breadth first; `path` encodings follow marked arcs only."""
    allowed = None if encoding == "head" else path
    for word in _breadth_first(heads, heads[dependent - 1], allowed, without=dependent):
        if encoding != "path":
            if labels[word - 1] == target:
                return word
        elif not any(
            path[below - 1] for below in _dependents(heads, word) if below != dependent
        ):  # the end of a marked path
            return word
    return None


def _breadth_first(
    heads: list[int], top: int, allowed: list[bool] | None = None, without: int = 0
) -> Iterator[int]:
    queue = deque([top])
    while queue:
        for word in _dependents(heads, queue.popleft()):
            if word != without and (allowed is None or allowed[word - 1]):
                yield word
                queue.append(word)


def _dependents(heads: list[int], head: int) -> list[int]:
    return [word for word, above in enumerate(heads, 1) if above == head]


def _check_encoding(encoding: str) -> None:
    if encoding not in ENCODINGS:
        raise InputError(f"No encoding {encoding!r}. Available: {', '.join(ENCODINGS)}.")
