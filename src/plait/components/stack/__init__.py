"""A parser that looks at the trees of another."""

from plait.components.stack.component import Stack, StackOptions

__all__ = ["Stack", "StackOptions"]
