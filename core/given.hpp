// Arcs that are known before parsing: search prefers what agrees with them.
#pragma once

#include "core/repertoire.hpp"

namespace plait {

class Given {
  public:
    static constexpr float penalty = 1e6f;  // more than any difference of scores

    // `none` where nothing is given; empty lists for a sentence without any.
    Given() = default;
    Given(std::span<const Index> heads, std::span<const Label> labels) : heads_(heads), labels_(labels) {
        dependents_.resize(heads.size() + 1);
        for (std::size_t i = 0; i < heads.size(); ++i) {
            if (heads[i] != none)
                dependents_[static_cast<std::size_t>(heads[i])].push_back(static_cast<Index>(i + 1));
        }
    }

    bool empty() const { return heads_.empty(); }

    // How much a transition is to be shunned: it builds another arc than the given one, or ends the chance to
    // build one.
    template <typename System>
    float cost(System system, const State& state, Transition transition) const {
        return heads_.empty() || !is_arc(transition.kind) ? 0 : arc_cost(system, state, transition);
    }

  private:
    // Apart from the rest, so that search without given arcs is not slowed down by it.
    template <typename System>
    [[gnu::noinline]] float arc_cost(System system, const State& state, Transition transition) const {
        const Arc arc = arc_of(system, state, transition);
        if (arc.dependent == 0) return 0;
        const auto at = static_cast<std::size_t>(arc.dependent - 1);
        Index wrong = heads_[at] != none && heads_[at] != arc.head;
        wrong += heads_[at] == arc.head && labels_[at] != none && labels_[at] != transition.label;
        if constexpr (reaches_deep<System>) {
            system.each_closed(state, transition, [&](Index node, Kind side) {
                for (const Index waiting : dependents_[static_cast<std::size_t>(node)]) {
                    const bool on_side = (waiting < node) == (side == Kind::left_arc);
                    wrong += on_side && waiting != arc.dependent && state.head(waiting) == none;
                }
            });
            return penalty * static_cast<float>(wrong);
        }
        // In the arc-eager system RIGHT-ARC leaves the dependent on the stack, where it can still take
        // others.
        if (System::root == RootPlace::under_stack || transition.kind == Kind::left_arc) {
            for (const Index waiting : dependents_[at + 1]) wrong += state.head(waiting) == none;
        }
        return penalty * static_cast<float>(wrong);
    }

    std::span<const Index> heads_;
    std::span<const Label> labels_;
    std::vector<std::vector<Index>> dependents_;
};

}  // namespace plait
