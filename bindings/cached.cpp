// Kept states of static oracles, and what learns from a choice of their templates; what templates are worth.
#include "core/learn/cached.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/sentences.hpp"
#include "bindings/work.hpp"
#include "core/learn/shares.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

void make_states(CachedStates* self, const ParserModel& model, int oracle, std::int64_t budget,
                 Rows<std::uint32_t> values, Input<std::int64_t> offsets, Classes classes, Input<Index> heads,
                 Input<Label> labels) {
    const GoldTrees trees{sentences_of(model, values, offsets, std::nullopt, classes),
                          to_forest(heads, offsets), view(labels)};
    check_labels(view(labels), heads.size(), model.repertoire.label_count());
    const OracleId named = to_oracle(oracle, model.system);
    const CoreWork work;
    new (self) CachedStates(model, named, budget, trees);
}

std::tuple<OutputRows<float>, Output<std::int64_t>> shares(const Kernel& weights, const ParserModel& model,
                                                           int oracle, std::int64_t budget,
                                                           Rows<std::uint32_t> values,
                                                           Input<std::int64_t> offsets, Classes classes,
                                                           Input<Index> heads, Input<Label> labels,
                                                           std::size_t rivals, float margin) {
    check_width(weights, model);
    if (rivals < 1) throw std::invalid_argument("rivals begin at 1");
    const GoldTrees trees{sentences_of(model, values, offsets, std::nullopt, classes),
                          to_forest(heads, offsets), view(labels)};
    check_labels(view(labels), heads.size(), model.repertoire.label_count());
    const OracleId named = to_oracle(oracle, model.system);
    Shares found;
    {
        const CoreWork work;
        found = shares_of_templates(model, weights, named, budget, trees, rivals, margin);
    }
    return {to_table(std::move(found.rows), model.sights.states.size()), to_numpy(std::move(found.states))};
}

void make_trainer(CachedTrainer* self, const CachedStates& states, Input<std::int32_t> templates, int bits,
                  bool passive_aggressive, float longest_step) {
    LearningOptions options;
    options.passive_aggressive = passive_aggressive;
    options.longest_step = longest_step;
    new (self) CachedTrainer(states, view(templates), bits, options);
}

}  // namespace

void bind_cached(nb::module_& m) {
    nb::class_<CachedStates>(m, "CachedStates")
        .def("__init__", &make_states, "model"_a, "oracle"_a, "budget"_a, "values"_a, "offsets"_a,
             "classes"_a.none(), "heads"_a, "labels"_a)
        .def("__len__", &CachedStates::states)
        .def_prop_ro("sentences", &CachedStates::sentences);
    nb::class_<CachedTrainer> trainer(m, "CachedTrainer");
    trainer
        .def("__init__", &make_trainer, "states"_a, "templates"_a, "bits"_a, "passive_aggressive"_a,
             "longest_step"_a, nb::keep_alive<1, 2>())
        .def(
            "learn",
            [](CachedTrainer& self, Input<std::int64_t> order) {
                const CoreWork work;
                return self.learn(view(order));
            },
            "order"_a, "One pass over the sentences in this order; the number of updates.");
    bind_learning(trainer);
    m.def(
        "right_without",
        [](const CachedStates& states, const Kernel& weights, Input<std::int64_t> sentences) {
            std::vector<std::int64_t> right;
            {
                const CoreWork work;
                right = right_without(states, weights, view(sentences));
            }
            return to_numpy(std::move(right));
        },
        "states"_a, "weights"_a, "sentences"_a,
        "In how many states the right transition wins without each of the templates, and with all.");
    m.def("shares_of_templates", &shares, "weights"_a, "model"_a, "oracle"_a, "budget"_a, "values"_a,
          "offsets"_a, "classes"_a.none(), "heads"_a, "labels"_a, "rivals"_a, "margin"_a,
          "What every template adds to the lead of right transitions over their rivals; the states of the "
          "rows.");
}
