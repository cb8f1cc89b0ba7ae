// Learning derivation by derivation, with the beam that will parse.
#pragma once

#include "core/learn/difference.hpp"
#include "core/learn/options.hpp"
#include "core/search.hpp"

namespace plait {

// Björkelund and Nivre (2015), section 5: max violation (Huang, Fayong and Guo 2012), or early update
// (Collins and Roark 2004); for a non-deterministic oracle the gold derivation is latent. With a margin,
// wrong hypotheses that come too near are learned from as well: without one, learning ends wherever it first
// fits the treebank, which depends on the order of sentences (docs/performance.md).
template <typename System>
class StructuredLearner {
  public:
    StructuredLearner(const Setting<System>& setting, Deriver& deriver, const LearningOptions& options)
        : setting_(setting),
          deriver_(deriver),
          options_(options),
          beam_(options.widths),
          latent_(options.widths.trees) {}

    template <LinearScorer Scorer>
    void learn(Scorer& scorer, Averaged& weights, const Gold& gold, LearningReport& report) {
        derive(scorer, gold);
        score_gold(scorer, gold);
        report.states += static_cast<std::int64_t>(gold_.size());
        for (const Transition transition : gold_) report.swaps += transition.kind == Kind::swap;
        if (!search(scorer, gold)) return;
        ++report.updates;
        update(scorer, weights, gold);
    }

  private:
    Transition labelled(const State& state, const Gold& gold, Transition transition) const {
        if (is_arc(transition.kind)) {
            transition.label = gold.label(arc_of(setting_.system, state, transition).dependent);
        } else if (transition.kind == Kind::shift) {
            transition.label = gold.tag(state.buffer(0));
        }
        return transition;
    }

    bool is_wrong(const State& state, const Gold& gold, Transition transition) const {
        if (transition.kind == Kind::shift) {  // a word that SWAP sent back was counted before
            const Index front = state.buffer(0);
            return state.tag(front) == none && gold.tag(front) != transition.label;
        }
        if (!is_arc(transition.kind)) return false;
        const Arc arc = arc_of(setting_.system, state, transition);
        return gold.head(arc.dependent) != arc.head || gold.label(arc.dependent) != transition.label;
    }

    // The derivation to learn: the oracle's, or of the correct ones the best under the present weights.
    template <typename Scorer>
    void derive(Scorer& scorer, const Gold& gold) {
        if (options_.oracle == OracleId::nd_all || options_.oracle == OracleId::nd_swap) {
            latent_.start(setting_.system, gold.words());
            const auto offer = [&](const State& state, auto take) {
                const TransitionSet correct = deriver_.correct(state, gold);
                const auto scores = setting_.scores(state, scorer);
                for (const Kind kind : {Kind::shift, Kind::swap, Kind::left_arc, Kind::right_arc}) {
                    if (!correct.kinds().has(kind)) continue;
                    const Transition transition = labelled(state, gold, {kind});
                    const std::size_t number = setting_.repertoire.number(transition);
                    const float score = number == Repertoire::absent ? 0 : scores[number];
                    take(transition, score + setting_.tag_score(state, scorer, transition));
                }
                for (const auto& [kind, depth] : correct.deep()) {
                    const Transition transition = labelled(state, gold, {kind, none, depth});
                    take(transition, setting_.score_of(state, scorer, transition));
                }
            };
            while (latent_.advance(setting_.system, offer)) {
            }
            latent_.spell(latent_.hypotheses().front().last, gold_);
            return;
        }
        gold_.clear();
        setting_.system.start(state_, gold.words());
        deriver_.derive(gold, [&](Transition transition) {
            gold_.push_back(labelled(state_, gold, transition));
            setting_.system.apply(state_, gold_.back());
        });
    }

    template <typename Scorer>
    void score_gold(Scorer& scorer, const Gold& gold) {
        gold_scores_.clear();
        double total = 0;
        setting_.system.start(state_, gold.words());
        for (const Transition transition : gold_) {
            total += static_cast<double>(setting_.score_of(state_, scorer, transition));
            gold_scores_.push_back(total);
            setting_.system.apply(state_, transition);
        }
    }

