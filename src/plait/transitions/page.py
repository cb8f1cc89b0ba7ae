"""The documentation page of the systems, written from their tables: `python -m plait.transitions.page`."""

from __future__ import annotations

from plait.transitions.kinds import Kind
from plait.transitions.registry import ORACLES
from plait.transitions.systems import SYSTEMS, System

INTRODUCTION = """\
# Transition systems

<!-- Written by `python -m plait.transitions.page`; change the tables in plait/transitions/systems.py. -->

A state is a stack, a buffer and the arcs built so far. The stack is written with its top to the right, the
buffer with its front to the left: `[σ|i, j]` has j on top and i below it, `[i|β]` has i at the front. Node 0
is the root. A transition is permitted if the state has the form under *before* and the condition holds.
"""


def systems_page() -> str:
    return INTRODUCTION + "".join(_section(system) for system in SYSTEMS.values())


def _section(system: System) -> str:
    rows = [
        f"| {kind} | {kind.value} | {rule.before} | {rule.after} | {rule.condition} |\n".replace("|i", "\\|i")
        .replace("|j", "\\|j")
        .replace("|β", "\\|β")
        for kind, rule in system.rules.items()
    ]
    oracles = ", ".join(f"`{name}`" for name in ORACLES[system.name])
    return (
        f"\n## {system.title}: `{system.name}`\n\n{system.description}\n\n"
        f"Start: {system.initial}. End: {system.final}. Oracles: {oracles}.\n\n"
        "| transition | letter | before | after | permitted if |\n|---|---|---|---|---|\n" + "".join(rows)
    )


if __name__ == "__main__":
    assert set(Kind) == {kind for system in SYSTEMS.values() for kind in system.rules}
    print(systems_page(), end="")
