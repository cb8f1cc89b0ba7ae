// Trees grown over semantic graphs: programs of features, learning and searching over batches.
#include <nanobind/stl/tuple.h>

#include <atomic>

#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/work.hpp"
#include "core/grow/learner.hpp"
#include "core/learn/order.hpp"
#include "core/threads.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

// Graphs one after the other; edges are rows of two nodes of their graph.
struct Graphs {
    std::span<const std::uint32_t> values;
    std::size_t columns;
    std::span<const std::int64_t> offsets, edge_offsets;
    std::span<const std::uint8_t> said;
    std::vector<MeaningEdge> edges;

    std::size_t size() const { return offsets.size() - 1; }
    std::size_t first(std::size_t i) const { return static_cast<std::size_t>(offsets[i]); }
    std::size_t length(std::size_t i) const { return static_cast<std::size_t>(offsets[i + 1]) - first(i); }
    std::span<const MeaningEdge> edges_of(std::size_t i) const {
        const auto begin = static_cast<std::size_t>(edge_offsets[i]);
        return std::span(edges).subspan(begin, static_cast<std::size_t>(edge_offsets[i + 1]) - begin);
    }
    void read(std::size_t i, MeaningGraph& graph) const {
        graph.read(values.subspan(first(i) * columns, length(i) * columns), columns,
                   said.subspan(first(i), length(i)), edges_of(i));
    }
};

Graphs graphs_of(const GrowProgram& program, const Rows<std::uint32_t>& values,
                 const Input<std::int64_t>& offsets, const Input<std::uint8_t>& said, const Rows<Index>& ends,
                 const Input<std::uint32_t>& labels, const Input<std::int64_t>& edge_offsets) {
    if (values.shape(1) != program.columns()) throw std::invalid_argument("wrong number of columns");
    if (said.size() != values.shape(0)) throw std::invalid_argument("one mark per node is needed");
    if (ends.shape(1) != 2 || ends.shape(0) != labels.size()) {
        throw std::invalid_argument("an edge has two ends and a label");
    }
    if (offsets.size() != edge_offsets.size()) throw std::invalid_argument("every graph has its edges");
    check_offsets(view(offsets), values.shape(0));
    check_offsets(view(edge_offsets), labels.size());
    Graphs graphs{
        {values.data(), values.size()}, values.shape(1), view(offsets), view(edge_offsets), view(said), {}};
    for (std::size_t i = 0; i < labels.size(); ++i) {
        graphs.edges.push_back({ends(i, 0), ends(i, 1), labels.data()[i]});
    }
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        for (const auto& [head, dependent, label] : graphs.edges_of(i)) {
            for (const Index node : {head, dependent}) {
                if (node < 1 || static_cast<std::size_t>(node) > graphs.length(i)) {
                    throw std::invalid_argument("an edge leads to a node that is not there");
                }
            }
        }
    }
    return graphs;
}

using Found = std::tuple<Output<Index>, Output<Index>>;

// The heads and labels of all nodes; `none` of those that are no words.
template <typename Weights>
Found grow(const Weights& weights, const GrowProgram& program, Rows<std::uint32_t> values,
           Input<std::int64_t> offsets, Input<std::uint8_t> said, Rows<Index> ends,
           Input<std::uint32_t> labels, Input<std::int64_t> edge_offsets, std::size_t best,
           std::uint32_t reach, int threads, const Cancel* cancel) {
    if (best < 1 || threads < 1) throw std::invalid_argument("best and threads begin at 1");
    const Graphs graphs = graphs_of(program, values, offsets, said, ends, labels, edge_offsets);
    std::vector<Index> heads(said.size()), found(said.size());
    {
        const CoreWork work(cancel);
        std::atomic<std::size_t> next{0};
        on_threads(threads, [&] {
            EdgeScorer<Weights> scorer(program, weights, reach);
            TreeGrower grower(best);
            MeaningGraph graph;
            EdgeScores scores;
            for (std::size_t i = next++; i < graphs.size(); i = next++) {
                graphs.read(i, graph);
                scorer.score(graph, scores, [](Index, Index, Index) { return 0.0f; });
                const GrownTree tree = grower.run(graph, scores);
                std::ranges::copy(tree.heads, heads.begin() + offsets.data()[i]);
                std::ranges::copy(tree.labels, found.begin() + offsets.data()[i]);
            }
        });
    }
    return {to_numpy(std::move(heads)), to_numpy(std::move(found))};
}

