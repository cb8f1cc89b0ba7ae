// What all learners have in common: the mean of their weights, and what is needed to go on later.
#pragma once

#include "bindings/arrays.hpp"
#include "core/kernel.hpp"

inline Output<float> copy_of(std::span<const float> table) {
    return to_numpy(std::vector<float>(table.begin(), table.end()));
}

template <typename Learner>
void bind_learning(nanobind::class_<Learner>& learner) {
    namespace nb = nanobind;
    using namespace nb::literals;
    learner.def("averaged", [](const Learner& self) { return to_numpy(self.averaged().mean()); })
        .def("weights", [](const Learner& self) { return copy_of(self.averaged().weights()); })
        .def("drift", [](const Learner& self) { return copy_of(self.averaged().drift()); })
        .def_prop_ro("examples", [](const Learner& self) { return self.averaged().examples(); })
        .def(
            "restore",
            [](Learner& self, Input<float> weights, Input<float> drift, std::int64_t examples) {
                self.averaged().restore(view(weights), view(drift), examples);
            },
            "weights"_a, "drift"_a, "examples"_a);
}
