#include "core/graph/scores.hpp"

namespace plait {

namespace {

std::size_t part_count(const Candidates& arcs, ArcNumber number) {
    return 4 + arcs.siblings(number).size() + arcs.inner_count(number) + arcs.outer(number).size();
}

// The last of the arcs, which all leave one node to one side, that is in the tree.
std::size_t outermost(const Candidates& arcs, const ArcTree& tree, std::span<const ArcNumber> from) {
    std::size_t rank = from.size();
    while (rank > 0 && tree[arcs[from[rank - 1]].dependent].arc != from[rank - 1]) --rank;
    return rank;
}

}  // namespace

std::size_t PartScores::count(const Candidates& arcs) {
    std::size_t total = 0;
    for (ArcNumber number = 0; number < static_cast<ArcNumber>(arcs.size()); ++number) {
        total += part_count(arcs, number) * arcs[number].label_count;
    }
    return total;
}

void PartScores::lay_out(const Candidates& arcs) {
    starts_.resize(arcs.size());
    std::size_t next = 0;
    for (ArcNumber number = 0; number < static_cast<ArcNumber>(arcs.size()); ++number) {
        const std::size_t labels = arcs[number].label_count;
        const std::size_t sibling = next + labels;
        const std::size_t inner = sibling + (1 + arcs.siblings(number).size()) * labels;
        const std::size_t outer = inner + (1 + arcs.inner_count(number)) * labels;
        starts_[static_cast<std::size_t>(number)] = {next, sibling, inner, outer, labels};
        next += part_count(arcs, number) * labels;
    }
    values_.resize(next);
}

Surroundings surroundings(const Candidates& arcs, const ArcTree& tree, ArcNumber arc) {
    return {outermost(arcs, tree, arcs.siblings(arc)), outermost(arcs, tree, arcs.inner(arc)),
            outermost(arcs, tree, arcs.outer(arc))};
}

double score_tree(const Candidates& arcs, const PartScores& scores, const ArcTree& tree) {
    double total = 0;
    for (Index word = 1; word <= arcs.words(); ++word) {
        check_cancelled();
        const auto [arc, label] = tree[word];
        total += static_cast<double>(
            score_arc(scores, arc, surroundings(arcs, tree, arc), static_cast<std::size_t>(label)));
    }
    return total;
}

}  // namespace plait
