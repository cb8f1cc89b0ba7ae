// Learning whole trees (Bohnet 2010, Algorithms 1 to 3): passive-aggressive steps (Crammer et al. 2006) from
// the tree that is found towards the right one, with its crossing arcs.
#pragma once

#include "core/graph/decoder.hpp"
#include "core/learn/difference.hpp"

namespace plait {

struct GraphReport {
    std::int64_t arcs = 0, updates = 0, moves = 0, left_out = 0;
};

class GraphLearner {
  public:
    GraphLearner(const PartProgram& program, const Kernel& kernel, Averaged& weights, HeadRanker ranker,
                 const GraphOptions& options, float longest_step, float cost)
        : scorer_(program, kernel),
          weights_(weights),
          decoder_(std::move(ranker), options),
          options_(options),
          longest_step_(longest_step),
          cost_(cost) {}

    void learn(const Words& words, std::span<const Index> heads, std::span<const Label> labels) {
        const auto count = static_cast<Index>(heads.size());
        if (count > options_.longest) {
            ++report.left_out;
            return;
        }
        scorer_.read(words, count);
        const double score = decoder_.parse(words, count, scorer_, {heads, labels, cost_}, predicted_);
        report.arcs += static_cast<std::int64_t>(decoder_.arcs().size());
        report.moves += static_cast<std::int64_t>(decoder_.moves());
        if (!decoder_.second_order() || !find_gold(heads, labels)) {
            ++report.left_out;
        } else {
            report.updates += update(score);
        }
        weights_.next_example();
    }

    GraphReport report;

  private:
    bool find_gold(std::span<const Index> heads, std::span<const Label> labels) {
        const Candidates& arcs = decoder_.arcs();
        gold_.reset(arcs.words());
        for (Index word = 1; word <= arcs.words(); ++word) {
            const std::size_t i = static_cast<std::size_t>(word - 1);
            const ArcNumber arc = arcs.find(heads[i], word);
            const auto allowed = arcs.labels(arc);
            const auto label = std::ranges::find(allowed, labels[i]);
            if (label == allowed.end()) return false;
            gold_[word] = {arc, static_cast<std::int32_t>(label - allowed.begin())};
        }
        return true;
    }

    // w += τ (f(gold) - f(predicted)).
    bool update(double score) {
        const Candidates& arcs = decoder_.arcs();
        double wrong = 0;
        difference_.clear();
        for (Index word = 1; word <= arcs.words(); ++word) {
            const Surroundings right = surroundings(arcs, gold_, gold_[word].arc);
            const Surroundings found = surroundings(arcs, predicted_, predicted_[word].arc);
            const bool same = gold_[word] == predicted_[word];
            if (!same) {
                ++wrong;
                collect(gold_[word], PartKind::first, none, 1);
                collect(predicted_[word], PartKind::first, none, -1);
            }
            const auto compare = [&](PartKind kind, std::size_t one, std::size_t other, auto list) {
                if (same && one == other) return;
                collect(gold_[word], kind, dependent(list(gold_[word].arc), one), 1);
                collect(predicted_[word], kind, dependent(list(predicted_[word].arc), other), -1);
            };
            compare(PartKind::sibling, right.sibling, found.sibling,
                    [&](ArcNumber a) { return arcs.siblings(a); });
            compare(PartKind::inner, right.inner, found.inner, [&](ArcNumber a) { return arcs.inner(a); });
            compare(PartKind::outer, right.outer, found.outer, [&](ArcNumber a) { return arcs.outer(a); });
        }
        if (wrong == 0) return false;
        const double norm = difference_.merge();
        if (norm == 0) return false;
        const double violation = score - score_tree(arcs, decoder_.scores(), gold_);
        const double step =
            std::clamp((violation + (cost_ > 0 ? 0 : wrong)) / norm, 0.0, static_cast<double>(longest_step_));
        difference_.apply(weights_, step);
        return true;
    }

    Index dependent(std::span<const ArcNumber> list, std::size_t rank) const {
        return rank == 0 ? none : decoder_.arcs()[list[rank - 1]].dependent;
    }

    void collect(const ArcTree::Choice& choice, PartKind kind, Index other, std::int32_t sign) {
        const Candidate& arc = decoder_.arcs()[choice.arc];
        const Label label = decoder_.arcs().labels(choice.arc)[static_cast<std::size_t>(choice.label)];
        for (const std::uint64_t feature : scorer_.extract({kind, {arc.head, arc.dependent, other, none}})) {
            difference_.add(weights_.windows().cell(feature) + static_cast<std::size_t>(label), sign);
        }
    }

    PartFeatureScorer<Kernel> scorer_;
    Averaged& weights_;
    Decoder decoder_;
    const GraphOptions& options_;
    float longest_step_, cost_;
    ArcTree gold_, predicted_;
    Difference difference_;
};

}  // namespace plait
