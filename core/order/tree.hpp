// An unordered tree as the ordering of its words sees it: every head with its children is a domain (Bohnet et
// al. 2012, section 4). Nothing here depends on how the words are numbered: children stand in the order of
// hashes of what is below them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/transition.hpp"

namespace plait {

// What Python gives of every word, as hashes of strings, before any further columns.
enum class NodeColumn : std::uint8_t { lemma, upos, xpos, feats, label, pronoun };
inline constexpr std::size_t node_columns = 6;

// What follows from the tree: numbers of children, of grandchildren and of words below, binned; the labels
// and the tags of the children; the lemmas of children that mark (prepositions, conjunctions); whether
// something below asks or relates.
enum class NodeShape : std::uint8_t { children, grandchildren, size, labels, tags, marks, asks };
inline constexpr std::size_t node_shapes = 7;

// Values that mean something to the core: tags of words that mark, kinds of pronouns that ask, the question
// mark.
struct OrderSigns {
    std::vector<std::uint32_t> marking, asking;
    std::uint32_t question = 0;
};

class OrderTree {
  public:
    // Word w has row w - 1 of `values` and the head heads[w - 1], 0 for the root; it must be a tree. `fixed`
    // are places relative to the head as in the shared task (-2, -1, 1, 2 ...), 0 where nothing is known, or
    // empty.
    void read(const OrderSigns& signs, std::span<const std::uint32_t> values, std::size_t columns,
              std::span<const Index> heads, std::span<const std::int32_t> fixed);

    Index words() const { return words_; }
    std::size_t width() const { return width_; }
    Index head(Index node) const { return heads_[static_cast<std::size_t>(node)]; }
    std::int32_t fixed(Index node) const { return fixed_[static_cast<std::size_t>(node)]; }
    std::span<const Index> children(Index node) const {
        const auto at = static_cast<std::size_t>(node);
        return std::span(children_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
    }
    // Of words that cannot be told apart, with all that is below them, it is the same.
    std::uint64_t content(Index node) const { return contents_[static_cast<std::size_t>(node)]; }
    // Columns first, then shapes; the root has 1 everywhere.
    std::uint32_t value(Index node, std::size_t column) const {
        return cells_[static_cast<std::size_t>(node) * width_ + column];
    }
    // Heads before their dependents.
    std::span<const Index> downwards() const { return downwards_; }

  private:
    void link(std::span<const Index> heads);
    void shape(const OrderSigns& signs, Index node);
    std::uint32_t& shape_of(Index node, NodeShape which) {
        return cells_[static_cast<std::size_t>(node) * width_ + columns_ + static_cast<std::size_t>(which)];
    }
    std::uint32_t column(Index node, NodeColumn which) const {
        return value(node, static_cast<std::size_t>(which));
    }

    Index words_ = 0;
    std::size_t columns_ = 0, width_ = 0;
    std::vector<Index> heads_, children_, downwards_, sizes_;
    std::vector<std::size_t> starts_;
    std::vector<std::uint64_t> contents_;
    std::vector<std::uint32_t> cells_;
    std::vector<std::int32_t> fixed_;
};

}  // namespace plait
