// Scores of parts that are given as arrays, of short sentences: how tests hold the charts against plain
// enumeration.
#pragma once

#include "core/graph/scores.hpp"

namespace plait {

// By head, dependent, other node (0: none; not for parts of two words) and label.
struct DenseScores {
    std::span<const float> first, sibling, inner, outer;
    std::size_t nodes, labels;

    std::span<const float> score(const Part& part) const {
        const auto at = [](Index i) { return static_cast<std::size_t>(i); };
        const std::size_t arc = at(part.nodes[0]) * nodes + at(part.nodes[1]);
        if (part.kind == PartKind::first) return first.subspan(arc * labels, labels);
        const std::size_t other = part.nodes[2] == none ? 0 : at(part.nodes[2]);
        const auto& list = part.kind == PartKind::sibling ? sibling
                           : part.kind == PartKind::inner ? inner
                                                          : outer;
        return list.subspan((arc * nodes + other) * labels, labels);
    }
};

}  // namespace plait
