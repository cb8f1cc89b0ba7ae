// Weights that learn to parse, pass by pass.
#pragma once

#include "core/learn/learner.hpp"
#include "core/learn/order.hpp"
#include "core/sentences.hpp"

namespace plait {

// Sentences with their trees; `tags` are the ranks of the right candidates, where tags are chosen.
struct GoldTrees {
    Sentences sentences;
    Forest forest;
    std::span<const Label> labels;
    std::span<const Index> tags{};
};

class Trainer {
  public:
    Trainer(const ParserModel& model, int bits, const LearningOptions& options)
        : model_(model),
          kernel_(bits, model.repertoire.size()),
          averaged_(kernel_),
          learner_(make_learner(model_, kernel_, averaged_, options)) {}
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    const ParserModel& model() const { return model_; }

    // One pass over the sentences named in `order`; those that cannot be derived are left out.
    const LearningReport& learn(const GoldTrees& trees, std::span<const std::int64_t> order, double explore,
                                std::uint64_t seed) {
        LearningReport& report = learner_->report;
        report = {};
        learner_->options.explore = explore;
        each_in_order(order, trees.sentences.size(), [&](std::size_t i) {
            if (trees.sentences.length(i) == 0) return;
            require_tree(trees.forest.tree(i), i);
            const auto part = [&](auto all) {
                return all.empty() ? all : all.subspan(trees.sentences.begin(i), trees.sentences.length(i));
            };
            const Gold gold(trees.forest.tree(i), part(trees.labels), part(trees.tags));
            if (learner_->derivable(gold)) {
                learner_->learn(trees.sentences.words(i), gold, seed + i);
            } else {
                ++report.left_out;
            }
        });
        return report;
    }

    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }

  private:
    const ParserModel model_;
    Kernel kernel_;
    Averaged averaged_;
    std::unique_ptr<Learner> learner_;
};

}  // namespace plait
