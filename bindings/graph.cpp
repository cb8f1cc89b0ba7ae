// The graph-based parser: learning and parsing over batches, and its charts by themselves.
#include "bindings/graph.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "core/graph/batch.hpp"
#include "core/graph/dense.hpp"
#include "core/graph/learner.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

template <typename T>
std::vector<T> copied(const Input<T>& array) {
    return {array.data(), array.data() + array.size()};
}

// What does not change while a parser learns and parses.
struct GraphModel {
    GraphModel(const PartProgram& parts_program, const PartProgram& heads_program, std::size_t label_count,
               const Input<std::uint32_t>& tags, std::size_t column, const Input<std::uint8_t>& seen,
               const Input<Label>& of_root, const Input<Label>& of_words, const GraphOptions& given)
        : program(parts_program),
          ranking(heads_program),
          filter(copied(tags), column, view(seen), copied(of_root), copied(of_words)),
          labels(label_count),
          options(given) {
        if (labels < 1 || labels > most_transitions) throw std::invalid_argument("too many labels");
        if (seen.size() != (tags.size() + 1) * tags.size() * 2 * labels) {
            throw std::invalid_argument("the filter of labels does not fit");
        }
    }

    HeadRanker ranker(const Kernel& weights) const {
        if (weights.windows.width() != 1) throw std::invalid_argument("heads are ranked by single weights");
        return HeadRanker(ranking, filter, weights);
    }
    Sentences sentences(const Rows<std::uint32_t>& values, const Input<std::int64_t>& offsets) const {
        const std::size_t columns = std::max({program.columns(), ranking.columns(), filter.column() + 1});
        if (values.shape(1) < columns) throw std::invalid_argument("too few columns");
        check_offsets(view(offsets), values.shape(0));
        return {{values.data(), values.size()}, values.shape(1), view(offsets)};
    }

    PartProgram program, ranking;
    LabelFilter filter;
    std::size_t labels;
    GraphOptions options;
};

Output<float> mean_of(const Kernel& kernel, const Averaged& averaged) {
    std::vector<float> mean(kernel.windows.cells());
    averaged.average(mean);
    return to_numpy(std::move(mean));
}

std::size_t checked_number(std::int64_t number, const Sentences& sentences) {
    if (number < 0 || static_cast<std::size_t>(number) >= sentences.size()) {
        throw std::invalid_argument("no such sentence");
    }
    return static_cast<std::size_t>(number);
}

// Weights that learn to rank heads.
class RankingTrainer {
  public:
    RankingTrainer(const GraphModel& model, int bits, float longest_step)
        : model_(model), kernel_(bits, 1), averaged_(kernel_), longest_step_(longest_step) {}

    std::int64_t learn(Rows<std::uint32_t> values, Input<std::int64_t> offsets, Input<Index> heads,
                       Input<std::int64_t> order) {
        const Sentences sentences = model_.sentences(values, offsets);
        const Forest forest = to_forest(heads, offsets);
        const nb::gil_scoped_release release;
        HeadRanker ranker = model_.ranker(kernel_);
        std::int64_t updates = 0;
        for (const std::int64_t number : view(order)) {
            const std::size_t i = checked_number(number, sentences);
            const auto count = static_cast<Index>(sentences.length(i));
            ranker.read(sentences.words(i), count);
            for (Index word = 1; word <= count; ++word) {
                const Index gold = forest.tree(i)[static_cast<std::size_t>(word - 1)];
                updates += static_cast<std::int64_t>(ranker.learn(averaged_, word, gold, longest_step_));
            }
            ++averaged_.examples;
        }
        return updates;
    }
    Output<float> averaged() const { return mean_of(kernel_, averaged_); }

  private:
    const GraphModel& model_;
    Kernel kernel_;
    Averaged averaged_;
    float longest_step_;
};

// Weights that learn trees.
class TreeTrainer {
  public:
    TreeTrainer(const GraphModel& model, const Kernel& ranking, int bits, float longest_step, float cost)
        : model_(model),
          kernel_(bits, model.labels),
          averaged_(kernel_),
          learner_(model.program, kernel_, averaged_, model.ranker(ranking), model.options, longest_step,
                   cost) {}

    // One pass over the sentences named in `order`. Returns the number of candidates, updates, moves of the
    // rearrangement, and sentences left out.
    std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t> learn(Rows<std::uint32_t> values,
                                                                             Input<std::int64_t> offsets,
                                                                             Input<Index> heads,
                                                                             Input<Label> labels,
                                                                             Input<std::int64_t> order) {
        const Sentences sentences = model_.sentences(values, offsets);
        const Forest forest = to_forest(heads, offsets);
        if (labels.size() != heads.size()) throw std::invalid_argument("one label per word is needed");
        learner_.report = {};
        {
            const nb::gil_scoped_release release;
            for (const std::int64_t number : view(order)) {
                const std::size_t i = checked_number(number, sentences);
                if (sentences.length(i) == 0) continue;
                require_tree(forest.tree(i), i);
                learner_.learn(sentences.words(i), forest.tree(i),
                               view(labels).subspan(sentences.begin(i), sentences.length(i)));
            }
        }
        const GraphReport& report = learner_.report;
        return {report.arcs, report.updates, report.moves, report.left_out};
    }
    Output<float> averaged() const { return mean_of(kernel_, averaged_); }

  private:
    const GraphModel& model_;
    Kernel kernel_;
    Averaged averaged_;
    GraphLearner learner_;
};

