// A tree whose arcs are lifted: a word hangs from the head of its head (Bohnet et al. 2012, section 3). What
// is done does not depend on how words are numbered.
#pragma once

#include "core/order/tree.hpp"

namespace plait {

inline constexpr std::size_t lift_classes = 4;  // no step up, one, two, three

// The words in the order in which they are visited: the deepest first, then by what is above and below them;
// with `reversed`, words of the same depth the other way round.
std::vector<Index> lifting_order(const OrderTree& tree, bool reversed);

// Children and sizes of a tree while it changes.
class LiftedTree {
  public:
    // `order` has all words; children stand in it.
    void read(std::span<const Index> heads, std::span<const Index> order);

    Index words() const { return static_cast<Index>(heads_.size()) - 1; }
    Index head(Index node) const { return node <= 0 ? none : heads_[static_cast<std::size_t>(node)]; }
    std::span<const Index> children(Index node) const {
        const auto at = static_cast<std::size_t>(node);
        return std::span(children_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
    }
    Index size(Index node) const;

  private:
    std::vector<Index> heads_, children_;
    std::vector<std::size_t> starts_;
    mutable std::vector<Index> stack_;
};

// The head that a word has after so many steps up; `none` if that would be the root.
inline Index head_after(std::span<const Index> heads, Index word, std::size_t steps) {
    Index head = heads[static_cast<std::size_t>(word - 1)];
    for (std::size_t i = 0; i < steps; ++i) {
        if (head == 0) return none;
        head = heads[static_cast<std::size_t>(head - 1)];
    }
    return head == 0 && steps > 0 ? none : head;
}

// How many steps lead from the head of a word to another one above it, at most three; 0 if it is not above.
inline std::size_t steps_to(std::span<const Index> heads, Index word, Index target) {
    Index head = heads[static_cast<std::size_t>(word - 1)];
    for (std::size_t steps = 0; head != 0; ++steps) {
        if (head == target) return std::min(steps, lift_classes - 1);
        head = heads[static_cast<std::size_t>(head - 1)];
    }
    return 0;
}

}  // namespace plait
