"""Lemmas: edit scripts, and the model that chooses them."""

from plait.lemmas.estimator import Lemmatizer
from plait.lemmas.options import LemmatizerOptions
from plait.lemmas.scripts import EditScript
from plait.lemmas.trainer import Epoch

__all__ = ["EditScript", "Epoch", "Lemmatizer", "LemmatizerOptions"]
