// Derivations of trees, by system and oracle: what batches run.
#pragma once

#include <optional>
#include <stdexcept>

#include "core/oracles/eager.hpp"
#include "core/oracles/minimal.hpp"
#include "core/oracles/swap.hpp"
#include "core/systems/eager.hpp"
#include "core/systems/standard.hpp"
#include "core/systems/swap.hpp"

namespace plait {

enum class SystemId : std::uint8_t { swap, standard, eager };
// `fixed` is the static oracle of a projective system. The other names belong to one system each, nd_all to
// swap and standard.
enum class OracleId : std::uint8_t { eager, lazy, minimal, nd_swap, nd_all, fixed, dynamic };

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
        default:
            return use(EagerSystem{});
    }
}

// Derives one tree after the other; memory is kept between them.
class Deriver {
  public:
    Deriver(SystemId system, OracleId oracle, bool single_root, std::int64_t budget)
        : system_(system), oracle_(oracle), single_root_(single_root), budget_(budget) {}

    // Whether the system can derive this tree at all.
    bool derivable(const Gold& gold) const {
        return (system_ == SystemId::swap || gold.projective()) && (!single_root_ || gold.roots() <= 1);
    }

    // Calls `take` with every kind in turn. A non-deterministic oracle follows the first correct kind in the
    // order LEFT-ARC, RIGHT-ARC, SWAP or REDUCE, SHIFT. Returns whether the budget was too small.
    template <typename Take>
    bool derive(const Gold& gold, Take take) {
        if (oracle_ == OracleId::minimal) {
            const MinimalSearch::Result result = search_.run(gold, budget_);
            for (const Kind kind : result.derivation) take(kind);
            return result.over_budget;
        }
        with_system(system_, [&](auto system) {
            state_.reset(gold.words(), system.root);
            while (!system.terminal(state_)) {
                const Kind kind = preferred(correct(state_, gold));
                take(kind);
                system.apply(state_, {kind});
            }
        });
        return false;
    }

    // What the oracle calls correct; not for MINIMAL, which knows derivations and not states.
    KindSet correct(const State& state, const Gold& gold) {
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

    // Whether there are several derivations, by a non-deterministic oracle of swap or standard.
    bool ambiguous(const Gold& gold) {
        return with_system(system_, [&](auto system) {
            state_.reset(gold.words(), system.root);
            while (!system.terminal(state_)) {
                const KindSet kinds = correct(state_, gold);
                if (kinds.size() > 1) return true;
                system.apply(state_, {preferred(kinds)});
            }
            return false;
        });
    }

  private:
    static Kind preferred(KindSet kinds) {
        for (const Kind kind : {Kind::left_arc, Kind::right_arc, Kind::swap, Kind::reduce}) {
            if (kinds.has(kind)) return kind;
        }
        return Kind::shift;
    }

    SystemId system_;
    OracleId oracle_;
    bool single_root_;
    std::int64_t budget_;
    State state_;
    SwapOracle swap_;
    MinimalSearch search_;
};

// Applies a derivation to the start state; the number of the first transition that is not permitted, if any.
inline std::optional<std::size_t> replay(SystemId system_id, State& state, Index words,
                                         std::span<const std::uint8_t> kinds, bool single_root) {
    return with_system(system_id, [&](auto system) -> std::optional<std::size_t> {
        state.reset(words, system.root);
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const Kind kind{kinds[i]};
            if (!system.permits(state, kind, single_root)) return i;
            system.apply(state, {kind});
        }
        return std::nullopt;
    });
}

}  // namespace plait
