// Nets: arrays by name in, tags and trees out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"
#include "bindings/tensors.hpp"
#include "bindings/work.hpp"
#include "core/neural/nets.hpp"
#include "core/neural/spanning.hpp"
#include "core/neural/swap_head.hpp"

using namespace nb::literals;

namespace {

using namespace plait::neural;
using Indices = Input<std::int32_t>;
using EncoderFacts = std::tuple<std::size_t, std::int32_t, std::int32_t, float>;

// A list of what stands in a sequence, read here as nanobind ends the process where there is no memory for
// it.
template <typename T>
T entry(nb::handle value, const char* wanted) {
    T found;
    if (!nb::try_cast(value, found, false)) throw std::invalid_argument(wanted);
    return found;
}

using Types = nb::typed<nb::list, nb::any>;

Batch to_batch(const Types& types, const Indices& words, std::span<const std::int64_t> offsets) {
    Batch batch{{}, view(words), offsets, {}};
    for (const nb::handle value : types) {
        const auto rows = entry<Rows<std::int32_t>>(value, "a table of words is no table of numbers");
        batch.types.push_back({{rows.data(), rows.size()}, rows.shape(1)});
    }
    check_offsets(offsets, words.size());
    return batch;
}

// By the transitions of a head, or a spanning tree.
std::unique_ptr<Decoder> decoder_of(const Nets& nets, const SwapHead* head, std::size_t beam, double price) {
    if (head == nullptr) return std::make_unique<TreeDecoder>(price);
    if (head->width() != nets.first_width()) throw std::invalid_argument("the head is of another net");
    if (beam < 1) throw std::invalid_argument("a beam begins at 1");
    return std::make_unique<SwapDecoder>(*head, beam, price);
}

}  // namespace

