// A frontier of states, to be scored from elsewhere.
#include "core/frontier.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <string>

#include "bindings/modules.hpp"
#include "bindings/sentences.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

Slots make_slots(const Rows<std::int32_t>& addresses, const Input<std::int32_t>& shown) {
    if (addresses.shape(1) != 2) throw std::invalid_argument("wrong number of columns");
    std::vector<Address> places;
    for (std::size_t i = 0; i < addresses.shape(0); ++i) {
        places.push_back({to_code<Place>(addresses(i, 0), place_count, "place"), addresses(i, 1)});
    }
    return Slots(std::move(places), copied(shown));
}

void make_frontier(Frontier* self, const Repertoire& repertoire, Input<std::int64_t> offsets, int system,
                   bool single_root, std::size_t beam, std::size_t best, Rows<std::int32_t> addresses,
                   Input<std::int32_t> shown, Classes classes) {
    if (beam < 1 || best < 1) throw std::invalid_argument("beam and best begin at 1");
    if (offsets.size() == 0) throw std::invalid_argument("offsets must run from 0");
    check_offsets(view(offsets), static_cast<std::size_t>(view(offsets).back()));
    check_classes(repertoire, classes, static_cast<std::size_t>(view(offsets).back()));
    new (self) Frontier(repertoire, FrontierOptions{to_system(system), single_root, beam, best},
                        make_slots(addresses, shown), copied(offsets),
                        repertoire.filters() ? copied(*classes) : std::vector<std::uint16_t>{});
}

void keep(Frontier& frontier, Input<Index> heads, Input<Label> labels) {
    check_given(view(heads), frontier.offsets());
    check_labels(view(labels), heads.size(), frontier.repertoire().label_count());
    frontier.keep({copied(heads), copied(labels)});
}

void teach(Frontier& frontier, Input<Index> heads, std::optional<Input<Label>> labels, int oracle,
           std::int64_t budget) {
    const Forest forest{view(heads), frontier.offsets()};
    check_offsets(forest.offsets, heads.size());
    for (std::size_t i = 0; i < forest.size(); ++i) require_tree(forest.tree(i), i);
    if (labels) check_labels(view(*labels), heads.size(), frontier.repertoire().label_count());
    frontier.teach({copied(heads), labels ? copied(*labels) : std::vector<Label>{}},
                   to_oracle(oracle, frontier.system()), budget);
}

// One number of every row.
template <typename T, typename Get>
Output<T> of_rows(const Frontier& frontier, Get get) {
    std::vector<T> numbers;
    for (const Frontier::Row& row : frontier.rows()) numbers.push_back(get(row));
    return to_numpy(std::move(numbers));
}

// A table with a line for every row.
template <typename T, typename Fill>
OutputRows<T> table_of(const Frontier& frontier, std::size_t columns, Fill fill) {
    std::vector<T> table(frontier.rows().size() * columns);
    {
        const nb::gil_scoped_release release;
        fill(std::span<T>(table));
    }
    return to_table(std::move(table), columns);
}

void advance(Frontier& frontier, Rows<float> scores) {
    if (scores.shape(0) != frontier.rows().size() || scores.shape(1) != frontier.transitions()) {
        throw std::invalid_argument("the scores are " + std::to_string(scores.shape(0)) + " x " +
                                    std::to_string(scores.shape(1)) + " where rows and transitions are " +
                                    std::to_string(frontier.rows().size()) + " x " +
                                    std::to_string(frontier.transitions()));
    }
    const nb::gil_scoped_release release;
    frontier.advance({scores.data(), scores.size()});
}

void follow(Frontier& frontier, Input<std::int64_t> choices) {
    if (choices.size() != frontier.rows().size()) throw std::invalid_argument("one choice per row is needed");
    const nb::gil_scoped_release release;
    frontier.follow(view(choices));
}

std::tuple<Output<Index>, Output<Label>, Output<float>, Output<double>> parses(const Frontier& frontier) {
    Parses found = frontier.parses();
    return {to_numpy(std::move(found.heads)), to_numpy(std::move(found.labels)),
            to_numpy(std::move(found.margins)), to_numpy(std::move(found.scores))};
}

