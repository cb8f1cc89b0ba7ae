// The left/right-spine system (Sartorio, Satta and Nivre 2013, section 3.3): arc-standard whose arcs may come
// from any node of the spine that faces the tree to be attached; and the same with SWAP.
#pragma once

#include "core/state.hpp"
#include "core/systems/swap.hpp"

namespace plait {

// A stack element is the root of a tree, as in arc-standard. Its left spine is the root, the root's leftmost
// left dependent, that one's leftmost left dependent ...; a spine is walked along these links, not stored.
// With SWAP words are out of order, and the dependent attached last stands in for the outermost one.
template <bool may_swap>
struct SpineRules {
    static constexpr RootPlace root = RootPlace::under_stack;
    static constexpr bool reaches_deep = true;

    static void start(State& state, Index words) {
        state.reset(words, root);
        if constexpr (may_swap) state.keep_spines();
    }

    // Of any depth: whether an arc of this kind may come from the root of its tree.
    static bool permits(const State& state, Kind kind, bool single_root) {
        if constexpr (may_swap) {
            return SwapSystem::permits(state, kind, single_root);
        } else {
            return StandardSystem::permits(state, kind, single_root);
        }
    }
    static bool permits(const State& state, Transition transition, bool single_root) {
        return permits(state, transition.kind, single_root) && transition.depth >= 1 &&
               (transition.depth == 1 ||
                (is_side(transition.kind) && head(state, transition.kind, transition.depth) != none));
    }

    // The tree whose spine an arc of this kind comes from, and the root that it attaches.
    static Index giver(const State& state, Kind kind) {
        return kind == Kind::left_arc ? state.stack(0) : state.stack(1);
    }
    static Index taken(const State& state, Kind kind) {
        return kind == Kind::left_arc ? state.stack(1) : state.stack(0);
    }

    // The next node of a spine; `none` behind its last.
    static Index below(const State& state, Index node, Kind side) {
        if constexpr (may_swap) {
            return side == Kind::left_arc ? state.spines(node).left : state.spines(node).right;
        } else {
            return side == Kind::left_arc ? state.node(node).left1 : state.node(node).right1;
        }
    }
    // The node at a depth of the spine that arcs of this kind come from.
    static Index head(const State& state, Kind kind, Index depth) {
        Index node = giver(state, kind);
        while (node != none && --depth > 0) node = below(state, node, kind);
        return node;
    }

    // Calls `use(node)` for all of a spine, from a node of it downwards.
    template <typename Use>
    static void each_below(const State& state, Index node, Kind side, Use use) {
        for (; node != none; node = below(state, node, side)) use(node);
    }

    // Calls `use(node, side)` for the nodes that can take no more dependents by arcs of the kind `side` once
    // this arc is built: those below its head, and the spine of the attached tree that then lies inside.
    template <typename Use>
    static void each_closed(const State& state, Transition arc, Use use) {
        each_below(state, below(state, head(state, arc.kind, arc.depth), arc.kind), arc.kind,
                   [&](Index node) { use(node, arc.kind); });
        const Kind inner = arc.kind == Kind::left_arc ? Kind::right_arc : Kind::left_arc;
        each_below(state, taken(state, arc.kind), inner, [&](Index node) { use(node, inner); });
    }

    static void apply(State& state, Transition transition) {
        switch (transition.kind) {
            case Kind::shift:
                state.moving().shift();
                break;
            case Kind::swap:
                state.moving().return_below_top();
                break;
            case Kind::left_arc:
            case Kind::right_arc: {
                const Index above = head(state, transition.kind, transition.depth);
                const Index dependent = taken(state, transition.kind);
                state.attach(above, dependent, transition.label);
                const bool left = transition.kind == Kind::left_arc;
                if constexpr (may_swap) {
                    (left ? state.spines(above).left : state.spines(above).right) = dependent;
                }
                if (left) {
                    state.moving().drop_below_top();
                } else {
                    state.moving().drop_top();
                }
                break;
            }
            default:
                break;
        }
    }

    static bool terminal(const State& state) { return StandardSystem::terminal(state); }

  private:
    static bool is_side(Kind kind) { return kind == Kind::left_arc || kind == Kind::right_arc; }
};

using SpineSystem = SpineRules<false>;
using SpineSwapSystem = SpineRules<true>;

// Whether arcs of a system come from spines.
template <typename System>
inline constexpr bool reaches_deep = requires { System::reaches_deep; };

}  // namespace plait
