"""A multi-layer perceptron with sigmoid units, IS-G's best; learned by scikit-learn, kept and used as arrays."""

from __future__ import annotations

import warnings
from typing import Self

import numpy as np

from plait.generation.mentions.five import NUMBERS, Rows, spread, spread_names
from plait.generation.mentions.learners.base import (
    COUNT,
    Codes,
    Shares,
    TypeLearner,
    array,
    scikit,
    share_rows,
)
from plait.learning.tensors import Tensors

_UNITS = 24
_PENALTY = 1.0
_PASSES = 400
_MOST_UNITS = 10_000


class Perceptron(TypeLearner):
    title = "a multi-layer perceptron"

    def fit(self, rows: Rows, types: Codes, seed: int) -> Self:
        seen = self._seen(rows)
        self._mean = seen.mean(axis=0)
        self._scale = np.where(seen.std(axis=0) > 0, seen.std(axis=0), 1.0)
        learner = scikit().neural_network.MLPClassifier(
            hidden_layer_sizes=(_UNITS,),
            activation="logistic",
            solver="lbfgs",
            alpha=_PENALTY,
            max_iter=_PASSES,
            random_state=seed,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of passes that were not enough: they are as many as wanted
            learner.fit((seen - self._mean) / self._scale, types)
        first, second = learner.coefs_
        self._first, self._first_bias = first, learner.intercepts_[0]
        # One type, or two, are learned with fewer outputs.
        self._second = np.zeros((_UNITS, COUNT))
        self._second_bias = np.full(COUNT, -30.0)
        if len(learner.classes_) == 2:
            second = np.concatenate([np.zeros_like(second), second], axis=1)
            bias = np.array([0.0, learner.intercepts_[1][0]])
        else:
            bias = learner.intercepts_[1]
        self._second[:, learner.classes_] = second
        self._second_bias[learner.classes_] = bias
        return self

    def _seen(self, rows: Rows) -> Rows:
        found = spread(rows, self.categories.sizes)
        found[:, : len(NUMBERS)] = np.log1p(np.maximum(found[:, : len(NUMBERS)], 0))
        return found

    def shares(self, rows: Rows) -> Shares:
        seen = (self._seen(rows) - self._mean) / self._scale
        hidden = 1 / (1 + np.exp(-np.clip(seen @ self._first + self._first_bias, -500, 500)))
        scores = hidden @ self._second + self._second_bias
        return share_rows(np.exp(np.clip(scores - scores.max(axis=1, keepdims=True), -500, 0)))

    def pack(self) -> Tensors:
        return {
            "mean": self._mean,
            "scale": self._scale,
            "first": self._first,
            "first_bias": self._first_bias,
            "second": self._second,
            "second_bias": self._second_bias,
        }

    def unpack(self, tensors: Tensors) -> Self:
        width = len(spread_names(self.categories))
        self._mean = array(tensors, "mean", np.float64, width)
        self._scale = array(tensors, "scale", np.float64, width)
        if not (self._scale > 1e-12).all():
            raise ValueError("scale: one of the numbers is not above 0")
        self._first = array(tensors, "first", np.float64, width, None)
        units = self._first.shape[1]
        if not 0 < units <= _MOST_UNITS:
            raise ValueError("the perceptron has no units, or too many")
        self._first_bias = array(tensors, "first_bias", np.float64, units)
        self._second = array(tensors, "second", np.float64, units, COUNT)
        self._second_bias = array(tensors, "second_bias", np.float64, COUNT)
        largest = max(float(np.abs(each).max()) for each in self.pack().values())
        if largest > 1e9:
            raise ValueError("a weight is too large")
        return self
