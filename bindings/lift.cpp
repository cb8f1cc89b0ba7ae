// Lifting the arcs of unordered trees: programs of features, learning and searching over batches.
#include <nanobind/stl/tuple.h>

#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/trees.hpp"
#include "bindings/work.hpp"
#include "core/lift/learner.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

// The heads of all words; `both`: the better of two searches that visit words of the same depth in opposite
// orders.
template <typename Weights>
Output<Index> lift(const Weights& weights, const LiftProgram& program, Rows<std::uint32_t> values,
                   Input<std::int64_t> offsets, Input<Index> heads, std::size_t beam, bool both, int threads,
                   const Cancel* cancel) {
    if (beam < 1 || threads < 1) throw std::invalid_argument("beam and threads begin at 1");
    if (weights.windows.width() != lift_classes) throw std::invalid_argument("other weights");
    const UnorderedTrees trees = trees_of(program, values, offsets, heads, {});
    std::vector<Index> lifted(heads.size());
    {
        const CoreWork work(cancel);
        std::atomic<std::size_t> next{0};
        on_threads(threads, [&] {
            LiftSearch<Weights> search(program, weights);
            OrderTree tree;
            for (std::size_t i = next++; i < trees.size(); i = next++) {
                trees.read(program.signs(), i, tree);
                Lifting found = search.run(tree, trees.tree_heads(i), beam, false);
                if (both) {
                    Lifting other = search.run(tree, trees.tree_heads(i), beam, true);
                    if (other.score > found.score) found = std::move(other);
                }
                std::ranges::copy(found.heads,
                                  lifted.begin() + static_cast<std::ptrdiff_t>(trees.offsets[i]));
            }
        });
    }
    return to_numpy(std::move(lifted));
}

// How many words might be lifted, and how many are.
std::tuple<std::int64_t, std::int64_t> learn(LiftLearner& learner, Rows<std::uint32_t> values,
                                             Input<std::int64_t> offsets, Input<Index> heads,
                                             Input<Index> target, Input<std::int64_t> order) {
    const UnorderedTrees trees = trees_of(learner.program(), values, offsets, heads, {});
    const Forest wanted = to_forest(target, offsets);
    const nb::gil_scoped_release release;
    OrderTree tree;
    each_in_order(view(order), trees.size(), [&](std::size_t i) {
        trees.read(learner.program().signs(), i, tree);
        learner.learn(tree, trees.tree_heads(i), wanted.tree(i));
    });
    const LiftReport report = learner.take_report();
    return {report.words, report.lifted};
}

}  // namespace

void bind_lift(nb::module_& m) {
    nb::class_<LiftProgram>(m, "LiftProgram")
        .def(
            "__init__",
            [](LiftProgram* self, std::size_t columns, Rows<std::int32_t> atoms, Input<std::int32_t> joined,
               Input<std::int32_t> ends, Input<std::uint32_t> marking, Input<std::uint32_t> asking,
               std::uint64_t seed) {
                if (atoms.shape(1) != 2) throw std::invalid_argument("wrong number of columns");
                std::vector<LiftAtom> list;
                for (std::size_t i = 0; i < atoms.shape(0); ++i) list.push_back({atoms(i, 0), atoms(i, 1)});
                new (self)
                    LiftProgram(columns, list, view(joined), view(ends), signs_of(marking, asking, 0), seed);
            },
            "columns"_a, "atoms"_a, "joined"_a, "ends"_a, "marking"_a, "asking"_a, "seed"_a);

    nb::class_<LiftLearner> trainer(m, "LiftTrainer");
    trainer.def(nb::init<const LiftProgram&, int, float>(), "program"_a, "bits"_a, "step"_a)
        .def("learn", &learn, "values"_a, "offsets"_a, "heads"_a, "target"_a, "order"_a,
             "One pass over the trees in this order: words that might be lifted, and those that are.");
    bind_learning(trainer);

    m.def("lift_trees", &lift<Kernel>, "weights"_a, "program"_a, "values"_a, "offsets"_a, "heads"_a, "beam"_a,
          "both"_a, "threads"_a, "cancel"_a.none() = nb::none(), "The heads of all words, lifted.");
    m.def("lift_trees", &lift<CompactKernel>, "weights"_a, "program"_a, "values"_a, "offsets"_a, "heads"_a,
          "beam"_a, "both"_a, "threads"_a, "cancel"_a.none() = nb::none());
}
