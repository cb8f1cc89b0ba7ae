// Oracles of the spine systems: the correct transitions on the way to a tree, and what is lost off it.
#pragma once

#include "core/oracles/gold.hpp"
#include "core/systems/spine.hpp"

namespace plait {

// For a state from which the gold tree can be derived; scratch memory is kept between calls.
class SpineOracle {
  public:
    // All correct transitions: at most an arc and SHIFT (Sartorio, Satta and Nivre 2013, Lemma 1); with SWAP,
    // those that respect the projective order.
    template <bool may_swap>
    TransitionSet all(SpineRules<may_swap> system, const State& state, const Gold& gold, bool single_root);

    // An arc as soon as there is a correct one, and a SWAP as soon as the projective order says so.
    template <bool may_swap>
    Transition canonical(SpineRules<may_swap> system, const State& state, const Gold& gold,
                         bool single_root) const;

  private:
    bool can_shift(SpineSystem system, const State& state, const Gold& gold, bool single_root);
    bool can_shift(SpineSwapSystem system, const State& state, const Gold& gold, bool single_root);

    State scratch_;
};

// In any state: for every transition the gold arcs it makes unreachable that could each be reached before, as
// if every arc were alone. That is a lower bound, for the system is not arc-decomposable; but SHIFT costs 1
// where Lemma 1 calls it wrong, and so in correct states the transitions without cost are the correct ones.
class SpineCosts {
  public:
    // Calls `use(transition, cost)` for everything permitted but SWAP.
    template <typename System, typename Use>
    void each(System system, const State& state, const Gold& gold, bool single_root, Use use) {
        place(state);
        if (system.permits(state, Kind::shift, single_root)) {
            use(Transition{Kind::shift}, shift_cost(system, state, gold));
        }
        for (const Kind kind : {Kind::left_arc, Kind::right_arc}) {
            if (!system.permits(state, kind, single_root)) continue;
            Index head = system.giver(state, kind);
            for (Index depth = 1; head != none; ++depth, head = system.below(state, head, kind)) {
                use(Transition{kind, none, depth}, arc_cost(system, state, gold, {kind, none, depth}));
            }
        }
    }

    // Those that cost least: what to learn from in states off the path.
    template <typename System>
    TransitionSet best(System system, const State& state, const Gold& gold, bool single_root) {
        TransitionSet found;
        Index least = 0;
        each(system, state, gold, single_root, [&](Transition transition, Index cost) {
            if (!found.empty() && cost > least) return;
            if (cost < least) found.clear();
            least = cost;
            found.add(transition.kind, transition.depth);
        });
        return found;
    }

  private:
    void place(const State& state);
    Index tree_of(const State& state, Index node) const;
    template <typename System>
    bool reachable(System system, const State& state, Index head, Index dependent) const;
    template <typename System>
    Index shift_cost(System system, const State& state, const Gold& gold) const;
    template <typename System>
    Index arc_cost(System system, const State& state, const Gold& gold, Transition arc) const;
    Index waiting(const State& state, const Gold& gold, Index node, Kind side, Index tree) const;

    std::vector<Index> place_;  // of the roots of trees, in the sequence of stack and buffer
};

}  // namespace plait
