#include "core/oracles/swap.hpp"

#include "core/systems/swap.hpp"

namespace plait {

namespace {

bool complete(const State& state, const Gold& gold, Index node) {
    return state.dependents(node) == gold.dependents(node);
}

}  // namespace

Kind SwapOracle::eager(const State& state, const Gold& gold) const {
    const Index top = state.stack(0), below = state.stack(1);
    if (below == none) return Kind::shift;
    if (below != 0 && gold.head(below) == top && complete(state, gold, below)) return Kind::left_arc;
    if (gold.head(top) == below && complete(state, gold, top)) return Kind::right_arc;
    return SwapSystem::swappable(below, top) && gold.precedes(top, below) ? Kind::swap : Kind::shift;
}

Kind SwapOracle::lazy(const State& state, const Gold& gold) const {
    const Kind kind = eager(state, gold);
    if (kind != Kind::swap) return kind;
    const Index front = state.buffer(0);
    return front != none && gold.same_component(state.stack(0), front) ? Kind::shift : Kind::swap;
}

KindSet SwapOracle::all(const State& state, const Gold& gold) {
    const Kind kind = eager(state, gold);
    KindSet correct(kind);
    if (kind != Kind::shift && can_shift(state, gold, kind)) correct.add(Kind::shift);
    return correct;
}

KindSet SwapOracle::swaps(const State& state, const Gold& gold) {
    const Kind kind = eager(state, gold);
    KindSet correct(kind);
    if (kind == Kind::swap && can_shift(state, gold, kind)) correct.add(Kind::shift);
    return correct;
}

// Algorithm 2 of the 2015 paper. In a projective tree nothing that is shifted over comes back except what
// stack(0) takes as a dependent, so there the question is answered by dominance.
bool SwapOracle::can_shift(const State& state, const Gold& gold, Kind rival) {
    if (state.buffer_size() == 0) return false;
    if (gold.projective())
        return rival == Kind::left_arc && gold.tree().dominates(state.stack(0), state.buffer(0));
    scratch_.copy_from(state, gold);
    scratch_.apply(Kind::shift);
    std::int64_t work = 0;
    return scratch_.completes(gold, work);
}

}  // namespace plait
