"""The words of a tree in order, domain by domain."""

from plait.components.order.component import Order
from plait.components.order.options import OrderOptions

__all__ = ["Order", "OrderOptions"]
