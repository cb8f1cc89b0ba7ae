// Hashes of features.
#pragma once

#include <cstdint>

namespace plait {

inline std::uint64_t mix(std::uint64_t x) {  // the finalizer of SplitMix64 (Steele, Lea and Flood 2014)
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

}  // namespace plait
