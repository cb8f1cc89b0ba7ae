// The best projective tree where every arc is scored by itself (Eisner 1996): for sentences that are too long
// for the second-order chart.
#pragma once

#include "core/cancel.hpp"
#include "core/graph/scores.hpp"

namespace plait {

class FirstOrderChart {
  public:
    template <PartScorer Scorer>
    void fill(const Candidates& arcs, Scorer& scorer) {
        best_.clear();
        for (ArcNumber number = 0; number < static_cast<ArcNumber>(arcs.size()); ++number) {
            check_cancelled();
            const Candidate& arc = arcs[number];
            const auto scores = scorer.score({PartKind::first, {arc.head, arc.dependent, none, none}});
            const auto labels = arcs.labels(number);
            Best best{scores[static_cast<std::size_t>(labels[0])], 0};
            for (std::size_t l = 1; l < labels.size(); ++l) {
                const float score = scores[static_cast<std::size_t>(labels[l])];
                if (score > best.score) best = {score, static_cast<std::int32_t>(l)};
            }
            best_.push_back(best);
        }
    }
    // The best tree and its score; -infinity if there is none.
    double search(const Candidates& arcs, bool single_root, ArcTree& tree);

  private:
    struct Best {
        float score;
        std::int32_t label;
    };

    std::size_t splits(ArcNumber arc) const;
    void read(ArcTree& tree) const;
    // A node, and all of so many words on one side of it as its descendants.
    std::size_t place(Index node, bool rightward, std::size_t reach) const {
        return (2 * static_cast<std::size_t>(node) + rightward) * stride_ + reach;
    }

    const Candidates* arcs_ = nullptr;
    bool single_root_ = false;
    std::size_t stride_ = 0;
    std::vector<Best> best_;
    std::vector<float> open_, closed_;
};

}  // namespace plait
