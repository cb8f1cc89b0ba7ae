// How a tree came about.
#include "core/trace.hpp"

#include "bindings/modules.hpp"
#include "bindings/sentences.hpp"
#include "bindings/traces.hpp"
#include "bindings/work.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

// How the tree of one sentence came about: the derivation, alternatives, rounds of the beam, and parents.
template <typename Weights>
TraceArrays trace(const Weights& weights, const ParserModel& model, Rows<std::uint32_t> values,
                  Input<std::int64_t> offsets, Classes classes, std::size_t beam, std::size_t tag_beam,
                  std::size_t feats_beam, std::size_t alternatives, const Cancel* cancel) {
    check_width(weights, model);
    const Sentences sentences = sentences_of(model, values, offsets, std::nullopt, classes);
    if (sentences.size() != 1) throw std::invalid_argument("one sentence is needed");
    if (beam < 1) throw std::invalid_argument("a beam begins at 1");
    Trace found;
    {
        const CoreWork work(cancel);
        FeatureScorer<Weights> scorer(model.sights, weights, model.repertoire);
        scorer.read(sentences.words(0));
        const auto words = static_cast<Index>(values.shape(0));
        with_setting(model, [&](const auto& setting) {
            found =
                trace_derivation(setting, scorer, words, Widths{beam, tag_beam, feats_beam}, alternatives);
        });
    }
    return to_arrays(std::move(found));
}

}  // namespace

void bind_trace(nb::module_& m) {
    const auto bind = [&m](auto function) {
        m.def("trace", function, "weights"_a, "model"_a, "values"_a, "offsets"_a, "classes"_a.none(),
              "beam"_a, "tag_beam"_a, "feats_beam"_a, "alternatives"_a, "cancel"_a.none() = nb::none(),
              "Kinds and labels of a derivation, its alternatives, the rounds of the beam, and parents.");
    };
    bind(&trace<Kernel>);
    bind(&trace<CompactKernel>);
}
