#include "core/kernel.hpp"

#include <algorithm>
#include <array>

namespace plait {

namespace {

constexpr std::size_t line = 64;   // bytes of a cache line
constexpr std::size_t ahead = 12;  // windows on their way from memory while one is added

// The widest vectors the machine has, chosen when the library is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PLAIT_WIDEST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLAIT_WIDEST
#endif

template <typename Weight>
void fetch(const Weight* window, std::size_t width) {
    const char* byte = reinterpret_cast<const char*>(window);
    for (std::size_t i = 0; i < width * sizeof(Weight); i += line) __builtin_prefetch(byte + i);
    __builtin_prefetch(window + width - 1);
}

PLAIT_WIDEST void add_windows(const float* table, const std::size_t* cells, std::size_t count, float* sums,
                              std::size_t width) {
    for (std::size_t i = 0; i < count; ++i) {
        if (i + ahead < count) fetch(table + cells[i + ahead], width);
        const float* window = table + cells[i];
        for (std::size_t t = 0; t < width; ++t) sums[t] += window[t];
    }
}

// Sums of at most 258 weights fit into 16 bits.
PLAIT_WIDEST void add_windows(const std::int8_t* table, const std::size_t* cells, std::size_t count,
                              std::int16_t* sums, std::size_t width) {
    for (std::size_t i = 0; i < count; ++i) {
        if (i + ahead < count) fetch(table + cells[i + ahead], width);
        const std::int8_t* window = table + cells[i];
        for (std::size_t t = 0; t < width; ++t) sums[t] = static_cast<std::int16_t>(sums[t] + window[t]);
    }
}

template <typename Weight>
std::array<std::size_t, most_features> start(const Windows& windows, const Table<Weight>& weights,
                                             std::span<const std::uint64_t> features) {
    std::array<std::size_t, most_features> cells;
    for (std::size_t i = 0; i < features.size(); ++i) cells[i] = windows.cell(features[i]);
    for (std::size_t i = 0; i < std::min(features.size(), ahead); ++i) {
        fetch(weights.data() + cells[i], windows.width());
    }
    return cells;
}

}  // namespace

void Kernel::score(std::span<const std::uint64_t> features, std::span<float> scores) const {
    const auto cells = start(windows, weights, features);
    std::ranges::fill(scores, 0.0f);
    add_windows(weights.data(), cells.data(), features.size(), scores.data(), windows.width());
}

void CompactKernel::score(std::span<const std::uint64_t> features, std::span<float> scores) const {
    constexpr std::size_t most_summed = 256, most_transitions = 4096;
    const auto cells = start(windows, weights, features);
    std::array<std::int16_t, most_transitions> sums;
    std::ranges::fill(scores, 0.0f);
    for (std::size_t i = 0; i < features.size(); i += most_summed) {
        std::fill_n(sums.begin(), windows.width(), std::int16_t{0});
        add_windows(weights.data(), cells.data() + i, std::min(most_summed, features.size() - i), sums.data(),
                    windows.width());
        for (std::size_t t = 0; t < windows.width(); ++t) scores[t] += step * static_cast<float>(sums[t]);
    }
}

}  // namespace plait
