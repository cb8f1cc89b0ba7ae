// Learning whole trees (Bohnet 2010, Algorithms 1 to 3): passive-aggressive steps (Crammer et al. 2006) from
// the tree that is found towards the right one, with its crossing arcs.
#pragma once

#include "core/graph/decoder.hpp"
#include "core/learn/difference.hpp"

namespace plait {

struct GraphReport {
    std::int64_t arcs = 0, updates = 0, moves = 0, left_out = 0;
};

// Features of right trees, with their labels, as bits: of those that never stand in one, few are taken for
// one that does. Without it, features of wrong trees have weights too (Bohnet 2010, section 5: "negative
// features").
class RightFeatures {
  public:
    bool empty() const { return bits_.empty(); }
    void add(std::uint64_t feature, Label label) {
        if (bits_.empty()) bits_.resize(std::size_t{1} << (size - 6));
        const std::uint64_t bit = place(feature, label);
        bits_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
    }
    bool has(std::uint64_t feature, Label label) const {
        const std::uint64_t bit = place(feature, label);
        return ((bits_[bit >> 6] >> (bit & 63)) & 1) != 0;
    }

  private:
    static constexpr int size = 30;
    static std::uint64_t place(std::uint64_t feature, Label label) {
        return mix(feature ^ static_cast<std::uint64_t>(label + 1)) >> (64 - size);
    }
    std::vector<std::uint64_t> bits_;
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

    // Only features of the trees that are shown here will have weights.
    void show(const Words& words, std::span<const Index> heads, std::span<const Label> labels) {
        const auto count = static_cast<Index>(heads.size());
        scorer_.read(words, count);
        Candidates arcs;
        arcs.reset(count);
        for (Index word = 1; word <= count; ++word) {
            const auto i = static_cast<std::size_t>(word - 1);
            arcs.add(heads[i], word, labels.subspan(i, 1));
        }
        arcs.finish();
        gold_.reset(count);
        for (Index word = 1; word <= count; ++word) gold_[word] = {arcs.to(word).first, 0};
        for (Index word = 1; word <= count; ++word) {
            const ArcNumber arc = gold_[word].arc;
            const Surroundings around = surroundings(arcs, gold_, arc);
            const auto see = [&](PartKind kind, std::span<const ArcNumber> list, std::size_t rank) {
                const Index other = rank == 0 ? none : arcs[list[rank - 1]].dependent;
                for (const std::uint64_t feature :
                     scorer_.extract({kind, {arcs[arc].head, word, other, none}})) {
                    right_.add(feature, arcs.labels(arc)[0]);
                }
            };
            see(PartKind::first, {}, 0);
            see(PartKind::sibling, arcs.siblings(arc), around.sibling);
            see(PartKind::inner, arcs.inner(arc), around.inner);
            see(PartKind::outer, arcs.outer(arc), around.outer);
        }
    }
    void share_among(int threads) { decoder_.threads = threads; }
    const StepTimes& times() const { return decoder_.times(); }

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
            if (!right_.empty() && !right_.has(feature, label)) continue;
            difference_.add(weights_.windows().cell(feature) + static_cast<std::size_t>(label), sign);
        }
    }

    PartFeatureScorer<Kernel> scorer_;
    Averaged& weights_;
    Decoder decoder_;
    const GraphOptions& options_;
    float longest_step_, cost_;
    RightFeatures right_;
    ArcTree gold_, predicted_;
    Difference difference_;
};

}  // namespace plait
