// The parser: programs of features, weights, learning and parsing over batches.
#include "bindings/parser.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <numeric>
#include <optional>

#include "bindings/arrays.hpp"
#include "core/batch.hpp"
#include "core/learn/learner.hpp"
#include "core/packing.hpp"
#include "core/trace.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

void check_labels(std::span<const Label> labels, std::size_t words, std::size_t known) {
    if (labels.size() != words) throw std::invalid_argument("one label per word is needed");
    for (const Label label : labels) {
        if (label < none || label >= static_cast<Label>(known)) throw std::invalid_argument("no such label");
    }
}

// What does not change while a parser learns and parses.
struct Model {
    Model(int system, bool single_root, const FeatureProgram& program, const FeatureProgram& tag_program,
          const Input<Label>& left, const Input<Label>& right, const Input<std::uint8_t>& of_root,
          const Input<std::uint8_t>& of_words, std::size_t classes, const Rows<Label>& filter,
          const PartProgram* parts, std::uint32_t completion)
        : system(static_cast<SystemId>(system)),
          single_root(single_root),
          sights{program, tag_program, std::nullopt, PartSet(completion)},
          labels(of_root.size()),
          classes(classes),
          repertoire(view(left), view(right), view(of_root), view(of_words)) {
        if (of_words.size() != labels) throw std::invalid_argument("the label lists differ in length");
        if (classes != 0) add_filter(filter);
        if (completion != 0) add_parts(parts);
    }

    SystemId system;
    bool single_root;
    Sights sights;
    std::size_t labels, classes;
    Repertoire repertoire;

  private:
    void add_filter(const Rows<Label>& filter) {
        if (filter.shape(1) != 4 || classes > 65535) throw std::invalid_argument("no such label filter");
        for (std::size_t i = 0; i < filter.shape(0); ++i) {
            for (std::size_t column = 1; column < 4; ++column) {
                const auto most = static_cast<Label>(column < 3 ? classes : labels);
                if (filter(i, column) < 0 || filter(i, column) >= most)
                    throw std::invalid_argument("no such class or label in the label filter");
            }
        }
        repertoire.filter({filter.data(), filter.size()}, classes);
    }
    void add_parts(const PartProgram* parts) {
        if (parts == nullptr) throw std::invalid_argument("completion needs templates of parts");
        if (system != SystemId::swap && system != SystemId::standard) {
            throw std::invalid_argument("completion goes with systems whose arcs close a word");
        }
        if (repertoire.size() < labels) throw std::invalid_argument("there are labels on no arc");
        sights.parts = *parts;
    }
};

using Starts = std::optional<Input<std::int64_t>>;
using Classes = std::optional<Input<std::uint16_t>>;

// `starts`: where the rows of words begin, one row per candidate; without it every word has one row.
Sentences sentences_of(const Model& model, const Rows<std::uint32_t>& values,
                       const Input<std::int64_t>& offsets, const Starts& starts, const Classes& classes) {
    const std::size_t least = model.sights.columns(starts.has_value());
    if (values.shape(1) < least) throw std::invalid_argument("too few columns");
    if (starts) {
        check_offsets(view(*starts), values.shape(0));
        check_offsets(view(offsets), starts->size() - 1);
        for (std::size_t i = 0; i + 1 < starts->size(); ++i) {
            const std::int64_t count = (*starts)(i + 1) - (*starts)(i);
            if (count < 1 || count > 254) throw std::invalid_argument("a word has 1 to 254 candidates");
        }
    } else {
        check_offsets(view(offsets), values.shape(0));
    }
    if (model.classes != 0) {
        if (!classes || classes->size() != values.shape(0))
            throw std::invalid_argument("one class per row is needed");
        for (const std::uint16_t number : view(*classes)) {
            if (number == 0 || number >= model.classes) throw std::invalid_argument("no such class");
        }
    }
    return {{values.data(), values.size()}, values.shape(1), view(offsets), view(starts), view(classes)};
}

using ParsedArrays = std::tuple<Output<Index>, Output<Label>, Output<Index>, Output<float>, Output<double>>;

