// Exact search over projective trees whose arcs see one sibling and two grandchildren (Carreras 2007; Bohnet
// 2010, section 3), labels included. O(n^4) with all arcs, about O(n^2) where every word has a few heads
// only.
#pragma once

#include "core/graph/scores.hpp"

namespace plait {

// Both directions are the same code: lengths are counted from a head or a dependent outwards.
//   open(arc, label)    the arc, and all between its two words finished
//   closed(arc, reach)  the head, its dependents up to this one, which is its outermost, and so many words
//   beyond
class Chart {
  public:
    // The best tree and its score; no score if there is none.
    double search(const Candidates& arcs, const PartScores& scores, bool single_root, ArcTree& tree);

    static constexpr double no_tree = -std::numeric_limits<double>::infinity();

  private:
    struct Item {
        ArcNumber arc;
        Index reach;
    };

    void open_arc(ArcNumber arc);
    void close_arc(ArcNumber arc, std::size_t reach);
    // best[label] = the best over the arcs that end within the reach, of their own scores and those of the
    // part.
    void best_within(std::span<const ArcNumber> others, const float* parts, std::size_t reach,
                     std::size_t labels, float* best) const;
    // The rank of the arc that makes the best for one label; 0 if there is none.
    std::size_t rank_within(std::span<const ArcNumber> others, const float* parts, std::size_t reach,
                            std::size_t labels, std::size_t label) const;
    std::size_t splits(ArcNumber arc) const;
    void read(ArcNumber root_arc, ArcTree& tree);

    std::size_t reach_of(ArcNumber arc) const;  // the most words beyond its dependent
    float& closed(ArcNumber arc, std::size_t reach) {
        return closed_[static_cast<std::size_t>(arc) * stride_ + reach];
    }
    float closed(ArcNumber arc, std::size_t reach) const {
        return closed_[static_cast<std::size_t>(arc) * stride_ + reach];
    }

    const Candidates* arcs_ = nullptr;
    const PartScores* scores_ = nullptr;
    bool single_root_ = false;
    std::size_t stride_ = 0;
    std::vector<float> open_;    // by place of label
    std::vector<float> joined_;  // open and outer grandchild, the best label: by rank of the grandchild
    std::vector<std::size_t> joined_starts_;
    std::vector<float> closed_;
    std::vector<ArcNumber> by_width_;
    std::vector<float> head_side_, dependent_side_;
    std::vector<Item> waiting_;
};

}  // namespace plait
