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
// With `share`, what states have in common is scored once: sums of weights are remembered, of whole states
// and region by region. That is for weights whose sums are exact in any order, so that scores do not depend
// on what was remembered.
template <typename Weights>
class FeatureScorer {
    static constexpr bool exact = requires { typename Weights::Sum; };
    static constexpr std::size_t lag = 4;            // states whose windows are on their way
    static constexpr std::size_t most_known = 4096;  // older ones are hardly asked for again

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
        if (exact && share) {
            sums_.emplace(weights.windows.width());
            known_.emplace(weights.windows.width(), most_known);
        }
        if (!sights.completion.empty()) parts_.emplace(*sights.parts, weights, repertoire.label_count());
    }

    void read(const Words& words) {
        words_ = words;
        if (parts_) parts_->read(words);
        if (sums_) {
            sums_->forget();
            known_->forget();
            prepare({});
        }
    }
    const Words& words() const { return words_; }

    // Valid until the next call.
    std::span<const float> score(const State& state, const Context& context = {}) {
        if constexpr (exact) {
            if (sums_) {
                const std::span<const float> scores = score_shared(state, context);
                if (!parts_) return scores;
                std::ranges::copy(scores, scores_.begin());  // where completion adds to them
                return scores_;
            }
        }
        const auto [first, last] = numbers(context);
        extract(state, context);
        weights_.score(features(), scores_, first, last);
        return scores_;
    }
    // That the scores of these states will be asked for next, in this order.
    void prepare(std::span<const State* const> states) {
        prepared_ = next_ = 0;
        expected_ = states;
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
        return tag_scores_[0] + words_.prior(state.buffer(0), rank);
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
    using Sum = std::int16_t;

    // A state that is being scored: what is to be summed up first, and then added.
    struct Work {
        const State* state = nullptr;
        std::span<float> scores;
        bool known = false;
        std::vector<const Sum*> rows;                                              // of its regions
        std::vector<std::uint64_t> cells;                                          // of windows
        std::vector<std::pair<std::span<Sum>, std::span<std::uint64_t>>> missing;  // rows, and cells for them
    };

    std::pair<std::size_t, std::size_t> numbers(const Context& context) const {
        if (context.head == none) return {0, repertoire_.size()};
        return repertoire_.numbers(context.side);
    }

    // States of a beam that differ only in what nobody looks at any more have all scores in common, others
    // the sums of some regions. An arc from deeper down a spine has rows of its own: of its labels only. All
    // windows and rows are on their way when this ends.
    void begin(const State& state, const Context& context, Work& work) {
        const std::uint64_t side = context.head == none ? 0 : 1 + static_cast<std::uint64_t>(context.side);
        const auto [first, last] = numbers(context);
        program_.look(state, context, words_, look_);
        program_.mark(state, words_, look_, marks_);
        const auto [scores, unknown] = known_->find(join(program_.key(look_, marks_), side));
        work.state = &state;
        work.scores = scores;
        work.known = !unknown;
        if (work.known) return;
        const std::size_t regions = program_.regions().size();
        keys_.resize(regions);
        for (std::size_t region = 0; region < regions; ++region) {
            keys_[region] = program_.key(region, look_, marks_) ^ side;
            sums_->fetch(keys_[region]);
        }
        work.rows.clear();
        work.missing.clear();
        work.cells.resize(program_.size());
        std::span<std::uint64_t> rest = work.cells;
        for (std::size_t region = 0; region < regions; ++region) {
            const auto [row, is_new] = sums_->find(keys_[region]);
            work.rows.push_back(row.data());
            if (!is_new) {
                for (std::size_t t = first; t < last; t += block) __builtin_prefetch(row.data() + t);
                continue;
            }
            const auto features = rest.first(program_.extract(region, look_, marks_, rest));
            weights_.fetch(features, first, last);
            work.missing.emplace_back(row, features);
            rest = rest.subspan(features.size());
        }
    }
    void finish(const Context& context, Work& work) {
        if (work.known) return;
        const auto [first, last] = numbers(context);
        for (const auto& [row, cells] : work.missing) weights_.sum(cells, row, first, last);
        weights_.score(work.rows, work.scores, first, last);
    }
    // Rows stay where they are until there must be room for others.
    void make_room(std::size_t states) {
        known_->make_room(states);
        sums_->make_room(states * program_.regions().size());
        prepared_ = next_ = 0;
    }
    // While the windows of one state are on their way from memory, the features of others are found.
    void score_expected() {
        const auto states = expected_.first(std::min(expected_.size(), works_.size()));
        expected_ = expected_.subspan(states.size());
        make_room(states.size());
        for (std::size_t i = 0; i < states.size() + lag; ++i) {
            if (i < states.size()) begin(*states[i], {}, works_[i]);
            if (i >= lag && i - lag < states.size()) finish({}, works_[i - lag]);
        }
        prepared_ = states.size();
    }
    std::span<const float> score_shared(const State& state, const Context& context) {
        if (context == Context{}) {
            if (next_ == prepared_ && !expected_.empty() && expected_.front() == &state) score_expected();
            if (next_ < prepared_ && works_[next_].state == &state) return works_[next_++].scores;
        }
        make_room(1);
        begin(state, context, works_[0]);
        finish(context, works_[0]);
        return works_[0].scores;
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
    std::optional<SumMemory<Sum>> sums_;     // by region, if they are shared
    std::optional<SumMemory<float>> known_;  // and of all regions together
    Look look_;
    Marks marks_;
    std::vector<std::uint64_t> keys_;
    std::array<Work, 32> works_;                // of states that are asked for next
    std::size_t prepared_ = 0, next_ = 0;       // how many are done, and which one comes
    std::span<const State* const> expected_;    // and which states come after them
    std::optional<PartMemory<Weights>> parts_;  // of the completion model
    PartFinder finder_;
};

static_assert(LinearScorer<FeatureScorer<Kernel>> && LinearScorer<FeatureScorer<CompactKernel>>);

}  // namespace plait
