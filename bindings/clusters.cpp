// Brown clusters: counts of bigrams in, merges out.
#include "core/clusters.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

constexpr std::size_t most_clusters = 4096;  // the tables of pairs have 24 bytes each

void make(BrownClustering* self, std::size_t words, Input<std::int32_t> firsts, Input<std::int32_t> seconds,
          Input<std::int32_t> counts, std::size_t clusters) {
    if (firsts.size() != counts.size() || seconds.size() != counts.size()) {
        throw std::invalid_argument("the lists of bigrams differ in length");
    }
    if (clusters < 1 || clusters > most_clusters) throw std::invalid_argument("too few or too many clusters");
    std::vector<Bigram> bigrams;
    bigrams.reserve(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i) bigrams.push_back({firsts(i), seconds(i), counts(i)});
    const nb::gil_scoped_release release;
    new (self) BrownClustering(words, bigrams, clusters);
}

std::tuple<Output<std::int32_t>, Output<std::int32_t>> merges_of(const BrownClustering& clustering) {
    std::vector<std::int32_t> kept, gone;
    for (const Merge& merge : clustering.merges()) {
        kept.push_back(merge.kept);
        gone.push_back(merge.gone);
    }
    return {to_numpy(std::move(kept)), to_numpy(std::move(gone))};
}

}  // namespace

void bind_clusters(nb::module_& m) {
    nb::class_<BrownClustering>(m, "BrownClustering")
        .def("__init__", &make, "words"_a, "firsts"_a, "seconds"_a, "counts"_a, "clusters"_a)
        .def("advance", &BrownClustering::advance, "merges"_a, nb::call_guard<nb::gil_scoped_release>(),
             "At most so many merges more; whether all are made.")
        .def("merges", &merges_of, "The clusters that stayed and those that went, by one of their words.");
}
