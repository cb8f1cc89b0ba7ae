// Unordered trees as they cross the border.
#pragma once

#include "bindings/arrays.hpp"
#include "core/order/batch.hpp"

// `Program`: with so many columns.
template <typename Program>
plait::UnorderedTrees trees_of(const Program& program, const Rows<std::uint32_t>& values,
                               const Input<std::int64_t>& offsets, const Input<plait::Index>& heads,
                               std::span<const std::int32_t> fixed) {
    if (values.shape(1) != program.columns()) throw std::invalid_argument("wrong number of columns");
    if (heads.size() != values.shape(0)) throw std::invalid_argument("one head per word is needed");
    if (!fixed.empty() && fixed.size() != heads.size()) {
        throw std::invalid_argument("one fixed place per word is needed");
    }
    const plait::Forest forest = to_forest(heads, offsets);
    for (std::size_t i = 0; i < forest.size(); ++i) plait::require_tree(forest.tree(i), i);
    return {{values.data(), values.size()}, values.shape(1), view(offsets), view(heads), fixed};
}

inline plait::OrderSigns signs_of(const Input<std::uint32_t>& marking, const Input<std::uint32_t>& asking,
                                  std::uint32_t question) {
    return {copied(marking), copied(asking), question};
}
