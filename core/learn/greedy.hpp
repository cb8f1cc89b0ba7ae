// Learning state by state, from the correct transition that scores best.
#pragma once

#include <array>
#include <random>

#include "core/learn/options.hpp"
#include "core/oracles/costs.hpp"
#include "core/search.hpp"

namespace plait {

// Björkelund and Nivre (2015), section 6.2, where the oracle may call several transitions correct; with
// exploration as in Goldberg and Nivre (2013), section 5, and passive-aggressive steps (Crammer et al. 2006).
template <typename System>
class GreedyLearner {
  public:
    GreedyLearner(const Setting<System>& setting, Deriver& deriver, const LearningOptions& options)
        : setting_(setting), deriver_(deriver), options_(options) {}

    template <typename Scorer>
    void learn(Scorer& scorer, Averaged& weights, const Gold& gold, std::uint64_t seed,
               LearningReport& report) {
        std::minstd_rand chance(static_cast<std::uint32_t>(seed % 2147483646u + 1));
        script_.clear();
        if (options_.oracle == OracleId::minimal) {
            deriver_.derive(gold, [&](Kind kind) { script_.push_back(kind); });
        }
        state_.reset(gold.words(), setting_.system.root);
        bool on_path = true;
        while (!setting_.system.terminal(state_)) {
            const auto scores = scorer.score(state_);
            const KindSet correct = correct_kinds(gold, on_path);
            Choice good, bad;
            setting_.each_permitted(state_, [&](Transition transition, std::size_t number) {
                (is_correct(gold, correct, transition) ? good : bad)
                    .consider(transition, number, scores[number]);
            });
            ++report.states;
            report.swaps += good.transition.kind == Kind::swap;
            if (good.made() && bad.made()) report.updates += update(scorer.features(), weights, good, bad);
            const bool wrong = !good.made() || (bad.made() && bad.score >= good.score);
            const bool follow_wrong =
                !good.made() || (wrong && options_.explore > 0 && draw(chance) < options_.explore);
            const Transition next = follow_wrong ? bad.transition : good.transition;
            on_path = on_path && correct.has(next.kind);
            setting_.system.apply(state_, next);
        }
    }

  private:
    // By the oracle while the gold tree can be reached, by what is lost afterwards.
    KindSet correct_kinds(const Gold& gold, bool on_path) {
        if (on_path && options_.oracle == OracleId::minimal) {
            return script_[static_cast<std::size_t>(state_.steps())];
        }
        if (on_path || options_.oracle == OracleId::dynamic) return deriver_.correct(state_, gold);
        if constexpr (System::root == RootPlace::after_words) {
            return eager_dynamic(state_, gold, setting_.single_root);
        } else {
            return costs_.best_without_swaps(state_, gold, setting_.single_root);
        }
    }

    // An arc is correct with the gold label; one that is wrong anyway may have any.
    bool is_correct(const Gold& gold, KindSet correct, Transition transition) const {
        if (!correct.has(transition.kind)) return false;
        if (!is_arc(transition.kind)) return true;
        const Arc arc = arc_of(setting_.system, state_, transition.kind);
        return gold.head(arc.dependent) != arc.head || gold.label(arc.dependent) == transition.label;
    }

    bool update(std::span<const std::uint64_t> features, Averaged& weights, const Choice& good,
                const Choice& bad) {
        const float lead = good.score - bad.score;
        float step = 1;
        if (options_.passive_aggressive) {
            if (lead >= 1) return false;
            step = std::min(options_.longest_step, (1 - lead) / (2 * static_cast<float>(features.size())));
        } else if (lead > 0) {
            return false;
        }
        weights.add(features, good.number, step);
        weights.add(features, bad.number, -step);
        return true;
    }

    static double draw(std::minstd_rand& chance) {
        return static_cast<double>(chance() - 1) / static_cast<double>(std::minstd_rand::max());
    }

    const Setting<System>& setting_;
    Deriver& deriver_;
    const LearningOptions& options_;
    SwapCosts costs_;
    State state_;
    std::vector<Kind> script_;  // MINIMAL knows whole derivations only
};

}  // namespace plait
