// Programs of features of states.
#include "core/features.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"
#include "bindings/stepped.hpp"
#include "core/repertoire.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

FeatureProgram make_program(const Rows<std::int32_t>& addresses, const Rows<std::int32_t>& atoms,
                            const Input<std::int32_t>& joined, const Input<std::int32_t>& ends,
                            std::int32_t guide, std::uint64_t seed,
                            const std::optional<Input<std::int32_t>>& numbers) {
    if (addresses.shape(1) != 2 || atoms.shape(1) != 3)
        throw std::invalid_argument("wrong number of columns");
    std::vector<Address> places;
    for (std::size_t i = 0; i < addresses.shape(0); ++i) {
        places.push_back({to_code<Place>(addresses(i, 0), place_count, "place"), addresses(i, 1)});
    }
    std::vector<Atom> sights;
    for (std::size_t i = 0; i < atoms.shape(0); ++i) {
        const auto sight = to_code<Sight>(atoms(i, 0), sight_count, "sight");
        sights.push_back({sight, atoms(i, 1), atoms(i, 2)});
    }
    const auto list = view(joined);
    return FeatureProgram(std::move(places), std::move(sights), {list.begin(), list.end()}, view(ends), guide,
                          seed, view(numbers));
}

Output<std::uint64_t> extract(const FeatureProgram& program, const SteppedState& at,
                              Rows<std::uint32_t> values, int kind, Index depth,
                              std::optional<Input<std::int64_t>> starts, Index tag) {
    const std::size_t entries = starts ? starts->size() - 1 : values.shape(0);
    if (values.shape(1) < program.columns() || entries != static_cast<std::size_t>(at.state.words()))
        throw std::invalid_argument("one row per word and every column are needed");
    if (starts) check_offsets(view(*starts), values.shape(0));
    if (!at.permits(kind, depth)) throw std::invalid_argument("this transition is not permitted here");
    Context context = with_system(
        at.system, [&](auto system) { return context_of(system, at.state, {to_kind(kind), none, depth}); });
    std::vector<std::uint64_t> features(program.size());
    const Words words{{values.data(), values.size()}, values.shape(1), view(starts)};
    for (Index word = 1; starts && word <= at.state.words(); ++word) {
        if (at.state.tag(word) >= words.candidates(word)) throw std::invalid_argument("no such candidate");
    }
    const Index front = at.state.buffer(0);
    if (tag != none && (!starts || front <= 0 || tag < 0 || tag >= words.candidates(front)))
        throw std::invalid_argument("no such candidate");
    context.tag = tag;
    features.resize(program.extract(at.state, context, words, features));
    return to_numpy(std::move(features));
}

}  // namespace

void bind_features(nb::module_& m) {
    nb::class_<FeatureProgram>(m, "FeatureProgram")
        .def(
            "__init__",
            [](FeatureProgram* self, Rows<std::int32_t> addresses, Rows<std::int32_t> atoms,
               Input<std::int32_t> joined, Input<std::int32_t> ends, std::int32_t guide, std::uint64_t seed,
               std::optional<Input<std::int32_t>> numbers) {
                new (self) FeatureProgram(make_program(addresses, atoms, joined, ends, guide, seed, numbers));
            },
            "addresses"_a, "atoms"_a, "joined"_a, "ends"_a, "guide"_a, "seed"_a, "numbers"_a = nb::none())
        .def("__len__", &FeatureProgram::size)
        .def("extract", extract, "state"_a, "values"_a, "kind"_a = 0, "depth"_a = 1, "starts"_a = nb::none(),
             "tag"_a = none,
             "The features of a state, as hashes: as seen by a transition of this kind and depth, or by a "
             "SHIFT that gives this tag.");
}
