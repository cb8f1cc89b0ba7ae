// The hash kernel as a scorer: features of states and parts, and their weights.
#pragma once

#include <array>
#include <optional>

#include "core/completion.hpp"
#include "core/kernel.hpp"
#include "core/scorer.hpp"

namespace plait {

// What a model looks at: states, the tags that SHIFT may give (an empty program where none are chosen), and
// with the completion model parts of the tree.
struct Sights {
    FeatureProgram states, tags;
    std::optional<PartProgram> parts;
    PartSet completion;

    // Of words, whether tags are chosen for them or not.
    std::size_t columns(bool with_tags) const {
        return std::max({states.columns(), with_tags ? tags.columns() : 0, parts ? parts->columns() : 0});
    }
};

// The features of the states of one sentence at a time, and their weights. Scratch memory is its own, so
// every thread has one.
//
// With `share`, what states have in common is scored once: sums of weights are remembered region by region.
// That is for weights whose sums are exact in any order, so that scores do not depend on what was remembered.
template <typename Weights>
class FeatureScorer {
    static constexpr bool exact = requires { typename Weights::Sum; };

  public:
    FeatureScorer(const Sights& sights, const Weights& weights, const Repertoire& repertoire,
                  bool share = false)
        : program_(sights.states),
          tag_program_(sights.tags),
          weights_(weights),
          repertoire_(repertoire),
          features_(program_.size()),
          tag_features_(tag_program_.size()),
          scores_(weights.windows.width() + block),
          finder_(sights.completion) {
        if (exact && share) sums_.emplace(weights.windows.width());
        if (!sights.completion.empty()) parts_.emplace(*sights.parts, weights, repertoire.label_count());
    }

    void read(const Words& words) {
        words_ = words;
        if (parts_) parts_->read(words);
        if (sums_) sums_->forget();
    }
    const Words& words() const { return words_; }

    // Valid until the next call.
    std::span<const float> score(const State& state, const Context& context = {}) {
        const auto [first, last] = context.head == none
                                       ? std::pair<std::size_t, std::size_t>{0, repertoire_.size()}
                                       : repertoire_.numbers(context.side);
        if constexpr (exact) {
            if (sums_) {
                score_regions(state, context, first, last);
                return scores_;
            }
        }
        extract(state, context);
        weights_.score(features(), scores_, first, last);
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

    // The features of a tag for the front of the buffer; their weights are those of SHIFT.
    std::span<const std::uint64_t> tag_features(const State& state, Index rank) {
        const Context context{Kind::shift, none, rank};
        return std::span(tag_features_).first(tag_program_.extract(state, context, words_, tag_features_));
    }
    float tag_score(const State& state, Index rank) {
        weights_.score(tag_features(state, rank), tag_scores_, 0, 1);
        return tag_scores_[0];
    }

    bool completes() const { return parts_.has_value(); }
    void complete(const State& state, Kind kind, Arc arc) {
        const std::span<const Label> labels = repertoire_.labels(kind);
        float* const scores = scores_.data() + repertoire_.numbers(kind).first;
        finder_.each_new(state, arc, [&](const Part& part) {
            const std::span<const float> sums = parts_->score(state, part);
            for (std::size_t i = 0; i < labels.size(); ++i) {
                scores[i] += sums[static_cast<std::size_t>(labels[i])];
            }
        });
        float changes = 0;
        finder_.each_changed(state, arc, [&](const Part& part, Label label, int count) {
            const std::span<const float> sums = parts_->score(state, part);
            changes += static_cast<float>(count) * sums[static_cast<std::size_t>(label)];
        });
        for (std::size_t i = 0; i < labels.size(); ++i) scores[i] += changes;
    }
    // Calls `use(feature, label, count)` for the features of parts that an arc with a label completes.
    template <typename Use>
    void each_completed(const State& state, Arc arc, Label label, Use use) {
        finder_.each_new(state, arc, [&](const Part& part) {
            for (const std::uint64_t feature : parts_->extract(state, part)) use(feature, label, 1);
        });
        finder_.each_changed(state, arc, [&](const Part& part, Label other, int count) {
            for (const std::uint64_t feature : parts_->extract(state, part)) use(feature, other, count);
        });
    }

  private:
    // All windows and rows are on their way before the first is added. An arc from deeper down a spine has
    // rows of its own: of its labels only.
    void score_regions(const State& state, const Context& context, std::size_t first, std::size_t last) {
        const std::size_t regions = program_.regions().size();
        program_.look(state, context, words_, look_);
        sums_->make_room(regions);
        rows_.clear();
        missing_.clear();
        std::size_t used = 0;
        for (std::size_t region = 0; region < regions; ++region) {
            std::uint64_t key = program_.key(region, state, words_, look_);
            if (context.head != none) key = join(key, static_cast<std::uint64_t>(context.side));
            const auto [row, is_new] = sums_->find(key);
            rows_.push_back(row.data());
            if (!is_new) {
                for (std::size_t t = first; t < last; t += block) __builtin_prefetch(row.data() + t);
                continue;
            }
            const std::size_t count =
                program_.extract(region, state, words_, look_, std::span(features_).subspan(used));
            missing_.emplace_back(row, std::span(features_).subspan(used, count));
            weights_.fetch(missing_.back().second, first, last);
            used += count;
        }
        for (const auto& [row, features] : missing_) weights_.sum(features, row, first, last);
        weights_.score(rows_, scores_, first, last);
    }
    std::span<const std::uint64_t> features() const { return std::span(features_).first(count_); }

    const FeatureProgram& program_;
    const FeatureProgram& tag_program_;
    const Weights& weights_;
    const Repertoire& repertoire_;
    Words words_;
    std::vector<std::uint64_t> features_, tag_features_;
    std::vector<float> scores_;
    std::array<float, block> tag_scores_;
    std::size_t count_ = 0;
    Context context_;
    using Sum = std::int16_t;
    std::optional<SumMemory<Sum>> sums_;  // by region, if they are shared
    Look look_;
    std::vector<const Sum*> rows_;
    std::vector<std::pair<std::span<Sum>, std::span<const std::uint64_t>>> missing_;
    std::optional<PartMemory<Weights>> parts_;  // of the completion model
    PartFinder finder_;
};

static_assert(LinearScorer<FeatureScorer<Kernel>> && LinearScorer<FeatureScorer<CompactKernel>>);

}  // namespace plait
