// Pruning in two parts (Bohnet and Nivre 2012, Figure 2), so that ambiguous tags do not crowd out trees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace plait {

// Leaves in `candidates`, in order, the best `width` of those with different keys and the best `spare` of the
// rest; `keys` are theirs. Keys are asked for from the best on: most candidates never need one.
template <typename Candidate, typename RanksBefore, typename KeyOf>
void prune_in_two(std::vector<Candidate>& candidates, std::size_t width, std::size_t spare,
                  RanksBefore ranks_before, KeyOf key_of, std::vector<std::uint64_t>& keys,
                  std::vector<Candidate>& scratch) {
    const auto ranks_after = [&](const Candidate& one, const Candidate& other) {
        return ranks_before(other, one);
    };
    std::make_heap(candidates.begin(), candidates.end(), ranks_after);
    scratch.clear();
    keys.clear();
    std::size_t different = 0;
    while (!candidates.empty() && (different < width || keys.size() < different + spare)) {
        std::pop_heap(candidates.begin(), candidates.end(), ranks_after);
        const Candidate best = candidates.back();
        candidates.pop_back();
        const std::uint64_t key = key_of(best);
        const bool differs = different < width && std::ranges::find(keys, key) == keys.end();
        if (!differs && keys.size() - different == spare) continue;
        different += differs;
        scratch.push_back(best);
        keys.push_back(key);
    }
    std::swap(candidates, scratch);
}

}  // namespace plait
