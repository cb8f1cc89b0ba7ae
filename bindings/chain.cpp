// Chains: labels of sequences, their probabilities, and learning them.
#include "core/chain/chain.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"
#include "bindings/work.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

constexpr std::size_t most_labels = 1024, most_best = 4096;

void check_codes(std::span<const std::int32_t> codes, std::size_t end, const char* message) {
    for (const std::int32_t code : codes) {
        if (code < 0 || static_cast<std::size_t>(code) >= end) throw std::invalid_argument(message);
    }
}

ChainShape shape_of(std::size_t labels, const Input<std::int64_t>& begins, const Input<std::int32_t>& cells,
                    const Input<std::int64_t>& pair_begins, const Input<std::int32_t>& pair_cells) {
    if (labels < 1 || labels > most_labels) throw std::invalid_argument("there must be 1 to 1024 labels");
    check_offsets(view(begins), cells.size());
    check_offsets(view(pair_begins), pair_cells.size());
    check_codes(view(cells), labels, "no such label");
    check_codes(view(pair_cells), labels * labels, "no such pair of labels");
    return {labels, copied(begins), copied(cells), copied(pair_begins), copied(pair_cells)};
}

// The arrays of sequences, kept alive while the core looks at them.
struct Sequences {
    Input<std::int64_t> offsets, begins;
    Input<std::int32_t> features;
    Input<std::int64_t> pair_begins;
    Input<std::int32_t> pair_features;

    ChainItems items(const ChainShape& shape) const {
        check_offsets(view(begins), features.size());
        check_offsets(view(pair_begins), pair_features.size());
        check_offsets(view(offsets), begins.size() - 1);
        if (pair_begins.size() != begins.size()) throw std::invalid_argument("other positions for pairs");
        check_codes(view(features), shape.begins.size() - 1, "no such feature");
        check_codes(view(pair_features), shape.pair_begins.size() - 1, "no such feature of pairs");
        return {view(offsets), view(begins), view(features), view(pair_begins), view(pair_features)};
    }
};

void check_weights(const ChainShape& shape, std::span<const double> weights) {
    if (weights.size() != shape.size()) throw std::invalid_argument("another number of weights");
    // Sums of a few thousand of them must stay finite.
    if (!std::ranges::all_of(weights, [](double each) { return std::abs(each) <= 1e100; })) {
        throw std::invalid_argument("a weight is none, or too large");
    }
}

class ChainScorer {
  public:
    ChainScorer(ChainShape shape, std::vector<double> weights)
        : shape_(std::move(shape)), weights_(std::move(weights)) {
        check_weights(shape_, weights_);
    }

    Output<std::int32_t> label(const Sequences& given, const Cancel* cancel) const {
        const ChainItems items = given.items(shape_);
        std::vector<std::int32_t> found;
        {
            const CoreWork work(cancel);
            each(items, [&](ChainLattice& lattice) {
                const std::vector<ChainPath> best = lattice.best(1);
                found.insert(found.end(), best[0].labels.begin(), best[0].labels.end());
            });
        }
        return to_numpy(std::move(found));
    }

    OutputRows<double> marginals(const Sequences& given, const Cancel* cancel) const {
        const ChainItems items = given.items(shape_);
        std::vector<double> found;
        {
            const CoreWork work(cancel);
            std::vector<double> row(shape_.labels);
            each(items, [&](ChainLattice& lattice) {
                lattice.sum();
                for (std::size_t t = 0; t < lattice.length(); ++t) {
                    lattice.probabilities(t, row);
                    found.insert(found.end(), row.begin(), row.end());
                }
            });
        }
        return to_table(std::move(found), shape_.labels);
    }

    // Of one sequence: the labels of the best ways one after the other, and the logarithms of their
    // probabilities.
    std::tuple<Output<std::int32_t>, Output<double>> best(const Sequences& given, std::size_t most,
                                                          const Cancel* cancel) const {
        const ChainItems items = given.items(shape_);
        if (items.size() != 1) throw std::invalid_argument("one sequence is needed");
        if (most < 1 || most > most_best) throw std::invalid_argument("1 to 4096 ways can be asked for");
        std::vector<std::int32_t> labels;
        std::vector<double> scores;
        {
            const CoreWork work(cancel);
            each(items, [&](ChainLattice& lattice) {
                const double all = lattice.sum();
                for (const ChainPath& path : lattice.best(most)) {
                    labels.insert(labels.end(), path.labels.begin(), path.labels.end());
                    scores.push_back(path.score - all);
                }
            });
        }
        return {to_numpy(std::move(labels)), to_numpy(std::move(scores))};
    }

