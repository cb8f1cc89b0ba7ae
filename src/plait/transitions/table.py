"""The one table of transition systems and oracles: names, the codes that the core knows them by, and defaults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """What holds of a system beside its rules, which are in `systems`."""

    code: int
    oracles: tuple[str, ...]
    static: str  # the oracle with one derivation per tree
    greedy: str  # the one that greedy parsers learn from
    beam: str  # the one that beams learn from
    features: str  # the list of templates
    small: str = ""  # a shorter one for greedy parsers, where there is one
    whole: str = ""  # the longer one that it was chosen from, where it is the shorter one that is usual
    crossing: bool = False  # whether it builds crossing arcs
    closing: bool = False  # whether a word that has its head gets no more children


SYSTEM_FACTS = {
    "swap": SystemFacts(
        0,
        ("eager", "lazy", "minimal", "nd-swap", "nd-all"),
        static="lazy",
        greedy="nd-all",
        beam="lazy",
        features="swap",
        small="swap-small",
        crossing=True,
        closing=True,
    ),
    "standard": SystemFacts(
        1,
        ("static", "nd-all"),
        static="static",
        greedy="nd-all",
        beam="static",
        features="swap",
        closing=True,
    ),
    "eager": SystemFacts(
        2, ("static", "dynamic"), static="static", greedy="dynamic", beam="static", features="eager"
    ),
    # A tree has very many derivations here, and beams that must find one of them lose their way. A greedy parser that
    # may wait wherever that is right scatters what it sees: on a small treebank that costs more than it gains.
    "spine": SystemFacts(
        3,
        ("static", "nd-all"),
        static="static",
        greedy="static",
        beam="nd-all",
        features="spine-small",
        whole="spine",
    ),
    "spine-swap": SystemFacts(
        4,
        ("static", "nd-all"),
        static="static",
        greedy="nd-all",
        beam="nd-all",
        features="spine-small",
        whole="spine",
        crossing=True,
    ),
}
ORACLE_CODES = {"eager": 0, "lazy": 1, "minimal": 2, "nd-swap": 3, "nd-all": 4, "static": 5, "dynamic": 6}
NON_PROJECTIVE = tuple(name for name, facts in SYSTEM_FACTS.items() if facts.crossing)
CLOSING = tuple(name for name, facts in SYSTEM_FACTS.items() if facts.closing)
