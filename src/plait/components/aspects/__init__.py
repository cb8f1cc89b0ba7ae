"""Aspects of what is reviewed, and what is thought of them (Pekar, Afzal and Bohnet 2014)."""

from plait.components.aspects.component import AspectFinder

__all__ = ["AspectFinder"]