  private:
    template <typename Use>
    void each(const ChainItems& items, Use use) const {
        ChainLattice lattice(shape_, weights_);
        for (std::size_t i = 0; i < items.size(); ++i) {
            check_cancelled();
            lattice.read(items, i);
            use(lattice);
        }
    }

    ChainShape shape_;
    std::vector<double> weights_;
};

void check_gold(const ChainShape& shape, const ChainItems& items, const Input<std::int32_t>& gold) {
    if (gold.size() + 1 != items.begins.size())
        throw std::invalid_argument("one label per position is needed");
    check_codes(view(gold), shape.labels, "no such label");
}

}  // namespace

void bind_chain(nb::module_& m) {
    nb::class_<ChainShape>(m, "ChainShape")
        .def(
            "__init__",
            [](ChainShape* self, std::size_t labels, Input<std::int64_t> begins, Input<std::int32_t> cells,
               Input<std::int64_t> pair_begins, Input<std::int32_t> pair_cells) {
                new (self) ChainShape(shape_of(labels, begins, cells, pair_begins, pair_cells));
            },
            "labels"_a, "begins"_a, "cells"_a, "pair_begins"_a, "pair_cells"_a,
            "For which labels and pairs of labels features have weights.")
        .def_prop_ro("size", &ChainShape::size, "The number of weights.");
    nb::class_<Sequences>(m, "ChainSequences")
        .def(
            "__init__",
            [](Sequences* self, Input<std::int64_t> offsets, Input<std::int64_t> begins,
               Input<std::int32_t> features, Input<std::int64_t> pair_begins,
               Input<std::int32_t> pair_features) {
                new (self) Sequences{offsets, begins, features, pair_begins, pair_features};
            },
            "offsets"_a, "begins"_a, "features"_a, "pair_begins"_a, "pair_features"_a,
            "The features of positions, by number.");
    nb::class_<ChainScorer>(m, "ChainScorer")
        .def(
            "__init__",
            [](ChainScorer* self, const ChainShape& shape, Input<double> weights) {
                new (self) ChainScorer(shape, copied(weights));
            },
            "shape"_a, "weights"_a)
        .def("label", &ChainScorer::label, "sequences"_a, "cancel"_a.none() = nb::none(),
             "The labels of the best sequences.")
        .def("marginals", &ChainScorer::marginals, "sequences"_a, "cancel"_a.none() = nb::none(),
             "A row per position: the probability of every label.")
        .def("best", &ChainScorer::best, "sequence"_a, "most"_a, "cancel"_a.none() = nb::none(),
             "Of one sequence the best ways to label it, and the logarithms of their probabilities.");
    m.def(
        "chain_loss",
        [](const ChainShape& shape, const Sequences& sequences, Input<std::int32_t> gold,
           Input<double> weights) {
            const ChainItems items = sequences.items(shape);
            check_gold(shape, items, gold);
            check_weights(shape, view(weights));
            std::vector<double> gradient(shape.size(), 0.0);
            double loss = 0;
            {
                const CoreWork work;
                loss = chain_loss(shape, view(weights), items, view(gold), gradient);
            }
            return std::tuple(loss, to_numpy(std::move(gradient)));
        },
        "shape"_a, "sequences"_a, "gold"_a, "weights"_a,
        "Minus the logarithm of the probability of the labels, and its gradient.");
    m.def(
        "fit_chain",
        [](const ChainShape& shape, const Sequences& sequences, Input<std::int32_t> gold, double l2,
           int iterations, double tolerance) {
            const ChainItems items = sequences.items(shape);
            check_gold(shape, items, gold);
            if (!(l2 >= 0) || !(l2 < 1e100)) throw std::invalid_argument("the penalty must be 0 or more");
            ChainFit found;
            {
                const CoreWork work;
                found = fit_chain(shape, items, view(gold), l2, iterations, tolerance);
            }
            return std::tuple(to_numpy(std::move(found.weights)), found.loss, found.iterations,
                              found.evaluations);
        },
        "shape"_a, "sequences"_a, "gold"_a, "l2"_a, "iterations"_a, "tolerance"_a,
        "The weights of the least loss, the loss, the iterations and how often the loss was computed.");
}
