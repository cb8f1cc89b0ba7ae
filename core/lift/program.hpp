// What is seen of a word that may be lifted: it, what is above it, and all words in a relation to it.
// Compiled from template files by Python.
#pragma once

#include <cmath>

#include "core/features.hpp"
#include "core/hash.hpp"
#include "core/lift/tree.hpp"

namespace plait {

// The word, its head, the head of that and so on; then relations of several words: children, siblings,
// uncles, grandchildren, nephews, cousins.
inline constexpr std::size_t lift_ancestors = 5, lift_relations = 6;
inline constexpr std::size_t lift_places = lift_ancestors + lift_relations;
// Real numbers: how many words are below one, and which share of all.
inline constexpr std::size_t lift_sizes = 2;

struct LiftAtom {
    std::int32_t place, argument;  // a column; after the columns and shapes: a size
};

struct LiftFeature {
    std::uint64_t hash;
    float value;
};

class LiftProgram {
  public:
    // A template has at most one relation of several words, and a feature for each of them.
    LiftProgram(std::size_t columns, std::span<const LiftAtom> atoms, std::span<const std::int32_t> joined,
                std::span<const std::int32_t> ends, OrderSigns signs, std::uint64_t seed);

    std::size_t columns() const { return columns_; }
    const OrderSigns& signs() const { return signs_; }

    // `values` is the tree as it was read; `tree` as it is now.
    void extract(const OrderTree& values, const LiftedTree& tree, Index word,
                 std::vector<LiftFeature>& features) const;

  private:
    struct Line {
        std::vector<LiftAtom> atoms;        // of single words
        std::vector<std::int32_t> several;  // columns of the relation, if there is one
        std::int32_t relation = none, sized = none, size = none;
        std::uint64_t seed = 0;
    };

    std::size_t columns_;
    OrderSigns signs_;
    std::vector<Line> lines_;
};

}  // namespace plait
