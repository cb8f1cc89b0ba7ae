"""Oracles by name."""

from __future__ import annotations

from collections.abc import Callable

from plait.transitions import eager_oracles, spine_oracles, swap_oracles
from plait.transitions.minimal import Minimal
from plait.transitions.oracle import Oracle
from plait.transitions.systems import UnknownNameError, find_system
from plait.transitions.table import SYSTEM_FACTS
from plait.transitions.target import Target

ORACLES: dict[str, dict[str, Callable[[Target], Oracle]]] = {
    "swap": {
        "eager": swap_oracles.Eager,
        "lazy": swap_oracles.Lazy,
        "minimal": Minimal,
        "nd-swap": swap_oracles.NonDeterministicSwap,
        "nd-all": swap_oracles.NonDeterministicAll,
    },
    "standard": {"static": swap_oracles.StandardStatic, "nd-all": swap_oracles.StandardAll},
    "eager": {"static": eager_oracles.EagerStatic, "dynamic": eager_oracles.EagerDynamic},
    "spine": {"static": spine_oracles.SpineStatic, "nd-all": spine_oracles.SpineAll},
    "spine-swap": {"static": spine_oracles.SpineSwapStatic, "nd-all": spine_oracles.SpineSwapAll},
}


def oracle_name(system: str, oracle: str | None) -> str:
    """The name, checked; the system's default when none is given."""
    names = ORACLES[find_system(system).name]
    name = SYSTEM_FACTS[system].static if oracle is None else oracle
    if name not in names:
        raise UnknownNameError(f"No oracle '{name}' for system '{system}'. Available: {', '.join(names)}.")
    return name


def find_oracle(system: str, oracle: str | None = None) -> Callable[[Target], Oracle]:
    name = oracle_name(system, oracle)
    return ORACLES[system][name]
