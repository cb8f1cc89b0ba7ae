// L-BFGS (Nocedal and Wright 2006, algorithm 7.4): the least of a smooth function of many variables.
#pragma once

#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <span>
#include <vector>

namespace plait {

struct Descent {
    std::vector<double> point;
    double value = 0;
    int iterations = 0;
    int evaluations = 0;
};

namespace descent {

inline constexpr std::size_t remembered = 6;        // steps
inline constexpr int period = 10;                   // iterations after which the gain is looked at
inline constexpr int most_trials = 30;              // lengths of one step
inline constexpr double enough = 1e-4, flat = 0.9;  // the two conditions of Wolfe

inline double dot(std::span<const double> one, std::span<const double> other) {
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i) sum += one[i] * other[i];
    return sum;
}

struct Step {
    std::vector<double> moved, turned;  // of the point, and of the gradient
    double product = 0;
};

// Minus the gradient, as the steps so far have shown the function to be curved.
inline std::vector<double> direction(std::span<const double> gradient, const std::deque<Step>& steps) {
    std::vector<double> found(gradient.size());
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = -gradient[i];
    std::vector<double> amounts(steps.size());
    for (std::size_t k = steps.size(); k-- > 0;) {
        amounts[k] = dot(steps[k].moved, found) / steps[k].product;
        for (std::size_t i = 0; i < found.size(); ++i) found[i] -= amounts[k] * steps[k].turned[i];
    }
    if (!steps.empty()) {
        const double scale = steps.back().product / dot(steps.back().turned, steps.back().turned);
        for (double& each : found) each *= scale;
    }
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const double more = amounts[k] - dot(steps[k].turned, found) / steps[k].product;
        for (std::size_t i = 0; i < found.size(); ++i) found[i] += more * steps[k].moved[i];
    }
    return found;
}

}  // namespace descent

// From zero. `function(point, gradient)` returns the value and writes the gradient. It ends when ten
// iterations have gained less than `tolerance` of the value, when the gradient is flat, or after
// `iterations`.
template <typename Function>
Descent descend(std::size_t size, int iterations, double tolerance, Function function) {
    using namespace descent;
    Descent found{std::vector<double>(size, 0.0), 0, 0, 1};
    std::vector<double> gradient(size), next(size), next_gradient(size);
    found.value = function(std::span<const double>(found.point), std::span<double>(gradient));
    std::deque<Step> steps;
    std::vector<double> values{found.value};
    while (found.iterations < iterations) {
        const double length = std::sqrt(dot(gradient, gradient));
        if (!(length > 1e-10 * std::max(1.0, std::sqrt(dot(found.point, found.point))))) break;
        std::vector<double> way = direction(gradient, steps);
        double slope = dot(way, gradient);
        if (!(slope < 0)) {  // what was remembered no longer helps
            steps.clear();
            way = direction(gradient, steps);
            slope = -length * length;
        }
        // Halving and doubling until the value falls enough and the slope has become flat (Lewis and
        // Overton).
        double low = 0, high = std::numeric_limits<double>::infinity();
        double size_of_step = steps.empty() ? 1 / length : 1, value = 0;
        bool moved = false;
        for (int trial = 0; trial < most_trials; ++trial) {
            for (std::size_t i = 0; i < size; ++i) next[i] = found.point[i] + size_of_step * way[i];
            value = function(std::span<const double>(next), std::span<double>(next_gradient));
            ++found.evaluations;
            const bool falls = value <= found.value + enough * size_of_step * slope;
            moved = moved || falls;
            if (!falls) {
                high = size_of_step;
            } else if (dot(way, next_gradient) < flat * slope) {
                low = size_of_step;
            } else {
                break;
            }
            size_of_step = std::isfinite(high) ? (low + high) / 2 : 2 * low;
        }
        if (!moved || !(value < found.value)) break;
        Step step{std::vector<double>(size), std::vector<double>(size)};
        for (std::size_t i = 0; i < size; ++i) {
            step.moved[i] = next[i] - found.point[i];
            step.turned[i] = next_gradient[i] - gradient[i];
        }
        step.product = dot(step.moved, step.turned);
        if (step.product > 0) {
            steps.push_back(std::move(step));
            if (steps.size() > remembered) steps.pop_front();
        }
        found.point.swap(next);
        gradient.swap(next_gradient);
        found.value = value;
        values.push_back(value);
        ++found.iterations;
        if (found.iterations >= period &&
            values[values.size() - 1 - period] - value < tolerance * std::abs(value)) {
            break;
        }
    }
    return found;
}

}  // namespace plait
