// The tagger: programs of features, learning and tagging over batches.
#include "bindings/tagger.hpp"

#include <nanobind/stl/tuple.h>

#include <atomic>
#include <thread>

#include "bindings/arrays.hpp"
#include "core/batch.hpp"
#include "core/tagger/learner.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

// What does not change while a tagger learns and tags.
struct TaggerModel {
    TaggerModel(TagProgram features, TagInventory tags)
        : program(std::move(features)), inventory(std::move(tags)) {
        if (inventory.views_each < program.views()) throw std::invalid_argument("too few views of tags");
        if (inventory.size() == 0) throw std::invalid_argument("there are no tags");
        if (inventory.width > most_transitions) throw std::invalid_argument("too many parts of tags");
    }

    TagProgram program;
    TagInventory inventory;
};

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
                 Input<std::int64_t> offsets, Input<std::int32_t> sets, std::size_t best, int threads) {
    const Sentences sentences = sentences_of(model, values, offsets);
    if (best < 1 || threads < 1) throw std::invalid_argument("best and threads begin at 1");
    if (weights.windows.width() != model.inventory.width) throw std::invalid_argument("other weights");
    if (sets.size() != values.shape(0)) throw std::invalid_argument("one set per word is needed");
    for (const std::int32_t set : view(sets)) {
        if (set < 0 || static_cast<std::size_t>(set) >= model.inventory.sets.size()) {
            throw std::invalid_argument("no such set of candidates");
        }
    }
    std::vector<Tag> tags(values.shape(0) * best, no_tag);
    std::vector<float> scores(tags.size(), 0.0f);
    {
        const nb::gil_scoped_release release;
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            TagSearch<Weights> search(model.program, model.inventory, weights);
            for (std::size_t i = next++; i < sentences.size(); i = next++) {
                const std::size_t begin = sentences.begin(i);
                const SentenceToTag sentence{sentences.words(i),
                                             view(sets).subspan(begin, sentences.length(i))};
                search.run(sentence, best, [&](std::size_t place, std::span<const ScoredTag> found) {
                    for (std::size_t j = 0; j < found.size(); ++j) {
                        tags[(begin + place) * best + j] = found[j].tag;
                        scores[(begin + place) * best + j] = found[j].score;
                    }
                });
            }
        };
        std::vector<std::jthread> others;
        for (int i = 1; i < threads; ++i) others.emplace_back(work);
        work();
    }
    return {to_numpy(std::move(tags)), to_numpy(std::move(scores))};
}

// Weights that learn.
class TagTrainer {
  public:
    TagTrainer(const TaggerModel& model, int bits, float longest_step, float dropout)
        : model_(model), learner_(model_.program, model_.inventory, bits, {longest_step, dropout}) {}

    // One pass over the sentences named in `order`. Returns how many words were learned from, and how many of
    // them had got a wrong tag.
    std::tuple<std::int64_t, std::int64_t> learn(Rows<std::uint32_t> values, Input<std::int64_t> offsets,
                                                 Input<Tag> gold, Input<std::int64_t> order,
                                                 std::uint64_t seed) {
        const Sentences sentences = sentences_of(model_, values, offsets);
        if (gold.size() != values.shape(0)) throw std::invalid_argument("one tag per word is needed");
        for (const Tag tag : view(gold)) {
            if (tag < no_tag || tag >= static_cast<Tag>(model_.inventory.size())) {
                throw std::invalid_argument("no such tag");
            }
        }
        learner_.report = {};
        const nb::gil_scoped_release release;
        for (const std::int64_t number : view(order)) {
            const auto i = static_cast<std::size_t>(number);
            if (i >= sentences.size()) throw std::invalid_argument("no such sentence");
            learner_.learn(sentences.words(i), view(gold).subspan(sentences.begin(i), sentences.length(i)),
                           seed + i);
        }
        return {learner_.report.words, learner_.report.wrong};
    }

    Output<float> averaged() const {
        std::vector<float> mean(learner_.cells());
        learner_.averaged().average(mean);
        return to_numpy(std::move(mean));
    }

  private:
    TaggerModel model_;
    TagLearner learner_;
};

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
    nb::class_<TagTrainer>(m, "TaggerTrainer")
        .def(nb::init<const TaggerModel&, int, float, float>(), "model"_a, "bits"_a, "longest_step"_a,
             "dropout"_a)
        .def("learn", &TagTrainer::learn, "values"_a, "offsets"_a, "gold"_a, "order"_a, "seed"_a)
        .def("averaged", &TagTrainer::averaged);
    const auto bind_tag = [&m](auto tag_function) {
        m.def("tag", tag_function, "weights"_a, "model"_a, "values"_a, "offsets"_a, "sets"_a, "best"_a = 1,
              "threads"_a = 1, "The best tags of every word and their scores; -1 where a word has fewer.");
    };
    bind_tag(&tag<Kernel>);
    bind_tag(&tag<CompactKernel>);
}
