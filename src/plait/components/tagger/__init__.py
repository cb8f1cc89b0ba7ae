"""The tagger: universal and language-specific tags, and morphological features."""

from plait.components.tagger.component import Tagger
from plait.components.tagger.options import TaggerOptions
from plait.components.tagger.tags import ScoredTag, Tag

__all__ = ["ScoredTag", "Tag", "Tagger", "TaggerOptions"]
