// What search has found for a batch of sentences.
#pragma once

#include <limits>

#include "core/beam.hpp"
#include "core/cancel.hpp"

namespace plait {

// Trees of all sentences, the best ones first, then the second best ...; score is `missing` where there is
// none.
struct Parses {
    static constexpr double missing = -std::numeric_limits<double>::infinity();

    std::vector<Index> heads;
    std::vector<Label> labels;
    std::vector<Index> tags;     // ranks; `none` where they are not chosen
    std::vector<float> margins;  // of the best trees
    std::vector<double> scores;

    // `offsets`: where the words of each sentence begin, and the end.
    Parses(std::span<const std::int64_t> offsets, std::size_t best)
        : heads(static_cast<std::size_t>(offsets.back()) * best, none),
          labels(heads.size(), none),
          tags(heads.size(), none),
          margins(heads.size() / best, 0.0f),
          scores((offsets.size() - 1) * best, missing),
          best_(best) {}

    // The only tree of a sentence whose words begin at `begin`.
    void store(const State& state, double score, std::size_t sentence, std::size_t begin) {
        store(state, begin);
        scores[sentence] = score;
    }

    // The trees that differ, best first; several derivations may build the same one. The margin of an arc is
    // the lead over the first hypothesis without it, or over the last one if all have it.
    void rank(std::span<const Hypothesis> hypotheses, std::size_t sentence, std::size_t begin) {
        std::size_t found = 0;
        std::vector<const State*> trees;
        for (const Hypothesis& hypothesis : hypotheses) {
            check_cancelled();
            if (found == best_) break;
            if (std::ranges::any_of(trees, [&](const State* tree) { return same(*tree, hypothesis.state); }))
                continue;
            trees.push_back(&hypothesis.state);
            store(hypothesis.state, found * margins.size() + begin);
            scores[found * (scores.size() / best_) + sentence] = hypothesis.score;
            ++found;
        }
        const Hypothesis& best = hypotheses.front();
        for (Index word = 1; word <= best.state.words(); ++word) {
            const auto rival = std::ranges::find_if(hypotheses, [&](const Hypothesis& other) {
                return other.state.head(word) != best.state.head(word);
            });
            const double score = rival == hypotheses.end() ? hypotheses.back().score : rival->score;
            margins[begin + static_cast<std::size_t>(word - 1)] = static_cast<float>(best.score - score);
        }
    }

  private:
    void store(const State& state, std::size_t begin) {
        for (Index word = 1; word <= state.words(); ++word) {
            heads[begin + static_cast<std::size_t>(word - 1)] = state.head(word);
            labels[begin + static_cast<std::size_t>(word - 1)] = state.label(word);
            tags[begin + static_cast<std::size_t>(word - 1)] = state.tag(word);
        }
    }

    static bool same(const State& one, const State& other) {
        for (Index word = 1; word <= one.words(); ++word) {
            if (one.head(word) != other.head(word) || one.label(word) != other.label(word)) return false;
        }
        return true;
    }

    std::size_t best_;
};

}  // namespace plait
