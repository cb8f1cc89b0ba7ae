// What an oracle knows of the tree to be derived, computed once per tree.
#pragma once

#include "core/projective.hpp"
#include "core/state.hpp"

namespace plait {

class Gold {
  public:
    // The arrays must outlive this. Without labels every arc has the label `none`; `tags` are ranks of
    // candidates, where tags are chosen while parsing.
    explicit Gold(std::span<const Index> heads, std::span<const Label> labels = {},
                  std::span<const Index> tags = {})
        : tree_(heads),
          labels_(labels),
          tags_(tags),
          order_(heads.size() + 1, 0),
          component_(heads.size() + 1, 0) {
        projective_order(tree_, std::span(order_).subspan(1));
        projective_components(tree_, std::span(component_).subspan(1));
        for (Index word = 1; word <= words(); ++word) {
            projective_ = projective_ && component_[at(word)] == 0;
        }
    }

    const Tree& tree() const { return tree_; }
    Index words() const { return tree_.size(); }
    Index head(Index word) const { return tree_.head(word); }
    Label label(Index word) const { return labels_.empty() ? none : labels_[at(word - 1)]; }
    Index tag(Index word) const { return tags_.empty() ? none : tags_[at(word - 1)]; }
    Index dependents(Index node) const { return static_cast<Index>(tree_.dependents(node).size()); }
    Index roots() const { return dependents(0); }
    bool projective() const { return projective_; }

    bool precedes(Index one, Index other) const { return order_[at(one)] < order_[at(other)]; }
    bool same_component(Index one, Index other) const { return component_[at(one)] == component_[at(other)]; }

  private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

    Tree tree_;
    std::span<const Label> labels_;
    std::span<const Index> tags_;
    std::vector<Index> order_, component_;
    bool projective_ = true;
};

}  // namespace plait
