"""What to say at every mention of a text: GREC (Bohnet 2008, Favre and Bohnet 2009, 2010)."""

from plait.generation.mentions.filler import MentionFiller
from plait.generation.mentions.options import MentionOptions

__all__ = ["MentionFiller", "MentionOptions"]
