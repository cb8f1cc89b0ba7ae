// Static and dynamic oracle of the arc-eager system, for projective trees.
#pragma once

#include <array>

#include "core/oracles/gold.hpp"

namespace plait {

// Arcs as soon as possible, REDUCE only when a word below the top is to be joined to buffer(0) (Nivre 2003).
Kind eager_static(const State& state, const Gold& gold);

// For every permitted transition the number of gold arcs that it makes impossible, in any state
// (Goldberg and Nivre 2013, section 4.1). Returns the permitted kinds; only their entries are set.
KindSet eager_costs(const State& state, const Gold& gold, bool single_root,
                    std::array<Index, kind_count>& costs);

// The permitted kinds that cost least.
KindSet eager_dynamic(const State& state, const Gold& gold, bool single_root);

}  // namespace plait
