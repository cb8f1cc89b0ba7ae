// Greedy search, and beam search (Zhang and Clark 2008) over derivations.
#pragma once

#include <algorithm>
#include <limits>

#include "core/given.hpp"
#include "core/key.hpp"
#include "core/prune.hpp"
#include "core/scorer.hpp"

namespace plait {

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

    // Calls `use(transition, number, score)` for everything permitted, arc by arc.
    template <TransitionScorer Scorer, typename Use>
    void each_scored(const State& state, Scorer& scorer, Use use) const {
        const auto scores = this->scores(state, scorer);
        const Words& words = scorer.words();
        repertoire.each_permitted(
            system, state, words, single_root, [&](Transition transition, std::size_t number) {
                if (transition.kind == Kind::shift && words.joint()) {
                    each_tag(state, scorer, [&](Index rank, float score) {
                        use(Transition{Kind::shift, rank}, number, scores[number] + score);
                    });
                } else {
                    use(transition, number, scores[number]);
                }
            });
        if constexpr (reaches_deep<System>) {
            for (const Kind kind : {Kind::left_arc, Kind::right_arc}) {
                if (!system.permits(state, kind, single_root)) continue;
                Index depth = 1, head = system.giver(state, kind);
                while ((head = system.below(state, head, kind)) != none) {
                    const auto deep = scorer.score(state, Context{kind, head});
                    repertoire.each_label(kind, ++depth, {head, system.taken(state, kind)}, state, words,
                                          [&](Transition transition, std::size_t number) {
                                              use(transition, number, deep[number]);
                                          });
                }
            }
        }
    }

    // Calls `use(rank, score)` for the tags that SHIFT may give (Bohnet and Nivre 2012, section 3.1).
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

// Parses from the start state to the end. `margins[w - 1]` is by how much the arc of word w won: over every
// transition that would not have built it, whatever its label.
template <typename System, TransitionScorer Scorer>
double parse_greedily(const Setting<System>& setting, Scorer& scorer, const Given& given, State& state,
                      std::span<float> margins) {
    double total = 0;
    while (!setting.system.terminal(state)) {
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
    std::uint64_t key = 0;   // of all but its tags; kept by a beam that spares tags only
};

// One transition of a hypothesis, linked to the one before: hypotheses share their beginnings.
struct Step {
    Transition transition;
    std::int32_t before;
};

// With `spare`, pruning has two parts (Bohnet and Nivre 2012, Figure 2): the best `width` hypotheses that
// differ in more than tags, and then the best `spare` of the rest.
class Beam {
  public:
    explicit Beam(std::size_t width, std::size_t spare = 0) : width_(width), spare_(spare) {}

    template <typename System>
    void start(System system, Index words) {
        if (hypotheses_.empty()) hypotheses_.resize(1);
        system.start(hypotheses_[0].state, words);
        hypotheses_[0].score = 0;
        hypotheses_[0].last = -1;
        hypotheses_[0].key = 0;
        size_ = 1;
        steps_.clear();
    }

    // One step of all hypotheses; false when all are finished. `offer(state, take)` calls take(transition,
    // score) for what a hypothesis may do.
    template <typename System, typename Offer>
    bool advance(System system, Offer offer) {
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
            offer(from.state, [&](Transition transition, float score) {
                consider({from.score + static_cast<double>(score), index, false, transition});
            });
        }
        if (!moving) return false;
        if (spare_ > 0) {
            const auto key_of = [&](const Candidate& candidate) {
                const Hypothesis& from = hypotheses_[static_cast<std::size_t>(candidate.from)];
                return candidate.finished ? from.key
                                          : key_after(system, from.state, candidate.transition, from.key);
            };
            prune_in_two(candidates_, width_, spare_, ranks_before, key_of, keys_, scratch_);
        } else {
            std::sort(candidates_.begin(), candidates_.end(), ranks_before);
        }
        if (next_.size() < candidates_.size()) next_.resize(candidates_.size());
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            follow(system, candidates_[i], next_[i]);
            if (spare_ > 0) next_[i].key = keys_[i];
        }
        size_ = candidates_.size();
        std::swap(hypotheses_, next_);
        return true;
    }

    // The best first.
    std::span<const Hypothesis> hypotheses() const { return std::span(hypotheses_).first(size_); }

    const Step& step(std::int32_t number) const { return steps_[static_cast<std::size_t>(number)]; }

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
        if (one.transition.label != other.transition.label)
            return one.transition.label < other.transition.label;
        return one.transition.depth < other.transition.depth;
    }

    // candidates_ is a heap with the worst in front, never larger than the beam; for pruning in two parts a
    // list of all.
    void consider(const Candidate& candidate) {
        if (spare_ > 0) {
            candidates_.push_back(candidate);
            return;
        }
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

    std::size_t width_, spare_, size_ = 0;
    std::vector<Hypothesis> hypotheses_, next_;
    std::vector<Candidate> candidates_, scratch_;
    std::vector<std::uint64_t> keys_;
    std::vector<Step> steps_;
};

template <typename System, TransitionScorer Scorer>
void parse_with_beam(const Setting<System>& setting, Scorer& scorer, const Given& given, Index words,
                     Beam& beam) {
    beam.start(setting.system, words);
    const auto offer = [&](const State& state, auto take) {
        setting.each_scored(state, scorer, [&](Transition transition, std::size_t, float score) {
            take(transition, score - given.cost(setting.system, state, transition));
        });
    };
    while (beam.advance(setting.system, offer)) {
    }
}

}  // namespace plait
