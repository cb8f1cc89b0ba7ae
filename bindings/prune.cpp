// Pruning in parts, by itself.
#include "core/prune.hpp"

#include <numeric>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"

using namespace nb::literals;

using plait::Index;

void bind_prune(nb::module_& m) {
    m.def(
        "prune_in_parts",
        [](Input<double> scores, Input<std::uint64_t> trees, Input<std::uint64_t> tags, std::size_t beam,
           std::size_t tag_beam, std::size_t feats_beam) {
            if (scores.size() != trees.size() || scores.size() != tags.size())
                throw std::invalid_argument("two keys per score are needed");
            std::vector<Index> numbers(scores.size()), scratch;
            std::iota(numbers.begin(), numbers.end(), 0);
            std::vector<plait::Keys> kept;
            plait::prune_in_parts(
                numbers, {beam, tag_beam, feats_beam},
                [&](Index one, Index other) {
                    const auto a = static_cast<std::size_t>(one), b = static_cast<std::size_t>(other);
                    return scores(a) != scores(b) ? scores(a) > scores(b) : a < b;
                },
                [&](Index number) {
                    const auto at = static_cast<std::size_t>(number);
                    return plait::Keys{trees(at), tags(at)};
                },
                kept, scratch);
            return to_numpy(std::move(numbers));
        },
        "scores"_a, "trees"_a, "tags"_a, "beam"_a, "tag_beam"_a, "feats_beam"_a,
        "The numbers of what survives: the best with different trees, with different tags, and with "
        "different "
        "features.");
}
