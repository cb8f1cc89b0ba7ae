"""Transition systems and oracles as the papers print them; the core is their fast twin.

`State` is stepped by hand, `derive` shows what an oracle does, `build_lattice` all that it might do. The
functions of `plait.transitions.batch` do the same for many trees in the core.
"""

from plait.transitions.batch import Counts, Derivations, ambiguous, count, derivations, rebuild
from plait.transitions.costs import Loss, best_kinds, loss, losses
from plait.transitions.derivation import Derivation, Step, derive, replay, spell
from plait.transitions.frontier import SLOTS, Arcs, Frontier, Outcome
from plait.transitions.kinds import Kind, Transition
from plait.transitions.lattice import Edge, Lattice, LatticeTooLargeError, build_lattice
from plait.transitions.oracle import NotDerivableError, OffThePathError, Oracle
from plait.transitions.registry import ORACLES, find_oracle
from plait.transitions.repertoire import Repertoire
from plait.transitions.state import IllegalTransitionError, State
from plait.transitions.systems import SYSTEMS, System, UnknownNameError, find_system
from plait.transitions.target import Target
from plait.transitions.trace import Alternative, Hypothesis, Trace, TraceStep

__all__ = [
    "ORACLES",
    "SLOTS",
    "SYSTEMS",
    "Alternative",
    "Arcs",
    "Counts",
    "Derivation",
    "Derivations",
    "Edge",
    "Frontier",
    "Hypothesis",
    "IllegalTransitionError",
    "Kind",
    "Lattice",
    "LatticeTooLargeError",
    "Loss",
    "NotDerivableError",
    "OffThePathError",
    "Oracle",
    "Outcome",
    "Repertoire",
    "State",
    "Step",
    "System",
    "Target",
    "Trace",
    "TraceStep",
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