    // Free search. Finds the prefix to learn from: predicted_, of length_ steps, and by how much it wins.
    // Beyond the end of a derivation its prefix is the whole. That is the best hypothesis where it leads
    // most; or, with a margin, one with wrong arcs that does not lose by as much as it should. False if the
    // search ends with the gold derivation and nothing comes near it.
    template <typename Scorer>
    bool search(Scorer& scorer, const Gold& gold) {
        beam_.start(setting_.system, gold.words());
        astray_.excess = wrong_.excess = -std::numeric_limits<double>::infinity();
        std::size_t step = 0;
        bool correct = true;
        while (beam_.advance(setting_.system, OfferAll(setting_, scorer, nothing_given), scorer.words())) {
            const Hypothesis& best = beam_.hypotheses().front();
            const std::size_t last = std::min(step++, gold_.size() - 1);
            correct = begins_gold(best);
            if (!correct) consider(best, last, margin_of(best, gold), astray_);
            if (options_.early_update &&
                std::ranges::none_of(beam_.hypotheses(),
                                     [&](const Hypothesis& hypothesis) { return begins_gold(hypothesis); })) {
                if (correct) return false;
                astray_.excess = -std::numeric_limits<double>::infinity();
                consider(best, last, 0, astray_);
                return learn_from(astray_);
            }
            if (options_.margin == 0) continue;
            for (const Hypothesis& hypothesis : beam_.hypotheses()) {
                const double margin = margin_of(hypothesis, gold);
                if (margin > 0) consider(hypothesis, last, margin, wrong_);
            }
        }
        if (!correct && !builds_gold(beam_.hypotheses().front().state, gold)) {
            return learn_from(wrong_.excess > astray_.excess ? wrong_ : astray_);
        }
        return wrong_.excess > 0 && learn_from(wrong_);
    }

    // A prefix that the gold one should beat: by how much it wins, and by how much more than it may.
    struct Violation {
        double lead, excess;
        std::size_t length;
        std::vector<Transition> derivation;
    };

    void consider(const Hypothesis& hypothesis, std::size_t last, double margin, Violation& worst) const {
        const double lead = hypothesis.score - gold_scores_[last];
        if (lead + margin <= worst.excess) return;
        worst.lead = lead;
        worst.excess = lead + margin;
        worst.length = last + 1;
        beam_.spell(hypothesis.last, worst.derivation);
    }

    bool learn_from(const Violation& violation) {
        if (violation.excess == -std::numeric_limits<double>::infinity()) return false;
        violation_ = violation.lead;
        length_ = violation.length;
        predicted_ = violation.derivation;
        return true;
    }

    double margin_of(const Hypothesis& hypothesis, const Gold& gold) const {
        if (options_.margin == 0) return 0;
        double wrong = 0;
        for (Index word = 1; word <= gold.words(); ++word) {
            const State& state = hypothesis.state;
            if (state.head(word) != none) {
                wrong += cost(state.head(word) != gold.head(word), state.label(word) != gold.label(word));
            }
            wrong += state.tag(word) != none && state.tag(word) != gold.tag(word);
        }
        return options_.margin * wrong;
    }

    // Of an arc with another head or another label: 1, or half of it for each of them.
    double cost(bool other_head, bool other_label) const {
        if (options_.halves) return 0.5 * other_head + 0.5 * other_label;
        return other_head || other_label ? 1 : 0;
    }

    // Between what the two prefixes have built, with halves (Bohnet and Kuhn 2012, section 4): a word that
    // only one of them has attached counts as a wrong arc, so that the loss does not depend on which is
    // ahead.
    double apart(const State& one, const State& other) const {
        double total = 0;
        for (Index word = 1; word <= one.words(); ++word) {
            if ((one.head(word) == none) != (other.head(word) == none)) {
                total += 1;
            } else {
                total += cost(one.head(word) != other.head(word), one.label(word) != other.label(word));
            }
            total += one.tag(word) != none && other.tag(word) != none && one.tag(word) != other.tag(word);
        }
        return total;
    }

