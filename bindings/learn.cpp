// The transition-based parser learns.
#include <nanobind/stl/tuple.h>

#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/sentences.hpp"
#include "core/learn/trainer.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

void make_trainer(Trainer* self, const ParserModel& model, int bits, int oracle, bool passive_aggressive,
                  float longest_step, std::size_t beam, std::size_t tag_beam, std::size_t feats_beam,
                  bool early_update, double margin, bool halves, std::int64_t budget) {
    LearningOptions options;
    options.oracle = to_oracle(oracle, model.system);
    options.passive_aggressive = passive_aggressive;
    options.longest_step = longest_step;
    options.widths = {beam, tag_beam, feats_beam};
    options.early_update = early_update;
    options.margin = margin;
    options.halves = halves;
    options.budget = budget;
    new (self) Trainer(model, bits, options);
}

void check_tags(const Starts& starts, const std::optional<Input<Index>>& tags) {
    if (starts.has_value() != tags.has_value()) throw std::invalid_argument("candidates need right tags");
    if (!starts) return;
    if (tags->size() + 1 != starts->size()) throw std::invalid_argument("one tag per word is needed");
    for (std::size_t i = 0; i < tags->size(); ++i) {
        if ((*tags)(i) < 0 || (*tags)(i) >= (*starts)(i + 1) - (*starts)(i))
            throw std::invalid_argument("no such candidate");
    }
}

// The number of states, updates, swaps and sentences left out.
std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t> learn(
    Trainer& trainer, Rows<std::uint32_t> values, Input<std::int64_t> offsets, Starts starts, Classes classes,
    RowTags row_tags, Priors priors, Input<Index> heads, Input<Label> labels,
    std::optional<Input<Index>> tags, Input<std::int64_t> order, double explore, std::uint64_t seed) {
    const ParserModel& model = trainer.model();
    const GoldTrees trees{sentences_of(model, values, offsets, starts, classes, row_tags, priors),
                          to_forest(heads, offsets), view(labels), view(tags)};
    check_labels(view(labels), heads.size(), model.repertoire.label_count());
    check_tags(starts, tags);
    const nb::gil_scoped_release release;
    const LearningReport& report = trainer.learn(trees, view(order), explore, seed);
    return {report.states, report.updates, report.swaps, report.left_out};
}

}  // namespace

void bind_learn(nb::module_& m) {
    nb::class_<Trainer> trainer(m, "Trainer");
    trainer
        .def("__init__", &make_trainer, "model"_a, "bits"_a, "oracle"_a, "passive_aggressive"_a,
             "longest_step"_a, "beam"_a, "tag_beam"_a, "feats_beam"_a, "early_update"_a, "margin"_a,
             "halves"_a, "budget"_a)
        .def("learn", &learn, "values"_a, "offsets"_a, "starts"_a.none(), "classes"_a.none(),
             "row_tags"_a.none(), "priors"_a.none(), "heads"_a, "labels"_a, "tags"_a.none(), "order"_a,
             "explore"_a, "seed"_a, "One pass over the sentences in this order.");
    bind_learning(trainer);
}
