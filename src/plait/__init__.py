"""Plait: dependency trees with crossing arcs."""
