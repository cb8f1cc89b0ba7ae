// The arc-eager system (Nivre 2003, 2008) with the root behind the last word (Ballesteros and Nivre 2013):
// a word still without a head when the words are used up hangs from the root, so every derivation gives a
// tree.
#pragma once

#include "core/state.hpp"

namespace plait {

struct EagerSystem {
    static constexpr RootPlace root = RootPlace::after_words;

    static void start(State& state, Index words) { state.reset(words, root); }

    static bool permits(const State& state, Kind kind, bool single_root) {
        const Index top = state.stack(0), front = state.buffer(0);
        // With one word before the root, whatever is left without a head will hang from the root.
        const bool last_word = single_root && front != 0 && state.buffer_size() == 2;
        switch (kind) {
            case Kind::shift:
                return front != 0 && (!last_word || top == none);
            case Kind::right_arc:
                return front != 0 && top != none && (!last_word || headless(state) == 1);
            case Kind::left_arc:
                return top != none && state.head(top) == none;
            case Kind::reduce:
                return top != none && state.head(top) != none;
            default:
                return false;
        }
    }

    static void apply(State& state, Transition transition) {
        const Index top = state.stack(0), front = state.buffer(0);
        switch (transition.kind) {
            case Kind::shift:
                state.moving().shift();
                break;
            case Kind::left_arc:
                state.attach(front, top, transition.label);
                state.moving().drop_top();
                break;
            case Kind::right_arc:
                state.attach(top, front, transition.label);
                state.moving().shift();
                break;
            case Kind::reduce:
                state.moving().drop_top();
                break;
            default:
                break;
        }
    }

    static bool terminal(const State& state) { return state.stack_size() == 0 && state.buffer_size() == 1; }

  private:
    static int headless(const State& state) {
        int count = 0;
        for (const Index word : state.row().stack()) count += state.head(word) == none;
        return count;
    }
};

}  // namespace plait
