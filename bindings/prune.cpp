// Pruning in two parts, by itself.
#include "core/prune.hpp"

#include <numeric>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"

using namespace nb::literals;

using plait::Index;

void bind_prune(nb::module_& m) {
    m.def(
        "prune_in_two",
        [](Input<double> scores, Input<std::uint64_t> keys, std::size_t width, std::size_t spare) {
            if (scores.size() != keys.size()) throw std::invalid_argument("one key per score is needed");
            std::vector<Index> numbers(scores.size()), scratch;
            std::iota(numbers.begin(), numbers.end(), 0);
            std::vector<std::uint64_t> kept;
            plait::prune_in_two(
                numbers, width, spare,
                [&](Index one, Index other) {
                    const auto a = static_cast<std::size_t>(one), b = static_cast<std::size_t>(other);
                    return scores(a) != scores(b) ? scores(a) > scores(b) : a < b;
                },
                [&](Index number) { return keys(static_cast<std::size_t>(number)); }, kept, scratch);
            return to_numpy(std::move(numbers));
        },
        "scores"_a, "keys"_a, "width"_a, "spare"_a,
        "The numbers of what survives: the best with different keys, and the best of the rest.");
}
