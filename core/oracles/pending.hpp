// Stack and buffer on the way to a gold tree, without the arcs: while every arc built is a gold arc, the
// words that are left say which these are. This is what searches and look-aheads copy.
#pragma once

#include "core/cancel.hpp"
#include "core/oracles/gold.hpp"
#include "core/systems/swap.hpp"

namespace plait {

class Pending {
  public:
    void reset(const Gold& gold) {
        row_.reset(gold.words(), RootPlace::under_stack);
        count(gold);
    }
    void copy_from(const State& state, const Gold& gold) {
        row_ = state.row();
        missing_.resize(static_cast<std::size_t>(gold.words()) + 1);
        for (const Index node : row_.stack())
            missing_[at(node)] = gold.dependents(node) - state.dependents(node);
        for (const Index node : row_.buffer())
            missing_[at(node)] = gold.dependents(node) - state.dependents(node);
    }
    void unpack(std::span<const Index> cells, std::size_t stack_size, const Gold& gold) {
        row_.unpack(cells, stack_size);
        count(gold);
    }

    const Row& row() const { return row_; }
    bool terminal() const { return row_.size() == 1; }

    // What EAGER does (Nivre 2009, Figure 4): SHIFT also where there is nothing left to shift, a dead end.
    Kind next(const Gold& gold) const {
        const Index top = row_.stack(0), below = row_.stack(1);
        if (below == none) return Kind::shift;
        if (below != 0 && gold.head(below) == top && missing_[at(below)] == 0) return Kind::left_arc;
        if (gold.head(top) == below && missing_[at(top)] == 0) return Kind::right_arc;
        return SwapSystem::swappable(below, top) && gold.precedes(top, below) ? Kind::swap : Kind::shift;
    }

    void apply(Kind kind) {
        switch (kind) {
            case Kind::left_arc:
                --missing_[at(row_.stack(0))];
                row_.drop_below_top();
                break;
            case Kind::right_arc:
                --missing_[at(row_.stack(1))];
                row_.drop_top();
                break;
            case Kind::swap:
                row_.return_below_top();
                break;
            default:
                row_.shift();
        }
    }

    // Does EAGER get from here to the end of the gold tree? With only the root and one word on the stack it
    // does: nothing can be buried any more (2015, footnote 2). `work` counts the transitions tried.
    bool completes(const Gold& gold, std::int64_t& work) {
        while (row_.stack_size() > 2 || row_.buffer_size() == 0) {
            if (terminal()) return true;
            if ((++work & 255) == 0) check_cancelled();
            const Kind kind = next(gold);
            if (kind == Kind::shift && row_.buffer_size() == 0) return false;
            apply(kind);
        }
        return true;
    }

  private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

    void count(const Gold& gold) {
        missing_.assign(static_cast<std::size_t>(gold.words()) + 1, 0);
        for (const Index node : row_.stack()) {
            if (node != 0) ++missing_[at(gold.head(node))];
        }
        for (const Index node : row_.buffer()) ++missing_[at(gold.head(node))];
    }

    Row row_;
    std::vector<Index> missing_;  // gold dependents still to be attached
};

}  // namespace plait
