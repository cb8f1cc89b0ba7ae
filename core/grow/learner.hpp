// Learning to grow trees: where a wrong tree scores nearly as high as the right one, or higher, a
// passive-aggressive step on the whole tree (MIRA, Crammer et al. 2006), averaged. The margin is the number
// of wrong edges, those with the wrong head counted twice.
#pragma once

#include "core/grow/search.hpp"
#include "core/learn/difference.hpp"

namespace plait {

struct GrowReport {
    std::int64_t trees = 0, wrong = 0, updates = 0;
};

class GrowLearner {
  public:
    GrowLearner(const GrowProgram& program, int bits, std::size_t labels, std::size_t best,
                std::uint32_t reach, float longest_step)
        : program_(program),
          kernel_(bits, labels),
          averaged_(kernel_),
          scorer_(program_, kernel_, reach),
          grower_(best),
          longest_step_(longest_step) {}
    GrowLearner(const GrowLearner&) = delete;
    GrowLearner& operator=(const GrowLearner&) = delete;

    const GrowProgram& program() const { return program_; }
    std::size_t labels() const { return kernel_.windows.width(); }
    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }

    // The right heads and labels by node, `none` where there is no word.
    void learn(const MeaningGraph& graph, std::span<const Index> heads, std::span<const Index> labels) {
        const auto cost = [&](Index head, Index node, Index label) {
            const auto at = static_cast<std::size_t>(node - 1);
            return head != heads[at] ? 2.0f : label != labels[at] ? 1.0f : 0.0f;
        };
        scorer_.score(graph, scores_, cost);
        const GrownTree found = grower_.run(graph, scores_);
        ++report_.trees;
        difference_.clear();
        double loss = 0;
        for (const Index node : graph.words()) {
            const auto at = static_cast<std::size_t>(node - 1);
            const Index head = found.heads[at], label = found.labels[at];
            if (head == heads[at] && label == labels[at]) continue;
            loss += static_cast<double>(cost(head, node, label)) + collect(graph, head, node, label, -1) -
                    collect(graph, heads[at], node, labels[at], 1);
        }
        const double norm = difference_.merge();
        report_.wrong += norm > 0;
        if (loss > 0 && norm > 0) {
            ++report_.updates;
            difference_.apply(averaged_, std::min(loss / norm, static_cast<double>(longest_step_)));
        }
        averaged_.next_example();
    }

    GrowReport take_report() { return std::exchange(report_, {}); }

  private:
    double collect(const MeaningGraph& graph, Index head, Index node, Index label, std::int32_t sign) {
        const float score = scorer_.score(graph, head, node, label);
        for (const std::uint64_t feature : scorer_.features()) {
            difference_.add(averaged_.windows().cell(feature) + static_cast<std::size_t>(label), sign);
        }
        return static_cast<double>(score);
    }

    const GrowProgram program_;
    Kernel kernel_;
    Averaged averaged_;
    EdgeScorer<Kernel> scorer_;
    TreeGrower grower_;
    float longest_step_;
    EdgeScores scores_;
    Difference difference_;
    GrowReport report_;
};

}  // namespace plait
