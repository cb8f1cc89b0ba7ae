// Static and non-deterministic oracles of the swap system, and with no swaps to make, of arc-standard.
#pragma once

#include "core/oracles/pending.hpp"

namespace plait {

// For a state from which the gold tree can be derived; scratch memory is kept between calls.
class SwapOracle {
  public:
    // Swaps as soon as the projective order says so (Nivre 2009, Figure 4).
    Kind eager(const State& state, const Gold& gold) const;

    // Delays a swap while buffer(0) belongs to the component of stack(0) (Nivre, Kuhlmann and Hall
    // 2009, 3.2).
    Kind lazy(const State& state, const Gold& gold) const;

    // All correct transitions (Björkelund and Nivre 2015, section 4.1, ND-ALL).
    KindSet all(const State& state, const Gold& gold);

    // Arcs as soon as possible; only between SHIFT and SWAP there is a choice (there, ND-SW).
    KindSet swaps(const State& state, const Gold& gold);

  private:
    bool can_shift(const State& state, const Gold& gold, Kind rival);

    Pending scratch_;
};

}  // namespace plait
