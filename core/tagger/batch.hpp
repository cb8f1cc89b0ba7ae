// A batch of sentences through a tagger, over threads. Sentences do not depend on each other, so the result
// is the same on any number of threads.
#pragma once

#include <atomic>

#include "core/sentences.hpp"
#include "core/tagger/search.hpp"
#include "core/threads.hpp"

namespace plait {

// The best tags of every word and their scores; `no_tag` where a word has fewer.
struct Tagging {
    std::vector<Tag> tags;
    std::vector<float> scores;
};

// `sets`: of candidates, one per word.
template <typename Weights>
Tagging tag_sentences(const TaggerModel& model, const Weights& weights, const Sentences& sentences,
                      std::span<const std::int32_t> sets, std::size_t best, int threads) {
    Tagging tagging{std::vector<Tag>(sets.size() * best, no_tag), std::vector<float>(sets.size() * best)};
    std::atomic<std::size_t> next{0};
    on_threads(threads, [&] {
        TagSearch<Weights> search(model, weights);
        for (std::size_t i = next++; i < sentences.size(); i = next++) {
            const std::size_t begin = sentences.begin(i);
            const SentenceToTag sentence{sentences.words(i), sets.subspan(begin, sentences.length(i))};
            search.run(sentence, best, [&](std::size_t place, std::span<const ScoredTag> found) {
                for (std::size_t j = 0; j < found.size(); ++j) {
                    tagging.tags[(begin + place) * best + j] = found[j].tag;
                    tagging.scores[(begin + place) * best + j] = found[j].score;
                }
            });
        }
    });
    return tagging;
}

}  // namespace plait
