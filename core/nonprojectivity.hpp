// How far a tree is from projective: the measures compared by Kuhlmann and Nivre (2006).
#pragma once

#include "core/tree.hpp"

namespace plait {

// degree[w - 1] = in how many separate pieces, not dominated by the head, the words between w and its head
// hang together. 0 exactly for the projective arcs.
void edge_degrees(const Tree& tree, std::span<Index> degree);

// degree[w - 1] = how many gaps there are in the positions that w dominates.
void gap_degrees(const Tree& tree, std::span<Index> degree);

// The number of pairs of arcs that cross, those from the root included (its place is 0).
std::int64_t crossing_pairs(const Tree& tree);

// False if two disjoint subtrees interleave: i < j < k < l with i, k in one and j, l in the other.
bool well_nested(const Tree& tree);

}  // namespace plait
