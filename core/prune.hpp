// Pruning in parts (Bohnet and Nivre 2012, Figure 2; with morphology Bohnet et al. 2013), so that ambiguous
// tags and features do not crowd out trees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace plait {

// How many hypotheses survive of those that differ in more than tags, of those that differ in tags, and of
// those that differ in the features of words only.
struct Widths {
    std::size_t trees = 1, tags = 0, feats = 0;

    bool in_parts() const { return tags + feats > 0; }
};

// What a hypothesis is, but for tags, and which tags it has, as hashes.
struct Keys {
    std::uint64_t tree = 0, tags = 0;
};

// Leaves in `candidates`, in order, the best `trees` of those with different trees; of the rest the best
// `tags` that differ from the kept ones in tags; and the best `feats` that are kept ones but for their
// features. Without a share for these, that of tags takes the best of the rest, whatever they differ in.
// `keys` are those of the kept. They are asked for from the best on: most candidates never need any.
template <typename Candidate, typename RanksBefore, typename KeysOf>
void prune_in_parts(std::vector<Candidate>& candidates, const Widths& widths, RanksBefore ranks_before,
                    KeysOf keys_of, std::vector<Keys>& keys, std::vector<Candidate>& scratch) {
    const auto ranks_after = [&](const Candidate& one, const Candidate& other) {
        return ranks_before(other, one);
    };
    std::make_heap(candidates.begin(), candidates.end(), ranks_after);
    scratch.clear();
    keys.clear();
    Widths kept{0};
    while (!candidates.empty() &&
           (kept.trees < widths.trees || kept.tags < widths.tags || kept.feats < widths.feats)) {
        std::pop_heap(candidates.begin(), candidates.end(), ranks_after);
        const Candidate best = candidates.back();
        candidates.pop_back();
        const Keys own = keys_of(best);
        bool new_tree = true, new_tags = true;
        for (const Keys& other : keys) {
            if (other.tree != own.tree) continue;
            new_tree = false;
            if (other.tags == own.tags) new_tags = false;
        }
        if (new_tree && kept.trees < widths.trees) {
            ++kept.trees;
        } else if ((new_tags || widths.feats == 0) && kept.tags < widths.tags) {
            ++kept.tags;
        } else if (!new_tags && kept.feats < widths.feats) {
            ++kept.feats;
        } else {
            continue;
        }
        scratch.push_back(best);
        keys.push_back(own);
    }
    std::swap(candidates, scratch);
}

}  // namespace plait