std::tuple<Output<std::uint8_t>, Output<Index>, Output<std::int64_t>> derivations(const Frontier& frontier) {
    std::vector<std::uint8_t> kinds;
    std::vector<Index> depths;
    std::vector<std::int64_t> bounds{0};
    for (std::size_t i = 0; i < frontier.sentences(); ++i) {
        for (const Transition& transition : frontier.derivation(i)) {
            kinds.push_back(static_cast<std::uint8_t>(transition.kind));
            depths.push_back(transition.depth);
        }
        bounds.push_back(static_cast<std::int64_t>(kinds.size()));
    }
    return {to_numpy(std::move(kinds)), to_numpy(std::move(depths)), to_numpy(std::move(bounds))};
}

// What the hash kernel says of the rows of a frontier: a whole parser beside it, for tests and mixtures.
template <typename Weights>
OutputRows<float> score_frontier(const Weights& weights, const ParserModel& model, Frontier& frontier,
                                 Rows<std::uint32_t> values, Input<std::int64_t> offsets, Classes classes) {
    check_width(weights, model);
    const Sentences sentences = sentences_of(model, values, offsets, std::nullopt, classes);
    if (!std::ranges::equal(sentences.offsets, frontier.offsets()) || model.system != frontier.system() ||
        model.repertoire.size() != frontier.transitions()) {
        throw std::invalid_argument("the frontier is of other sentences or of another parser");
    }
    if (model.sights.tags.size() > 0)
        throw std::invalid_argument("this parser chooses tags, which a frontier does not");
    return table_of<float>(frontier, frontier.transitions(), [&](std::span<float> scores) {
        FeatureScorer<Weights> scorer(model.sights, weights, model.repertoire);
        score_rows(model, scorer, sentences, frontier, scores);
    });
}

}  // namespace

void bind_frontier(nb::module_& m) {
    nb::class_<Frontier>(m, "Frontier", "States of many sentences that wait for scores.")
        .def("__init__", &make_frontier, "repertoire"_a, "offsets"_a, "system"_a, "single_root"_a, "beam"_a,
             "best"_a, "addresses"_a, "shown"_a, "classes"_a.none())
        .def("keep", &keep, "heads"_a, "labels"_a, "Arcs to prefer; -1 for none.")
        .def("teach", &teach, "heads"_a, "labels"_a.none(), "oracle"_a, "budget"_a, "Trees to learn.")
        .def("__len__", [](const Frontier& frontier) { return frontier.rows().size(); })
        .def("sentences",
             [](const Frontier& frontier) {
                 return of_rows<std::int64_t>(frontier, [](const Frontier::Row& row) {
                     return static_cast<std::int64_t>(row.sentence);
                 });
             })
        .def("states",
             [](const Frontier& frontier) {
                 return of_rows<std::int64_t>(frontier, [](const Frontier::Row& row) {
                     return static_cast<std::int64_t>(row.hypothesis);
                 });
             })
        .def("depths",
             [](const Frontier& frontier) {
                 return of_rows<Index>(frontier, [](const Frontier::Row& row) { return row.depth; });
             })
        .def("slots",
             [](Frontier& frontier) {
                 return table_of<Index>(frontier, frontier.slot_count(),
                                        [&](std::span<Index> slots) { frontier.find_slots(slots); });
             })
        .def("permitted",
             [](const Frontier& frontier) {
                 return table_of<std::uint8_t>(
                     frontier, frontier.transitions(),
                     [&](std::span<std::uint8_t> mask) { frontier.find_permitted(mask); });
             })
        .def("correct",
             [](Frontier& frontier) {
                 return table_of<std::uint8_t>(
                     frontier, frontier.transitions(),
                     [&](std::span<std::uint8_t> mask) { frontier.find_correct(mask); });
             })
        .def("advance", &advance, "scores"_a)
        .def("follow", &follow, "choices"_a)
        .def("parses", &parses, "Heads, labels and margins of words, and scores of sentences.")
        .def("derivations", &derivations, "Kinds, depths, and where each begins.");
    const auto bind_score = [&m](auto function) {
        m.def("score_frontier", function, "weights"_a, "model"_a, "frontier"_a, "values"_a, "offsets"_a,
              "classes"_a.none());
    };
    bind_score(&score_frontier<Kernel>);
    bind_score(&score_frontier<CompactKernel>);
}
