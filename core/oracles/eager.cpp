#include "core/oracles/eager.hpp"

#include <algorithm>
#include <limits>

#include "core/systems/eager.hpp"

namespace plait {

namespace {

bool contains(std::span<const Index> nodes, Index node) {
    return std::ranges::find(nodes, node) != nodes.end();
}

// Words of the stack that wait for buffer(0) as their head.
Index waiting_for_front(const State& state, const Gold& gold) {
    return static_cast<Index>(std::ranges::count_if(state.row().stack(), [&](Index word) {
        return gold.head(word) == state.buffer(0) && state.head(word) == none;
    }));
}

Index cost(const State& state, const Gold& gold, Kind kind) {
    const auto stack = state.row().stack(), buffer = state.row().buffer();
    const Index top = state.stack(0), front = buffer.front();
    switch (kind) {
        case Kind::shift:
            return waiting_for_front(state, gold) + contains(stack, gold.head(front));
        case Kind::right_arc: {
            const Index head = gold.head(front);
            const bool elsewhere =
                head != top && (contains(stack, head) || contains(buffer.subspan(1), head));
            return waiting_for_front(state, gold) + elsewhere;
        }
        default: {
            Index lost = 0;
            for (const Index word : buffer) lost += word != 0 && gold.head(word) == top;
            if (kind == Kind::left_arc) lost += contains(buffer.subspan(1), gold.head(top));
            return lost;
        }
    }
}

}  // namespace

Kind eager_static(const State& state, const Gold& gold) {
    const Index top = state.stack(0), front = state.buffer(0);
    if (top == none) return Kind::shift;
    const Index front_head = front == 0 ? none : gold.head(front);
    if (gold.head(top) == front && state.head(top) == none) return Kind::left_arc;
    if (front_head == top) return Kind::right_arc;
    if (state.head(top) == none) return Kind::shift;
    const auto below = state.row().stack().first(state.stack_size() - 1);
    const bool waiting = std::ranges::any_of(
        below, [&](Index word) { return gold.head(word) == front || front_head == word; });
    return waiting || front == 0 ? Kind::reduce : Kind::shift;
}

KindSet eager_costs(const State& state, const Gold& gold, bool single_root,
                    std::array<Index, kind_count>& costs) {
    KindSet permitted;
    for (const Kind kind : {Kind::left_arc, Kind::right_arc, Kind::reduce, Kind::shift}) {
        if (!EagerSystem::permits(state, kind, single_root)) continue;
        permitted.add(kind);
        costs[static_cast<std::size_t>(kind)] = cost(state, gold, kind);
    }
    return permitted;
}

KindSet eager_dynamic(const State& state, const Gold& gold, bool single_root) {
    std::array<Index, kind_count> costs;
    const KindSet permitted = eager_costs(state, gold, single_root, costs);
    Index least = std::numeric_limits<Index>::max();
    KindSet best;
    for (std::size_t code = 0; code < kind_count; ++code) {
        const Kind kind = static_cast<Kind>(code);
        if (!permitted.has(kind) || costs[code] > least) continue;
        if (costs[code] < least) best = KindSet();
        least = costs[code];
        best.add(kind);
    }
    return best;
}

}  // namespace plait
