// States as Python steps them.
#pragma once

#include <stdexcept>

#include "bindings/systems.hpp"

// A state and its system, to be stepped from Python.
struct SteppedState {
    plait::SystemId system;
    bool single_root;
    plait::State state;

    SteppedState(plait::Index words, int system_code, bool one_root)
        : system(to_system(system_code)), single_root(one_root) {
        if (words < 0) throw std::invalid_argument("a sentence has no negative number of words");
        with_system(system, [&](auto rules) { rules.start(state, words); });
    }
    SteppedState(const SteppedState& other) : system(other.system), single_root(other.single_root) {
        state.copy_from(other.state);
    }
    bool permits(int kind, plait::Index depth) const {
        const plait::Transition transition{to_kind(kind), plait::none, depth};
        return with_system(system,
                           [&](auto rules) { return plait::permits(rules, state, transition, single_root); });
    }
    void apply(int kind, plait::Label label, plait::Index depth) {
        if (!permits(kind, depth)) throw std::invalid_argument("this transition is not permitted here");
        with_system(system, [&](auto rules) { rules.apply(state, {to_kind(kind), label, depth}); });
    }
    bool terminal() const {
        return with_system(system, [&](auto rules) { return rules.terminal(state); });
    }
};
