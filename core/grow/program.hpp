// What is seen of an edge that may be in the tree: the two nodes, and the way between them in the semantic
// graph. Compiled from template files by Python.
#pragma once

#include "core/grow/graph.hpp"

namespace plait {

enum class GrowPlace : std::int32_t { source, target, way };

struct GrowAtom {
    std::int32_t place, argument;  // a column or shape of a node, or a fact of the way
};

class GrowProgram {
  public:
    GrowProgram(std::size_t columns, std::span<const GrowAtom> atoms, std::span<const std::int32_t> joined,
                std::span<const std::int32_t> ends, std::uint64_t seed);

    std::size_t columns() const { return columns_; }
    std::size_t size() const { return lines_.size(); }

    // Of an edge from a node, or the root 0, to another; a feature for every template.
    void extract(const MeaningGraph& graph, Index source, Index target,
                 std::vector<std::uint64_t>& features) const;

  private:
    struct Line {
        std::vector<GrowAtom> atoms;
        std::uint64_t seed = 0;
    };

    std::size_t columns_;
    std::vector<Line> lines_;
};

}  // namespace plait
