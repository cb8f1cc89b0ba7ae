"""Transition systems and oracles as the papers print them; the core is their fast twin.

`State` is stepped by hand, `derive` shows what an oracle does, `build_lattice` all that it might do. The
functions of `plait.transitions.batch` do the same for many trees in the core.
"""

from plait.transitions.batch import Counts, Derivations, ambiguous, count, derivations, rebuild
from plait.transitions.costs import Loss, best_kinds, loss, losses
from plait.transitions.derivation import Derivation, Step, derive, replay, spell
from plait.transitions.kinds import Kind, Transition
from plait.transitions.lattice import Edge, Lattice, LatticeTooLargeError, build_lattice
from plait.transitions.oracle import NotDerivableError, OffThePathError, Oracle
from plait.transitions.registry import ORACLES, find_oracle
from plait.transitions.state import IllegalTransitionError, State
from plait.transitions.systems import SYSTEMS, System, UnknownNameError, find_system
from plait.transitions.target import Target

__all__ = [
    "ORACLES",
    "SYSTEMS",
    "Counts",
    "Derivation",
    "Derivations",
    "Edge",
    "IllegalTransitionError",
    "Kind",
    "Lattice",
    "LatticeTooLargeError",
    "Loss",
    "NotDerivableError",
    "OffThePathError",
    "Oracle",
    "State",
    "Step",
    "System",
    "Target",
    "Transition",
    "UnknownNameError",
    "ambiguous",
    "best_kinds",
    "build_lattice",
    "count",
    "derivations",
    "derive",
    "find_oracle",
    "find_system",
    "loss",
    "losses",
    "rebuild",
    "replay",
    "spell",
]
