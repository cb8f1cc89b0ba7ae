// The swap system (Nivre 2009, section 3.2): arc-standard, and SWAP, which moves stack(1) back to the buffer.
#pragma once

#include "core/state.hpp"
#include "core/systems/standard.hpp"

namespace plait {

struct SwapSystem {
    static constexpr RootPlace root = RootPlace::under_stack;

    static void start(State& state, Index words) { state.reset(words, root); }

    static bool permits(const State& state, Kind kind, bool single_root) {
        if (kind == Kind::swap) return swappable(state.stack(1), state.stack(0));
        return StandardSystem::permits(state, kind, single_root);
    }

    // Only words still in their first order: no two change places twice, so no derivation is endless.
    static bool swappable(Index below, Index top) { return 0 < below && below < top; }

    static void apply(State& state, Transition transition) {
        if (transition.kind == Kind::swap) {
            state.moving().return_below_top();
        } else {
            StandardSystem::apply(state, transition);
        }
    }

    static bool terminal(const State& state) { return StandardSystem::terminal(state); }
};

}  // namespace plait
