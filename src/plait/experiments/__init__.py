"""The tables and pictures of a paper from one TOML file: every oracle as a teacher, on every treebank."""

from plait.experiments.document import TreebankFiles
from plait.experiments.runner import Outcome, run
from plait.experiments.spec import Cell, Experiment, read_experiment

__all__ = ["Cell", "Experiment", "Outcome", "TreebankFiles", "read_experiment", "run"]
