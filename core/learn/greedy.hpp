// Learning state by state, from the correct transition that scores best.
#pragma once

#include <array>
#include <random>

#include "core/kernel.hpp"
#include "core/learn/options.hpp"
#include "core/learn/tutor.hpp"
#include "core/search.hpp"

namespace plait {

// Björkelund and Nivre (2015), section 5, where the oracle may call several transitions correct; with
// exploration as in Goldberg and Nivre (2013), section 5, and passive-aggressive steps (Crammer et al. 2006).
// In the spine system with the perceptron and without exploration: Sartorio, Satta and Nivre (2013),
// Algorithm 2.
template <typename System>
class GreedyLearner {
  public:
    GreedyLearner(const Setting<System>& setting, Deriver& deriver, const LearningOptions& options)
        : setting_(setting), tutor_(deriver), options_(options) {}

    template <LinearScorer Scorer>
    void learn(Scorer& scorer, Averaged& weights, const Gold& gold, std::uint64_t seed,
               LearningReport& report) {
        std::minstd_rand chance(static_cast<std::uint32_t>(seed % 2147483646u + 1));
        tutor_.plan(gold, script_);
        setting_.system.start(state_, gold.words());
        bool on_path = true;
        while (!setting_.system.terminal(state_)) {
            const TransitionSet correct = tutor_.correct(setting_.system, state_, gold, script_, on_path);
            Choice good, bad;
            setting_.each_scored(state_, scorer, [&](Transition transition, std::size_t number, float score) {
                const bool right = is_correct(setting_.system, state_, gold, correct, transition);
                (right ? good : bad).consider(transition, number, score);
            });
            ++report.states;
            report.swaps += good.transition.kind == Kind::swap;
            if (good.made() && bad.made()) report.updates += update(scorer, weights, good, bad);
            const bool wrong = !good.made() || (bad.made() && bad.score >= good.score);
            const bool follow_wrong =
                !good.made() || (wrong && options_.explore > 0 && draw(chance) < options_.explore);
            const Transition next = follow_wrong ? bad.transition : good.transition;
            on_path = on_path && correct.has(next);
            setting_.system.apply(state_, next);
        }
    }

  private:
    template <typename Scorer>
    bool update(Scorer& scorer, Averaged& weights, const Choice& good, const Choice& bad) {
        const float lead = good.score - bad.score;
        if (lead >= 1 || (!options_.passive_aggressive && lead > 0)) return false;
        const Context seen = context_of(setting_.system, state_, good.transition);
        const Context other = context_of(setting_.system, state_, bad.transition);
        std::span<const std::uint64_t> raised = scorer.features(state_, seen), lowered = raised;
        if (seen != other) {
            raised_.assign(raised.begin(), raised.end());
            raised = raised_;
            lowered = scorer.features(state_, other);
        }
        float step = 1;
        if (options_.passive_aggressive) {
            const float norm = static_cast<float>(squared_difference(raised, good, lowered, bad));
            step = std::min(options_.longest_step, (1 - lead) / norm);
        }
        weights.add(raised, good.number, step);
        weights.add(lowered, bad.number, -step);
        return true;
    }

    // Of the two lists of features; what both have at the same number cancels out.
    std::size_t squared_difference(std::span<const std::uint64_t> raised, const Choice& good,
                                   std::span<const std::uint64_t> lowered, const Choice& bad) {
        std::size_t norm = raised.size() + lowered.size();
        if (good.number != bad.number) return norm;
        shared_.assign(lowered.begin(), lowered.end());
        std::ranges::sort(shared_);
        for (const std::uint64_t feature : raised) norm -= 2 * std::ranges::binary_search(shared_, feature);
        return norm;
    }

    static double draw(std::minstd_rand& chance) {
        return static_cast<double>(chance() - 1) / static_cast<double>(std::minstd_rand::max());
    }

    const Setting<System>& setting_;
    Tutor tutor_;
    const LearningOptions& options_;
    State state_;
    std::vector<Kind> script_;
    std::vector<std::uint64_t> raised_, shared_;
};

}  // namespace plait
