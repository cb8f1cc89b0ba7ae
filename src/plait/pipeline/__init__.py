"""Text to trees, trained and loaded as one."""

from plait.pipeline.document import Document
from plait.pipeline.estimator import PARTS, Pipeline, load
from plait.pipeline.packaged import DEFAULT, packaged
from plait.pipeline.recipe import Recipe
from plait.pipeline.training import LEARNED, train

__all__ = ["DEFAULT", "LEARNED", "PARTS", "Document", "Pipeline", "Recipe", "load", "packaged", "train"]
