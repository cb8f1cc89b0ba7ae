// One sentence from words to a tree: the candidates, their scores, the chart, the rearrangement.
#pragma once

#include <chrono>

#include "core/cancel.hpp"
#include "core/graph/chart.hpp"
#include "core/graph/eisner.hpp"
#include "core/graph/ranker.hpp"
#include "core/graph/rearrange.hpp"

namespace plait {

struct GraphOptions {
    std::size_t heads = 12;  // candidates per word; 0: all
    Index longest = 200;     // words; longer sentences are parsed with the parts of two words only
    float threshold = 0.4f;  // of the rearrangement
    bool single_root = false;
};

// What a sentence is to be learned as. Wrong arcs are raised by `cost` in search, so that the right tree must
// win by as much as the other is wrong (Taskar et al. 2005); 0: they are not.
struct TreeLesson {
    std::span<const Index> heads;
    std::span<const Label> labels;
    float cost = 0;
};

// The weights of the features of the parts of one sentence at a time.
template <typename Weights>
class PartFeatureScorer {
  public:
    PartFeatureScorer(const PartProgram& program, const Weights& weights)
        : program_(program),
          weights_(weights),
          features_(PartProgram::most_features),
          scores_(weights.windows.width() + block) {}

    void read(const Words& words, Index count) {
        words_ = words;
        count_ = count;
    }
    std::span<const std::uint64_t> extract(const Part& part) {
        const auto value = [&](Index word, std::size_t column) { return words_.value(word, column); };
        return std::span(features_).first(program_.extract(part, count_, value, features_));
    }
    std::span<const float> score(const Part& part) {
        weights_.score(extract(part), scores_);
        return scores_;
    }

  private:
    const PartProgram& program_;
    const Weights& weights_;
    Words words_;
    Index count_ = 0;
    std::vector<std::uint64_t> features_;
    std::vector<float> scores_;
};

// Seconds by the clock that the steps of parsing have taken (Bohnet 2010, Tables 3 and 5).
struct StepTimes {
    double candidates = 0, scores = 0, chart = 0, rearrangement = 0;
};

// Adds the time until it goes out of scope.
class Stopwatch {
  public:
    explicit Stopwatch(double& seconds) : seconds_(seconds) {}
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    const Clock::time_point start_ = Clock::now();
};

// Scratch memory is its own, so every thread has one.
class Decoder {
  public:
    Decoder(HeadRanker ranker, const GraphOptions& options) : ranker_(std::move(ranker)), options_(options) {}

    // With a lesson, its heads are among the candidates. Leaves candidates and scores to look at.
    template <PartScorer Scorer>
    double parse(const Words& words, Index count, Scorer& scorer, const TreeLesson& lesson, ArcTree& tree) {
        ranker_.read(words, count);
        moves_ = 0;
        for (const bool chained : {false, true}) {
            choose(lesson.heads, chained);
            const double score = search(scorer, lesson, tree);
            if (score > Chart::no_tree) return score;
        }
        return Chart::no_tree;
    }

    // How many score the parts of a sentence together.
    int threads = 1;

    // Whether the last sentence had all its parts scored.
    bool second_order() const { return second_order_; }
    std::size_t moves() const { return moves_; }
    const Candidates& arcs() const { return arcs_; }
    const PartScores& scores() const { return scores_; }
    const StepTimes& times() const { return times_; }

  private:
    static constexpr std::size_t most_scores = std::size_t{1} << 26;

    // The best heads of every word. Where they make no projective tree, `chained` adds the root and both
    // neighbours as heads of every word, with any label: then there is at least 0 -> 1 -> 2 -> ...
    void choose(std::span<const Index> kept, bool chained) {
        const Stopwatch watch(times_.candidates);
        const Index count = ranker_.words();
        arcs_.reset(count);
        for (Index word = 1; word <= count; ++word) {
            check_cancelled();
            chosen_.clear();
            for (const RankedHead& one : ranker_.best(word, options_.heads)) chosen_.push_back(one.head);
            if (!kept.empty()) chosen_.push_back(kept[static_cast<std::size_t>(word - 1)]);
            if (chained) {
                chosen_.insert(chosen_.end(), {0, word - 1});
                if (word < count) chosen_.push_back(word + 1);
            }
            std::ranges::sort(chosen_);
            chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
            for (const Index head : chosen_) {
                const auto labels = ranker_.labels(head, word);
                arcs_.add(head, word, labels.empty() ? ranker_.filter().all(head == 0) : labels);
            }
        }
        arcs_.finish();
    }

    template <PartScorer Scorer>
    double search(Scorer& scorer, const TreeLesson& lesson, ArcTree& tree) {
        const std::size_t cells = arcs_.size() * static_cast<std::size_t>(arcs_.words());  // of the chart
        second_order_ = arcs_.words() <= options_.longest && cells <= most_scores &&
                        PartScores::count(arcs_) <= most_scores;
        fill(scorer, lesson);
        const double score = search_projective(tree);
        if (score == Chart::no_tree || !second_order_) return score;
        const Stopwatch watch(times_.rearrangement);
        moves_ = rearrange(arcs_, scores_, options_.threshold, options_.single_root, tree);
        return moves_ == 0 ? score : score_tree(arcs_, scores_, tree);
    }

    template <PartScorer Scorer>
    void fill(Scorer& scorer, const TreeLesson& lesson) {
        const Stopwatch watch(times_.scores);
        if (!second_order_) return first_order_.fill(arcs_, scorer);
        scores_.fill(arcs_, scorer, threads);
        if (lesson.cost > 0) raise_wrong(lesson);
    }
    double search_projective(ArcTree& tree) {
        const Stopwatch watch(times_.chart);
        return second_order_ ? chart_.search(arcs_, scores_, options_.single_root, tree)
                             : first_order_.search(arcs_, options_.single_root, tree);
    }

    void raise_wrong(const TreeLesson& lesson) {
        for (ArcNumber number = 0; number < static_cast<ArcNumber>(arcs_.size()); ++number) {
            const auto word = static_cast<std::size_t>(arcs_[number].dependent - 1);
            const bool right_head = lesson.heads[word] == arcs_[number].head;
            const auto labels = arcs_.labels(number);
            float* const scores = scores_.first(number);
            for (std::size_t l = 0; l < labels.size(); ++l) {
                if (!right_head || labels[l] != lesson.labels[word]) scores[l] += lesson.cost;
            }
        }
    }

    HeadRanker ranker_;
    const GraphOptions& options_;
    Candidates arcs_;
    PartScores scores_;
    Chart chart_;
    FirstOrderChart first_order_;
    std::vector<Index> chosen_;
    std::size_t moves_ = 0;
    bool second_order_ = true;
    StepTimes times_;
};

}  // namespace plait
