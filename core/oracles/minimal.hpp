// MINIMAL: fewest swaps among the derivations that respect the projective order (2015, section 4.2).
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "core/oracles/pending.hpp"

namespace plait {

// Arcs are attached as soon as possible, which costs no swap, so the search forks only where SWAP and SHIFT
// are both correct. Forks with fewer swaps come first; among equals the one found last; at a fork SWAP before
// SHIFT. A fork met again keeps its first way unless the new one has fewer swaps. LAZY is the bound: its own
// derivation is kept unless one with fewer swaps exists; of several, the first one found is taken.
//
// `budget` bounds time and memory of one sentence: every transition tried counts 1, and remembering a fork
// counts 1 per word on its stack and buffer. Beyond it the best derivation known is returned.
class MinimalSearch {
  public:
    struct Result {
        std::vector<Kind> derivation;
        bool over_budget = false;
    };

    Result run(const Gold& gold, std::int64_t budget);

  private:
    struct Fork {
        std::size_t cells;             // where its packed row begins
        std::size_t size, stack_size;  // of that row
        std::size_t parent;            // the fork before it, and what was done there
        Index swaps;
        Kind choice;
        bool done;
    };

    Index advance(const Gold& gold);
    bool can_shift(const Gold& gold);
    void remember(std::size_t parent, Kind choice, Index swaps);
    void restore(const Gold& gold, std::size_t fork);
    std::vector<Kind> spell(const Gold& gold, std::size_t fork, Kind last_choice);
    std::vector<Kind> lazy(const Gold& gold);
    template <typename Choose>
    std::vector<Kind> follow(const Gold& gold, Choose choose);

    Pending now_, scratch_;
    std::vector<Index> cells_;  // the rows of all forks, one after the other
    std::vector<Fork> forks_;
    std::unordered_multimap<std::uint64_t, std::size_t> known_;  // by the hash of the row
    std::map<Index, std::vector<std::size_t>> queue_;            // forks to go on from, by swaps so far
    std::int64_t work_ = 0, budget_ = 0;
};

}  // namespace plait
