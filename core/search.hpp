// Greedy search, and beam search (Zhang and Clark 2008) over derivations.
#pragma once

#include <algorithm>
#include <limits>

#include "core/given.hpp"
#include "core/scorer.hpp"

namespace plait {

// What a parser is, besides its scorer.
template <typename System>
struct Setting {
    [[no_unique_address]] System system;
    const Repertoire& repertoire;
    bool single_root;

    template <typename Use>
    void each_permitted(const State& state, Use use) const {
        repertoire.each_permitted(system, state, single_root, use);
    }
};

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

// Parses from the start state to the end. `margins[w - 1]` is by how much the arc of word w won: over every
// transition that would not have built it, whatever its label.
template <typename System, TransitionScorer Scorer>
double parse_greedily(const Setting<System>& setting, Scorer& scorer, const Given& given, State& state,
                      std::span<float> margins) {
    double total = 0;
    while (!setting.system.terminal(state)) {
        const auto scores = scorer.score(state);
        Choice best;
        float rival[kind_count];
        std::fill_n(rival, kind_count, -std::numeric_limits<float>::infinity());
        setting.each_permitted(state, [&](Transition transition, std::size_t number) {
            const float score = scores[number] - given.cost(setting.system, state, transition);
            best.consider(transition, number, score);
            float& highest = rival[static_cast<std::size_t>(transition.kind)];
            highest = std::max(highest, score);
        });
        if (is_arc(best.transition.kind)) {
            rival[static_cast<std::size_t>(best.transition.kind)] = -std::numeric_limits<float>::infinity();
            const Arc arc = arc_of(setting.system, state, best.transition.kind);
            margins[static_cast<std::size_t>(arc.dependent - 1)] =
                best.score - *std::max_element(rival, rival + kind_count);
        }
        total += static_cast<double>(best.score);
        setting.system.apply(state, best.transition);
    }
    return total;
}

// A derivation in the making.
struct Hypothesis {
    State state;
    double score = 0;
    std::int32_t last = -1;  // its last step, in the list of steps
};

// One transition of a hypothesis, linked to the one before: hypotheses share their beginnings.
struct Step {
    Transition transition;
    std::int32_t before;
};

class Beam {
  public:
    explicit Beam(std::size_t width) : width_(width) {}

    template <typename System>
    void start(System system, Index words) {
        if (hypotheses_.empty()) hypotheses_.resize(1);
        hypotheses_[0].state.reset(words, system.root);
        hypotheses_[0].score = 0;
        hypotheses_[0].last = -1;
        size_ = 1;
        steps_.clear();
    }

    // One step of all hypotheses; false when all are finished. `offer(state, scores, take)` calls
    // take(transition, score) for what a hypothesis may do.
    template <typename System, TransitionScorer Scorer, typename Offer>
    bool advance(System system, Scorer& scorer, Offer offer) {
        candidates_.clear();
        bool moving = false;
        for (std::size_t i = 0; i < size_; ++i) {
            const Hypothesis& from = hypotheses_[i];
            const auto index = static_cast<std::int32_t>(i);
            if (system.terminal(from.state)) {
                consider({from.score, index, true, {}});
                continue;
            }
            moving = true;
            offer(from.state, scorer.score(from.state), [&](Transition transition, float score) {
                consider({from.score + static_cast<double>(score), index, false, transition});
            });
        }
        if (!moving) return false;
        std::sort(candidates_.begin(), candidates_.end(), ranks_before);
        if (next_.size() < candidates_.size()) next_.resize(candidates_.size());
        for (std::size_t i = 0; i < candidates_.size(); ++i) follow(system, candidates_[i], next_[i]);
        size_ = candidates_.size();
        std::swap(hypotheses_, next_);
        return true;
    }

    // The best first.
    std::span<const Hypothesis> hypotheses() const { return std::span(hypotheses_).first(size_); }

    void spell(std::int32_t last, std::vector<Transition>& derivation) const {
        derivation.clear();
        for (std::int32_t i = last; i != -1; i = steps_[static_cast<std::size_t>(i)].before) {
            derivation.push_back(steps_[static_cast<std::size_t>(i)].transition);
        }
        std::reverse(derivation.begin(), derivation.end());
    }

  private:
    struct Candidate {
        double score;
        std::int32_t from;
        bool finished;
        Transition transition;
    };

    // A fixed order, so that the same input always gives the same beam.
    static bool ranks_before(const Candidate& one, const Candidate& other) {
        if (one.score != other.score) return one.score > other.score;
        if (one.from != other.from) return one.from < other.from;
        if (one.transition.kind != other.transition.kind) return one.transition.kind < other.transition.kind;
        return one.transition.label < other.transition.label;
    }

    // candidates_ is a heap with the worst in front, never larger than the beam.
    void consider(const Candidate& candidate) {
        if (candidates_.size() == width_) {
            if (!ranks_before(candidate, candidates_.front())) return;
            std::pop_heap(candidates_.begin(), candidates_.end(), ranks_before);
            candidates_.back() = candidate;
        } else {
            candidates_.push_back(candidate);
        }
        std::push_heap(candidates_.begin(), candidates_.end(), ranks_before);
    }

    template <typename System>
    void follow(System system, const Candidate& candidate, Hypothesis& to) {
        const Hypothesis& from = hypotheses_[static_cast<std::size_t>(candidate.from)];
        to.state.copy_from(from.state);
        to.score = candidate.score;
        to.last = from.last;
        if (candidate.finished) return;
        system.apply(to.state, candidate.transition);
        to.last = static_cast<std::int32_t>(steps_.size());
        steps_.push_back({candidate.transition, from.last});
    }

    std::size_t width_, size_ = 0;
    std::vector<Hypothesis> hypotheses_, next_;
    std::vector<Candidate> candidates_;
    std::vector<Step> steps_;
};

template <typename System, TransitionScorer Scorer>
void parse_with_beam(const Setting<System>& setting, Scorer& scorer, const Given& given, Index words,
                     Beam& beam) {
    beam.start(setting.system, words);
    const auto offer = [&](const State& state, std::span<const float> scores, auto take) {
        setting.each_permitted(state, [&](Transition transition, std::size_t number) {
            take(transition, scores[number] - given.cost(setting.system, state, transition));
        });
    };
    while (beam.advance(setting.system, scorer, offer)) {
    }
}

}  // namespace plait
