// How to learn, and what is reported of it.
#pragma once

#include "core/derive.hpp"
#include "core/prune.hpp"

namespace plait {

struct LearningOptions {
    OracleId oracle = OracleId::lazy;
    std::int64_t budget = 20'000'000;  // of the oracle MINIMAL
    bool passive_aggressive = true;    // otherwise the perceptron, whose every step is 1
    float longest_step = 0.01f;        // of the passive-aggressive learner
    double explore = 0;                // greedy: how often to follow the parser's own choice when it is wrong
    Widths widths;                     // of the beam
    bool early_update = false;         // beam: instead of max violation
    double margin = 0;                 // beam: what a hypothesis must lose by for every wrong arc
    bool halves = false;               // beam: a wrong head counts one half, a wrong label the other
};

struct LearningReport {
    std::int64_t states = 0, updates = 0;
    std::int64_t swaps = 0;     // in the derivations learned from
    std::int64_t left_out = 0;  // sentences that the system cannot derive
};

}  // namespace plait
