// What several nets think, on average.
#pragma once

#include <cmath>
#include <vector>

#include "core/neural/layers.hpp"

namespace plait::neural {

// Logits of one net into probabilities, and those of the next added, row by row.
class Mean {
  public:
    Mean(std::size_t rows, std::size_t step) : rows_(rows), step_(step) {}

    void to_probabilities(std::vector<float>& logits, std::size_t first, std::size_t size) const {
        for (std::size_t t = 0; t < rows_; ++t) softmax(logits.data() + t * step_ + first, 1.0f, size);
    }
    void add_to(std::vector<float>& sums, const std::vector<float>& more) const {
        add(more.data(), sums.data(), rows_ * step_);
    }
    void to_logarithms(std::vector<float>& sums, std::size_t nets) const {
        const float share = 1.0f / static_cast<float>(nets);
        for (std::size_t i = 0; i < rows_ * step_; ++i) sums[i] = std::log(sums[i] * share);
    }

  private:
    std::size_t rows_, step_;
};

}  // namespace plait::neural