template <typename Weights>
ParsedArrays parse(const Weights& weights, const Model& model, Rows<std::uint32_t> values,
                   Input<std::int64_t> offsets, Starts starts, Classes classes, std::size_t beam,
                   std::size_t spare, std::size_t best, int threads, std::optional<Input<Index>> given_heads,
                   std::optional<Input<Label>> given_labels) {
    const Sentences sentences = sentences_of(model, values, offsets, starts, classes);
    const auto words = static_cast<std::size_t>(sentences.offsets.back());
    if (beam < 1 || best < 1 || threads < 1) throw std::invalid_argument("beam, best and threads begin at 1");
    if (given_heads) {
        if (!given_labels || given_heads->size() != words) throw std::invalid_argument("given arcs differ");
        check_labels(view(given_labels), words, model.labels);
        for (std::size_t i = 0; i < sentences.size(); ++i) {
            for (const Index head : view(*given_heads).subspan(sentences.begin(i), sentences.length(i))) {
                if (head < none || head > static_cast<Index>(sentences.length(i))) {
                    throw std::invalid_argument("a given head is not in the sentence");
                }
            }
        }
    }
    const ParsingOptions options{model.system, model.single_root, beam, spare, best, threads};
    const BatchParser<Weights> parser(model.sights, weights, model.repertoire, options);
    std::optional<Parses> parses;
    {
        const nb::gil_scoped_release release;
        parses = parser.parse(sentences, view(given_heads), view(given_labels));
    }
    return ParsedArrays(to_numpy(std::move(parses->heads)), to_numpy(std::move(parses->labels)),
                        to_numpy(std::move(parses->tags)), to_numpy(std::move(parses->margins)),
                        to_numpy(std::move(parses->scores)));
}

using ScoredArrays =
    std::tuple<Output<std::uint8_t>, Output<Label>, Output<Index>, Output<double>, Output<std::int64_t>>;

ScoredArrays to_arrays(ScoredTransitions&& scored) {
    return ScoredArrays(to_numpy(std::move(scored.kinds)), to_numpy(std::move(scored.labels)),
                        to_numpy(std::move(scored.depths)), to_numpy(std::move(scored.scores)),
                        to_numpy(std::move(scored.bounds)));
}

// How the tree of one sentence came about: the derivation, alternatives, rounds of the beam, and parents.
template <typename Weights>
std::tuple<ScoredArrays, ScoredArrays, ScoredArrays, Output<Index>> trace(
    const Weights& weights, const Model& model, Rows<std::uint32_t> values, Input<std::int64_t> offsets,
    Classes classes, std::size_t beam, std::size_t spare, std::size_t alternatives) {
    const Sentences sentences = sentences_of(model, values, offsets, std::nullopt, classes);
    if (sentences.size() != 1) throw std::invalid_argument("one sentence is needed");
    if (beam < 1) throw std::invalid_argument("a beam begins at 1");
    Trace found;
    {
        const nb::gil_scoped_release release;
        FeatureScorer<Weights> scorer(model.sights, weights, model.repertoire);
        scorer.read(sentences.words(0));
        with_system(model.system, [&](auto system) {
            const Setting<decltype(system)> setting{system, model.repertoire, model.single_root};
            const auto words = static_cast<Index>(values.shape(0));
            found = trace_derivation(setting, scorer, words, beam, spare, alternatives);
        });
    }
    return {to_arrays(std::move(found.taken)), to_arrays(std::move(found.alternatives)),
            to_arrays(std::move(found.beam)), to_numpy(std::move(found.parents))};
}

// Weights that learn.
class Trainer {
  public:
    Trainer(const Model& model, int bits, int oracle, bool passive_aggressive, float longest_step,
            std::size_t beam, std::size_t spare, bool early_update, std::int64_t budget)
        : model_(model), kernel_(bits, model.repertoire.size()), averaged_(kernel_) {
        LearningOptions options;
        options.oracle = static_cast<OracleId>(oracle);
        options.passive_aggressive = passive_aggressive;
        options.longest_step = longest_step;
        options.beam = beam;
        options.spare = spare;
        options.early_update = early_update;
        options.budget = budget;
        learner_ = make_learner(model_.system, model_.repertoire, model_.single_root, model_.sights, kernel_,
                                averaged_, options);
    }

