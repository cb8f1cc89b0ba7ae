// What does not change while a graph-based parser learns and parses.
#pragma once

#include "core/graph/decoder.hpp"

namespace plait {

struct GraphModel {
    GraphModel(PartProgram parts_program, PartProgram heads_program, LabelFilter label_filter,
               std::size_t label_count, const GraphOptions& given)
        : program(std::move(parts_program)),
          ranking(std::move(heads_program)),
          filter(std::move(label_filter)),
          labels(label_count),
          options(given) {
        if (labels < 1 || labels > most_transitions) throw std::invalid_argument("too many labels");
    }

    std::size_t columns() const {
        return std::max({program.columns(), ranking.columns(), filter.column() + 1});
    }
    HeadRanker ranker(const Kernel& weights) const {
        if (weights.windows.width() != 1) throw std::invalid_argument("heads are ranked by single weights");
        return HeadRanker(ranking, filter, weights);
    }

    PartProgram program, ranking;
    LabelFilter filter;
    std::size_t labels;
    GraphOptions options;
};

}  // namespace plait
