// A system with the transitions of a parser, and what they score under any model.
#pragma once

#include <algorithm>
#include <limits>

#include "core/cancel.hpp"
#include "core/kernel.hpp"
#include "core/scorer.hpp"

namespace plait {

// Nothing scores too little to be of use.
struct NoBound {
    constexpr float operator()() const { return -std::numeric_limits<float>::infinity(); }
};

// What a parser is, besides its scorer.
template <typename System>
struct Setting {
    [[no_unique_address]] System system;
    const Repertoire& repertoire;
    bool single_root;

    // Of the transitions at depth 1, by number.
    template <TransitionScorer Scorer>
    std::span<const float> scores(const State& state, Scorer& scorer) const {
        const std::span<const float> scores = scorer.score(state, Context{});
        if (!scorer.completes()) return scores;
        for (const Kind kind : {Kind::left_arc, Kind::right_arc}) {
            if (system.permits(state, kind, single_root)) {
                scorer.complete(state, kind, arc_of(system, state, {kind}));
            }
        }
        return scores;
    }

    // Whether a transition chooses a tag among several, and what it gains by the one it gives.
    template <TransitionScorer Scorer>
    static bool gives_tag(const State& state, Scorer& scorer, Transition transition) {
        return transition.kind == Kind::shift && scorer.words().ambiguous(state);
    }
    template <TransitionScorer Scorer>
    static float tag_score(const State& state, Scorer& scorer, Transition transition) {
        return gives_tag(state, scorer, transition) ? scorer.tag_score(state, transition.label) : 0;
    }

    // A label that its kind was never seen with scores nothing.
    template <TransitionScorer Scorer>
    float score_of(const State& state, Scorer& scorer, Transition transition) const {
        const std::size_t number = repertoire.number(transition);
        if (number == Repertoire::absent) return 0;
        if (transition.depth == 1) {
            const float score = scores(state, scorer)[number];
            return score + tag_score(state, scorer, transition);
        }
        return scorer.score(state, context_of(system, state, transition))[number];
    }

    // Calls `use(transition, number, score)` for everything permitted, arc by arc. Arcs that score less than
    // `bound()` with any label may be left out.
    template <TransitionScorer Scorer, typename Use, typename Bound = NoBound>
    void each_scored(const State& state, Scorer& scorer, Use use, Bound bound = {}) const {
        const auto scores = this->scores(state, scorer);
        const Words& words = scorer.words();
        repertoire.each_permitted(
            system, state, words, single_root,
            [&](Transition transition, std::size_t number) {
                if (transition.kind == Kind::shift && words.joint()) {
                    each_tag(state, scorer, [&](Index rank, float score) {
                        use(Transition{Kind::shift, rank}, number, scores[number] + score);
                    });
                } else {
                    use(transition, number, scores[number]);
                }
            },
            [&](Kind kind) { return reaches(scores, kind, bound); });
        each_deep(state, [&](Kind kind, Index depth, Index head) {
            check_cancelled();
            const auto deep = scorer.score(state, Context{kind, head});
            if (!reaches(deep, kind, bound)) return;
            repertoire.each_label(
                kind, depth, {head, arc_of(system, state, {kind}).dependent}, state, words,
                [&](Transition transition, std::size_t number) { use(transition, number, deep[number]); });
        });
    }

    // Whether an arc of this kind has a score that is not below the bound, permitted or not.
    template <typename Bound>
    bool reaches(std::span<const float> scores, Kind kind, Bound bound) const {
        if constexpr (std::same_as<Bound, NoBound>) {
            return true;
        } else {
            const auto [first, last] = repertoire.numbers(kind);
            return !(highest(scores.subspan(first, last - first)) < bound());
        }
    }

    // Calls `use(kind, depth, head)` for the arcs from deeper down a spine that are permitted.
    template <typename Use>
    void each_deep(const State& state, Use use) const {
        if constexpr (reaches_deep<System>) {
            for (const Kind kind : {Kind::left_arc, Kind::right_arc}) {
                if (!system.permits(state, kind, single_root)) continue;
                Index depth = 1, head = system.giver(state, kind);
                while ((head = system.below(state, head, kind)) != none) use(kind, ++depth, head);
            }
        }
    }

    // Calls `use(rank, score)` for the tags that SHIFT may give (Bohnet and Nivre 2012, section 2.2).
    template <TransitionScorer Scorer, typename Use>
    void each_tag(const State& state, Scorer& scorer, Use use) const {
        const Index front = state.buffer(0);
        if (!scorer.words().ambiguous(state)) {
            use(std::max<Index>(state.tag(front), 0), 0.0f);
            return;
        }
        for (Index rank = 0; rank < scorer.words().candidates(front); ++rank) {
            use(rank, scorer.tag_score(state, rank));
        }
    }
};

}  // namespace plait