// How many trees there were, how many were wrong with the margin, and the number of updates.
std::tuple<std::int64_t, std::int64_t, std::int64_t> learn(
    GrowLearner& learner, Rows<std::uint32_t> values, Input<std::int64_t> offsets, Input<std::uint8_t> said,
    Rows<Index> ends, Input<std::uint32_t> labels, Input<std::int64_t> edge_offsets, Input<Index> heads,
    Input<Index> right, Input<std::int64_t> order) {
    const Graphs graphs = graphs_of(learner.program(), values, offsets, said, ends, labels, edge_offsets);
    if (heads.size() != said.size() || right.size() != said.size()) {
        throw std::invalid_argument("one head and one label per node are needed");
    }
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        for (std::size_t at = graphs.first(i); at < graphs.first(i) + graphs.length(i); ++at) {
            const Index head = heads.data()[at], label = right.data()[at];
            const bool word = head >= 0 && static_cast<std::size_t>(head) <= graphs.length(i) && label >= 0 &&
                              static_cast<std::size_t>(label) < learner.labels();
            if (said.data()[at] ? !word : head != none) throw std::invalid_argument("no such head or label");
        }
    }
    const CoreWork work;
    MeaningGraph graph;
    each_in_order(view(order), graphs.size(), [&](std::size_t i) {
        graphs.read(i, graph);
        learner.learn(graph, view(heads).subspan(graphs.first(i), graphs.length(i)),
                      view(right).subspan(graphs.first(i), graphs.length(i)));
    });
    const GrowReport report = learner.take_report();
    return {report.trees, report.wrong, report.updates};
}

}  // namespace

void bind_grow(nb::module_& m) {
    nb::class_<GrowProgram>(m, "GrowProgram")
        .def(
            "__init__",
            [](GrowProgram* self, std::size_t columns, Rows<std::int32_t> atoms, Input<std::int32_t> joined,
               Input<std::int32_t> ends, std::uint64_t seed) {
                if (atoms.shape(1) != 2) throw std::invalid_argument("wrong number of columns");
                std::vector<GrowAtom> list;
                for (std::size_t i = 0; i < atoms.shape(0); ++i) list.push_back({atoms(i, 0), atoms(i, 1)});
                new (self) GrowProgram(columns, list, view(joined), view(ends), seed);
            },
            "columns"_a, "atoms"_a, "joined"_a, "ends"_a, "seed"_a);

    nb::class_<GrowLearner> trainer(m, "GrowTrainer");
    trainer
        .def(nb::init<const GrowProgram&, int, std::size_t, std::size_t, std::uint32_t, float>(), "program"_a,
             "bits"_a, "labels"_a, "best"_a, "reach"_a, "longest_step"_a)
        .def("learn", &learn, "values"_a, "offsets"_a, "said"_a, "ends"_a, "labels"_a, "edge_offsets"_a,
             "heads"_a, "right"_a, "order"_a,
             "One pass over the graphs in this order: trees, wrong ones, updates.");
    bind_learning(trainer);

    m.def("grow_trees", &grow<Kernel>, "weights"_a, "program"_a, "values"_a, "offsets"_a, "said"_a, "ends"_a,
          "labels"_a, "edge_offsets"_a, "best"_a, "reach"_a, "threads"_a, "cancel"_a.none() = nb::none(),
          "The heads and labels of all nodes.");
    m.def("grow_trees", &grow<CompactKernel>, "weights"_a, "program"_a, "values"_a, "offsets"_a, "said"_a,
          "ends"_a, "labels"_a, "edge_offsets"_a, "best"_a, "reach"_a, "threads"_a,
          "cancel"_a.none() = nb::none());
}
