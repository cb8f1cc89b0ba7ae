// A tree over the nodes of a semantic graph, grown edge by edge (Bohnet et al. 2010, Algorithm 3): of the
// edges that may come next, between a node of the tree and one outside, each of the best is looked at
// together with the best edge that could follow it; the first edge of the best pair is kept. A node from
// outside may come under a node of the tree, or above its root.
#pragma once

#include <limits>

#include "core/cancel.hpp"
#include "core/grow/program.hpp"
#include "core/kernel.hpp"

namespace plait {

struct GrownTree {
    std::vector<Index> heads, labels;  // by node, from 1; of nodes that are no words `none`
};

// The best label of every edge, and how good it is.
class EdgeScores {
  public:
    void reset(std::size_t nodes) {
        nodes_ = nodes + 1;
        scores_.assign(nodes_ * nodes_, impossible);
        labels_.assign(nodes_ * nodes_, none);
    }
    void set(Index head, Index node, float score, Index label) {
        scores_[at(head, node)] = score;
        labels_[at(head, node)] = label;
    }
    float score(Index head, Index node) const { return scores_[at(head, node)]; }
    Index label(Index head, Index node) const { return labels_[at(head, node)]; }

    static constexpr float impossible = -1e30f;

  private:
    std::size_t at(Index head, Index node) const {
        return static_cast<std::size_t>(head) * nodes_ + static_cast<std::size_t>(node);
    }

    std::size_t nodes_ = 0;
    std::vector<float> scores_;
    std::vector<Index> labels_;
};

class TreeGrower {
  public:
    // `best` is how many edges are looked at with what could follow them; 1 looks at none.
    explicit TreeGrower(std::size_t best) : best_(best) {}

    // Over all words of the graph; there must be one.
    GrownTree run(const MeaningGraph& graph, const EdgeScores& scores);

  private:
    struct Option {
        Index node, other;  // `node` comes in, under or, with `above`, over `other`
        bool above;
        float score;
    };

    void begin();
    void options();
    float following(const Option& option) const;
    void take(const Option& option);
    float above_root(Index node, Index root) const {
        return scores_->score(node, root) + scores_->score(0, node) - scores_->score(0, root);
    }

    std::size_t best_;
    const MeaningGraph* graph_ = nullptr;
    const EdgeScores* scores_ = nullptr;
    std::vector<Index> rest_, hosts_;  // outside; by node, the best place in the tree
    std::vector<Option> options_;
    Index root_ = none;
    GrownTree tree_;
};

// Scores all edges with a table of weights.
template <typename Weights>
class EdgeScorer {
  public:
    EdgeScorer(const GrowProgram& program, const Weights& weights, std::uint32_t reach)
        : program_(program), weights_(weights), reach_(reach) {
        row_.resize((weights.windows.width() + block - 1) / block * block);
    }

    // `cost(head, node, label)` is added to the score. Edges between nodes that are farther from each other
    // than `reach` are left out, unless there is no way at all.
    template <typename Cost>
    void score(const MeaningGraph& graph, EdgeScores& scores, const Cost& cost) {
        scores.reset(graph.nodes());
        for (const Index node : graph.words()) {
            check_cancelled();
            score(graph, scores, 0, node, cost);
            for (const Index head : graph.words()) {
                if (head != node && graph.distance(head, node) <= reach_) {
                    score(graph, scores, head, node, cost);
                }
            }
        }
    }
    float score(const MeaningGraph& graph, Index head, Index node, Index label) {
        program_.extract(graph, head, node, features_);
        weights_.score(features_, row_);
        return row_[static_cast<std::size_t>(label)];
    }
    // Of the edge scored last.
    std::span<const std::uint64_t> features() const { return features_; }

  private:
    template <typename Cost>
    void score(const MeaningGraph& graph, EdgeScores& scores, Index head, Index node, const Cost& cost) {
        program_.extract(graph, head, node, features_);
        weights_.score(features_, row_);
        Index best = 0;
        float most = std::numeric_limits<float>::lowest();
        for (std::size_t i = 0; i < weights_.windows.width(); ++i) {
            const auto label = static_cast<Index>(i);
            const float value = row_[i] + cost(head, node, label);
            if (value > most) {
                most = value;
                best = label;
            }
        }
        scores.set(head, node, most, best);
    }

    const GrowProgram& program_;
    const Weights& weights_;
    std::uint32_t reach_;
    std::vector<std::uint64_t> features_;
    std::vector<float> row_;
};

}  // namespace plait
