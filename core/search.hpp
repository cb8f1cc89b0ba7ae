// Greedy search and beam search under any scorer, whole or step by step.
#pragma once

#include <limits>

#include "core/beam.hpp"
#include "core/cancel.hpp"
#include "core/given.hpp"
#include "core/setting.hpp"

namespace plait {

// The best of what was considered so far; among equals the first.
struct Choice {
    Transition transition{};
    std::size_t number = Repertoire::absent;
    float score = -std::numeric_limits<float>::infinity();

    bool made() const { return number != Repertoire::absent; }
    void consider(Transition candidate, std::size_t candidate_number, float candidate_score) {
        if (made() && !(candidate_score > score)) return;
        transition = candidate;
        number = candidate_number;
        score = candidate_score;
    }
};

// By how much the best arc leads: what it wins against is every other arc and what builds none, whatever the
// labels.
class Rivals {
  public:
    // Arc by arc: the transitions of one come one after the other.
    void consider(Transition transition, float score) {
        if (transition.kind == kind_ && transition.depth == depth_) {
            present_ = std::max(present_, score);
            return;
        }
        finish();
        kind_ = transition.kind;
        depth_ = transition.depth;
        present_ = score;
    }
    // Of all but the arc with the highest score; of several such arcs, the first.
    float second_best() {
        finish();
        return second_;
    }

  private:
    void finish() {
        second_ = std::max(second_, std::min(best_, present_));
        best_ = std::max(best_, present_);
        present_ = least;
    }

    static constexpr float least = -std::numeric_limits<float>::infinity();
    Kind kind_ = Kind::shift;
    Index depth_ = 0;  // of no transition
    float present_ = least, best_ = least, second_ = least;
};

// What greedy search does next. If that is an arc, `margins[w - 1]` becomes by how much the arc of word w
// won: over every transition that would not have built it, whatever its label.
template <typename System, TransitionScorer Scorer>
Choice choose_greedily(const Setting<System>& setting, Scorer& scorer, const Given& given, const State& state,
                       std::span<float> margins) {
    Choice best;
    Rivals rivals;
    setting.each_scored(state, scorer, [&](Transition transition, std::size_t number, float value) {
        const float score = value - given.cost(setting.system, state, transition);
        best.consider(transition, number, score);
        rivals.consider(transition, score);
    });
    if (is_arc(best.transition.kind)) {
        const Arc arc = arc_of(setting.system, state, best.transition);
        margins[static_cast<std::size_t>(arc.dependent - 1)] = best.score - rivals.second_best();
    }
    return best;
}

// Parses from the start state to the end.
template <typename System, TransitionScorer Scorer>
double parse_greedily(const Setting<System>& setting, Scorer& scorer, const Given& given, State& state,
                      std::span<float> margins) {
    double total = 0;
    while (!setting.system.terminal(state)) {
        check_cancelled();
        const Choice best = choose_greedily(setting, scorer, given, state, margins);
        total += static_cast<double>(best.score);
        setting.system.apply(state, best.transition);
    }
    return total;
}

// What the hypotheses of a beam may do, with the scores of a scorer, as far as the beam has room for it.
template <typename System, TransitionScorer Scorer>
class OfferAll {
  public:
    OfferAll(const Setting<System>& setting, Scorer& scorer, const Given& given)
        : setting_(setting), scorer_(scorer), given_(given) {}

    // That these states will come, in this order.
    void prepare(std::span<const State* const> states) const {
        if constexpr (requires { scorer_.prepare(states); } && !reaches_deep<System>) {
            scorer_.prepare(states);
        }
    }
    template <typename Take>
    void operator()(const State& state, Take take) const {
        setting_.each_scored(
            state, scorer_,
            [&](Transition transition, std::size_t, float score) {
                take(transition, score - given_.cost(setting_.system, state, transition));
            },
            [&] { return take.bound(); });
    }

  private:
    const Setting<System>& setting_;
    Scorer& scorer_;
    const Given& given_;
};

inline const Given nothing_given;

template <typename System, TransitionScorer Scorer>
void parse_with_beam(const Setting<System>& setting, Scorer& scorer, const Given& given, Index words,
                     Beam& beam) {
    beam.start(setting.system, words);
    while (beam.advance(setting.system, OfferAll(setting, scorer, given), scorer.words())) {
    }
}

}  // namespace plait
