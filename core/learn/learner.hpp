// One learner for all systems and searches: what a training pass calls for every sentence.
#pragma once

#include <memory>

#include "core/learn/greedy.hpp"
#include "core/learn/structured.hpp"

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
    SystemLearner(SystemId id, const Repertoire& repertoire, bool single_root, const Sights& sights,
                  const Kernel& kernel, Averaged& weights, const LearningOptions& given)
        : Learner(given),
          setting_{System{}, repertoire, single_root},
          deriver_(id, given.oracle, single_root, given.budget),
          scorer_(sights, kernel, repertoire),
          weights_(weights),
          greedy_(setting_, deriver_, options),
          structured_(setting_, deriver_, options) {}

    void learn(const Words& words, const Gold& gold, std::uint64_t seed) override {
        scorer_.read(words);
        if (options.beam > 1) {
            structured_.learn(scorer_, weights_, gold, report);
        } else {
            greedy_.learn(scorer_, weights_, gold, seed, report);
        }
        ++weights_.examples;
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

inline std::unique_ptr<Learner> make_learner(SystemId id, const Repertoire& repertoire, bool single_root,
                                             const Sights& sights, const Kernel& kernel, Averaged& weights,
                                             const LearningOptions& options) {
    return with_system(id, [&](auto system) -> std::unique_ptr<Learner> {
        return std::make_unique<SystemLearner<decltype(system)>>(id, repertoire, single_root, sights, kernel,
                                                                 weights, options);
    });
}

}  // namespace plait
