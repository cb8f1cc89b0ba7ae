"""The transition-based parser: greedy and with a beam, and jointly with tags."""

from plait.components.transition.component import TransitionParser
from plait.components.transition.options import TransitionOptions

__all__ = ["TransitionOptions", "TransitionParser"]
