// From scores of arcs to a tree with one root: Chu and Liu (1965), Edmonds (1967).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plait::neural {

// Scores of arcs, word - 1 by head 0..n, rows `step` apart.
struct ArcScores {
    const float* scores;
    std::size_t step;
    std::size_t words;
};

// The heads of the best tree into `heads`. An arc that crosses others pays `price`: it must be better by that
// much than what else there is. Where `given` has a head and not -1, that is the head.
void best_tree(const ArcScores& arcs, double price, std::span<const std::int32_t> given,
               std::span<std::int32_t> heads);

}  // namespace plait::neural
