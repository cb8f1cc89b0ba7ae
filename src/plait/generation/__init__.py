"""From trees to text."""

from plait.generation.realizer import Realization, Realizer

__all__ = ["Realization", "Realizer"]
