"""A flag that ends work which nobody waits for any longer.

Whatever may take long takes a `cancel`, looks at it on its way and raises `plait.errors.Cancelled` soon after it was
set. In the core that is once for every transition, word or row of a chart, without the GIL. What Python does itself
looks at the flag through `check_cancelled`, within a block of `Watching`; such a block holds no `yield`.
"""

from plait._core import Cancel, Watching, check_cancelled

__all__ = ["Cancel", "Watching", "check_cancelled"]
