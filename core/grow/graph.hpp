// A semantic graph as the growing of a tree sees it: nodes, what is around them, and the shortest way between
// any two (Bohnet, Wanner, Mille and Burga 2010, section 4.1). Nothing here depends on how nodes are
// numbered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/transition.hpp"

namespace plait {

// What Python gives of every node, as hashes of strings, before any further columns.
enum class MeaningColumn : std::uint8_t { lemma, tag };
inline constexpr std::size_t meaning_columns = 2;
// What follows from the graph: labels of in-going and of out-going edges, each once; edges with the tags at
// their other ends; how many edges there are.
inline constexpr std::size_t meaning_shapes = 4;
// Of a way: its length, the labels on it, its direction, the tags of the nodes between, and whether other
// ways are as short.
inline constexpr std::size_t way_facts = 5;

struct MeaningEdge {
    Index head, dependent;  // nodes count from 1
    std::uint32_t label;
};

class MeaningGraph {
  public:
    // Row v - 1 of `values` is that of node v. Those that are not `said` become no words, but ways lead
    // through them.
    void read(std::span<const std::uint32_t> values, std::size_t columns, std::span<const std::uint8_t> said,
              std::span<const MeaningEdge> edges);

    std::size_t nodes() const { return said_.size() - 1; }
    // The nodes that become words, in an order that does not depend on their numbers where they differ.
    std::span<const Index> words() const { return words_; }
    // Columns first, then shapes; the root has 1 everywhere.
    std::uint32_t value(Index node, std::size_t column) const {
        return cells_[static_cast<std::size_t>(node) * width_ + column];
    }
    // From a node, or the root 0, to another.
    std::span<const std::uint32_t> way(Index from, Index to) const {
        return std::span(ways_).subspan(
            (static_cast<std::size_t>(from) * said_.size() + static_cast<std::size_t>(to)) * way_facts,
            way_facts);
    }
    std::uint32_t distance(Index from, Index to) const { return way(from, to)[0]; }  // 0: there is no way

  private:
    struct Step {
        Index to;
        std::uint32_t label;
        bool down;  // from a predicate to its argument
    };

    void link(std::span<const MeaningEdge> edges);
    void shape(std::size_t columns);
    void rank(std::size_t columns);
    void find_ways(Index from);
    std::span<const Step> steps(Index node) const {
        const auto at = static_cast<std::size_t>(node);
        return std::span(steps_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
    }

    std::size_t width_ = 0;
    std::vector<std::uint8_t> said_;
    std::vector<Index> words_, queue_;
    std::vector<std::uint32_t> cells_, ways_;
    std::vector<std::size_t> starts_;
    std::vector<Step> steps_;
};

}  // namespace plait