    // One pass over the sentences named in `order`; those that cannot be derived are left out. Returns the
    // number of states, updates, swaps and sentences left out.
    std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t> learn(
        Rows<std::uint32_t> values, Input<std::int64_t> offsets, Starts starts, Classes classes,
        Input<Index> heads, Input<Label> labels, std::optional<Input<Index>> tags, Input<std::int64_t> order,
        double explore, std::uint64_t seed) {
        const Sentences sentences = sentences_of(model_, values, offsets, starts, classes);
        const Forest forest = to_forest(heads, offsets);
        check_labels(view(labels), heads.size(), model_.labels);
        check_tags(starts, tags);
        learner_->report = {};
        learner_->options.explore = explore;
        std::int64_t left_out = 0;
        {
            const nb::gil_scoped_release release;
            for (const std::int64_t number : view(order)) {
                const auto i = static_cast<std::size_t>(number);
                if (i >= forest.size()) throw std::invalid_argument("no such sentence");
                if (sentences.length(i) == 0) continue;
                require_tree(forest.tree(i), i);
                const auto part = [&](auto all) {
                    return all.subspan(sentences.begin(i), sentences.length(i));
                };
                const Gold gold(forest.tree(i), part(view(labels)),
                                tags ? part(view(*tags)) : std::span<const Index>{});
                if (!learner_->derivable(gold)) {
                    ++left_out;
                    continue;
                }
                learner_->learn(sentences.words(i), gold, seed + i);
            }
        }
        const LearningReport& report = learner_->report;
        return {report.states, report.updates, report.swaps, left_out};
    }

    Output<float> averaged() const {
        std::vector<float> mean(kernel_.windows.cells());
        averaged_.average(mean);
        return to_numpy(std::move(mean));
    }
    Output<float> weights() const {
        const auto end = kernel_.weights.begin() + static_cast<std::ptrdiff_t>(kernel_.windows.cells());
        return to_numpy(std::vector<float>(kernel_.weights.begin(), end));
    }
    Output<float> drift() const {
        return to_numpy(std::vector<float>(averaged_.drift.begin(), averaged_.drift.end()));
    }
    std::int64_t examples() const { return averaged_.examples; }

    void restore(Input<float> weights, Input<float> drift, std::int64_t examples) {
        if (weights.size() != kernel_.windows.cells() || drift.size() != kernel_.windows.cells()) {
            throw std::invalid_argument("the table has another size");
        }
        std::ranges::copy(view(weights), kernel_.weights.begin());
        std::ranges::copy(view(drift), averaged_.drift.begin());
        averaged_.examples = examples;
    }

  private:
    static void check_tags(const Starts& starts, const std::optional<Input<Index>>& tags) {
        if (starts.has_value() != tags.has_value()) throw std::invalid_argument("candidates need right tags");
        if (!starts) return;
        if (tags->size() + 1 != starts->size()) throw std::invalid_argument("one tag per word is needed");
        for (std::size_t i = 0; i < tags->size(); ++i) {
            if ((*tags)(i) < 0 || (*tags)(i) >= (*starts)(i + 1) - (*starts)(i))
                throw std::invalid_argument("no such candidate");
        }
    }

    Model model_;
    Kernel kernel_;
    Averaged averaged_;
    std::unique_ptr<Learner> learner_;
};

template <typename Weights, typename T>
void fill(Weights& kernel, const Input<T>& weights) {
    if (weights.size() != kernel.windows.cells()) throw std::invalid_argument("the table has another size");
    std::ranges::copy(view(weights), kernel.weights.begin());
}

}  // namespace

