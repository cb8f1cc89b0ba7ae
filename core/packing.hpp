// Tables of weights of which most are 0, as model files keep them.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace plait {

// The whole table: the bits of `filled`, the highest of a byte first, tell which cells have a weight, and
// `weights` are these in order. An empty table if there are more or fewer weights than such cells, or bits
// behind the end.
inline std::vector<std::int8_t> spread(std::span<const std::uint8_t> filled,
                                       std::span<const std::int8_t> weights, std::size_t cells) {
    if (filled.size() != (cells + 7) / 8) return {};
    std::vector<std::int8_t> table(cells, 0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < filled.size(); ++i) {
        for (std::uint8_t rest = filled[i]; rest != 0;) {
            const auto bit = static_cast<std::size_t>(std::countl_zero(rest));
            const std::size_t cell = 8 * i + bit;
            if (cell >= cells || next == weights.size()) return {};
            table[cell] = weights[next++];
            rest = static_cast<std::uint8_t>(rest & ~(0x80u >> bit));
        }
    }
    return next == weights.size() ? table : std::vector<std::int8_t>{};
}

}  // namespace plait