void bind_neural(nb::module_& m) {
    m.def("neural_kernels", &kernels, "How products can be computed on this machine, the fastest first.");
    m.def(
        "neural_tree",
        [](const Rows<float>& scores, double price, const std::optional<Indices>& given) {
            const std::size_t words = scores.shape(0);
            if (scores.shape(1) != words + 1 || (given && given->size() != words)) {
                throw std::invalid_argument("of n words there are scores of n + 1 heads");
            }
            std::vector<std::int32_t> heads(words);
            {
                const CoreWork work;
                best_tree({scores.data(), words + 1, words}, price, view(given), heads);
            }
            return to_numpy(std::move(heads));
        },
        "scores"_a, "price"_a = 0.0, "given"_a.none() = nb::none(),
        "The heads of the best tree with one root, from scores of heads 0 to n for every word.");
    nb::class_<Net>(m, "NeuralNet", "A net that reads words and scores tags and trees.")
        .def(
            "__init__",
            [](Net* self, const Arrays& tensors, std::size_t tag_layer, const std::string& kernel,
               const std::string& body, const std::string& spelling, bool feed, bool attention,
               const std::optional<EncoderFacts>& encoder) {
                NetShape shape{body, spelling, tag_layer, feed, attention, {}};
                if (encoder) {
                    const auto [heads, begin, end, epsilon] = *encoder;
                    shape.encoder = {heads, begin, end, epsilon};
                }
                new (self) Net(to_tensors(tensors), shape, kernel_of(kernel));
            },
            "tensors"_a, "tag_layer"_a, "kernel"_a = "", nb::kw_only(), "body"_a = "sru",
            "spelling"_a = "grams", "feed"_a = false, "attention"_a = true, "encoder"_a.none() = nb::none(),
            "From arrays by name; ValueError if they do not fit together, or a number is none. Of an "
            "encoder: its heads, the pieces around a sentence, and the epsilon of its norms.")
        .def_prop_ro("labels", &Net::labels)
        .def_prop_ro("words", [](const Net& self) { return self.inputs().words(); })
        .def_prop_ro("parts", [](const Net& self) { return self.inputs().parts(); })
        .def_prop_ro("tags", [](const Net& self) {
            return std::vector<std::size_t>(self.tags().sizes().begin(), self.tags().sizes().end());
        });
    nb::class_<Nets>(m, "NeuralNets", "Nets that judge together: the mean of their probabilities.")
        .def(
            "__init__",
            [](Nets* self, const nb::typed<nb::list, Net>& nets) {
                std::vector<std::shared_ptr<Net>> found;
                for (const nb::handle net : nets) {
                    found.push_back(entry<std::shared_ptr<Net>>(net, "that is no net"));
                }
                new (self) Nets(std::move(found));
            },
            "nets"_a, "ValueError if there is none, or they have other classes.")
        .def(
            "run",
            [](const Nets& self, const Types& types, const Indices& words, const Input<std::int64_t>& offsets,
               const std::optional<Indices>& given, double price, int threads, const plait::Cancel* cancel,
               bool vectors, std::size_t best, float temperature, const SwapHead* head, std::size_t beam) {
                Batch batch = to_batch(types, words, view(offsets));
                batch.given = view(given);
                batch.vectors = vectors;
                batch.best = best;
                batch.temperature = temperature;
                if (threads < 1) throw std::invalid_argument("there must be a thread");
                if (best < 1) throw std::invalid_argument("there must be a tree");
                if (!(temperature > 0)) throw std::invalid_argument("the temperature must be above 0");
                const auto decoder = decoder_of(self, head, beam, price);
                Found found;
                {
                    const CoreWork work(cancel);
                    found = self.run(batch, *decoder, threads);
                }
                return std::tuple(
                    to_numpy(std::move(found.heads)), to_numpy(std::move(found.labels)),
                    to_table(std::move(found.tags), tag_columns), to_numpy(std::move(found.probabilities)),
                    to_table(std::move(found.vectors), self.width()), to_numpy(std::move(found.scores)),
                    to_table(std::move(found.scripts), script_choices));
            },
            "types"_a, "words"_a, "offsets"_a, "given"_a.none() = nb::none(), "price"_a = 0.0,
            "threads"_a = 1, "cancel"_a.none() = nb::none(), "vectors"_a = false, "best"_a = 1,
            "temperature"_a = 1.0f, "head"_a.none() = nb::none(), "beam"_a = 1,
            "Heads and labels of the best trees, then of the second best ...; tags of all words and the "
            "probabilities of their best heads, and their vectors if wanted; scores of the trees; the best "
            "lemma "
            "scripts of all words, -1 where there are no more. Of each net there is a table of types: a row "
            "has the number of a word and those of its parts. With a head, trees come from transitions.")
        .def(
            "read",
            [](const Nets& self, const Types& types, const Indices& words, const Input<std::int64_t>& offsets,
               int threads, const plait::Cancel* cancel) {
                const Batch batch = to_batch(types, words, view(offsets));
                if (threads < 1) throw std::invalid_argument("there must be a thread");
                Readings found;
                {
                    const CoreWork work(cancel);
                    found = self.read(batch, threads);
                }
                return std::tuple(to_table(std::move(found.vectors), self.first_width()),
                                  to_numpy(std::move(found.arcs)));
            },
            "types"_a, "words"_a, "offsets"_a, "threads"_a = 1, "cancel"_a.none() = nb::none(),
            "Vectors of all words, and of every word of a sentence of n words the scores of n + 1 heads.")
        .def(
            "label",
            [](const Nets& self, const Types& types, const Indices& words, const Rows<std::int32_t>& heads,
               const plait::Cancel* cancel) {
                const std::int64_t ends[] = {0, static_cast<std::int64_t>(words.size())};
                const Batch batch = to_batch(types, words, ends);
                if (heads.shape(1) != words.size())
                    throw std::invalid_argument("one head per word is needed");
                std::vector<float> found;
                {
                    const CoreWork work(cancel);
                    found = self.label(batch, {heads.data(), heads.size()});
                }
                return to_table(std::move(found), self.labels());
            },
            "types"_a, "words"_a, "heads"_a, "cancel"_a.none() = nb::none(),
            "Logits of the labels of all words of a sentence under the heads of a row, and of the next ...")
        .def(
            "look",
            [](const Nets& self, const Types& types, const Indices& words, double price) {
                const std::int64_t ends[] = {0, static_cast<std::int64_t>(words.size())};
                const Batch batch = to_batch(types, words, ends);
                Logits found;
                {
                    const CoreWork work;
                    found = self.look(batch, TreeDecoder(price));
                }
                return std::tuple(to_table(std::move(found.tags), self.tags().size()),
                                  to_table(std::move(found.arcs), words.size() + 1),
                                  to_table(std::move(found.labels), self.labels()));
            },
            "types"_a, "words"_a, "price"_a = 0.0,
            "What one sentence is decided by: logits of all tags, of arcs, and of the labels of its tree; of "
            "several nets logarithms of probabilities.")
        .def_prop_ro("first_width", &Nets::first_width, "Of the vectors of words of the first net.");
}
