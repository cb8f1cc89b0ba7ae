// The hash kernel (Bohnet 2010, section 4) with overlapping windows: one table of weights for all features.
// A feature hashes to a cell; its weights for the transitions 0..T-1 are that cell and those after it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "core/table.hpp"

namespace plait {

inline constexpr std::size_t most_features = 1024, most_transitions = 4096;  // of a state
inline constexpr std::size_t block = 32;                                     // transitions scored at a time

// The highest of some scores; of none, minus infinity.
float highest(std::span<const float> scores);

// Where the windows of features begin, in a table of 2^bits start cells and room for the last window.
class Windows {
  public:
    Windows(int bits, std::size_t width)
        : shift_(64 - checked(bits)), cells_((std::size_t{1} << bits) + width), width_(width) {}

    std::size_t width() const { return width_; }
    std::size_t cells() const { return cells_; }
    std::size_t cell(std::uint64_t feature) const { return static_cast<std::size_t>(feature >> shift_); }

  private:
    static int checked(int bits) {
        if (bits < 1 || bits > most_bits) throw std::invalid_argument("a table has 1 to 30 bits");
        return bits;
    }

    static constexpr int most_bits = 30;
    int shift_;
    std::size_t cells_, width_;
};

// Weights as they are learned.
class Kernel {
  public:
    Kernel(int bits, std::size_t width) : windows(bits, width), weights(windows.cells() + block, 0.0f) {}

    // scores[t] = the sum of the weights of all features for transition t, for t from `first` to before
    // `last`. There must be room for the last block.
    void score(std::span<const std::uint64_t> features, std::span<float> scores, std::size_t first,
               std::size_t last) const;
    void score(std::span<const std::uint64_t> features, std::span<float> scores) const {
        score(features, scores, 0, windows.width());
    }

    const Windows windows;
    Table<float> weights;
};

// Weights as they are used: in steps of 1/127 of the largest, a quarter of the memory to fetch.
class CompactKernel {
  public:
    CompactKernel(int bits, std::size_t width, float size_of_step)
        : windows(bits, width), weights(windows.cells() + block, 0), step(size_of_step) {}

    void score(std::span<const std::uint64_t> features, std::span<float> scores, std::size_t first,
               std::size_t last) const;
    void score(std::span<const std::uint64_t> features, std::span<float> scores) const {
        score(features, scores, 0, windows.width());
    }

    // The same in parts, which add up to the same scores whatever the parts are: features become the cells
    // where their windows begin, and these are on their way from memory; the sums of at most `most_summed`
    // windows, in steps; the scores of several such sums.
    using Sum = std::int16_t;
    static constexpr std::size_t most_summed = 256;  // 258 fit into 16 bits
    void fetch(std::span<std::uint64_t> features, std::size_t first, std::size_t last) const;
    void sum(std::span<const std::uint64_t> cells, std::span<Sum> sums, std::size_t first,
             std::size_t last) const;
    void score(std::span<const Sum* const> parts, std::span<float> scores, std::size_t first,
               std::size_t last) const;

    const Windows windows;
    Table<std::int8_t> weights;
    float step;
};

// Learning: the weights, and what their mean over all examples differs by.
class Averaged {
  public:
    explicit Averaged(Kernel& kernel) : kernel_(kernel), drift_(kernel.windows.cells(), 0.0f) {}

    const Windows& windows() const { return kernel_.windows; }
    void add(std::size_t cell, float amount) {
        kernel_.weights[cell] += amount;
        drift_[cell] += amount * static_cast<float>(examples_);
    }
    void add(std::span<const std::uint64_t> features, std::size_t transition, float amount) {
        for (const std::uint64_t feature : features) add(windows().cell(feature) + transition, amount);
    }

    // The mean of the weights after every example (Daumé 2006, Figure 2.3): one pass over the table, when
    // asked.
    std::vector<float> mean() const {
        std::vector<float> mean(drift_.size());
        for (std::size_t i = 0; i < drift_.size(); ++i) {
            mean[i] = kernel_.weights[i] - drift_[i] / static_cast<float>(examples_);
        }
        return mean;
    }

    // What is needed to go on learning later.
    std::span<const float> weights() const {
        return std::span<const float>(kernel_.weights).first(drift_.size());
    }
    std::span<const float> drift() const { return drift_; }
    std::int64_t examples() const { return examples_; }
    void restore(std::span<const float> weights, std::span<const float> drift, std::int64_t examples) {
        if (weights.size() != drift_.size() || drift.size() != drift_.size() || examples < 1) {
            throw std::invalid_argument("the table has another size");
        }
        std::ranges::copy(weights, kernel_.weights.begin());
        std::ranges::copy(drift, drift_.begin());
        examples_ = examples;
    }
    void next_example() { ++examples_; }

  private:
    Kernel& kernel_;
    Table<float> drift_;
    std::int64_t examples_ = 1;
};

}  // namespace plait
