// Scores of parts that are given as arrays, of short sentences: how tests hold the charts against plain
// enumeration.
#pragma once

#include "core/graph/chart.hpp"
#include "core/graph/eisner.hpp"
#include "core/graph/rearrange.hpp"

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

struct DenseTree {
    std::vector<Index> heads;  // empty if there is no tree
    std::vector<Label> labels;
    double score = Chart::no_tree;
    std::size_t moves = 0;  // of the rearrangement
};

// The best tree of a sentence; `allowed` says by head, dependent and label which arcs there are. With
// `first_order`, only the scores of arcs count.
inline DenseTree search_dense(Index words, const DenseScores& dense, std::span<const std::uint8_t> allowed,
                              bool single_root, float threshold, bool first_order) {
    Candidates arcs;
    arcs.reset(words);
    std::vector<Label> list;
    for (Index head = 0; head <= words; ++head) {
        for (Index dependent = 1; dependent <= words; ++dependent) {
            const std::size_t arc =
                static_cast<std::size_t>(head) * dense.nodes + static_cast<std::size_t>(dependent);
            list.clear();
            for (std::size_t label = 0; label < dense.labels; ++label) {
                if (allowed[arc * dense.labels + label] != 0) list.push_back(static_cast<Label>(label));
            }
            if (head != dependent && !list.empty()) arcs.add(head, dependent, list);
        }
    }
    arcs.finish();
    DenseTree found;
    ArcTree tree;
    if (first_order) {
        FirstOrderChart chart;
        chart.fill(arcs, dense);
        found.score = chart.search(arcs, single_root, tree);
    } else {
        Chart chart;
        PartScores scores;
        scores.fill(arcs, dense);
        found.score = chart.search(arcs, scores, single_root, tree);
        if (found.score > Chart::no_tree) {
            found.moves = rearrange(arcs, scores, threshold, single_root, tree);
            if (found.moves > 0) found.score = score_tree(arcs, scores, tree);
        }
    }
    for (Index word = 1; word <= words && found.score > Chart::no_tree; ++word) {
        found.heads.push_back(arcs[tree[word].arc].head);
        found.labels.push_back(arcs.labels(tree[word].arc)[static_cast<std::size_t>(tree[word].label)]);
    }
    return found;
}

}  // namespace plait