void bind_parser(nb::module_& m) {
    m.def(
        "spread",
        [](Input<std::uint8_t> filled, Input<std::int8_t> weights, std::size_t cells) {
            return to_numpy(spread(view(filled), view(weights), cells));
        },
        "filled"_a, "weights"_a, "cells"_a,
        "A table with weights in the cells whose bits are set; empty if the two do not fit together.");

    m.def(
        "prune_in_two",
        [](Input<double> scores, Input<std::uint64_t> keys, std::size_t width, std::size_t spare) {
            if (scores.size() != keys.size()) throw std::invalid_argument("one key per score is needed");
            std::vector<Index> numbers(scores.size()), scratch;
            std::iota(numbers.begin(), numbers.end(), 0);
            std::vector<std::uint64_t> kept;
            prune_in_two(
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

    nb::class_<Model>(m, "ParserModel")
        .def(nb::init<int, bool, const FeatureProgram&, const FeatureProgram&, const Input<Label>&,
                      const Input<Label>&, const Input<std::uint8_t>&, const Input<std::uint8_t>&,
                      std::size_t, const Rows<Label>&, const PartProgram*, std::uint32_t>(),
             "system"_a, "single_root"_a, "program"_a, "tag_program"_a, "left"_a, "right"_a, "of_root"_a,
             "of_words"_a, "classes"_a, "filter"_a, "parts"_a = nb::none(), "completion"_a = 0)
        .def_prop_ro("transitions", [](const Model& model) { return model.repertoire.size(); });

    nb::class_<Trainer>(m, "Trainer")
        .def(nb::init<const Model&, int, int, bool, float, std::size_t, std::size_t, bool, std::int64_t>(),
             "model"_a, "bits"_a, "oracle"_a, "passive_aggressive"_a, "longest_step"_a, "beam"_a, "spare"_a,
             "early_update"_a, "budget"_a)
        .def("learn", &Trainer::learn, "values"_a, "offsets"_a, "starts"_a.none(), "classes"_a.none(),
             "heads"_a, "labels"_a, "tags"_a.none(), "order"_a, "explore"_a, "seed"_a)
        .def("averaged", &Trainer::averaged)
        .def("weights", &Trainer::weights)
        .def("drift", &Trainer::drift)
        .def_prop_ro("examples", &Trainer::examples)
        .def("restore", &Trainer::restore, "weights"_a, "drift"_a, "examples"_a);

    const auto bind_parse = [](auto& kernel, auto parse_function, auto trace_function) {
        kernel.def("parse", parse_function, "model"_a, "values"_a, "offsets"_a, "starts"_a = nb::none(),
                   "classes"_a = nb::none(), "beam"_a = 1, "spare"_a = 0, "best"_a = 1, "threads"_a = 1,
                   "given_heads"_a = nb::none(), "given_labels"_a = nb::none(),
                   "Heads, labels, ranks of tags and margins of words, and scores of sentences.");
        kernel.def(
            "trace", trace_function, "model"_a, "values"_a, "offsets"_a, "classes"_a.none(), "beam"_a,
            "spare"_a, "alternatives"_a,
            "Kinds and labels of a derivation, its alternatives, the rounds of the beam, and parents.");
    };
    auto exact = nb::class_<Kernel>(m, "Weights")
                     .def(
                         "__init__",
                         [](Kernel* self, int bits, std::size_t width, Input<float> weights) {
                             new (self) Kernel(bits, width);
                             fill(*self, weights);
                         },
                         "bits"_a, "width"_a, "weights"_a);
    bind_parse(exact, &parse<Kernel>, &trace<Kernel>);
    auto compact =
        nb::class_<CompactKernel>(m, "CompactWeights")
            .def(
                "__init__",
                [](CompactKernel* self, int bits, std::size_t width, float step, Input<std::int8_t> weights) {
                    if (width > most_transitions) throw std::invalid_argument("too many transitions");
                    new (self) CompactKernel(bits, width, step);
                    fill(*self, weights);
                },
                "bits"_a, "width"_a, "step"_a, "weights"_a);
    bind_parse(compact, &parse<CompactKernel>, &trace<CompactKernel>);
}
