// From the best projective tree towards crossing arcs: words move to other heads as long as that is worth
// more than a threshold (McDonald and Pereira 2006; Bohnet 2010, section 6).
#pragma once

#include "core/graph/scores.hpp"

namespace plait {

struct Move {
    ArcNumber arc = none;
    std::int32_t label = none;
    float gain = 0;
};

// How much better the tree is with another arc to its dependent, with the best label; only the parts that
// change are scored. The arc must not come from below its dependent.
Move weigh_move(const Candidates& arcs, const PartScores& scores, ArcTree& tree, ArcNumber arc);

// Makes the best move again and again; returns how many. With a single root that one stays. There are at most
// as many moves as words.
std::size_t rearrange(const Candidates& arcs, const PartScores& scores, float threshold, bool single_root,
                      ArcTree& tree);

}  // namespace plait
