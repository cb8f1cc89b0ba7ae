// Logistic regression over the lifts that make trees projective, by steps down the gradient, averaged.
#pragma once

#include "core/learn/order.hpp"
#include "core/lift/search.hpp"

namespace plait {

struct LiftReport {
    std::int64_t words = 0, lifted = 0;
};

class LiftLearner {
  public:
    LiftLearner(const LiftProgram& program, int bits, float step)
        : program_(program),
          kernel_(bits, lift_classes),
          averaged_(kernel_),
          scorer_(program_, kernel_),
          step_(step) {}
    LiftLearner(const LiftLearner&) = delete;
    LiftLearner& operator=(const LiftLearner&) = delete;

    const LiftProgram& program() const { return program_; }
    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }

    // Towards the heads `target`, word by word; what is learned of later words is learned of the tree as it
    // is then.
    void learn(const OrderTree& values, std::span<const Index> heads, std::span<const Index> target) {
        const std::vector<Index> order = lifting_order(values, false);
        now_.assign(heads.begin(), heads.end());
        for (const Index word : order) {
            const auto at = static_cast<std::size_t>(word - 1);
            if (now_[at] == 0 || head_after(now_, word, 1) == none) continue;
            const std::size_t right = steps_to(now_, word, target[at]);
            const LiftScores scores = scorer_.log_probabilities(values, now_, order, word);
            for (std::size_t i = 0; i < lift_classes; ++i) {
                const double gradient = (i == right) - std::exp(scores[i]);
                if (std::abs(gradient) < 1e-4) continue;
                for (const auto [hash, value] : scorer_.features()) {
                    averaged_.add(averaged_.windows().cell(hash) + i,
                                  step_ * value * static_cast<float>(gradient));
                }
            }
            ++report_.words;
            report_.lifted += right > 0;
            if (right > 0) now_[at] = target[at];
        }
        averaged_.next_example();
    }

    LiftReport take_report() { return std::exchange(report_, {}); }

  private:
    const LiftProgram program_;
    Kernel kernel_;
    Averaged averaged_;
    LiftScorer<Kernel> scorer_;
    float step_;
    std::vector<Index> now_;
    LiftReport report_;
};

}  // namespace plait
