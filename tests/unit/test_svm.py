"""Linear support vector machines: the optimum, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from plait.learning.svm import LinearSVM, minimize


def test_two_points_have_the_solution_of_the_textbook() -> None:
    """With one feature of value 1 on either side, w minimizes w²/2 + 2C (1 - w)²: w = 4C / (1 + 4C)."""
    for cost in (0.1, 1.0, 10.0):
        model = LinearSVM.fit([{"x": 1.0}, {"x": -1.0}], [["a"], []], cost=cost)
        assert model.scores([{"x": 1.0}])[0, 0] == pytest.approx(4 * cost / (1 + 4 * cost), abs=1e-3)


def test_several_classes_and_none() -> None:
    bags = [{"a": 1.0}, {"b": 1.0}, {"a": 1.0, "b": 1.0}, {"c": 1.0}]
    for ratios in (False, True):
        model = LinearSVM.fit(bags, [["A"], ["B"], ["A", "B"], []], cost=10, ratios=ratios)
        assert model.classes == ["A", "B"]
        assert (model.scores(bags) > 0).tolist() == [
            [True, False],
            [False, True],
            [True, True],
            [False, False],
        ]
        assert model.best({"b": 2.0, "never seen": 9.0}) == "B"
        assert LinearSVM.fit(bags, [[]] * 4, ratios=ratios).best(bags[0]) == ""
        assert LinearSVM.fit([], [], ratios=ratios).classes == []


def test_what_is_packed_is_the_same() -> None:
    model = LinearSVM.fit([{"a": 1.0, "b": 0.5}, {"b": 1.0}], [["A"], ["B"]])
    twin = LinearSVM.unpack(model.classes, model.pack())
    assert np.array_equal(twin.scores([{"a": 1.0}]), model.scores([{"a": 1.0}]))
    broken = {**model.pack(), "weights": model.pack()["weights"][:-1]}
    with pytest.raises(ValueError, match="do not fit"):
        LinearSVM.unpack(model.classes, broken)
    nan = {**model.pack(), "weights": np.full_like(model.pack()["weights"], np.nan)}
    with pytest.raises(ValueError, match="none, or infinite"):
        LinearSVM.unpack(model.classes, nan)


def test_a_bent_valley_is_walked_to_its_end() -> None:
    """A function whose second derivative differs by a factor of 1,000 between directions."""
    scales = np.array([[1.0], [1000.0]])
    goal = np.array([[3.0], [-2.0]])

    def gradient(point: np.ndarray) -> tuple[float, np.ndarray]:  # type: ignore[type-arg]
        away = point - goal
        return float((scales * away**2).sum() / 2), scales * away

    assert minimize(gradient, np.zeros((2, 1)), 100, 1e-8) == pytest.approx(goal, abs=1e-4)
