#include "core/oracles/costs.hpp"

#include <algorithm>
#include <limits>

#include "core/systems/swap.hpp"

namespace plait {

void Remains::copy_from(const State& state, const Gold& gold) {
    row_ = state.row();
    const std::size_t nodes = at(gold.words()) + 1;
    pending_.assign(nodes, 0);
    for (const Index node : row_.stack()) pending_[at(node)] = 1;
    for (const Index node : row_.buffer()) pending_[at(node)] = 1;
    missing_.assign(nodes, 0);
    lost_ = 0;
    for (Index word = 1; word <= gold.words(); ++word) {
        if (pending_[at(word)]) {
            lost_ += !pending_[at(gold.head(word))];
            ++missing_[at(goal(word, gold))];
        } else {
            lost_ += state.head(word) != gold.head(word);
        }
    }
}

Index Remains::goal(Index node, const Gold& gold) const {
    Index head = gold.head(node);
    while (!pending_[at(head)]) head = gold.head(head);
    return head;
}

// The arcs that are lost when a word is attached to a head, now.
Index Remains::price(Index dependent, Index head, const Gold& gold) const {
    const Index gold_head = gold.head(dependent);
    Index lost = gold_head != head && pending_[at(gold_head)];
    if (missing_[at(dependent)] > 0) {
        for (const Index node : gold.tree().dependents(dependent)) lost += pending_[at(node)];
    }
    return lost;
}

void Remains::remove(Index word, Index head, const Gold& gold) {
    lost_ += price(word, head, gold);
    missing_[at(goal(word, gold))] += missing_[at(word)] - 1;
    pending_[at(word)] = 0;
}

void Remains::apply(Kind kind, const Gold& gold) {
    const Index top = row_.stack(0), below = row_.stack(1);
    switch (kind) {
        case Kind::left_arc:
            remove(below, top, gold);
            row_.drop_below_top();
            break;
        case Kind::right_arc:
            remove(top, below, gold);
            row_.drop_top();
            break;
        case Kind::swap:
            row_.return_below_top();
            break;
        default:
            row_.shift();
    }
}

void Remains::sort(const Gold& gold) {
    const std::size_t nodes = at(gold.words()) + 1;
    first_.assign(nodes, none);
    last_.assign(nodes, none);
    next_.assign(nodes, none);
    place_.resize(nodes);
    order_.assign(nodes, none);
    Index place = 0;
    const auto enter = [&](Index node) {
        place_[at(node)] = place++;
        if (node == 0) return;
        const Index head = goal(node, gold);
        (first_[at(head)] == none ? first_[at(head)] : next_[at(last_[at(head)])]) = node;
        last_[at(head)] = node;
    };
    for (const Index node : row_.stack()) enter(node);
    for (const Index node : row_.buffer()) enter(node);

    // Inorder: a node comes when the next of its dependents is behind it in the sequence.
    place = 0;
    unfinished_.assign(1, {0, first_[0]});
    while (!unfinished_.empty()) {
        auto& [node, dependent] = unfinished_.back();
        const bool left = dependent != none && place_[at(dependent)] < place_[at(node)];
        if (!left && order_[at(node)] == none) {
            order_[at(node)] = place++;
        } else if (dependent == none) {
            unfinished_.pop_back();
        } else {
            const Index down = dependent;
            dependent = next_[at(down)];
            unfinished_.emplace_back(down, first_[at(down)]);
        }
    }
}

bool Remains::out_of_order() const {
    return row_.stack_size() > 1 && order_[at(row_.stack(0))] < order_[at(row_.stack(1))];
}

Kind Remains::next(const Gold& gold, bool single_root, bool may_swap) const {
    const Index top = row_.stack(0), below = row_.stack(1);
    if (below == none) return Kind::shift;
    const bool more = row_.buffer_size() > 0;
    if (below != 0 && missing_[at(below)] == 0 && goal(below, gold) == top) return Kind::left_arc;
    const bool root_may_wait = below == 0 && single_root && more;
    if (missing_[at(top)] == 0 && !root_may_wait && goal(top, gold) == below) return Kind::right_arc;
    if (may_swap && SwapSystem::swappable(below, top) && out_of_order()) return Kind::swap;
    if (more) return Kind::shift;
    const bool left = below != 0 && price(below, top, gold) < price(top, below, gold);
    return left ? Kind::left_arc : Kind::right_arc;
}

void Remains::complete(const Gold& gold, bool single_root, bool may_swap) {
    while (row_.size() > 1) apply(next(gold, single_root, may_swap), gold);
}

Loss SwapCosts::loss(const State& state, const Gold& gold, bool single_root) {
    start_.copy_from(state, gold);
    const Index at_least = start_.lost();
    start_.sort(gold);
    start_.complete(gold, single_root);
    return {at_least, start_.lost()};
}

KindSet SwapCosts::losses(const State& state, const Gold& gold, bool single_root,
                          std::array<Loss, kind_count>& after) {
    KindSet permitted;
    start_.copy_from(state, gold);
    for (const Kind kind : {Kind::left_arc, Kind::right_arc, Kind::swap, Kind::shift}) {
        if (!SwapSystem::permits(state, kind, single_root)) continue;
        permitted.add(kind);
        remains_ = start_;
        remains_.apply(kind, gold);
        Loss& loss = after[static_cast<std::size_t>(kind)];
        loss.at_least = remains_.lost();
        remains_.sort(gold);
        remains_.complete(gold, single_root);
        loss.at_most = remains_.lost();
    }
    return permitted;
}

KindSet SwapCosts::best(const State& state, const Gold& gold, bool single_root) {
    std::array<Loss, kind_count> after;
    const KindSet permitted = losses(state, gold, single_root, after);
    Index least = std::numeric_limits<Index>::max();
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
        if (permitted.has(static_cast<Kind>(kind))) least = std::min(least, after[kind].at_most);
    }
    KindSet best;
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
        if (permitted.has(static_cast<Kind>(kind)) && after[kind].at_most == least) {
            best.add(static_cast<Kind>(kind));
        }
    }
    if (best.has(Kind::swap) && best.size() > 1) {
        start_.sort(gold);
        if (!start_.out_of_order()) best.remove(Kind::swap);
    }
    return best;
}

KindSet SwapCosts::best_without_swaps(const State& state, const Gold& gold, bool single_root) {
    Index least = std::numeric_limits<Index>::max();
    KindSet best;
    start_.copy_from(state, gold);
    start_.sort(gold);
    for (const Kind kind : {Kind::left_arc, Kind::right_arc, Kind::shift}) {
        if (!SwapSystem::permits(state, kind, single_root)) continue;
        remains_ = start_;
        remains_.apply(kind, gold);
        remains_.complete(gold, single_root, false);
        if (remains_.lost() > least) continue;
        if (remains_.lost() < least) best = KindSet();
        least = remains_.lost();
        best.add(kind);
    }
    return best;
}

}  // namespace plait
