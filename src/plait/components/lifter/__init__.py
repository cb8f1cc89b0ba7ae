"""Crossing arcs lifted in trees without order."""

from plait.components.lifter.component import Lifter
from plait.components.lifter.options import LifterOptions

__all__ = ["Lifter", "LifterOptions"]
