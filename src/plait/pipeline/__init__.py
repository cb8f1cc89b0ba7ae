"""Text to trees and further, trained and loaded as one."""

from plait.catalogue import DEFAULT
from plait.pipeline.pipeline import Pipeline, load
from plait.pipeline.recipe import ModelOptions, Recipe
from plait.pipeline.teach import Labelled, label, student, teach
from plait.pipeline.train import InterruptedTraining, measure, train

__all__ = [
    "DEFAULT",
    "InterruptedTraining",
    "Labelled",
    "ModelOptions",
    "Pipeline",
    "Recipe",
    "label",
    "load",
    "measure",
    "student",
    "teach",
    "train",
]
