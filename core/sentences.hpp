// A batch of sentences as the core reads them.
#pragma once

#include "core/features.hpp"

namespace plait {

// The words of many sentences, one after the other, and where each begins.
struct Sentences {
    std::span<const std::uint32_t> values;
    std::size_t columns;
    std::span<const std::int64_t> offsets;
    std::span<const std::int64_t> starts{};    // of the rows of words, and the end; empty: one row per word
    std::span<const std::uint16_t> classes{};  // of rows; empty: there are none
    std::span<const std::uint8_t> row_tags{};  // of rows; empty: there are none
    std::span<const float> priors{};           // likewise

    std::size_t size() const { return offsets.size() - 1; }
    std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(offsets[i]); }
    std::size_t length(std::size_t i) const { return static_cast<std::size_t>(offsets[i + 1] - offsets[i]); }
    Words words(std::size_t i) const {
        if (!starts.empty()) {
            return {values, columns, starts.subspan(begin(i), length(i) + 1), classes, row_tags, priors};
        }
        return {values.subspan(begin(i) * columns, length(i) * columns),
                columns,
                {},
                classes.empty() ? classes : classes.subspan(begin(i), length(i))};
    }
};

}  // namespace plait