    static bool builds_gold(const State& state, const Gold& gold) {
        for (Index word = 1; word <= gold.words(); ++word) {
            if (state.head(word) != gold.head(word) || state.label(word) != gold.label(word) ||
                state.tag(word) != gold.tag(word)) {
                return false;
            }
        }
        return true;
    }

    bool begins_gold(const Hypothesis& hypothesis) {
        beam_.spell(hypothesis.last, spelled_);
        return shared(gold_, spelled_) == spelled_.size();
    }

    // How many transitions two derivations begin with alike.
    static std::size_t shared(std::span<const Transition> one, std::span<const Transition> other) {
        std::size_t same = 0;
        while (same < std::min(one.size(), other.size()) && one[same] == other[same]) ++same;
        return same;
    }

    // w += τ (f(gold) - f(predicted)) over the two prefixes.
    template <typename Scorer>
    void update(Scorer& scorer, Averaged& weights, const Gold& gold) {
        const std::size_t same = shared(gold_, predicted_);
        difference_.clear();
        collect(scorer, weights.windows(), gold, std::span(gold_).first(length_), same, 1);
        if (options_.halves) gold_state_.copy_from(state_);
        const Index wrong = collect(scorer, weights.windows(), gold, predicted_, same, -1);
        const double norm = difference_.merge();
        if (norm == 0) return;
        double step = 1;
        if (options_.passive_aggressive) {
            const double loss =
                options_.halves ? std::max(0.5, apart(gold_state_, state_)) : std::max<Index>(1, wrong);
            step = std::min(static_cast<double>(options_.longest_step), (violation_ + loss) / norm);
        }
        difference_.apply(weights, step);
    }

    // Counts the features of a derivation from its `same`-th step on, for what both begin with cancels out.
    // Returns how many of its arcs and tags are wrong.
    template <typename Scorer>
    Index collect(Scorer& scorer, const Windows& windows, const Gold& gold,
                  std::span<const Transition> derivation, std::size_t same, std::int32_t sign) {
        Index wrong = 0;
        setting_.system.start(state_, gold.words());
        for (std::size_t i = 0; i < derivation.size(); ++i) {
            const std::size_t number = setting_.repertoire.number(derivation[i]);
            if (i >= same && number != Repertoire::absent) {
                const Context context = context_of(setting_.system, state_, derivation[i]);
                for (const std::uint64_t feature : scorer.extract(state_, context)) {
                    difference_.add(windows.cell(feature) + number, sign);
                }
                if (setting_.gives_tag(state_, scorer, derivation[i])) {
                    for (const std::uint64_t feature : scorer.tag_features(state_, derivation[i].label)) {
                        difference_.add(windows.cell(feature) + number, sign);
                    }
                }
                if (scorer.completes() && is_arc(derivation[i].kind)) {
                    scorer.each_completed(
                        state_, arc_of(setting_.system, state_, derivation[i]), derivation[i].label,
                        [&](std::uint64_t feature, Label label, std::int32_t count) {
                            difference_.add(windows.cell(feature) + static_cast<std::size_t>(label),
                                            sign * count);
                        });
                }
            }
            wrong += is_wrong(state_, gold, derivation[i]);
            setting_.system.apply(state_, derivation[i]);
        }
        return wrong;
    }

    const Setting<System>& setting_;
    Deriver& deriver_;
    const LearningOptions& options_;
    State state_, gold_state_;
    Beam beam_, latent_;
    std::vector<Transition> gold_, predicted_, spelled_;
    std::vector<double> gold_scores_;
    Violation astray_, wrong_;
    double violation_ = 0;
    std::size_t length_ = 0;
    Difference difference_;
};

}  // namespace plait
