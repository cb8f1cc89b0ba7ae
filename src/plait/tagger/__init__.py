"""The tagger: universal and language-specific tags, and morphological features."""

from plait.tagger.estimator import Tagger
from plait.tagger.options import TaggerOptions
from plait.tagger.tags import ScoredTag, Tag
from plait.tagger.training import Epoch

__all__ = ["Epoch", "ScoredTag", "Tag", "Tagger", "TaggerOptions"]
