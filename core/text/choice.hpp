// A choice between a few things by a row of features: the hash kernel at its plainest.
#pragma once

#include <algorithm>
#include <array>

#include "core/cancel.hpp"
#include "core/kernel.hpp"
#include "core/learn/order.hpp"

namespace plait {

// Rows of 32-bit values, one per column; 0 says nothing.
struct ChoiceRows {
    std::span<const std::uint32_t> values;
    std::size_t columns = 0;

    std::size_t size() const { return values.size() / columns; }

    // The values of a row as features; `features` has room for all columns.
    std::span<const std::uint64_t> features(std::size_t row, std::vector<std::uint64_t>& features) const {
        features.clear();
        for (std::size_t i = 0; i < columns; ++i) {
            std::uint64_t hash = values[row * columns + i];
            if (hash == 0) continue;
            hash = (hash + (static_cast<std::uint64_t>(i) << 32)) * 0x9e3779b97f4a7c15u;
            features.push_back((hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u);
        }
        return features;
    }
};

template <typename Weights>
std::vector<std::uint8_t> choose(const Weights& weights, const ChoiceRows& rows) {
    const std::size_t width = weights.windows.width();
    std::vector<float> scores(width + block);
    std::vector<std::uint64_t> features;
    std::vector<std::uint8_t> result(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        check_cancelled();
        weights.score(rows.features(row, features), scores);
        result[row] = static_cast<std::uint8_t>(
            std::max_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(width)) -
            scores.begin());
    }
    return result;
}

// Passive-aggressive steps (Crammer et al. 2006) with averaged weights.
class ChoiceLearner {
  public:
    ChoiceLearner(int bits, std::size_t width, float longest_step)
        : kernel(bits, width), averaged(kernel), longest_step_(longest_step), scores_(width + block) {}

    void learn(const ChoiceRows& rows, std::size_t row, std::size_t right) {
        averaged.next_example();
        const auto features = rows.features(row, features_);
        kernel.score(features, scores_);
        std::size_t rival = right == 0 ? 1 : 0;
        for (std::size_t i = 0; i < kernel.windows.width(); ++i) {
            if (i != right && scores_[i] > scores_[rival]) rival = i;
        }
        const float lead = scores_[right] - scores_[rival];
        if (lead >= 1 || features.empty()) return;
        const float step = std::min(longest_step_, (1 - lead) / (2 * static_cast<float>(features.size())));
        averaged.add(features, right, step);
        averaged.add(features, rival, -step);
    }

    Kernel kernel;
    Averaged averaged;

  private:
    float longest_step_;
    std::vector<float> scores_;
    std::vector<std::uint64_t> features_;
};

// The weights learned from the rows named in `order`, each with its right choice.
inline std::vector<float> learn_in_order(const ChoiceRows& rows, std::span<const std::uint8_t> right,
                                         std::span<const std::int64_t> order, int bits, std::size_t width,
                                         float longest_step) {
    ChoiceLearner learner(bits, width, longest_step);
    each_in_order(order, rows.size(), [&](std::size_t i) { learner.learn(rows, i, right[i]); });
    return learner.averaged.mean();
}

}  // namespace plait
