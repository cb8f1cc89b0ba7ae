"""Models by name: where they are found, which are published and how they are made, and how they travel."""

from plait.catalogue.names import DEFAULT, locate, packaged

__all__ = ["DEFAULT", "locate", "packaged"]
