// The arc-standard system (Nivre 2009, section 3.1): arcs between the two top nodes of the stack.
#pragma once

#include "core/state.hpp"

namespace plait {

struct StandardSystem {
    static constexpr RootPlace root = RootPlace::under_stack;

    static void start(State& state, Index words) { state.reset(words, root); }

    static bool permits(const State& state, Kind kind, bool single_root) {
        switch (kind) {
            case Kind::shift:
                return state.buffer_size() > 0;
            case Kind::left_arc:
                return state.stack_size() > 2;  // stack(1) is not the root, which lies at the bottom
            case Kind::right_arc:
                if (single_root && state.stack_size() == 2) return state.buffer_size() == 0;
                return state.stack_size() > 1;
            default:
                return false;
        }
    }

    static void apply(State& state, Transition transition) {
        const Index top = state.stack(0), below = state.stack(1);
        switch (transition.kind) {
            case Kind::shift:
                if (transition.label != none) state.choose_tag(state.buffer(0), transition.label);
                state.moving().shift();
                break;
            case Kind::left_arc:
                state.attach(top, below, transition.label);
                state.moving().drop_below_top();
                break;
            case Kind::right_arc:
                state.attach(below, top, transition.label);
                state.moving().drop_top();
                break;
            default:
                break;
        }
    }

    static bool terminal(const State& state) { return state.stack_size() == 1 && state.buffer_size() == 0; }
};

}  // namespace plait
