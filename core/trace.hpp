// How a parser came to its tree: the steps it took, what it would have liked next best, and how its beam
// lived. It searches as `batch.hpp` does and then looks at every state of the derivation once more.
#pragma once

#include "core/search.hpp"

namespace plait {

// Transitions with a score each; group i is those from bounds[i] to bounds[i + 1].
struct ScoredTransitions {
    std::vector<std::uint8_t> kinds;
    std::vector<Label> labels;
    std::vector<Index> depths;
    std::vector<double> scores;
    std::vector<std::int64_t> bounds{0};

    void add(Transition transition, double score) {
        kinds.push_back(static_cast<std::uint8_t>(transition.kind));
        labels.push_back(transition.label);
        depths.push_back(transition.depth);
        scores.push_back(score);
    }
    void close() { bounds.push_back(static_cast<std::int64_t>(kinds.size())); }
};

struct Trace {
    static constexpr std::uint8_t finished = kind_count;  // the kind of a hypothesis that waits at the end

    std::vector<Transition> derivation;
    ScoredTransitions taken;         // the derivation again; scores are among the alternatives
    ScoredTransitions alternatives;  // of every step of the derivation, the best first
    ScoredTransitions beam;          // of every round its hypotheses, the best first, with their total scores
    std::vector<Index> parents;      // of every hypothesis its number in the round before
};

// The best `most` of what a state permits, and beyond them the one that was taken and the best of every kind.
template <typename System, TransitionScorer Scorer>
void rank_transitions(const Setting<System>& setting, const State& state, Scorer& scorer, Transition taken,
                      std::size_t most, ScoredTransitions& ranked) {
    std::vector<std::pair<Transition, float>> permitted;
    setting.each_scored(state, scorer, [&](Transition transition, std::size_t, float score) {
        permitted.emplace_back(transition, score);
    });
    // Stable: search too prefers the first among equals.
    std::ranges::stable_sort(permitted, [](auto& one, auto& other) { return one.second > other.second; });
    KindSet seen;
    for (std::size_t i = 0; i < permitted.size(); ++i) {
        const auto [transition, score] = permitted[i];
        if (i < most || transition == taken || !seen.has(transition.kind)) {
            ranked.add(transition, static_cast<double>(score));
        }
        seen.add(transition.kind);
    }
    ranked.close();
}

template <typename System, TransitionScorer Scorer>
void derive_greedily(const Setting<System>& setting, Scorer& scorer, Index words,
                     std::vector<Transition>& derivation) {
    State state;
    std::vector<float> margins(static_cast<std::size_t>(words));
    setting.system.start(state, words);
    while (!setting.system.terminal(state)) {
        check_cancelled();
        derivation.push_back(choose_greedily(setting, scorer, Given(), state, margins).transition);
        setting.system.apply(state, derivation.back());
    }
}

template <typename System, TransitionScorer Scorer>
void derive_with_beam(const Setting<System>& setting, Scorer& scorer, Index words, Beam beam, Trace& trace) {
    beam.start(setting.system, words);
    std::vector<std::int32_t> before{-1};  // the last steps of the round before
    while (beam.advance(setting.system, OfferAll(setting, scorer, nothing_given))) {
        std::vector<std::int32_t> lasts;
        for (const Hypothesis& hypothesis : beam.hypotheses()) {
            lasts.push_back(hypothesis.last);
            // One that had reached the end goes on as it is.
            auto parent = std::ranges::find(before, hypothesis.last);
            Transition transition{static_cast<Kind>(Trace::finished)};
            if (parent == before.end()) {
                const Step& step = beam.step(hypothesis.last);
                parent = std::ranges::find(before, step.before);
                transition = step.transition;
            }
            trace.beam.add(transition, hypothesis.score);
            trace.parents.push_back(static_cast<Index>(parent - before.begin()));
        }
        trace.beam.close();
        before = std::move(lasts);
    }
    beam.spell(beam.hypotheses().front().last, trace.derivation);
}

template <typename System, TransitionScorer Scorer>
Trace trace_derivation(const Setting<System>& setting, Scorer& scorer, Index words, const Widths& beam,
                       std::size_t alternatives) {
    Trace trace;
    if (words == 0) return trace;
    if (beam.trees == 1) {
        derive_greedily(setting, scorer, words, trace.derivation);
    } else {
        derive_with_beam(setting, scorer, words, Beam(beam), trace);
    }
    State state;
    setting.system.start(state, words);
    for (const Transition transition : trace.derivation) {
        check_cancelled();
        rank_transitions(setting, state, scorer, transition, alternatives, trace.alternatives);
        trace.taken.add(transition, 0);
        setting.system.apply(state, transition);
    }
    trace.taken.close();
    return trace;
}

}  // namespace plait
