// How a tree came about, in arrays.
#pragma once

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings/arrays.hpp"
#include "core/trace.hpp"

using ScoredArrays = std::tuple<Output<std::uint8_t>, Output<plait::Label>, Output<plait::Index>,
                                Output<double>, Output<std::int64_t>>;

inline ScoredArrays to_arrays(plait::ScoredTransitions&& scored) {
    return ScoredArrays(to_numpy(std::move(scored.kinds)), to_numpy(std::move(scored.labels)),
                        to_numpy(std::move(scored.depths)), to_numpy(std::move(scored.scores)),
                        to_numpy(std::move(scored.bounds)));
}

// The derivation, alternatives, rounds of the beam, and parents.
using TraceArrays = std::tuple<ScoredArrays, ScoredArrays, ScoredArrays, Output<plait::Index>>;

inline TraceArrays to_arrays(plait::Trace&& trace) {
    return {to_arrays(std::move(trace.taken)), to_arrays(std::move(trace.alternatives)),
            to_arrays(std::move(trace.beam)), to_numpy(std::move(trace.parents))};
}
