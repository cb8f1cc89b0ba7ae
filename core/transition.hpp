// Transitions are integers: a kind and a label. What they do is defined by a system (core/systems).
#pragma once

#include <bit>
#include <cstdint>

#include "core/tree.hpp"

namespace plait {

using Label = Index;
inline constexpr Index none = -1;  // no node, no head, no label

enum class Kind : std::uint8_t { shift, left_arc, right_arc, swap, reduce };
inline constexpr std::size_t kind_count = 5;

struct Transition {
    Kind kind;
    Label label = none;
};

// A small set of kinds, such as those an oracle calls correct.
class KindSet {
  public:
    constexpr KindSet() = default;
    constexpr KindSet(Kind kind) : bits_(bit(kind)) {}

    constexpr void add(Kind kind) { bits_ |= bit(kind); }
    constexpr void remove(Kind kind) { bits_ &= ~bit(kind); }
    constexpr bool has(Kind kind) const { return (bits_ & bit(kind)) != 0; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr int size() const { return std::popcount(bits_); }
    constexpr bool operator==(const KindSet&) const = default;

  private:
    static constexpr std::uint32_t bit(Kind kind) { return 1u << static_cast<unsigned>(kind); }
    std::uint32_t bits_ = 0;
};

}  // namespace plait