template <typename Weights>
std::tuple<Output<Index>, Output<Label>, Output<double>> parse(const GraphModel& model,
                                                               const Weights& weights, const Kernel& ranking,
                                                               Rows<std::uint32_t> values,
                                                               Input<std::int64_t> offsets, int threads) {
    const Sentences sentences = model.sentences(values, offsets);
    if (threads < 1) throw std::invalid_argument("threads begin at 1");
    if (weights.windows.width() != model.labels)
        throw std::invalid_argument("the weights are of other labels");
    const HeadRanker ranker = model.ranker(ranking);
    std::optional<Parses> parses;
    {
        const nb::gil_scoped_release release;
        const GraphBatchParser<Weights> parser(model.program, weights, ranker, model.options);
        parses = parser.parse(sentences, threads);
    }
    return {to_numpy(std::move(parses->heads)), to_numpy(std::move(parses->labels)),
            to_numpy(std::move(parses->scores))};
}

// How many words have their gold head among the candidates.
std::int64_t kept_heads(const GraphModel& model, const Kernel& ranking, Rows<std::uint32_t> values,
                        Input<std::int64_t> offsets, Input<Index> heads) {
    const Sentences sentences = model.sentences(values, offsets);
    const Forest forest = to_forest(heads, offsets);
    HeadRanker ranker = model.ranker(ranking);
    const nb::gil_scoped_release release;
    std::int64_t kept = 0;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const auto count = static_cast<Index>(sentences.length(i));
        ranker.read(sentences.words(i), count);
        for (Index word = 1; word <= count; ++word) {
            const Index gold = forest.tree(i)[static_cast<std::size_t>(word - 1)];
            kept += ranker.keeps(word, gold, model.options.heads);
        }
    }
    return kept;
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
    Candidates arcs;
    arcs.reset(words);
    std::vector<Label> list;
    for (Index head = 0; head <= words; ++head) {
        for (Index dependent = 1; dependent <= words; ++dependent) {
            const std::size_t arc =
                static_cast<std::size_t>(head) * nodes + static_cast<std::size_t>(dependent);
            list.clear();
            for (std::size_t label = 0; label < labels; ++label) {
                if (view(allowed)[arc * labels + label] != 0) list.push_back(static_cast<Label>(label));
            }
            if (head != dependent && !list.empty()) arcs.add(head, dependent, list);
        }
    }
    arcs.finish();
    DenseScores dense{view(first), view(sibling), view(inner), view(outer), nodes, labels};
    ArcTree tree;
    double score;
    std::size_t moves = 0;
    if (first_order) {
        FirstOrderChart chart;
        chart.fill(arcs, dense);
        score = chart.search(arcs, single_root, tree);
    } else {
        Chart chart;
        PartScores scores;
        scores.fill(arcs, dense);
        score = chart.search(arcs, scores, single_root, tree);
        if (score > Chart::no_tree) moves = rearrange(arcs, scores, threshold, single_root, tree);
        if (moves > 0) score = score_tree(arcs, scores, tree);
    }
    std::vector<Index> heads;
    std::vector<Label> names;
    for (Index word = 1; word <= words && score > Chart::no_tree; ++word) {
        heads.push_back(arcs[tree[word].arc].head);
        names.push_back(arcs.labels(tree[word].arc)[static_cast<std::size_t>(tree[word].label)]);
    }
    return {to_numpy(std::move(heads)), to_numpy(std::move(names)), score, moves};
}

}  // namespace

void bind_graph(nb::module_& m) {
    nb::class_<GraphModel>(m, "GraphModel")
        .def(
            "__init__",
            [](GraphModel* self, const PartProgram& program, const PartProgram& ranking, std::size_t labels,
               Input<std::uint32_t> tags, std::size_t column, Input<std::uint8_t> seen, Input<Label> of_root,
               Input<Label> of_words, std::size_t heads, Index longest, float threshold, bool single_root) {
                new (self) GraphModel(program, ranking, labels, tags, column, seen, of_root, of_words,
                                      GraphOptions{heads, longest, threshold, single_root});
            },
            "program"_a, "ranking"_a, "labels"_a, "tags"_a, "column"_a, "seen"_a, "of_root"_a, "of_words"_a,
            "heads"_a, "longest"_a, "threshold"_a, "single_root"_a)
        .def("parse", &parse<Kernel>, "weights"_a, "ranking"_a, "values"_a, "offsets"_a, "threads"_a,
             "Heads, labels and the score of every tree.")
        .def("parse", &parse<CompactKernel>, "weights"_a, "ranking"_a, "values"_a, "offsets"_a, "threads"_a)
        .def("kept_heads", &kept_heads, "ranking"_a, "values"_a, "offsets"_a, "heads"_a,
             "How many words have their gold head among the candidates.");
    nb::class_<RankingTrainer>(m, "RankingTrainer")
        .def(nb::init<const GraphModel&, int, float>(), "model"_a, "bits"_a, "longest_step"_a,
             nb::keep_alive<1, 2>())
        .def("learn", &RankingTrainer::learn, "values"_a, "offsets"_a, "heads"_a, "order"_a)
        .def("averaged", &RankingTrainer::averaged);
    nb::class_<TreeTrainer>(m, "TreeTrainer")
        .def(nb::init<const GraphModel&, const Kernel&, int, float, float>(), "model"_a, "ranking"_a,
             "bits"_a, "longest_step"_a, "cost"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("learn", &TreeTrainer::learn, "values"_a, "offsets"_a, "heads"_a, "labels"_a, "order"_a)
        .def("averaged", &TreeTrainer::averaged);
    m.def("search_trees", &search_trees, "words"_a, "first"_a, "sibling"_a, "inner"_a, "outer"_a, "allowed"_a,
          "single_root"_a, "threshold"_a, "first_order"_a,
          "The best tree under given scores: heads, labels, its score, moves of the rearrangement.");
}
