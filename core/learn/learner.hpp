// One learner for all systems and searches: what a training pass calls for every sentence.
#pragma once

#include <memory>

#include "core/learn/greedy.hpp"
#include "core/learn/structured.hpp"
#include "core/model.hpp"

namespace plait {

class Learner {
  public:
    explicit Learner(const LearningOptions& given) : options(given) {}
    virtual ~Learner() = default;

    virtual void learn(const Words& words, const Gold& gold, std::uint64_t seed) = 0;
    // Whether a tree can be learned from: with this system, and one root where there must be one.
    virtual bool derivable(const Gold& gold) const = 0;

    LearningOptions options;
    LearningReport report;
};

template <typename System>
class SystemLearner final : public Learner {
  public:
    SystemLearner(const ParserModel& model, const Kernel& kernel, Averaged& weights,
                  const LearningOptions& given)
        : Learner(given),
          setting_{System{}, model.repertoire, model.single_root},
          deriver_(model.system, given.oracle, model.single_root, given.budget),
          scorer_(model.sights, kernel, model.repertoire),
          weights_(weights),
          greedy_(setting_, deriver_, options),
          structured_(setting_, deriver_, options) {}

    void learn(const Words& words, const Gold& gold, std::uint64_t seed) override {
        scorer_.read(words);
        if (options.widths.trees > 1) {
            structured_.learn(scorer_, weights_, gold, report);
        } else {
            greedy_.learn(scorer_, weights_, gold, seed, report);
        }
        weights_.next_example();
    }
    bool derivable(const Gold& gold) const override { return deriver_.derivable(gold); }

  private:
    Setting<System> setting_;
    Deriver deriver_;
    FeatureScorer<Kernel> scorer_;
    Averaged& weights_;
    GreedyLearner<System> greedy_;
    StructuredLearner<System> structured_;
};

inline std::unique_ptr<Learner> make_learner(const ParserModel& model, const Kernel& kernel,
                                             Averaged& weights, const LearningOptions& options) {
    return with_system(model.system, [&](auto system) -> std::unique_ptr<Learner> {
        return std::make_unique<SystemLearner<decltype(system)>>(model, kernel, weights, options);
    });
}

}  // namespace plait
