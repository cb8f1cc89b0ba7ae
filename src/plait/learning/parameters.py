"""Parameters and scores as scikit-learn has them: `get_params`, `set_params`, `score`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from plait.errors import InputError
from plait.sentence import Sentence

if TYPE_CHECKING:
    from plait.learning.component import Component

_BETWEEN = "__"  # the name of what holds a parameter, and the parameter
# What a score is about, by the layers that are given: the first that there is.
_SCORES = {"tree": "las", "frames": "semantic_f1", "tags": "upos", "lemmas": "lemmas"}


def parameters(own: Mapping[str, Any], held: Mapping[str, Component[Any]], deep: bool) -> dict[str, Any]:
    """Own ones; what is held, by name; and, if `deep`, all parameters of that."""
    found = {**own, **held}
    for name, component in held.items() if deep else ():
        found |= {f"{name}{_BETWEEN}{inner}": value for inner, value in component.get_params().items()}
    return found


def set_parameters(held: Mapping[str, Component[Any]], values: Mapping[str, Any]) -> None:
    """Parameters of what is held."""
    inner: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        name, between, rest = path.partition(_BETWEEN)
        if name not in held or not between:
            raise InputError(f"No parameter {path!r}. There are those of {', '.join(held) or 'nothing'}.")
        inner.setdefault(name, {})[rest] = value
    for name, each in inner.items():
        held[name].set_params(**each)


def score_of(layers: Collection[str], gold: Sequence[Sentence], system: Sequence[Sentence]) -> float:
    """The score, in percent, that is about the layers somebody gives."""
    from plait.evaluation import evaluate

    metric = next((metric for layer, metric in _SCORES.items() if layer in layers), None)
    if metric is None:
        raise InputError(f"There is no score for what gives no {', '.join(_SCORES)}.")
    scores = evaluate(gold, system)
    if metric != "semantic_f1":
        found: float = getattr(scores, metric)
        return found
    if scores.roles is None:
        raise InputError("The gold sentences have no predicates, so there is no score of roles.")
    return scores.roles.semantic_f1
