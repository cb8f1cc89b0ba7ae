// Systems, oracles, transitions and parts of trees, by their numbers.
#pragma once

#include <span>

#include "bindings/codes.hpp"
#include "core/completion.hpp"
#include "core/derive.hpp"

inline plait::SystemId to_system(int code) {
    return to_code<plait::SystemId>(code, plait::system_count, "system");
}

inline plait::OracleId to_oracle(int code, plait::SystemId system) {
    const auto oracle = to_code<plait::OracleId>(code, plait::oracle_count, "oracle");
    if (!plait::belongs(oracle, system)) throw std::invalid_argument("no such oracle for this system");
    return oracle;
}

inline plait::Kind to_kind(int code) {
    return to_code<plait::Kind>(code, plait::kind_count, "kind of transition");
}

// A bit for every kind of part, and one for arcs without a sibling.
inline plait::PartSet to_part_set(std::uint32_t kinds) {
    if (kinds > plait::PartSet::all) throw std::invalid_argument("no such kind of part");
    return plait::PartSet(kinds);
}

// `known`: how many labels there are; a word may have none.
inline void check_labels(std::span<const plait::Label> labels, std::size_t words, std::size_t known) {
    if (labels.size() != words) throw std::invalid_argument("one label per word is needed");
    for (const plait::Label label : labels) {
        if (label < plait::none || label >= static_cast<plait::Label>(known))
            throw std::invalid_argument("no such label");
    }
}
