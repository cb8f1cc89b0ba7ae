// Lifting as many classes of words, one word after the other, each with the probability of logistic
// regression (Bohnet et al. 2012, section 3): greedily, or with a beam of trees, or with two beams that visit
// words of the same depth in opposite orders.
#pragma once

#include <array>

#include "core/cancel.hpp"
#include "core/kernel.hpp"
#include "core/lift/program.hpp"

namespace plait {

using LiftScores = std::array<double, lift_classes>;

template <typename Weights>
class LiftScorer {
  public:
    LiftScorer(const LiftProgram& program, const Weights& weights) : program_(program), weights_(weights) {}

    // The logarithms of the probabilities of steps up; minus infinity for those that lead to the root.
    LiftScores log_probabilities(const OrderTree& values, std::span<const Index> heads,
                                 std::span<const Index> order, Index word) {
        tree_.read(heads, order);
        program_.extract(values, tree_, word, features_);
        LiftScores scores{};
        for (const auto [hash, value] : features_) {
            const std::size_t cell = weights_.windows.cell(hash);
            for (std::size_t i = 0; i < lift_classes; ++i) {
                scores[i] += static_cast<double>(value) * static_cast<double>(weights_.weights[cell + i]);
            }
        }
        double most = -std::numeric_limits<double>::infinity(), sum = 0;
        for (std::size_t i = 0; i < lift_classes; ++i) {
            if constexpr (requires { weights_.step; }) scores[i] *= static_cast<double>(weights_.step);
            if (i > 0 && head_after(heads, word, i) == none) {
                scores[i] = -std::numeric_limits<double>::infinity();
            }
            most = std::max(most, scores[i]);
        }
        for (const double score : scores) sum += std::exp(score - most);
        for (double& score : scores) score -= most + std::log(sum);
        return scores;
    }
    std::span<const LiftFeature> features() const { return features_; }  // of the word scored last

  private:
    const LiftProgram& program_;
    const Weights& weights_;
    LiftedTree tree_;
    std::vector<LiftFeature> features_;
};

struct Lifting {
    std::vector<Index> heads;
    double score = 0;
};

template <typename Weights>
class LiftSearch {
  public:
    LiftSearch(const LiftProgram& program, const Weights& weights) : scorer_(program, weights) {}

    // A beam of 1 is greedy.
    Lifting run(const OrderTree& values, std::span<const Index> heads, std::size_t beam, bool reversed) {
        const std::vector<Index> order = lifting_order(values, reversed);
        agenda_.assign(1, {std::vector<Index>(heads.begin(), heads.end()), 0});
        for (const Index word : order) {
            check_cancelled();
            const Index head = heads[static_cast<std::size_t>(word - 1)];
            if (head == 0 || values.head(head) == 0) continue;  // there is nowhere to go
            extend(values, order, word, beam);
        }
        return agenda_.front();
    }

  private:
    static constexpr double unlikely = -12;  // below the best step by so much nobody looks

    void extend(const OrderTree& values, std::span<const Index> order, Index word, std::size_t beam) {
        options_.clear();
        for (std::size_t i = 0; i < agenda_.size(); ++i) {
            const LiftScores scores = scorer_.log_probabilities(values, agenda_[i].heads, order, word);
            for (std::size_t steps = 0; steps < lift_classes; ++steps) {
                if (scores[steps] > unlikely)
                    options_.push_back({i, steps, agenda_[i].score + scores[steps]});
            }
        }
        std::ranges::stable_sort(options_, std::ranges::greater{}, &Option::score);
        if (options_.size() > beam) options_.resize(beam);
        next_.clear();
        for (const auto& [from, steps, score] : options_) {
            next_.push_back({agenda_[from].heads, score});
            if (steps > 0) {
                next_.back().heads[static_cast<std::size_t>(word - 1)] =
                    head_after(agenda_[from].heads, word, steps);
            }
        }
        agenda_.swap(next_);
    }

    struct Option {
        std::size_t from, steps;
        double score;
    };

    LiftScorer<Weights> scorer_;
    std::vector<Lifting> agenda_, next_;
    std::vector<Option> options_;
};

}  // namespace plait
