// Weights that learn to parse with a graph, pass by pass: first the ranking of heads, then trees. The model
// must outlive them.
#pragma once

#include "core/graph/learner.hpp"
#include "core/graph/model.hpp"
#include "core/learn/order.hpp"
#include "core/sentences.hpp"

namespace plait {

class RankingTrainer {
  public:
    RankingTrainer(const GraphModel& graph_model, int bits, float longest_step)
        : model(graph_model), kernel_(bits, 1), averaged_(kernel_), longest_step_(longest_step) {}
    RankingTrainer(const RankingTrainer&) = delete;
    RankingTrainer& operator=(const RankingTrainer&) = delete;

    // One pass over the sentences named in `order`; returns the number of updates.
    std::int64_t learn(const Sentences& sentences, const Forest& forest,
                       std::span<const std::int64_t> order) {
        HeadRanker ranker = model.ranker(kernel_);
        std::int64_t updates = 0;
        each_in_order(order, sentences.size(), [&](std::size_t i) {
            const std::span<const Index> heads = forest.tree(i);
            ranker.read(sentences.words(i), static_cast<Index>(heads.size()));
            for (Index word = 1; word <= ranker.words(); ++word) {
                const Index gold = heads[static_cast<std::size_t>(word - 1)];
                updates += static_cast<std::int64_t>(ranker.learn(averaged_, word, gold, longest_step_));
            }
            averaged_.next_example();
        });
        return updates;
    }
    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }

    const GraphModel& model;

  private:
    Kernel kernel_;
    Averaged averaged_;
    float longest_step_;
};

class TreeTrainer {
  public:
    TreeTrainer(const GraphModel& graph_model, const Kernel& ranking, int bits, float longest_step,
                float cost)
        : model(graph_model),
          kernel_(bits, model.labels),
          averaged_(kernel_),
          learner_(model.program, kernel_, averaged_, model.ranker(ranking), model.options, longest_step,
                   cost) {}
    TreeTrainer(const TreeTrainer&) = delete;
    TreeTrainer& operator=(const TreeTrainer&) = delete;

    // From now on, only features of these trees have weights.
    void show(const Sentences& sentences, const Forest& forest, std::span<const Label> labels) {
        for (std::size_t i = 0; i < sentences.size(); ++i) {
            if (sentences.length(i) == 0) continue;
            require_tree(forest.tree(i), i);
            learner_.show(sentences.words(i), forest.tree(i),
                          labels.subspan(sentences.begin(i), sentences.length(i)));
        }
    }

    // One pass over the sentences named in `order`; so many `threads` score the parts of a sentence.
    const GraphReport& learn(const Sentences& sentences, const Forest& forest, std::span<const Label> labels,
                             std::span<const std::int64_t> order, int threads) {
        learner_.report = {};
        learner_.share_among(threads);
        each_in_order(order, sentences.size(), [&](std::size_t i) {
            if (sentences.length(i) == 0) return;
            require_tree(forest.tree(i), i);
            learner_.learn(sentences.words(i), forest.tree(i),
                           labels.subspan(sentences.begin(i), sentences.length(i)));
        });
        return learner_.report;
    }
    const StepTimes& times() const { return learner_.times(); }
    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }

    const GraphModel& model;

  private:
    Kernel kernel_;
    Averaged averaged_;
    GraphLearner learner_;
};

// How many words have their gold head among the candidates.
inline std::int64_t count_kept_heads(const GraphModel& model, const Kernel& ranking,
                                     const Sentences& sentences, const Forest& forest) {
    HeadRanker ranker = model.ranker(ranking);
    std::int64_t kept = 0;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const std::span<const Index> heads = forest.tree(i);
        ranker.read(sentences.words(i), static_cast<Index>(heads.size()));
        for (Index word = 1; word <= ranker.words(); ++word) {
            kept += ranker.keeps(word, heads[static_cast<std::size_t>(word - 1)], model.options.heads);
        }
    }
    return kept;
}

}  // namespace plait
