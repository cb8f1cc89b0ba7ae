#include "core/oracles/spine.hpp"

#include <algorithm>

#include "core/cancel.hpp"

namespace plait {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The gold arc among those a state permits, if there is one.
template <typename System>
Transition gold_arc(System system, const State& state, const Gold& gold, bool single_root) {
    for (const Kind kind : {Kind::left_arc, Kind::right_arc}) {
        if (!system.permits(state, kind, single_root)) continue;
        const Index wanted = gold.head(system.taken(state, kind));
        Index head = system.giver(state, kind);
        for (Index depth = 1; head != none; ++depth, head = system.below(state, head, kind)) {
            if (head == wanted) return {kind, none, depth};
        }
    }
    return {Kind::shift};
}

// Whether all that an arc closes has what it needs. In a correct state without SWAP that is always so.
bool is_safe(const State& state, const Gold& gold, Transition arc) {
    const SpineSwapSystem system;
    const Index taken = system.taken(state, arc.kind);
    bool safe = true;
    system.each_closed(state, arc, [&](Index node, Kind side) {
        for (const Index dependent : gold.tree().dependents(node)) {
            const bool on_side = (dependent < node) == (side == Kind::left_arc);
            safe = safe && !(on_side && dependent != taken && state.head(dependent) == none);
        }
    });
    return safe;
}

}  // namespace

template <bool may_swap>
Transition SpineOracle::canonical(SpineRules<may_swap> system, const State& state, const Gold& gold,
                                  bool single_root) const {
    const Transition arc = gold_arc(system, state, gold, single_root);
    if constexpr (may_swap) {
        if (arc.kind != Kind::shift && is_safe(state, gold, arc)) return arc;
        const bool swaps =
            system.permits(state, Kind::swap, single_root) && gold.precedes(state.stack(0), state.stack(1));
        return {swaps ? Kind::swap : Kind::shift};
    }
    return arc;
}

template <bool may_swap>
TransitionSet SpineOracle::all(SpineRules<may_swap> system, const State& state, const Gold& gold,
                               bool single_root) {
    const Transition first = canonical(system, state, gold, single_root);
    TransitionSet correct;
    correct.add(first.kind, first.depth);
    if (first.kind != Kind::shift && can_shift(system, state, gold, single_root)) correct.add(Kind::shift);
    return correct;
}

template Transition SpineOracle::canonical(SpineSystem, const State&, const Gold&, bool) const;
template Transition SpineOracle::canonical(SpineSwapSystem, const State&, const Gold&, bool) const;
template TransitionSet SpineOracle::all(SpineSystem, const State&, const Gold&, bool);
template TransitionSet SpineOracle::all(SpineSwapSystem, const State&, const Gold&, bool);

// Lemma 1 (ii). The buffer holds the last words of the sentence.
bool SpineOracle::can_shift(SpineSystem system, const State& state, const Gold& gold, bool) {
    if (state.buffer_size() == 0) return false;
    const Index top = state.stack(0), front = state.buffer(0);
    if (top == 0 || gold.head(top) >= front) return true;
    bool needed = false;
    system.each_below(state, top, Kind::right_arc, [&](Index node) {
        const auto dependents = gold.tree().dependents(node);
        needed = needed || (!dependents.empty() && dependents.back() >= front);
    });
    return needed;
}

// By trial, as in Algorithm 2 of Björkelund and Nivre (2015): with only the root and one tree on the stack
// nothing is buried, and the tree can be derived.
bool SpineOracle::can_shift(SpineSwapSystem system, const State& state, const Gold& gold, bool single_root) {
    if (state.buffer_size() == 0) return false;
    scratch_.copy_from(state);
    system.apply(scratch_, {Kind::shift});
    while (scratch_.stack_size() > 2 || scratch_.buffer_size() == 0) {
        check_cancelled();
        if (system.terminal(scratch_)) return true;
        const Transition next = canonical(system, scratch_, gold, single_root);
        if (next.kind == Kind::shift && scratch_.buffer_size() == 0) return false;
        system.apply(scratch_, next);
    }
    return true;
}

void SpineCosts::place(const State& state) {
    place_.assign(at(state.words()) + 1, none);
    Index rank = 0;
    for (const Index node : state.row().stack()) place_[at(node)] = rank++;
    for (const Index node : state.row().buffer()) place_[at(node)] = rank++;
}

Index SpineCosts::tree_of(const State& state, Index node) const {
    while (state.head(node) != none) node = state.head(node);
    return node;
}

// An arc alone can be built as long as its head is on the spine that faces the dependent: whatever lies
// between the two can be attached to one of them without closing that spine.
template <typename System>
bool SpineCosts::reachable(System system, const State& state, Index head, Index dependent) const {
    const Index tree = tree_of(state, head);
    if (state.head(dependent) != none || tree == dependent) return false;
    const Kind side = place_[at(dependent)] < place_[at(tree)] ? Kind::left_arc : Kind::right_arc;
    for (Index node = head; node != tree; node = state.head(node)) {
        if (system.below(state, state.head(node), side) != node) return false;
    }
    return true;
}

// The gold dependents of a node that are still without a head, on one side of its tree.
Index SpineCosts::waiting(const State& state, const Gold& gold, Index node, Kind side, Index tree) const {
    Index count = 0;
    for (const Index dependent : gold.tree().dependents(node)) {
        const bool before = place_[at(dependent)] < place_[at(tree)];
        count += state.head(dependent) == none && dependent != tree && before == (side == Kind::left_arc);
    }
    return count;
}

template <typename System>
Index SpineCosts::shift_cost(System system, const State& state, const Gold& gold) const {
    const Index top = state.stack(0);
    if (top == 0) return 0;
    const Index head = gold.head(top);
    if (place_[at(tree_of(state, head))] > place_[at(top)] || !reachable(system, state, head, top)) return 0;
    Index needed = 0;
    system.each_below(state, top, Kind::right_arc,
                      [&](Index node) { needed += waiting(state, gold, node, Kind::right_arc, top); });
    return needed == 0;
}

template <typename System>
Index SpineCosts::arc_cost(System system, const State& state, const Gold& gold, Transition arc) const {
    const Index taken = system.taken(state, arc.kind), giver = system.giver(state, arc.kind);
    const Index wanted = gold.head(taken);
    Index lost = wanted != system.head(state, arc.kind, arc.depth) && reachable(system, state, wanted, taken);
    system.each_closed(state, arc, [&](Index node, Kind side) {
        lost += waiting(state, gold, node, side, side == arc.kind ? giver : taken);
        // The arc of the attached word itself was counted above.
        lost -= side == arc.kind && wanted == node;
    });
    return lost;
}

template Index SpineCosts::shift_cost(SpineSystem, const State&, const Gold&) const;
template Index SpineCosts::shift_cost(SpineSwapSystem, const State&, const Gold&) const;
template Index SpineCosts::arc_cost(SpineSystem, const State&, const Gold&, Transition) const;
template Index SpineCosts::arc_cost(SpineSwapSystem, const State&, const Gold&, Transition) const;

}  // namespace plait
