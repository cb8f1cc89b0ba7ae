#include "core/oracles/minimal.hpp"

#include <algorithm>

#include "core/cancel.hpp"

namespace plait {

namespace {

constexpr std::size_t no_fork = static_cast<std::size_t>(-1);

std::uint64_t hash(std::span<const Index> cells, std::size_t stack_size) {
    std::uint64_t value = 0x9e3779b97f4a7c15u ^ stack_size;
    for (const Index cell : cells) {
        value = (value ^ static_cast<std::uint64_t>(cell)) * 0xff51afd7ed558ccdu;
        value ^= value >> 32;
    }
    return value;
}

}  // namespace

MinimalSearch::Result MinimalSearch::run(const Gold& gold, std::int64_t budget) {
    Result result;
    result.derivation = lazy(gold);
    auto bound = static_cast<Index>(std::ranges::count(result.derivation, Kind::swap));
    if (bound < 2) return result;  // a tree that is not projective needs one

    cells_.clear();
    forks_.clear();
    known_.clear();
    queue_.clear();
    work_ = 0;
    budget_ = budget;
    std::size_t best = no_fork;
    Kind best_choice = Kind::shift;

    now_.reset(gold);
    const Index first = advance(gold);
    if (!now_.terminal() && first + 1 < bound) remember(no_fork, Kind::shift, first);
    while (!queue_.empty() && !result.over_budget) {
        check_cancelled();
        const auto lowest = queue_.begin();
        const Index swaps = lowest->first;
        if (swaps + 1 >= bound) break;
        if (lowest->second.empty()) {
            queue_.erase(lowest);
            continue;
        }
        const std::size_t fork = lowest->second.back();
        lowest->second.pop_back();
        if (forks_[fork].done || forks_[fork].swaps != swaps) continue;
        forks_[fork].done = true;
        for (const Kind choice : {Kind::swap, Kind::shift}) {
            if (work_ > budget_) {
                result.over_budget = true;
                break;
            }
            restore(gold, fork);
            now_.apply(choice);
            const Index total = swaps + (choice == Kind::swap) + advance(gold);
            if (now_.terminal()) {
                if (total < bound) {
                    bound = total;
                    best = fork;
                    best_choice = choice;
                }
            } else if (total + 1 < bound) {
                remember(fork, choice, total);
            }
        }
    }
    if (best != no_fork) result.derivation = spell(gold, best, best_choice);
    return result;
}

// Goes on while only one transition is correct, or the budget is spent; the number of swaps on the way.
Index MinimalSearch::advance(const Gold& gold) {
    Index swaps = 0;
    while (!now_.terminal() && work_ <= budget_) {
        if ((++work_ & 255) == 0) check_cancelled();
        const Kind kind = now_.next(gold);
        if (kind == Kind::swap) {
            if (can_shift(gold)) return swaps;
            ++swaps;
        }
        now_.apply(kind);
    }
    return swaps;
}

bool MinimalSearch::can_shift(const Gold& gold) {
    if (now_.row().buffer_size() == 0) return false;
    scratch_ = now_;
    scratch_.apply(Kind::shift);
    return scratch_.completes(gold, work_);
}

void MinimalSearch::remember(std::size_t parent, Kind choice, Index swaps) {
    const std::size_t begin = cells_.size(), stack_size = now_.row().stack_size();
    now_.row().pack(cells_);
    const std::span<const Index> cells = std::span(cells_).subspan(begin);
    const std::uint64_t key = hash(cells, stack_size);
    for (auto [at, end] = known_.equal_range(key); at != end; ++at) {
        Fork& fork = forks_[at->second];
        if (fork.stack_size != stack_size ||
            !std::ranges::equal(cells, std::span(cells_).subspan(fork.cells, fork.size))) {
            continue;
        }
        cells_.resize(begin);
        if (swaps < fork.swaps) {
            fork.parent = parent;
            fork.choice = choice;
            fork.swaps = swaps;
            queue_[swaps].push_back(at->second);
        }
        return;
    }
    work_ += static_cast<std::int64_t>(cells.size());
    known_.emplace(key, forks_.size());
    queue_[swaps].push_back(forks_.size());
    forks_.push_back({begin, cells.size(), stack_size, parent, swaps, choice, false});
}

void MinimalSearch::restore(const Gold& gold, std::size_t fork) {
    const Fork& from = forks_[fork];
    now_.unpack(std::span(cells_).subspan(from.cells, from.size), from.stack_size, gold);
}

// The derivation that takes the remembered choices, the last of them at `fork`.
std::vector<Kind> MinimalSearch::spell(const Gold& gold, std::size_t fork, Kind last_choice) {
    std::vector<Kind> choices{last_choice};
    for (; forks_[fork].parent != no_fork; fork = forks_[fork].parent) choices.push_back(forks_[fork].choice);
    return follow(gold, [&] {
        if (!can_shift(gold)) return Kind::swap;
        const Kind choice = choices.back();
        choices.pop_back();
        return choice;
    });
}

std::vector<Kind> MinimalSearch::lazy(const Gold& gold) {
    return follow(gold, [&] {
        const Index front = now_.row().buffer(0);
        const bool delay = front != none && gold.same_component(now_.row().stack(0), front);
        return delay ? Kind::shift : Kind::swap;
    });
}

// The derivation that attaches eagerly and asks `choose` wherever stack(0) and stack(1) are out of order.
template <typename Choose>
std::vector<Kind> MinimalSearch::follow(const Gold& gold, Choose choose) {
    std::vector<Kind> derivation;
    now_.reset(gold);
    while (!now_.terminal()) {
        check_cancelled();
        Kind kind = now_.next(gold);
        if (kind == Kind::swap) kind = choose();
        derivation.push_back(kind);
        now_.apply(kind);
    }
    return derivation;
}

}  // namespace plait
