// bindings/ knows both Python and the core: arrays in, arrays out, the GIL released in between. Here: trees.
#include <nanobind/nanobind.h>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"
#include "bindings/work.hpp"
#include "core/nonprojectivity.hpp"
#include "core/projective.hpp"

using namespace nb::literals;

namespace {

using plait::Forest;
using plait::Index;
using plait::Tree;

// A measure that gives one number per word, over a batch.
template <typename Measure>
auto per_word(Measure measure) {
    return [measure](Input<Index> heads, Input<std::int64_t> offsets) {
        const Forest forest = to_forest(heads, offsets);
        std::vector<Index> result(forest.heads.size());
        {
            const CoreWork work;
            for (std::size_t i = 0; i < forest.size(); ++i) {
                plait::require_tree(forest.tree(i), i);
                const Tree tree(forest.tree(i));
                measure(tree, std::span(result).subspan(static_cast<std::size_t>(forest.offsets[i]),
                                                        forest.tree(i).size()));
            }
        }
        return to_numpy(std::move(result));
    };
}

// A measure that gives one number per tree, over a batch.
template <typename Measure>
auto per_tree(Measure measure) {
    return [measure](Input<Index> heads, Input<std::int64_t> offsets) {
        const Forest forest = to_forest(heads, offsets);
        std::vector<std::int64_t> result(forest.size());
        {
            const CoreWork work;
            for (std::size_t i = 0; i < forest.size(); ++i) {
                plait::require_tree(forest.tree(i), i);
                result[i] = static_cast<std::int64_t>(measure(Tree(forest.tree(i))));
            }
        }
        return to_numpy(std::move(result));
    };
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The native core of plait: integer arrays in, integer arrays out.";

    m.def(
        "first_faults",
        [](Input<Index> heads, Input<std::int64_t> offsets) {
            const Forest forest = to_forest(heads, offsets);
            std::vector<Index> result(forest.size());
            {
                const CoreWork work;
                for (std::size_t i = 0; i < forest.size(); ++i)
                    result[i] = plait::first_fault(forest.tree(i));
            }
            return to_numpy(std::move(result));
        },
        "heads"_a, "offsets"_a,
        "Per tree: the first word with a head outside the sentence or on a cycle; 0 if none.");
    m.def("edge_degrees", per_word(plait::edge_degrees), "heads"_a, "offsets"_a);
    m.def("gap_degrees", per_word(plait::gap_degrees), "heads"_a, "offsets"_a);
    m.def("projective_orders", per_word(plait::projective_order), "heads"_a, "offsets"_a);
    m.def("projective_components", per_word(plait::projective_components), "heads"_a, "offsets"_a);
    m.def("crossing_pairs", per_tree(plait::crossing_pairs), "heads"_a, "offsets"_a);
    m.def("well_nested", per_tree(plait::well_nested), "heads"_a, "offsets"_a);

    bind_cancel(m);
    bind_kernel(m);
    bind_features(m);
    bind_parts(m);
    bind_repertoire(m);
    bind_chain(m);
    bind_classify(m);
    bind_clusters(m);
    bind_graph(m);
    bind_lift(m);
    bind_swap_head(m);
    bind_neural(m);
    bind_order(m);
    bind_parser(m);
    bind_frontier(m);
    bind_learn(m);
    bind_prune(m);
    bind_roles(m);
    bind_tagger(m);
    bind_text(m);
    bind_trace(m);
    bind_transitions(m);
}
