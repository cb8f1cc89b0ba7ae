// What search asks of a model: scores of the transitions that see a state in the same context. In most
// systems there is one context per state, in the spine system one more for every arc from deeper down a
// spine. The hash kernel is one such model; search and learning see only this.
#pragma once

#include <concepts>

#include "core/features.hpp"
#include "core/kernel.hpp"
#include "core/repertoire.hpp"

namespace plait {

template <typename T>
concept TransitionScorer = requires(T scorer, const State& state, Context context) {
    // By number of transition. Of the default context all of them; of an arc from deeper down, its labels.
    { scorer.score(state, context) } -> std::convertible_to<std::span<const float>>;
};

// The features of the states of one sentence at a time, and their weights. Scratch memory is its own, so
// every thread has one.
template <typename Weights>
class FeatureScorer {
  public:
    FeatureScorer(const FeatureProgram& program, const Weights& weights, const Repertoire& repertoire)
        : program_(program),
          weights_(weights),
          repertoire_(repertoire),
          features_(program.size()),
          scores_(weights.windows.width() + block) {}

    void read(const Words& words) { words_ = words; }

    // Valid until the next call.
    std::span<const float> score(const State& state, const Context& context = {}) {
        extract(state, context);
        if (context.head == none) {
            weights_.score(features(), scores_);
        } else {
            const auto [first, last] = repertoire_.numbers(context.side);
            weights_.score(features(), scores_, first, last);
        }
        return scores_;
    }
    std::span<const std::uint64_t> extract(const State& state, const Context& context) {
        count_ = program_.extract(state, context, words_, features_);
        context_ = context;
        return features();
    }
    // In a context of the state that was scored or extracted last.
    std::span<const std::uint64_t> features(const State& state, const Context& context) {
        return context == context_ ? features() : extract(state, context);
    }

  private:
    std::span<const std::uint64_t> features() const { return std::span(features_).first(count_); }

    const FeatureProgram& program_;
    const Weights& weights_;
    const Repertoire& repertoire_;
    Words words_;
    std::vector<std::uint64_t> features_;
    std::vector<float> scores_;
    std::size_t count_ = 0;
    Context context_;
};

static_assert(TransitionScorer<FeatureScorer<Kernel>> && TransitionScorer<FeatureScorer<CompactKernel>>);

}  // namespace plait
