// Values joined into one 64-bit hash: how features get their cells.
#pragma once

#include <cstdint>

namespace plait {

constexpr std::uint64_t mix(std::uint64_t x) {  // the finalizer of SplitMix64 (Steele, Lea and Flood 2014)
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

inline std::uint64_t join(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

// The high bits, which choose the cell, depend on all of the hash.
inline std::uint64_t finish(std::uint64_t hash) { return hash * 0xd6e8feb86659fd93u; }

}  // namespace plait
