// The graph-based parser: learning and parsing over batches, and its charts by themselves.
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/systems.hpp"
#include "bindings/work.hpp"
#include "core/graph/batch.hpp"
#include "core/graph/dense.hpp"
#include "core/graph/trainer.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

GraphModel make_model(const PartProgram& program, const PartProgram& ranking, std::size_t labels,
                      const Input<std::uint32_t>& tags, std::size_t column, const Input<std::uint8_t>& seen,
                      const Input<Label>& of_root, const Input<Label>& of_words,
                      const GraphOptions& options) {
    if (seen.size() != (tags.size() + 1) * tags.size() * 2 * labels) {
        throw std::invalid_argument("the filter of labels does not fit");
    }
    return GraphModel(program, ranking,
                      LabelFilter(copied(tags), column, view(seen), copied(of_root), copied(of_words)),
                      labels, options);
}

Sentences sentences_of(const GraphModel& model, const Rows<std::uint32_t>& values,
                       const Input<std::int64_t>& offsets) {
    if (values.shape(1) < model.columns()) throw std::invalid_argument("too few columns");
    check_offsets(view(offsets), values.shape(0));
    return {{values.data(), values.size()}, values.shape(1), view(offsets)};
}

// The number of updates.
std::int64_t learn_ranking(RankingTrainer& trainer, Rows<std::uint32_t> values, Input<std::int64_t> offsets,
                           Input<Index> heads, Input<std::int64_t> order) {
    const Sentences sentences = sentences_of(trainer.model, values, offsets);
    const Forest forest = to_forest(heads, offsets);
    const nb::gil_scoped_release release;
    return trainer.learn(sentences, forest, view(order));
}

// The number of candidates, updates, moves of the rearrangement, and sentences left out.
std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t> learn_trees(
    TreeTrainer& trainer, Rows<std::uint32_t> values, Input<std::int64_t> offsets, Input<Index> heads,
    Input<Label> labels, Input<std::int64_t> order, int threads) {
    const Sentences sentences = sentences_of(trainer.model, values, offsets);
    const Forest forest = to_forest(heads, offsets);
    check_labels(view(labels), heads.size(), trainer.model.labels);
    if (threads < 1) throw std::invalid_argument("threads begin at 1");
    const nb::gil_scoped_release release;
    const GraphReport& report = trainer.learn(sentences, forest, view(labels), view(order), threads);
    return {report.arcs, report.updates, report.moves, report.left_out};
}

void show_trees(TreeTrainer& trainer, Rows<std::uint32_t> values, Input<std::int64_t> offsets,
                Input<Index> heads, Input<Label> labels) {
    const Sentences sentences = sentences_of(trainer.model, values, offsets);
    const Forest forest = to_forest(heads, offsets);
    check_labels(view(labels), heads.size(), trainer.model.labels);
    const nb::gil_scoped_release release;
    trainer.show(sentences, forest, view(labels));
}

template <typename Weights>
std::tuple<Output<Index>, Output<Label>, Output<double>> parse_by_graph(
    const Weights& weights, const GraphModel& model, const Kernel& ranking, Rows<std::uint32_t> values,
    Input<std::int64_t> offsets, int threads, const Cancel* cancel) {
    const Sentences sentences = sentences_of(model, values, offsets);
    if (threads < 1) throw std::invalid_argument("threads begin at 1");
    const GraphBatchParser<Weights> parser(model, weights, ranking);
    std::optional<Parses> parses;
    {
        const CoreWork work(cancel);
        parses = parser.parse(sentences, threads);
    }
    return {to_numpy(std::move(parses->heads)), to_numpy(std::move(parses->labels)),
            to_numpy(std::move(parses->scores))};
}

std::int64_t kept_heads(const GraphModel& model, const Kernel& ranking, Rows<std::uint32_t> values,
                        Input<std::int64_t> offsets, Input<Index> heads) {
    const Sentences sentences = sentences_of(model, values, offsets);
    const Forest forest = to_forest(heads, offsets);
    const nb::gil_scoped_release release;
    return count_kept_heads(model, ranking, sentences, forest);
}

