// What a transition sees of the probabilities of arcs.
#pragma once

#include <vector>

#include "core/neural/spanning.hpp"
#include "core/state.hpp"

namespace plait::neural {

// Probabilities of the heads of words, and what they say about a state of the swap system.
class ArcView {
  public:
    // Places whose arcs are looked at one by one: S0, S1, S2, B0.
    static constexpr std::size_t places = 4;
    // Two numbers for every pair of places, then sums over the buffer and over what is deep in the stack.
    static constexpr std::size_t pairs = 2 * places * (places - 1), sums = 12, size = pairs + sums;

    void read(const ArcScores& arcs);
    // `features` has room for `size` numbers.
    void describe(const State& state, float* features) const;

  private:
    // Nothing of and from nodes that are not there, or of the root.
    float share(Index dependent, Index head) const {
        return dependent <= 0 || head < 0 ? 0.0f : shares_[place(dependent, head)];
    }
    float logarithm(Index dependent, Index head) const {
        return dependent <= 0 || head < 0 ? least : logarithms_[place(dependent, head)];
    }
    float absence(Index dependent, Index head) const {
        return dependent <= 0 || head < 0 ? 0.0f : absences_[place(dependent, head)];
    }
    std::size_t place(Index dependent, Index head) const {
        return static_cast<std::size_t>(dependent - 1) * (words_ + 1) + static_cast<std::size_t>(head);
    }

    static constexpr float least = -10.0f;  // logarithms below are as good as this
    std::size_t words_ = 0;
    // Probabilities, their logarithms, and those of there being no such arc.
    std::vector<float> shares_, logarithms_, absences_;
};

}  // namespace plait::neural
