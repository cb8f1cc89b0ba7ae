// What search asks of a model: a score for every transition in a state. The hash kernel is one; search and
// learning see only this.
#pragma once

#include <concepts>

#include "core/features.hpp"
#include "core/kernel.hpp"

namespace plait {

template <typename T>
concept TransitionScorer = requires(T scorer, const State& state) {
    { scorer.score(state) } -> std::convertible_to<std::span<const float>>;
};

// The features of the states of one sentence at a time, and their weights. Scratch memory is its own, so
// every thread has one.
template <typename Weights>
class FeatureScorer {
  public:
    FeatureScorer(const FeatureProgram& program, const Weights& weights)
        : program_(program),
          weights_(weights),
          features_(program.size()),
          scores_(weights.windows.width() + block) {}

    void read(const Words& words) { words_ = words; }

    // Valid until the next call.
    std::span<const float> score(const State& state) {
        extract(state);
        weights_.score(features(), scores_);
        return scores_;
    }
    std::span<const std::uint64_t> extract(const State& state) {
        count_ = program_.extract(state, words_, features_);
        return features();
    }
    // Of the state scored or extracted last.
    std::span<const std::uint64_t> features() const { return std::span(features_).first(count_); }

  private:
    const FeatureProgram& program_;
    const Weights& weights_;
    Words words_;
    std::vector<std::uint64_t> features_;
    std::vector<float> scores_;
    std::size_t count_ = 0;
};

static_assert(TransitionScorer<FeatureScorer<Kernel>> && TransitionScorer<FeatureScorer<CompactKernel>>);

}  // namespace plait
