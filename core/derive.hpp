// Derivations of trees, by system and oracle: what batches run.
#pragma once

#include <optional>
#include <stdexcept>

#include "core/cancel.hpp"
#include "core/oracles/eager.hpp"
#include "core/oracles/minimal.hpp"
#include "core/oracles/spine.hpp"
#include "core/oracles/swap.hpp"
#include "core/repertoire.hpp"

namespace plait {

enum class SystemId : std::uint8_t { swap, standard, eager, spine, spine_swap };
inline constexpr std::size_t system_count = 5;
// `fixed` is the static oracle of all systems but swap, nd_all the non-deterministic one of all but eager.
// The other names belong to one system each.
enum class OracleId : std::uint8_t { eager, lazy, minimal, nd_swap, nd_all, fixed, dynamic };
inline constexpr std::size_t oracle_count = 7;

constexpr bool belongs(OracleId oracle, SystemId system) {
    switch (oracle) {
        case OracleId::eager:
        case OracleId::lazy:
        case OracleId::minimal:
        case OracleId::nd_swap:
            return system == SystemId::swap;
        case OracleId::nd_all:
            return system != SystemId::eager;
        case OracleId::fixed:
            return system != SystemId::swap;
        case OracleId::dynamic:
            return system == SystemId::eager;
    }
    return false;
}

// Calls `use` with the system as a type, once per batch, so that inner loops know it.
template <typename Use>
decltype(auto) with_system(SystemId system, Use use) {
    switch (system) {
        case SystemId::swap:
            return use(SwapSystem{});
        case SystemId::standard:
            return use(StandardSystem{});
        case SystemId::spine:
            return use(SpineSystem{});
        case SystemId::spine_swap:
            return use(SpineSwapSystem{});
        default:
            return use(EagerSystem{});
    }
}

constexpr bool derives_all_trees(SystemId system) {
    return system == SystemId::swap || system == SystemId::spine_swap;
}

// Derives one tree after the other; memory is kept between them.
class Deriver {
  public:
    Deriver(SystemId system, OracleId oracle, bool single_root, std::int64_t budget)
        : system_(system), oracle_(oracle), single_root_(single_root), budget_(budget) {}

    OracleId oracle() const { return oracle_; }
    bool single_root() const { return single_root_; }

    // Whether the system can derive this tree at all.
    bool derivable(const Gold& gold) const {
        return (derives_all_trees(system_) || gold.projective()) && (!single_root_ || gold.roots() <= 1);
    }

    // Calls `take` with every transition in turn, without labels. A non-deterministic oracle follows the
    // first correct kind in the order LEFT-ARC, RIGHT-ARC, SWAP or REDUCE, SHIFT. Returns whether the budget
    // was too small.
    template <typename Take>
    bool derive(const Gold& gold, Take take) {
        if (oracle_ == OracleId::minimal) {
            const MinimalSearch::Result result = search_.run(gold, budget_);
            for (const Kind kind : result.derivation) take(Transition{kind});
            return result.over_budget;
        }
        with_system(system_, [&](auto system) {
            system.start(state_, gold.words());
            while (!system.terminal(state_)) {
                check_cancelled();
                const Transition next = correct(state_, gold).preferred();
                take(next);
                system.apply(state_, next);
            }
        });
        return false;
    }

    // What the oracle calls correct; not for MINIMAL, which knows derivations and not states.
    TransitionSet correct(const State& state, const Gold& gold) {
        if (system_ == SystemId::spine) return correct(SpineSystem{}, state, gold);
        if (system_ == SystemId::spine_swap) return correct(SpineSwapSystem{}, state, gold);
        switch (oracle_) {
            case OracleId::eager:
                return swap_.eager(state, gold);
            case OracleId::lazy:
                return swap_.lazy(state, gold);
            case OracleId::nd_swap:
                return swap_.swaps(state, gold);
            case OracleId::nd_all:
                return swap_.all(state, gold);
            case OracleId::dynamic:
                return eager_dynamic(state, gold, single_root_);
            case OracleId::fixed:
                return system_ == SystemId::eager ? eager_static(state, gold) : swap_.eager(state, gold);
            default:
                throw std::logic_error("MINIMAL knows no single states");
        }
    }

    // Whether there are several derivations, by a non-deterministic oracle.
    bool ambiguous(const Gold& gold) {
        return with_system(system_, [&](auto system) {
            system.start(state_, gold.words());
            while (!system.terminal(state_)) {
                check_cancelled();
                const TransitionSet set = correct(state_, gold);
                if (set.size() > 1) return true;
                system.apply(state_, set.preferred());
            }
            return false;
        });
    }

  private:
    template <bool may_swap>
    TransitionSet correct(SpineRules<may_swap> system, const State& state, const Gold& gold) {
        if (oracle_ == OracleId::nd_all) return spine_.all(system, state, gold, single_root_);
        TransitionSet set;
        const Transition next = spine_.canonical(system, state, gold, single_root_);
        set.add(next.kind, next.depth);
        return set;
    }

    SystemId system_;
    OracleId oracle_;
    bool single_root_;
    std::int64_t budget_;
    State state_;
    SwapOracle swap_;
    SpineOracle spine_;
    MinimalSearch search_;
};

// Applies a derivation to the start state; the number of the first transition that is not permitted, if any.
// `depths` is as long as `kinds`.
inline std::optional<std::size_t> replay(SystemId system_id, State& state, Index words,
                                         std::span<const std::uint8_t> kinds, std::span<const Index> depths,
                                         bool single_root) {
    return with_system(system_id, [&](auto system) -> std::optional<std::size_t> {
        system.start(state, words);
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            check_cancelled();
            const Transition next{Kind{kinds[i]}, none, depths[i]};
            if (!permits(system, state, next, single_root)) return i;
            system.apply(state, next);
        }
        return std::nullopt;
    });
}

}  // namespace plait
