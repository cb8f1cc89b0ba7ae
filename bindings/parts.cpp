// Programs of features for parts of a tree.
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"
#include "bindings/stepped.hpp"
#include "core/completion.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

PartProgram make_program(const Rows<std::int32_t>& atoms, const Input<std::int32_t>& joined,
                         const Input<std::int32_t>& ends, const Input<std::int32_t>& lists,
                         std::uint64_t seed) {
    if (atoms.shape(1) != 6) throw std::invalid_argument("wrong number of columns");
    std::vector<PartAtom> sights;
    for (std::size_t i = 0; i < atoms.shape(0); ++i) {
        const auto sight = to_code<PartSight>(atoms(i, 0), part_sights, "sight");
        sights.push_back({sight, atoms(i, 1), atoms(i, 2), atoms(i, 3), atoms(i, 4), atoms(i, 5)});
    }
    const auto list = view(joined);
    return PartProgram(std::move(sights), {list.begin(), list.end()}, view(ends), view(lists), seed);
}

Output<std::uint64_t> extract(const PartProgram& program, int kind, const Input<Index>& nodes,
                              const Rows<std::uint32_t>& values) {
    if (values.shape(1) < program.columns()) throw std::invalid_argument("too few columns");
    Part part{to_code<PartKind>(kind, part_kinds, "kind of part"), {none, none, none, none}};
    if (nodes.size() != part.size()) throw std::invalid_argument("a part of this kind has other nodes");
    const auto words = static_cast<Index>(values.shape(0));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        part.nodes[i] = view(nodes)[i];
        const Index least = i < 2 ? 0 : none;  // a sibling that is not there is a part too
        if (part.nodes[i] < least || part.nodes[i] > words) throw std::invalid_argument("no such word");
    }
    std::vector<std::uint64_t> features(PartProgram::most_features);
    const auto value = [&](Index word, std::size_t column) {
        return values(static_cast<std::size_t>(word - 1), column);
    };
    features.resize(program.extract(part, words, value, features));
    return to_numpy(std::move(features));
}

using Named = std::tuple<int, std::array<Index, 4>, Label, int>;  // kind, nodes, label, count

Named named(const Part& part, Label label, int count) {
    return {static_cast<int>(part.kind), part.nodes, label, count};
}

// What an arc would change about the parts of a tree.
std::vector<Named> completed(const SteppedState& at, int kind, Label label, std::uint32_t kinds) {
    if (!at.permits(kind, 1) || !is_arc(to_kind(kind))) {
        throw std::invalid_argument("this arc is not permitted here");
    }
    const Arc arc =
        with_system(at.system, [&](auto system) { return arc_of(system, at.state, {to_kind(kind)}); });
    std::vector<Named> parts;
    PartFinder finder{to_part_set(kinds)};
    finder.each_new(at.state, arc, [&](const Part& part) { parts.push_back(named(part, label, 1)); });
    finder.each_changed(at.state, arc, [&](const Part& part, Label other, int count) {
        parts.push_back(named(part, other, count));
    });
    return parts;
}

std::vector<Named> built(const SteppedState& at, std::uint32_t kinds) {
    std::vector<Named> parts;
    PartFinder finder{to_part_set(kinds)};
    for (Index word = 1; word <= at.state.words(); ++word) {
        if (at.state.head(word) == none) continue;
        finder.each_built(at.state, word,
                          [&](const Part& part) { parts.push_back(named(part, at.state.label(word), 1)); });
    }
    return parts;
}

}  // namespace

void bind_parts(nb::module_& m) {
    nb::class_<PartProgram>(m, "PartProgram")
        .def(
            "__init__",
            [](PartProgram* self, Rows<std::int32_t> atoms, Input<std::int32_t> joined,
               Input<std::int32_t> ends, Input<std::int32_t> lists, std::uint64_t seed) {
                new (self) PartProgram(make_program(atoms, joined, ends, lists, seed));
            },
            "atoms"_a, "joined"_a, "ends"_a, "lists"_a, "seed"_a)
        .def("extract", extract, "kind"_a, "nodes"_a, "values"_a,
             "The features of a part, as hashes: its kind, its nodes, and the values of all words.");
    m.def("completed_parts", completed, "state"_a, "kind"_a, "label"_a, "kinds"_a,
          "Parts that an arc would add (1) or take away (-1): kind, nodes, label and count.");
    m.def("built_parts", built, "state"_a, "kinds"_a, "All parts of the arcs of a state, from scratch.");
}
