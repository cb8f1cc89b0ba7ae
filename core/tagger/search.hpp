// Tagging a sentence from left to right: every word gets its best tag, given the tags before it.
#pragma once

#include <algorithm>

#include "core/cancel.hpp"
#include "core/tagger/model.hpp"

namespace plait {

struct SentenceToTag {
    Words words;
    std::span<const std::int32_t> sets;  // of candidates, one per word

    std::size_t size() const { return sets.size(); }
};

struct ScoredTag {
    Tag tag;
    float score;
};

// Scratch memory is its own, so every thread has one.
template <typename Weights>
class TagSearch {
  public:
    TagSearch(const TaggerModel& model, const Weights& weights)
        : program_(model.program),
          inventory_(model.inventory),
          weights_(weights),
          features_(program_.size()),
          scores_(weights.windows.width() + block) {}

    // Calls found(place, scored tags) for every word, with at most `most` tags, the best first.
    template <typename Found>
    void run(const SentenceToTag& sentence, std::size_t most, Found found) {
        tags_.assign(sentence.size(), 0);
        for (std::size_t place = 0; place < sentence.size(); ++place) {
            check_cancelled();
            const auto candidates = inventory_.sets[static_cast<std::size_t>(sentence.sets[place])];
            if (candidates.size() == 1) {  // half of the words of a text: nothing to decide
                ranked_.assign(1, {candidates.front(), 0.0f});
            } else {
                rank(sentence, place, candidates, most);
            }
            tags_[place] = ranked_.front().tag;
            found(place, std::span<const ScoredTag>(ranked_));
        }
    }

  private:
    void rank(const SentenceToTag& sentence, std::size_t place, std::span<const Tag> candidates,
              std::size_t most) {
        program_.extract(sentence.words, tags_, inventory_, place, features_);
        weights_.score(features_, scores_);
        ranked_.clear();
        for (const Tag tag : candidates) ranked_.push_back({tag, inventory_.score(tag, scores_)});
        const std::size_t kept = std::min(most, ranked_.size());
        std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(kept), ranked_.end(),
                          [](const ScoredTag& one, const ScoredTag& other) {
                              return one.score > other.score ||
                                     (one.score == other.score && one.tag < other.tag);
                          });
        ranked_.resize(kept);
    }

    const TagProgram& program_;
    const TagInventory& inventory_;
    const Weights& weights_;
    std::vector<std::uint64_t> features_;
    std::vector<float> scores_;
    std::vector<Tag> tags_;
    std::vector<ScoredTag> ranked_;
};

}  // namespace plait
