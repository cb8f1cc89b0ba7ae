// How many gold arcs a state of the swap system has lost, on and off the correct paths.
#pragma once

#include <array>
#include <utility>

#include "core/oracles/gold.hpp"

namespace plait {

// Bounds on the gold arcs that the best tree derivable from a state misses. `at_least` counts the arcs whose
// dependent or head is gone; `at_most` is what a disciplined completion, EAGER with repairs, misses.
struct Loss {
    Index at_least = 0, at_most = 0;
};

// The nodes still on stack or buffer and the part of the gold tree that joins them. A node whose gold head is
// gone strives for its nearest ancestor that is left, its goal.
class Remains {
  public:
    void copy_from(const State& state, const Gold& gold);
    void apply(Kind kind, const Gold& gold);  // any permitted transition
    void sort(const Gold& gold);              // the order to complete in, from the present sequence
    void complete(const Gold& gold, bool single_root, bool may_swap = true);

    Index lost() const { return lost_; }
    bool out_of_order() const;

  private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
    Index goal(Index node, const Gold& gold) const;
    Index price(Index dependent, Index head, const Gold& gold) const;
    void remove(Index word, Index head, const Gold& gold);
    Kind next(const Gold& gold, bool single_root, bool may_swap) const;

    Row row_;
    Index lost_ = 0;
    std::vector<std::uint8_t> pending_;
    std::vector<Index> missing_;        // how many strive for a node
    std::vector<Index> place_, order_;  // in the sequence of stack and buffer; in its projective order
    // Scratch for the order: the tree of goals, dependents in sequence, and the nodes under way.
    std::vector<Index> first_, next_, last_;
    std::vector<std::pair<Index, Index>> unfinished_;
};

// Losses after every permitted transition; scratch memory is kept between calls.
class SwapCosts {
  public:
    Loss loss(const State& state, const Gold& gold, bool single_root);
    // Returns the permitted kinds; only their entries are set.
    KindSet losses(const State& state, const Gold& gold, bool single_root,
                   std::array<Loss, kind_count>& after);
    // The kinds to learn from: least `at_most`, and no SWAP of words in order unless all else is worse.
    KindSet best(const State& state, const Gold& gold, bool single_root);
    // The same without SWAP, now and later: what to learn from in states off the path. A parser that is
    // taught to mend by swapping swaps where nothing is to be mended (docs/performance.md).
    KindSet best_without_swaps(const State& state, const Gold& gold, bool single_root);

  private:
    Remains start_, remains_;
};

}  // namespace plait
