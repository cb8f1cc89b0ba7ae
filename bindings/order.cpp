// Orders of the words of trees: programs of features, learning and searching over batches.
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/trees.hpp"
#include "bindings/work.hpp"
#include "core/order/learner.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

using Orders = std::tuple<Output<Index>, Output<std::int64_t>, Output<double>>;

// The words of every order, one order after the other; how many orders each tree has; their scores.
template <typename Weights>
Orders order(const Weights& weights, const OrderProgram& program, Rows<std::uint32_t> values,
             Input<std::int64_t> offsets, Input<Index> heads, Input<std::int32_t> fixed, std::size_t beam,
             std::size_t best, int threads, const Cancel* cancel) {
    if (beam < 1 || best < 1 || threads < 1) throw std::invalid_argument("beam, best and threads begin at 1");
    if (weights.windows.width() != 1) throw std::invalid_argument("other weights");
    const UnorderedTrees trees = trees_of(program, values, offsets, heads, view(fixed));
    std::vector<Index> words;
    std::vector<std::int64_t> counts;
    std::vector<double> scores;
    {
        const CoreWork work(cancel);
        for (const auto& orders : order_trees(program, weights, trees, beam, best, threads)) {
            counts.push_back(static_cast<std::int64_t>(orders.size()));
            for (const SentenceOrder& each : orders) {
                words.insert(words.end(), each.words.begin(), each.words.end());
                scores.push_back(each.score);
            }
        }
    }
    return {to_numpy(std::move(words)), to_numpy(std::move(counts)), to_numpy(std::move(scores))};
}

// Domains of several words, how many of them were in a wrong order, and the number of updates.
std::tuple<std::int64_t, std::int64_t, std::int64_t> learn(OrderLearner& learner, Rows<std::uint32_t> values,
                                                           Input<std::int64_t> offsets, Input<Index> heads,
                                                           Input<std::int64_t> order) {
    const UnorderedTrees trees = trees_of(learner.program(), values, offsets, heads, {});
    const nb::gil_scoped_release release;
    const OrderReport report = learner.learn(trees, view(order));
    return {report.domains, report.wrong, report.updates};
}

void make_program(OrderProgram* self, std::size_t columns, Rows<std::int32_t> atoms,
                  Input<std::int32_t> joined, Input<std::int32_t> ends, Input<std::int32_t> views,
                  Input<std::uint32_t> marking, Input<std::uint32_t> asking, std::uint32_t question,
                  std::uint64_t seed) {
    if (atoms.shape(1) != 2) throw std::invalid_argument("wrong number of columns");
    std::vector<OrderAtom> list;
    for (std::size_t i = 0; i < atoms.shape(0); ++i) list.push_back({atoms(i, 0), atoms(i, 1)});
    new (self) OrderProgram(columns, list, view(joined), view(ends), view(views),
                            signs_of(marking, asking, question), seed);
}

}  // namespace

void bind_order(nb::module_& m) {
    nb::class_<OrderProgram>(m, "OrderProgram")
        .def("__init__", &make_program, "columns"_a, "atoms"_a, "joined"_a, "ends"_a, "views"_a, "marking"_a,
             "asking"_a, "question"_a, "seed"_a);

    nb::class_<OrderLearner> trainer(m, "OrderTrainer");
    trainer
        .def(nb::init<const OrderProgram&, int, std::size_t, float>(), "program"_a, "bits"_a, "beam"_a,
             "longest_step"_a)
        .def("learn", &learn, "values"_a, "offsets"_a, "heads"_a, "order"_a,
             "One pass over the trees in this order: domains, wrong ones, updates.");
    bind_learning(trainer);

    m.def("order_trees", &order<Kernel>, "weights"_a, "program"_a, "values"_a, "offsets"_a, "heads"_a,
          "fixed"_a, "beam"_a, "best"_a, "threads"_a, "cancel"_a.none() = nb::none(),
          "The best orders of the words of each tree: words, orders per tree, scores.");
    m.def("order_trees", &order<CompactKernel>, "weights"_a, "program"_a, "values"_a, "offsets"_a, "heads"_a,
          "fixed"_a, "beam"_a, "best"_a, "threads"_a, "cancel"_a.none() = nb::none());
}
