// Learning to tag word by word, with the learner's own tags in view.
#pragma once

#include "core/hash.hpp"
#include "core/learn/order.hpp"
#include "core/sentences.hpp"
#include "core/tagger/search.hpp"

namespace plait {

struct TagLearning {
    float longest_step = 0.02f;
    float dropout = 0;  // the share of features a word is learned without
};

struct TagReport {
    std::int64_t words = 0, wrong = 0;
};

// Passive-aggressive (Crammer et al. 2006), averaged; every tag of the inventory is a candidate, so that the
// weights know what is wrong even where search would not ask.
class TagLearner {
  public:
    TagLearner(const TaggerModel& model, int bits, const TagLearning& options)
        : model_(model),
          options_(options),
          kernel_(bits, inventory_.width),
          averaged_(kernel_),
          features_(program_.size()),
          scores_(inventory_.width + block),
          change_(inventory_.width) {}
    TagLearner(const TagLearner&) = delete;
    TagLearner& operator=(const TagLearner&) = delete;

    const TaggerModel& model() const { return model_; }

    // One pass over the sentences named in `order`; `gold` are the tags of all words. Words whose gold tag is
    // `no_tag` are tagged but not learned from.
    const TagReport& learn(const Sentences& sentences, std::span<const Tag> gold,
                           std::span<const std::int64_t> order, std::uint64_t seed) {
        report_ = {};
        each_in_order(order, sentences.size(), [&](std::size_t i) {
            learn(sentences.words(i), gold.subspan(sentences.begin(i), sentences.length(i)), seed + i);
        });
        return report_;
    }

    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }

  private:
    void learn(const Words& words, std::span<const Tag> gold, std::uint64_t seed) {
        chance_ = mix(seed);
        tags_.assign(gold.size(), 0);
        for (std::size_t place = 0; place < gold.size(); ++place) {
            program_.extract(words, tags_, inventory_, place, features_);
            learn(gold[place], tags_[place]);
        }
        averaged_.next_example();
    }

    void learn(Tag gold, Tag& given) {
        const auto features = drop();
        kernel_.score(features, scores_);
        ScoredTag best{no_tag, 0}, rival{no_tag, 0};
        const auto size = static_cast<Tag>(inventory_.size());
        for (Tag tag = 0; tag < size; ++tag) {
            const float score = inventory_.score(tag, scores_);
            if (best.tag == no_tag || score > best.score) best = {tag, score};
            if (tag != gold && (rival.tag == no_tag || score > rival.score)) rival = {tag, score};
        }
        given = best.tag;
        if (gold == no_tag) return;
        ++report_.words;
        report_.wrong += best.tag != gold;
        if (rival.tag == no_tag) return;
        const float lead = inventory_.score(gold, scores_) - rival.score;
        if (lead < 1) update(features, gold, rival.tag, 1 - lead);
    }

    std::span<const std::uint64_t> drop() {
        if (options_.dropout == 0) return features_;
        std::size_t kept = 0;
        for (const std::uint64_t feature : features_) {
            chance_ = mix(chance_);
            constexpr int unused = 40;  // bits; the others fit a float
            const float draw = static_cast<float>(chance_ >> unused) / static_cast<float>(1 << (64 - unused));
            if (draw >= options_.dropout) features_[kept++] = feature;
        }
        return std::span(features_).first(kept);
    }

    // Parts that both tags have stay as they are.
    void update(std::span<const std::uint64_t> features, Tag gold, Tag rival, float loss) {
        for (const std::int32_t part : inventory_.parts[static_cast<std::size_t>(gold)]) count(part, 1);
        for (const std::int32_t part : inventory_.parts[static_cast<std::size_t>(rival)]) count(part, -1);
        std::erase_if(changed_, [&](std::size_t part) { return change_[part] == 0; });
        const auto cells = static_cast<float>(changed_.size() * features.size());
        const float step = std::min(options_.longest_step, loss / std::max(1.0f, cells));
        for (const std::uint64_t feature : features) {
            const std::size_t cell = kernel_.windows.cell(feature);
            for (const std::size_t part : changed_) averaged_.add(cell + part, step * change_[part]);
        }
        for (const std::size_t part : changed_) change_[part] = 0;
        changed_.clear();
    }

    void count(std::int32_t part, float amount) {
        const auto cell = static_cast<std::size_t>(part);
        if (change_[cell] == 0) changed_.push_back(cell);
        change_[cell] += amount;
    }

    const TaggerModel model_;
    const TagProgram& program_ = model_.program;
    const TagInventory& inventory_ = model_.inventory;
    TagLearning options_;
    Kernel kernel_;
    Averaged averaged_;
    std::vector<std::uint64_t> features_;
    std::vector<float> scores_, change_;
    std::vector<std::size_t> changed_;
    std::vector<Tag> tags_;
    std::uint64_t chance_ = 0;
    TagReport report_;
};

}  // namespace plait
