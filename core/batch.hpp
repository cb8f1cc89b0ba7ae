// A batch of sentences through a parser, over threads. Sentences do not depend on each other, so the result
// is the same on any number of threads.
#pragma once

#include <atomic>

#include "core/derive.hpp"
#include "core/search.hpp"
#include "core/threads.hpp"

namespace plait {

struct ParsingOptions {
    SystemId system = SystemId::swap;
    bool single_root = false;
    std::size_t beam = 1;
    std::size_t spare = 0;  // of the beam: hypotheses that differ from others in tags only
    std::size_t best = 1;   // how many trees per sentence
    int threads = 1;
};

// The words of many sentences, one after the other, and where each begins.
struct Sentences {
    std::span<const std::uint32_t> values;
    std::size_t columns;
    std::span<const std::int64_t> offsets;
    std::span<const std::int64_t> starts{};    // of the rows of words, and the end; empty: one row per word
    std::span<const std::uint16_t> classes{};  // of rows; empty: there are none

    std::size_t size() const { return offsets.size() - 1; }
    std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(offsets[i]); }
    std::size_t length(std::size_t i) const { return static_cast<std::size_t>(offsets[i + 1] - offsets[i]); }
    Words words(std::size_t i) const {
        if (!starts.empty()) return {values, columns, starts.subspan(begin(i), length(i) + 1), classes};
        return {values.subspan(begin(i) * columns, length(i) * columns),
                columns,
                {},
                classes.empty() ? classes : classes.subspan(begin(i), length(i))};
    }
};

// Trees of all sentences, the best ones first, then the second best ...; score is `missing` where there is
// none.
struct Parses {
    static constexpr double missing = -std::numeric_limits<double>::infinity();

    std::vector<Index> heads;
    std::vector<Label> labels;
    std::vector<Index> tags;     // ranks; `none` where they are not chosen
    std::vector<float> margins;  // of the best trees
    std::vector<double> scores;

    Parses(const Sentences& sentences, std::size_t best)
        : heads(static_cast<std::size_t>(sentences.offsets.back()) * best, none),
          labels(heads.size(), none),
          tags(heads.size(), none),
          margins(heads.size() / best, 0.0f),
          scores(sentences.size() * best, missing) {}
};

template <typename Weights>
class BatchParser {
  public:
    BatchParser(const Sights& sights, const Weights& weights, const Repertoire& repertoire,
                const ParsingOptions& options)
        : sights_(sights), weights_(weights), repertoire_(repertoire), options_(options) {}

    // `given_heads` and `given_labels`: of all words, or empty.
    Parses parse(const Sentences& sentences, std::span<const Index> given_heads,
                 std::span<const Label> given_labels) const {
        Parses parses(sentences, options_.best);
        std::atomic<std::size_t> next{0};
        on_threads(options_.threads, [&] {
            with_system(options_.system, [&](auto system) {
                run(Setting<decltype(system)>{system, repertoire_, options_.single_root}, sentences,
                    given_heads, given_labels, next, parses);
            });
        });
        return parses;
    }

  private:
    template <typename System>
    void run(const Setting<System>& setting, const Sentences& sentences, std::span<const Index> given_heads,
             std::span<const Label> given_labels, std::atomic<std::size_t>& next, Parses& parses) const {
        FeatureScorer<Weights> scorer(sights_, weights_, repertoire_);
        State state;
        Beam beam(std::max(options_.beam, options_.best), options_.spare);
        for (std::size_t i = next++; i < sentences.size(); i = next++) {
            const std::size_t begin = sentences.begin(i), length = sentences.length(i);
            if (length == 0) continue;
            Given given;
            if (!given_heads.empty()) {
                given = Given(given_heads.subspan(begin, length), given_labels.subspan(begin, length));
            }
            scorer.read(sentences.words(i));
            const std::span<float> margins(parses.margins.data() + begin, length);
            if (options_.beam == 1 && options_.best == 1) {
                setting.system.start(state, static_cast<Index>(length));
                parses.scores[i] = parse_greedily(setting, scorer, given, state, margins);
                store(state, begin, parses);
            } else {
                parse_with_beam(setting, scorer, given, static_cast<Index>(length), beam);
                rank(beam.hypotheses(), i, sentences, margins, parses);
            }
        }
    }

    static void store(const State& state, std::size_t begin, Parses& parses) {
        for (Index word = 1; word <= state.words(); ++word) {
            parses.heads[begin + static_cast<std::size_t>(word - 1)] = state.head(word);
            parses.labels[begin + static_cast<std::size_t>(word - 1)] = state.label(word);
            parses.tags[begin + static_cast<std::size_t>(word - 1)] = state.tag(word);
        }
    }

    // The trees that differ, best first; several derivations may build the same one. The margin of an arc is
    // the lead over the first hypothesis without it, or over the last one if all have it.
    void rank(std::span<const Hypothesis> hypotheses, std::size_t sentence, const Sentences& sentences,
              std::span<float> margins, Parses& parses) const {
        std::size_t found = 0;
        std::vector<const State*> trees;
        for (const Hypothesis& hypothesis : hypotheses) {
            if (found == options_.best) break;
            if (std::ranges::any_of(trees, [&](const State* tree) { return same(*tree, hypothesis.state); }))
                continue;
            trees.push_back(&hypothesis.state);
            const std::size_t words = parses.margins.size();
            store(hypothesis.state, found * words + sentences.begin(sentence), parses);
            parses.scores[found * sentences.size() + sentence] = hypothesis.score;
            ++found;
        }
        const Hypothesis& best = hypotheses.front();
        for (Index word = 1; word <= best.state.words(); ++word) {
            const auto rival = std::ranges::find_if(hypotheses, [&](const Hypothesis& other) {
                return other.state.head(word) != best.state.head(word);
            });
            const double score = rival == hypotheses.end() ? hypotheses.back().score : rival->score;
            margins[static_cast<std::size_t>(word - 1)] = static_cast<float>(best.score - score);
        }
    }

    static bool same(const State& one, const State& other) {
        for (Index word = 1; word <= one.words(); ++word) {
            if (one.head(word) != other.head(word) || one.label(word) != other.label(word)) return false;
        }
        return true;
    }

    const Sights& sights_;
    const Weights& weights_;
    const Repertoire& repertoire_;
    const ParsingOptions& options_;
};

}  // namespace plait
