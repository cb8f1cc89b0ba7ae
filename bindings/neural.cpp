// Nets: arrays by name in, tags and trees out.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"
#include "bindings/work.hpp"
#include "core/neural/net.hpp"

using namespace nb::literals;

namespace {

using namespace plait::neural;
using Indices = Input<std::int32_t>;
using Arrays = std::map<std::string, nb::object>;

template <typename T>
bool is_kind(const nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>& array) {
    return array.dtype() == nb::dtype<T>();
}

Tensor to_tensor(const std::string& name, nb::handle value) {
    nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu> array;
    if (!nb::try_cast(value, array, false) || array.ndim() < 1 || array.ndim() > 2 || array.size() == 0) {
        throw std::invalid_argument(name + ": not a list or a table of numbers");
    }
    Tensor found;
    found.rows = array.ndim() == 2 ? array.shape(0) : 1;
    found.columns = array.shape(array.ndim() - 1);
    if (is_kind<std::int8_t>(array)) {
        found.bytes = {static_cast<const std::int8_t*>(array.data()), array.size()};
    } else if (is_kind<float>(array)) {
        found.floats = {static_cast<const float*>(array.data()), array.size()};
    } else {
        throw std::invalid_argument(name + ": another type of numbers");
    }
    return found;
}

Tensors to_tensors(const Arrays& arrays) {
    std::map<std::string, Tensor> found;
    for (const auto& [name, value] : arrays) found.emplace(name, to_tensor(name, value));
    return Tensors(std::move(found));
}

Batch to_batch(const Rows<std::int32_t>& types, const Indices& words, const Input<std::int64_t>& offsets,
               const std::optional<Indices>& given, double price) {
    if (types.shape(1) == 0) throw std::invalid_argument("a kind of words has at least a number");
    check_offsets(view(offsets), words.size());
    return {{{types.data(), types.size()}, types.shape(1)}, view(words), view(offsets), view(given), price};
}

}  // namespace

void bind_neural(nb::module_& m) {
    m.def("neural_kernels", &kernels, "How products can be computed on this machine, the fastest first.");
    nb::class_<Net>(m, "NeuralNet", "A net that reads words and writes tags and trees.")
        .def(
            "__init__",
            [](Net* self, const Arrays& tensors, std::size_t tag_layer, const std::string& kernel) {
                new (self) Net(to_tensors(tensors), tag_layer, kernel_of(kernel));
            },
            "tensors"_a, "tag_layer"_a, "kernel"_a = "",
            "From arrays by name; ValueError if they do not fit together, or a number is none.")
        .def_prop_ro("labels", &Net::labels)
        .def_prop_ro("words", &Net::words)
        .def_prop_ro("parts", &Net::parts)
        .def_prop_ro(
            "tags",
            [](const Net& self) { return std::vector<std::size_t>(self.tags().begin(), self.tags().end()); })
        .def(
            "run",
            [](const Net& self, const Rows<std::int32_t>& types, const Indices& words,
               const Input<std::int64_t>& offsets, const std::optional<Indices>& given, double price,
               int threads, const plait::Cancel* cancel) {
                const Batch batch = to_batch(types, words, offsets, given, price);
                if (threads < 1) throw std::invalid_argument("there must be a thread");
                Found found;
                {
                    const CoreWork work(cancel);
                    found = self.run(batch, threads);
                }
                return std::tuple(to_numpy(std::move(found.heads)), to_numpy(std::move(found.labels)),
                                  to_table(std::move(found.tags), tag_columns),
                                  to_numpy(std::move(found.probabilities)));
            },
            "types"_a, "words"_a, "offsets"_a, "given"_a.none() = nb::none(), "price"_a = 0.0,
            "threads"_a = 1, "cancel"_a.none() = nb::none(),
            "Heads, labels, tags and the probabilities of the heads of all words. A row of types has the "
            "number of a word and those of its parts.")
        .def(
            "look",
            [](const Net& self, const Rows<std::int32_t>& types, const Indices& words, double price) {
                const std::int64_t ends[] = {0, static_cast<std::int64_t>(words.size())};
                const Batch batch{
                    {{types.data(), types.size()}, types.shape(1)}, view(words), ends, {}, price};
                if (types.shape(1) == 0) throw std::invalid_argument("a kind of words has at least a number");
                Logits found;
                {
                    const CoreWork work;
                    found = self.look(batch);
                }
                std::size_t tags = 0;
                for (const std::size_t size : self.tags()) tags += size;
                return std::tuple(to_table(std::move(found.tags), tags),
                                  to_table(std::move(found.arcs), words.size() + 1),
                                  to_table(std::move(found.labels), self.labels()));
            },
            "types"_a, "words"_a, "price"_a = 0.0,
            "What one sentence is decided by: logits of all tags, of arcs, and of the labels of its tree.");
}
