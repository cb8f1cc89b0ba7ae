// A beam of derivations (Zhang and Clark 2008): expand, prune, follow.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/cancel.hpp"
#include "core/key.hpp"
#include "core/prune.hpp"

namespace plait {

// A derivation in the making.
struct Hypothesis {
    State state;
    double score = 0;
    std::int32_t last = -1;  // its last step, in the list of steps
    Keys keys;               // kept by a beam that is pruned in parts only
};

// One transition of a hypothesis, linked to the one before: hypotheses share their beginnings.
struct Step {
    Transition transition;
    std::int32_t before;
};

// Where tags are chosen, there may be widths for hypotheses that differ in these only (core/prune.hpp).
class Beam {
  public:
    explicit Beam(const Widths& widths) : widths_(widths) {}
    explicit Beam(std::size_t width) : Beam(Widths{width}) {}

    template <typename System>
    void start(System system, Index words) {
        if (hypotheses_.empty()) hypotheses_.resize(1);
        system.start(hypotheses_[0].state, words);
        hypotheses_[0].score = 0;
        hypotheses_[0].last = -1;
        hypotheses_[0].keys = {};
        size_ = 1;
        steps_.clear();
    }

    // What a hypothesis may do goes through this.
    class Take {
      public:
        Take(Beam& beam, double so_far, std::int32_t from) : beam_(beam), so_far_(so_far), from_(from) {}

        void operator()(Transition transition, float score) const {
            beam_.consider({so_far_ + static_cast<double>(score), from_, false, transition});
        }
        // Scores below it come too late: the beam is full of better ones. A little less than it could be,
        // for sums are rounded.
        float bound() const {
            if (!beam_.full()) return -std::numeric_limits<float>::infinity();
            const double least = beam_.candidates_.front().score;
            return static_cast<float>(least - so_far_ - 1e-6 * (std::abs(least) + std::abs(so_far_)));
        }

      private:
        Beam& beam_;
        double so_far_;
        std::int32_t from_;
    };

    // One step of all hypotheses; false when all are finished. `offer(state, take)` calls take(transition,
    // score) for what a hypothesis may do, and may leave out what scores less than take.bound(); `words` are
    // those whose tags it chooses.
    template <typename System, typename Offer>
    bool advance(System system, Offer offer, const Words& words = {}) {
        candidates_.clear();
        if constexpr (requires { offer.prepare(std::span<const State* const>{}); }) {
            moving_.clear();
            for (const Hypothesis& each : hypotheses()) {
                if (!system.terminal(each.state)) moving_.push_back(&each.state);
            }
            offer.prepare(moving_);
        }
        bool moving = false;
        for (std::size_t i = 0; i < size_; ++i) {
            check_cancelled();
            const Hypothesis& from = hypotheses_[i];
            const auto index = static_cast<std::int32_t>(i);
            if (system.terminal(from.state)) {
                consider({from.score, index, true, {}});
                continue;
            }
            moving = true;
            offer(from.state, Take(*this, from.score, index));
        }
        if (!moving) return false;
        if (widths_.in_parts()) {
            const auto keys_of = [&](const Candidate& candidate) {
                const Hypothesis& from = hypotheses_[static_cast<std::size_t>(candidate.from)];
                return candidate.finished
                           ? from.keys
                           : keys_after(system, from.state, words, candidate.transition, from.keys);
            };
            prune_in_parts(candidates_, widths_, ranks_before, keys_of, keys_, scratch_);
        } else {
            std::sort(candidates_.begin(), candidates_.end(), ranks_before);
        }
        if (next_.size() < candidates_.size()) next_.resize(candidates_.size());
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            check_cancelled();  // long sentences take their time to copy
            follow(system, candidates_[i], next_[i]);
            if (widths_.in_parts()) next_[i].keys = keys_[i];
        }
        size_ = candidates_.size();
        std::swap(hypotheses_, next_);
        return true;
    }

    // Of the only hypothesis: a step that was chosen elsewhere.
    template <typename System>
    void take(System system, Transition transition, float score) {
        Hypothesis& only = hypotheses_.front();
        steps_.push_back({transition, only.last});
        only.last = static_cast<std::int32_t>(steps_.size()) - 1;
        only.score += static_cast<double>(score);
        system.apply(only.state, transition);
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
    static constexpr auto ranks_before = [](const Candidate& one, const Candidate& other) {
        if (one.score != other.score) return one.score > other.score;
        if (one.from != other.from) return one.from < other.from;
        if (one.transition.kind != other.transition.kind) return one.transition.kind < other.transition.kind;
        if (one.transition.label != other.transition.label)
            return one.transition.label < other.transition.label;
        return one.transition.depth < other.transition.depth;
    };

    // candidates_ is a heap with the worst in front, never larger than the beam; for pruning in parts a list
    // of all. Most candidates are turned away at once, so only this test is worth being inlined.
    void consider(const Candidate& candidate) {
        if (full() &&
            (candidate.score < candidates_.front().score || !ranks_before(candidate, candidates_.front()))) {
            return;
        }
        keep(candidate);
    }
    bool full() const { return !widths_.in_parts() && candidates_.size() == widths_.trees; }
    [[gnu::noinline]] void keep(const Candidate& candidate) {
        if (!full()) {
            candidates_.push_back(candidate);
            if (!widths_.in_parts()) std::push_heap(candidates_.begin(), candidates_.end(), ranks_before);
            return;
        }
        // In the place of the worst, and down to where it belongs.
        std::size_t at = 0;
        for (std::size_t below = 1; below < widths_.trees; below = 2 * at + 1) {
            if (below + 1 < widths_.trees && ranks_before(candidates_[below], candidates_[below + 1]))
                ++below;
            if (!ranks_before(candidate, candidates_[below])) break;
            candidates_[at] = candidates_[below];
            at = below;
        }
        candidates_[at] = candidate;
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

    Widths widths_;
    std::size_t size_ = 0;
    std::vector<Hypothesis> hypotheses_, next_;
    std::vector<const State*> moving_;
    std::vector<Candidate> candidates_, scratch_;
    std::vector<Keys> keys_;
    std::vector<Step> steps_;
};

}  // namespace plait
