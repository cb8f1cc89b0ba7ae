// A batch of sentences through a parser, over threads. Sentences do not depend on each other, so the result
// is the same on any number of threads.
#pragma once

#include <atomic>

#include "core/model.hpp"
#include "core/parses.hpp"
#include "core/search.hpp"
#include "core/sentences.hpp"
#include "core/threads.hpp"

namespace plait {

struct ParsingOptions {
    Widths beam;
    std::size_t best = 1;  // how many trees per sentence
    int threads = 1;
};

template <typename Weights>
class BatchParser {
  public:
    BatchParser(const ParserModel& model, const Weights& weights, const ParsingOptions& options)
        : model_(model), weights_(weights), options_(options) {}

    // `given_heads` and `given_labels`: of all words, or empty.
    Parses parse(const Sentences& sentences, std::span<const Index> given_heads,
                 std::span<const Label> given_labels) const {
        Parses parses(sentences.offsets, options_.best);
        std::atomic<std::size_t> next{0};
        on_threads(options_.threads, [&] {
            with_setting(model_, [&](const auto& setting) {
                run(setting, sentences, given_heads, given_labels, next, parses);
            });
        });
        return parses;
    }

  private:
    template <typename System>
    void run(const Setting<System>& setting, const Sentences& sentences, std::span<const Index> given_heads,
             std::span<const Label> given_labels, std::atomic<std::size_t>& next, Parses& parses) const {
        const std::size_t width = std::max(options_.beam.trees, options_.best);
        const bool share = width > 1;
        FeatureScorer<Weights> scorer(model_.sights, weights_, model_.repertoire, share);
        State state;
        Beam beam(Widths{width, options_.beam.tags, options_.beam.feats});
        for (std::size_t i = next++; i < sentences.size(); i = next++) {
            const std::size_t begin = sentences.begin(i), length = sentences.length(i);
            if (length == 0) continue;
            Given given;
            if (!given_heads.empty()) {
                given = Given(given_heads.subspan(begin, length), given_labels.subspan(begin, length));
            }
            scorer.read(sentences.words(i));
            if (width == 1) {
                const std::span<float> margins(parses.margins.data() + begin, length);
                setting.system.start(state, static_cast<Index>(length));
                const double score = parse_greedily(setting, scorer, given, state, margins);
                parses.store(state, score, i, begin);
            } else {
                parse_with_beam(setting, scorer, given, static_cast<Index>(length), beam);
                parses.rank(beam.hypotheses(), i, begin);
            }
        }
    }

    const ParserModel& model_;
    const Weights& weights_;
    const ParsingOptions& options_;
};

}  // namespace plait
