"""Several parsers that vote."""

from plait.components.vote.component import Vote

__all__ = ["Vote"]
