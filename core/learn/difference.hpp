// What one structure has and another one lacks: the direction of an update.
#pragma once

#include <algorithm>
#include <vector>

#include "core/kernel.hpp"

namespace plait {

class Difference {
  public:
    void clear() { cells_.clear(); }
    void add(std::size_t cell, std::int32_t count) { cells_.emplace_back(cell, count); }

    // Adds up what fell into the same cell; returns the squared length.
    double merge() {
        double norm = 0;
        std::ranges::sort(cells_);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < cells_.size();) {
            auto [cell, count] = cells_[i];
            for (++i; i < cells_.size() && cells_[i].first == cell; ++i) count += cells_[i].second;
            if (count == 0) continue;
            norm += static_cast<double>(count) * count;
            cells_[kept++] = {cell, count};
        }
        cells_.resize(kept);
        return norm;
    }

    // Once it is merged: a step in its direction.
    void apply(Averaged& weights, double step) const {
        for (const auto& [cell, count] : cells_) weights.add(cell, static_cast<float>(step * count));
    }

  private:
    std::vector<std::pair<std::size_t, std::int32_t>> cells_;
};

}  // namespace plait
