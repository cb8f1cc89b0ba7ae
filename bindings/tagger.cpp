// The tagger: programs of features, learning and tagging over batches.
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/work.hpp"
#include "core/tagger/batch.hpp"
#include "core/tagger/learner.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

TagProgram make_program(const Rows<std::int32_t>& atoms, const Input<std::int32_t>& joined,
                        const Input<std::int32_t>& ends, std::uint64_t seed) {
    if (atoms.shape(1) != 3) throw std::invalid_argument("wrong number of columns");
    std::vector<TagAtom> list;
    for (std::size_t i = 0; i < atoms.shape(0); ++i) {
        list.push_back({atoms(i, 0) != 0, atoms(i, 1), atoms(i, 2)});
    }
    const auto entries = view(joined);
    return TagProgram(std::move(list), {entries.begin(), entries.end()}, view(ends), seed);
}

TagInventory make_inventory(const Input<std::int32_t>& parts, const Input<std::int32_t>& part_ends,
                            std::size_t width, const Rows<std::int32_t>& views,
                            const Input<std::int32_t>& sets, const Input<std::int32_t>& set_ends) {
    return TagInventory(Lists(view(parts), view(part_ends), width), width,
                        {views.data(), views.data() + views.size()}, views.shape(1),
                        Lists(view(sets), view(set_ends), part_ends.size()));
}

Sentences sentences_of(const TaggerModel& model, const Rows<std::uint32_t>& values,
                       const Input<std::int64_t>& offsets) {
    if (values.shape(1) < model.program.columns()) throw std::invalid_argument("too few columns");
    check_offsets(view(offsets), values.shape(0));
    return {{values.data(), values.size()}, values.shape(1), view(offsets)};
}

using TaggedArrays = std::tuple<Output<Tag>, Output<float>>;

template <typename Weights>
TaggedArrays tag(const Weights& weights, const TaggerModel& model, Rows<std::uint32_t> values,
                 Input<std::int64_t> offsets, Input<std::int32_t> sets, std::size_t best, int threads,
                 const Cancel* cancel) {
    const Sentences sentences = sentences_of(model, values, offsets);
    if (best < 1 || threads < 1) throw std::invalid_argument("best and threads begin at 1");
    if (weights.windows.width() != model.inventory.width) throw std::invalid_argument("other weights");
    if (sets.size() != values.shape(0)) throw std::invalid_argument("one set per word is needed");
    for (const std::int32_t set : view(sets)) {
        if (set < 0 || static_cast<std::size_t>(set) >= model.inventory.sets.size()) {
            throw std::invalid_argument("no such set of candidates");
        }
    }
    Tagging found;
    {
        const CoreWork work(cancel);
        found = tag_sentences(model, weights, sentences, view(sets), best, threads);
    }
    return {to_numpy(std::move(found.tags)), to_numpy(std::move(found.scores))};
}

// How many words were learned from, and how many of them had got a wrong tag.
std::tuple<std::int64_t, std::int64_t> learn(TagLearner& learner, Rows<std::uint32_t> values,
                                             Input<std::int64_t> offsets, Input<Tag> gold,
                                             Input<std::int64_t> order, std::uint64_t seed) {
    const Sentences sentences = sentences_of(learner.model(), values, offsets);
    if (gold.size() != values.shape(0)) throw std::invalid_argument("one tag per word is needed");
    for (const Tag tag : view(gold)) {
        if (tag < no_tag || tag >= static_cast<Tag>(learner.model().inventory.size())) {
            throw std::invalid_argument("no such tag");
        }
    }
    const nb::gil_scoped_release release;
    const TagReport& report = learner.learn(sentences, view(gold), view(order), seed);
    return {report.words, report.wrong};
}

}  // namespace

void bind_tagger(nb::module_& m) {
    nb::class_<TaggerModel>(m, "TaggerModel")
        .def(
            "__init__",
            [](TaggerModel* self, Rows<std::int32_t> atoms, Input<std::int32_t> joined,
               Input<std::int32_t> ends, std::uint64_t seed, Input<std::int32_t> parts,
               Input<std::int32_t> part_ends, std::size_t width, Rows<std::int32_t> views,
               Input<std::int32_t> sets, Input<std::int32_t> set_ends) {
                new (self) TaggerModel(make_program(atoms, joined, ends, seed),
                                       make_inventory(parts, part_ends, width, views, sets, set_ends));
            },
            "atoms"_a, "joined"_a, "ends"_a, "seed"_a, "parts"_a, "part_ends"_a, "width"_a, "views"_a,
            "sets"_a, "set_ends"_a);
    nb::class_<TagLearner> trainer(m, "TaggerTrainer");
    trainer
        .def(
            "__init__",
            [](TagLearner* self, const TaggerModel& model, int bits, float longest_step, float dropout) {
                new (self) TagLearner(model, bits, {longest_step, dropout});
            },
            "model"_a, "bits"_a, "longest_step"_a, "dropout"_a)
        .def("learn", &learn, "values"_a, "offsets"_a, "gold"_a, "order"_a, "seed"_a,
             "One pass over the sentences in this order.");
    bind_learning(trainer);
    const auto bind_tag = [&m](auto tag_function) {
        m.def("tag", tag_function, "weights"_a, "model"_a, "values"_a, "offsets"_a, "sets"_a, "best"_a = 1,
              "threads"_a = 1, "cancel"_a.none() = nb::none(),
              "The best tags of every word and their scores; -1 where a word has fewer.");
    };
    bind_tag(&tag<Kernel>);
    bind_tag(&tag<CompactKernel>);
}
