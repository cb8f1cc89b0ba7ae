"""The learners that IS-G compares (Bohnet 2008, section 2), each small enough to keep as arrays."""

from __future__ import annotations

from plait.generation.mentions.learners.base import TypeLearner
from plait.generation.mentions.learners.bayes import BayesNetwork
from plait.generation.mentions.learners.majority import Majority
from plait.generation.mentions.learners.perceptron import Perceptron
from plait.generation.mentions.learners.tree import Tree

LEARNERS: dict[str, type[TypeLearner]] = {
    "majority": Majority,
    "bayes": BayesNetwork,
    "tree": Tree,
    "perceptron": Perceptron,
}

__all__ = ["LEARNERS", "BayesNetwork", "Majority", "Perceptron", "Tree", "TypeLearner"]
