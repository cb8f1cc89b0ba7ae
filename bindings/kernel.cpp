// Tables of weights, as they are learned and as they are used.
#include "core/kernel.hpp"

#include <algorithm>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"
#include "core/packing.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

template <typename Weights, typename T>
void fill(Weights& kernel, const Input<T>& weights) {
    if (weights.size() != kernel.windows.cells()) throw std::invalid_argument("the table has another size");
    std::ranges::copy(view(weights), kernel.weights.begin());
}

}  // namespace

void bind_kernel(nb::module_& m) {
    m.def(
        "spread",
        [](Input<std::uint8_t> filled, Input<std::int8_t> weights, std::size_t cells) {
            return to_numpy(spread(view(filled), view(weights), cells));
        },
        "filled"_a, "weights"_a, "cells"_a,
        "A table with weights in the cells whose bits are set; empty if the two do not fit together.");

    nb::class_<Kernel>(m, "Weights")
        .def(
            "__init__",
            [](Kernel* self, int bits, std::size_t width, Input<float> weights) {
                new (self) Kernel(bits, width);
                fill(*self, weights);
            },
            "bits"_a, "width"_a, "weights"_a);
    nb::class_<CompactKernel>(m, "CompactWeights")
        .def(
            "__init__",
            [](CompactKernel* self, int bits, std::size_t width, float step, Input<std::int8_t> weights) {
                if (width > most_transitions) throw std::invalid_argument("too many transitions");
                new (self) CompactKernel(bits, width, step);
                fill(*self, weights);
            },
            "bits"_a, "width"_a, "step"_a, "weights"_a);
}
