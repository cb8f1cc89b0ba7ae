// What is right in any state: by an oracle while the gold tree can be reached, by what is lost afterwards.
#pragma once

#include "core/derive.hpp"
#include "core/oracles/costs.hpp"

namespace plait {

class Tutor {
  public:
    explicit Tutor(Deriver& deriver) : deriver_(deriver) {}

    // MINIMAL knows whole derivations only: the one to follow. Of other oracles it is empty.
    void plan(const Gold& gold, std::vector<Kind>& script) {
        script.clear();
        if (deriver_.oracle() != OracleId::minimal) return;
        deriver_.derive(gold, [&](Transition transition) { script.push_back(transition.kind); });
    }

    // `on_path`: whether all that was done so far was correct.
    template <typename System>
    TransitionSet correct(System system, const State& state, const Gold& gold, std::span<const Kind> script,
                          bool on_path) {
        if (on_path && !script.empty()) return script[static_cast<std::size_t>(state.steps())];
        if (on_path || deriver_.oracle() == OracleId::dynamic) return deriver_.correct(state, gold);
        if constexpr (reaches_deep<System>) {
            return spine_costs_.best(system, state, gold, deriver_.single_root());
        } else if constexpr (System::root == RootPlace::after_words) {
            return eager_dynamic(state, gold, deriver_.single_root());
        } else {
            return swap_costs_.best_without_swaps(state, gold, deriver_.single_root());
        }
    }

  private:
    Deriver& deriver_;
    SwapCosts swap_costs_;
    SpineCosts spine_costs_;
};

// Of what a tutor calls correct, an arc is so with the gold label; one that is wrong anyway, or whose label
// is not known, may have any.
template <typename System>
bool is_correct(System system, const State& state, const Gold& gold, const TransitionSet& correct,
                Transition transition) {
    if (!correct.has(transition)) return false;
    if (!is_arc(transition.kind)) return true;
    const Arc arc = arc_of(system, state, transition);
    if (gold.head(arc.dependent) != arc.head) return true;
    const Label label = gold.label(arc.dependent);
    return label == none || label == transition.label;
}

}  // namespace plait
