"""What an attack found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Something that must not happen; the same case gives it again."""

    attack: str
    case: int
    kind: str  # crash | traceback | hang | memory | invalid output
    detail: str
