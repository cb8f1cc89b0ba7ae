#include "core/kernel.hpp"

#include <algorithm>
#include <array>
#include <limits>

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

// A block of the sums at a time, so that it stays in registers while the windows go by. The last one begins
// early enough to end with the window, for what lies behind is not on its way from memory; only where a
// window is smaller than a block it reads on, and nobody looks at those sums.
template <typename Weight, typename Sum>
[[gnu::always_inline]] inline void add_blocks(const Weight* table, const std::uint64_t* cells,
                                              std::size_t count, Sum* sums, std::size_t width) {
    for (std::size_t done = 0; done < width; done += block) {
        const std::size_t first = std::min(done, std::max(width, block) - block);
        Sum sum[block] = {};
        for (std::size_t i = 0; i < count; ++i) {
            if (done == 0 && i + ahead < count) fetch(table + cells[i + ahead], width);
            const Weight* window = table + cells[i] + first;
            for (std::size_t t = 0; t < block; ++t) sum[t] = static_cast<Sum>(sum[t] + window[t]);
        }
        std::copy_n(sum, block, sums + first);
    }
}

PLAIT_WIDEST void add_windows(const float* table, const std::uint64_t* cells, std::size_t count, float* sums,
                              std::size_t width) {
    add_blocks(table, cells, count, sums, width);
}

PLAIT_WIDEST void add_windows(const std::int8_t* table, const std::uint64_t* cells, std::size_t count,
                              std::int16_t* sums, std::size_t width) {
    add_blocks(table, cells, count, sums, width);
}

// Without something to fetch, GCC 12 would add two parts at a time, number by number.
PLAIT_WIDEST void add_parts(const std::int16_t* const* parts, std::size_t count, float step, float* scores,
                            std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; at += block) {
        std::int32_t total[block] = {};
        for (std::size_t i = 0; i < count; ++i) {
            const std::int16_t* part = parts[i] + at;
            __builtin_prefetch(part + block);
            for (std::size_t t = 0; t < block; ++t) total[t] += part[t];
        }
        float score[block];
        for (std::size_t t = 0; t < block; ++t) score[t] = step * static_cast<float>(total[t]);
        std::copy_n(score, std::min(block, last - at), scores + at);
    }
}

PLAIT_WIDEST float highest_of(const float* scores, std::size_t count) {
    constexpr std::size_t lanes = 16;
    float best[lanes];
    std::fill_n(best, lanes, -std::numeric_limits<float>::infinity());
    std::size_t at = 0;
    for (; at + lanes <= count; at += lanes) {
        for (std::size_t t = 0; t < lanes; ++t) best[t] = scores[at + t] > best[t] ? scores[at + t] : best[t];
    }
    for (; at < count; ++at) best[0] = std::max(best[0], scores[at]);
    return *std::max_element(best, best + lanes);
}

template <typename Weight>
std::array<std::uint64_t, most_features> start(const Windows& windows, const Table<Weight>& weights,
                                               std::span<const std::uint64_t> features, std::size_t first,
                                               std::size_t width) {
    std::array<std::uint64_t, most_features> cells;
    for (std::size_t i = 0; i < features.size(); ++i) cells[i] = windows.cell(features[i]) + first;
    for (std::size_t i = 0; i < std::min(features.size(), ahead); ++i) {
        fetch(weights.data() + cells[i], width);
    }
    return cells;
}

}  // namespace

float highest(std::span<const float> scores) { return highest_of(scores.data(), scores.size()); }

void Kernel::score(std::span<const std::uint64_t> features, std::span<float> scores, std::size_t first,
                   std::size_t last) const {
    const auto cells = start(windows, weights, features, first, last - first);
    add_windows(weights.data(), cells.data(), features.size(), scores.data() + first, last - first);
}

void CompactKernel::fetch(std::span<std::uint64_t> features, std::size_t first, std::size_t last) const {
    for (std::uint64_t& feature : features) {
        feature = windows.cell(feature) + first;
        plait::fetch(weights.data() + feature, last - first);
    }
}

void CompactKernel::sum(std::span<const std::uint64_t> cells, std::span<Sum> sums, std::size_t first,
                        std::size_t last) const {
    add_windows(weights.data(), cells.data(), cells.size(), sums.data() + first, last - first);
}

void CompactKernel::score(std::span<const Sum* const> parts, std::span<float> scores, std::size_t first,
                          std::size_t last) const {
    add_parts(parts.data(), parts.size(), step, scores.data(), first, last);
}

void CompactKernel::score(std::span<const std::uint64_t> features, std::span<float> scores, std::size_t first,
                          std::size_t last) const {
    constexpr std::size_t most_parts = most_features / most_summed;
    std::array<std::array<Sum, most_transitions + block>, most_parts> sums;
    std::array<const Sum*, most_parts> parts;
    std::size_t count = 0;
    for (; !features.empty(); features = features.subspan(std::min(most_summed, features.size()))) {
        const auto some = features.first(std::min(most_summed, features.size()));
        const auto cells = start(windows, weights, some, first, last - first);
        sum(std::span(cells).first(some.size()), sums[count], first, last);
        parts[count] = sums[count].data();
        ++count;
    }
    score(std::span(parts).first(count), scores, first, last);
}

}  // namespace plait
