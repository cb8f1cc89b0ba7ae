// Sentences and trees of a transition-based parser as they cross the border.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/systems.hpp"
#include "core/model.hpp"
#include "core/sentences.hpp"

using Starts = std::optional<Input<std::int64_t>>;
using Classes = std::optional<Input<std::uint16_t>>;
using RowTags = std::optional<Input<std::uint8_t>>;
using Priors = std::optional<Input<float>>;

template <typename Weights>
void check_width(const Weights& weights, const plait::ParserModel& model) {
    if (weights.windows.width() != model.repertoire.size())
        throw std::invalid_argument("the weights are of other transitions");
}

// Heads that are given may be any node of the sentence, or none.
inline void check_given(std::span<const plait::Index> heads, std::span<const std::int64_t> offsets) {
    if (heads.size() != static_cast<std::size_t>(offsets.back()))
        throw std::invalid_argument("given arcs differ");
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        const auto length = offsets[i + 1] - offsets[i];
        for (const plait::Index head :
             heads.subspan(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(length))) {
            if (head < plait::none || head > length)
                throw std::invalid_argument("a given head is not in the sentence");
        }
    }
}

// `rows`: of words, or where tags are chosen of candidates.
inline void check_classes(const plait::Repertoire& repertoire, const Classes& classes, std::size_t rows) {
    if (!repertoire.filters()) return;
    if (!classes || classes->size() != rows) throw std::invalid_argument("one class per row is needed");
    for (const std::uint16_t number : view(*classes)) {
        if (number == 0 || number >= repertoire.classes()) throw std::invalid_argument("no such class");
    }
}

// `starts`: where the rows of words begin, one row per candidate; without it every word has one row.
// `row_tags`: which of the tags of its word a candidate has; `priors`: what it scores by itself.
inline plait::Sentences sentences_of(const plait::ParserModel& model, const Rows<std::uint32_t>& values,
                                     const Input<std::int64_t>& offsets, const Starts& starts,
                                     const Classes& classes, const RowTags& row_tags = {},
                                     const Priors& priors = {}) {
    const std::size_t least = model.sights.columns(starts.has_value());
    if (values.shape(1) < least) throw std::invalid_argument("too few columns");
    if (starts) {
        check_offsets(view(*starts), values.shape(0));
        check_offsets(view(offsets), starts->size() - 1);
        for (std::size_t i = 0; i + 1 < starts->size(); ++i) {
            const std::int64_t count = (*starts)(i + 1) - (*starts)(i);
            if (count < 1 || count > 254) throw std::invalid_argument("a word has 1 to 254 candidates");
        }
    } else {
        check_offsets(view(offsets), values.shape(0));
    }
    check_classes(model.repertoire, classes, values.shape(0));
    if (row_tags && (!starts || row_tags->size() != values.shape(0)))
        throw std::invalid_argument("one tag per candidate is needed");
    if (priors && (!starts || priors->size() != values.shape(0)))
        throw std::invalid_argument("one prior per candidate is needed");
    return {{values.data(), values.size()},
            values.shape(1),
            view(offsets),
            view(starts),
            view(classes),
            view(row_tags),
            view(priors)};
}