// The best tree under given scores, by words: heads, labels, its score, and the moves of the rearrangement.
// With `first_order`, only the scores of arcs count.
std::tuple<Output<Index>, Output<Label>, double, std::size_t> search_trees(
    Index words, Input<float> first, Input<float> sibling, Input<float> inner, Input<float> outer,
    Input<std::uint8_t> allowed, bool single_root, float threshold, bool first_order) {
    const auto nodes = static_cast<std::size_t>(words) + 1;
    const std::size_t labels = first.size() / (nodes * nodes);
    if (words < 1 || labels < 1 || first.size() != nodes * nodes * labels || allowed.size() != first.size()) {
        throw std::invalid_argument("the scores do not fit");
    }
    for (const auto* array : {&sibling, &inner, &outer}) {
        if (array->size() != first.size() * nodes) throw std::invalid_argument("the scores do not fit");
    }
    const DenseScores dense{view(first), view(sibling), view(inner), view(outer), nodes, labels};
    DenseTree found = search_dense(words, dense, view(allowed), single_root, threshold, first_order);
    return {to_numpy(std::move(found.heads)), to_numpy(std::move(found.labels)), found.score, found.moves};
}

}  // namespace

void bind_graph(nb::module_& m) {
    nb::class_<GraphModel>(m, "GraphModel")
        .def(
            "__init__",
            [](GraphModel* self, const PartProgram& program, const PartProgram& ranking, std::size_t labels,
               Input<std::uint32_t> tags, std::size_t column, Input<std::uint8_t> seen, Input<Label> of_root,
               Input<Label> of_words, std::size_t heads, Index longest, float threshold, bool single_root) {
                new (self)
                    GraphModel(make_model(program, ranking, labels, tags, column, seen, of_root, of_words,
                                          GraphOptions{heads, longest, threshold, single_root}));
            },
            "program"_a, "ranking"_a, "labels"_a, "tags"_a, "column"_a, "seen"_a, "of_root"_a, "of_words"_a,
            "heads"_a, "longest"_a, "threshold"_a, "single_root"_a)
        .def("kept_heads", &kept_heads, "ranking"_a, "values"_a, "offsets"_a, "heads"_a,
             "How many words have their gold head among the candidates.");
    nb::class_<RankingTrainer> ranking(m, "RankingTrainer");
    ranking
        .def(nb::init<const GraphModel&, int, float>(), "model"_a, "bits"_a, "longest_step"_a,
             nb::keep_alive<1, 2>())
        .def("learn", &learn_ranking, "values"_a, "offsets"_a, "heads"_a, "order"_a);
    bind_learning(ranking);
    nb::class_<TreeTrainer> trees(m, "TreeTrainer");
    trees
        .def(nb::init<const GraphModel&, const Kernel&, int, float, float>(), "model"_a, "ranking"_a,
             "bits"_a, "longest_step"_a, "cost"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("learn", &learn_trees, "values"_a, "offsets"_a, "heads"_a, "labels"_a, "order"_a,
             "threads"_a = 1)
        .def("show", &show_trees, "values"_a, "offsets"_a, "heads"_a, "labels"_a,
             "From now on, only features of these trees have weights.")
        .def_prop_ro(
            "times",
            [](const TreeTrainer& self) {
                const StepTimes& times = self.times();
                return std::tuple(times.candidates, times.scores, times.chart, times.rearrangement);
            },
            "Seconds by the clock so far: candidates, their scores, the chart, the rearrangement.");
    bind_learning(trees);
    const auto bind_parse = [&m](auto function) {
        m.def("parse_by_graph", function, "weights"_a, "model"_a, "ranking"_a, "values"_a, "offsets"_a,
              "threads"_a, "cancel"_a.none() = nb::none(), "Heads, labels and the score of every tree.");
    };
    bind_parse(&parse_by_graph<Kernel>);
    bind_parse(&parse_by_graph<CompactKernel>);
    m.def("search_trees", &search_trees, "words"_a, "first"_a, "sibling"_a, "inner"_a, "outer"_a, "allowed"_a,
          "single_root"_a, "threshold"_a, "first_order"_a,
          "The best tree under given scores: heads, labels, its score, moves of the rearrangement.");
}
