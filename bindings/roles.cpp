// Predicates and roles: programs of features, the steps over batches, and learning them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "bindings/codes.hpp"
#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/work.hpp"
#include "core/roles/learner.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

// Rows of addresses: the base, then up to three pairs of a move and its argument; a move of -1 ends them.
RoleProgram make_program(const Rows<std::int64_t>& addresses, const Rows<std::int32_t>& atoms,
                         const Input<std::int32_t>& joined, const Input<std::int32_t>& ends,
                         const Input<std::int32_t>& along, std::uint64_t seed) {
    if (addresses.shape(1) != 7 || atoms.shape(1) != 3)
        throw std::invalid_argument("wrong number of columns");
    std::vector<RoleAddress> places;
    for (std::size_t i = 0; i < addresses.shape(0); ++i) {
        RoleAddress place{to_code<RoleBase>(static_cast<int>(addresses(i, 0)), role_bases, "base"), {}};
        for (std::size_t j = 1; j < 7 && addresses(i, j) >= 0; j += 2) {
            const auto move = to_code<RoleMove>(static_cast<int>(addresses(i, j)), role_moves, "move");
            place.steps.push_back({move, addresses(i, j + 1)});
        }
        places.push_back(std::move(place));
    }
    std::vector<RoleAtom> sights;
    for (std::size_t i = 0; i < atoms.shape(0); ++i) {
        const auto sight = to_code<RoleSight>(atoms(i, 0), role_sights, "sight");
        sights.push_back({sight, atoms(i, 1), atoms(i, 2)});
    }
    return RoleProgram(std::move(places), std::move(sights), copied(joined), view(ends), copied(along), seed);
}

RoleModel make_model(const RoleProgram& plain, const RoleProgram& joint, const RoleProgram& sets,
                     const Input<std::int32_t>& core, bool refusing, std::size_t beam) {
    if (core.size() < 2 || core.size() > most_transitions)
        throw std::invalid_argument("too few or many roles");
    for (const std::int32_t number : view(core)) {
        if (number < -1 || number >= RoleModel::most_core) throw std::invalid_argument("too many core roles");
    }
    if (beam < 1 || beam > 4096) throw std::invalid_argument("the beam must be from 1 to 4096");
    // All look at the same paths.
    if (!std::ranges::equal(plain.along(), joint.along()) ||
        !std::ranges::equal(plain.along(), sets.along())) {
        throw std::invalid_argument("the programs see other columns along paths");
    }
    return {plain, joint, sets, copied(core), refusing, beam};
}

// The arrays of a batch, kept alive and checked: all that the core may trust.
struct BatchArrays {
    Rows<std::uint32_t> values;
    Input<std::int64_t> offsets;
    Input<Index> heads;
    std::size_t labels;
    Input<std::int64_t> firsts;
    Input<Index> predicates;
    Input<std::uint32_t> senses;
    Input<std::int64_t> bounds;
    Input<Index> words;

    RoleBatch batch() const {
        return {{values.data(), values.size()},
                values.shape(1),
                {view(heads), view(offsets)},
                labels,
                view(firsts),
                view(predicates),
                view(senses),
                view(bounds),
                view(words)};
    }
    void check() const {
        check_offsets(view(offsets), values.shape(0));
        if (heads.size() != values.shape(0)) throw std::invalid_argument("one head per word is needed");
        if (labels >= values.shape(1)) throw std::invalid_argument("no such column");
        if (firsts.size() != offsets.size()) throw std::invalid_argument("one row per sentence is needed");
        check_offsets(view(firsts), predicates.size());
        if (senses.size() != predicates.size() || bounds.size() != predicates.size() + 1) {
            throw std::invalid_argument("one entry per predicate is needed");
        }
        check_offsets(view(bounds), words.size());
        const RoleBatch all = batch();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto heads_of = all.forest.tree(i);
            const auto size = static_cast<Index>(heads_of.size());
            for (const Index head : heads_of) {
                if (head < 0 || head > size) throw std::invalid_argument("no such head");
            }
            for (std::size_t number = all.first(i); number < all.first(i + 1); ++number) {
                const auto inside = [&](Index word) { return word >= 1 && word <= size; };
                if (!inside(all.predicates[number]) || !std::ranges::all_of(all.words_of(number), inside)) {
                    throw std::invalid_argument("no such word");
                }
            }
        }
    }
    void require(const RoleProgram& program) const {
        if (values.shape(1) < program.columns()) throw std::invalid_argument("too few columns");
    }
    void require(const RoleModel& model) const {
        require(model.plain), require(model.joint), require(model.sets);
    }
};

template <typename Weights>
void require_width(const Weights& weights, std::size_t width) {
    if (weights.windows.width() != width) throw std::invalid_argument("other weights");
}

void check_roles(const BatchArrays& batch, const Input<RoleId>& roles, std::size_t width) {
    if (roles.size() != batch.words.size()) throw std::invalid_argument("one role per word is needed");
    for (const RoleId role : view(roles)) {
        if (role < 0 || static_cast<std::size_t>(role) >= width) throw std::invalid_argument("no such role");
    }
}

void check_senses(const BatchArrays& batch, const Input<std::uint32_t>& keys,
                  const Input<std::int32_t>& sizes, std::size_t width) {
    if (keys.size() != batch.predicates.size() || sizes.size() != keys.size()) {
        throw std::invalid_argument("one entry per predicate is needed");
    }
    for (const std::int32_t size : view(sizes)) {
        if (size < 0 || static_cast<std::size_t>(size) > width)
            throw std::invalid_argument("too many senses");
    }
}

template <typename Weights>
void bind_steps(nb::module_& m) {
    m.def(
        "score_predicates",
        [](const Weights& weights, const RoleProgram& program, const BatchArrays& batch,
           const Cancel* cancel) {
            batch.require(program);
            require_width(weights, 1);
            std::vector<float> scores;
            {
                const CoreWork work(cancel);
                scores = score_predicates(program, weights, batch.batch());
            }
            return to_numpy(std::move(scores));
        },
        "weights"_a, "program"_a, "batch"_a, "cancel"_a.none() = nb::none(),
        "Per word how much speaks for its being a predicate; it is one from 0 on.");
    m.def(
        "find_arguments",
        [](const Weights& weights, const RoleProgram& program, const BatchArrays& batch, float least,
           std::uint32_t reach, const Cancel* cancel) {
            batch.require(program);
            require_width(weights, 1);
            FoundWords found;
            {
                const CoreWork work(cancel);
                found = find_arguments(program, weights, batch.batch(), least, reach);
            }
            return std::tuple(to_numpy(std::move(found.bounds)), to_numpy(std::move(found.words)),
                              to_numpy(std::move(found.scores)));
        },
        "weights"_a, "program"_a, "batch"_a, "least"_a, "reach"_a, "cancel"_a.none() = nb::none(),
        "Words that score at least so much: where those of each predicate begin, the words, the scores.");
    m.def(
        "find_roles",
        [](const Weights& weights, const RoleModel& model, const BatchArrays& batch, std::size_t most,
           float refusal, float share, const Weights* set_weights, const Cancel* cancel) {
            batch.require(model);
            require_width(weights, model.width());
            if (set_weights != nullptr) require_width(*set_weights, 1);
            FoundSets found;
            {
                const CoreWork work(cancel);
                found = find_roles(model, weights, set_weights, batch.batch(), most, refusal, share);
            }
            return std::tuple(to_numpy(std::move(found.bounds)), to_numpy(std::move(found.roles)),
                              to_numpy(std::move(found.scores)));
        },
        "weights"_a, "model"_a, "batch"_a, "most"_a, "refusal"_a = 0.0f, "share"_a = 1.0f,
        "set_weights"_a.none() = nb::none(), "cancel"_a.none() = nb::none(),
        "The best sets of roles of each predicate: where they begin, a role per word, the scores.");
    m.def(
        "choose_senses",
        [](const Weights& weights, const RoleProgram& program, const BatchArrays& batch, Input<RoleId> roles,
           Input<std::int32_t> core, Input<std::uint32_t> keys, Input<std::int32_t> sizes,
           Input<std::uint8_t> allowed, const Cancel* cancel) {
            batch.require(program);
            check_roles(batch, roles, core.size());
            check_senses(batch, keys, sizes, weights.windows.width());
            std::size_t every = 0;
            for (const std::int32_t size : view(sizes)) every += static_cast<std::size_t>(size);
            if (allowed.size() != every) throw std::invalid_argument("one flag per sense is needed");
            std::vector<std::int32_t> chosen;
            {
                const CoreWork work(cancel);
                chosen = choose_senses(program, weights, batch.batch(),
                                       {view(roles), view(core), view(keys), view(sizes)}, view(allowed));
            }
            return to_numpy(std::move(chosen));
        },
        "weights"_a, "program"_a, "batch"_a, "roles"_a, "core"_a, "keys"_a, "sizes"_a, "allowed"_a,
        "cancel"_a.none() = nb::none(),
        "Per predicate the number of the sense that scores best of those that are allowed; -1 if none is.");
}

std::int64_t learn_predicates(RoleLearner& learner, const RoleProgram& program, const BatchArrays& batch,
                              Input<std::uint8_t> right, Input<std::int64_t> order) {
    batch.require(program);
    if (right.size() != batch.heads.size()) throw std::invalid_argument("one flag per word is needed");
    const nb::gil_scoped_release release;
    return learner.learn_predicates(program, batch.batch(), view(right), view(order));
}

std::int64_t learn_arguments(RoleLearner& learner, const RoleProgram& program, const BatchArrays& batch,
                             std::uint32_t reach, Input<std::int64_t> order) {
    batch.require(program);
    const nb::gil_scoped_release release;
    return learner.learn_arguments(program, batch.batch(), reach, view(order));
}

std::int64_t learn_roles(RoleLearner& learner, const RoleModel& model, const BatchArrays& batch,
                         Input<RoleId> roles, Input<std::int64_t> order) {
    batch.require(model);
    if (learner.width() != model.width()) throw std::invalid_argument("other weights");
    check_roles(batch, roles, model.width());
    const nb::gil_scoped_release release;
    return learner.learn_roles(model, batch.batch(), view(roles), view(order));
}

std::int64_t learn_sets(RoleLearner& learner, const RoleModel& model, const BatchArrays& batch,
                        Input<std::int64_t> set_bounds, Input<RoleId> roles, Input<double> scores,
                        Input<std::int32_t> errors, Input<std::int64_t> order) {
    batch.require(model);
    if (set_bounds.size() != batch.predicates.size() + 1 || errors.size() != scores.size()) {
        throw std::invalid_argument("one entry per predicate and per set is needed");
    }
    check_offsets(view(set_bounds), scores.size());
    const RoleBatch all = batch.batch();
    std::size_t total = 0;
    for (std::size_t i = 0; i < all.predicates.size(); ++i) {
        total +=
            static_cast<std::size_t>(view(set_bounds)[i + 1] - view(set_bounds)[i]) * all.words_of(i).size();
    }
    if (total != roles.size()) throw std::invalid_argument("one role per word and set is needed");
    for (const RoleId role : view(roles)) {
        if (role < 0 || static_cast<std::size_t>(role) >= model.width()) {
            throw std::invalid_argument("no such role");
        }
    }
    const FoundSets sets{copied(set_bounds), copied(roles), copied(scores)};
    const nb::gil_scoped_release release;
    return learner.learn_sets(model, all, sets, view(errors), view(order));
}

std::int64_t learn_senses(RoleLearner& learner, const RoleProgram& program, const BatchArrays& batch,
                          Input<RoleId> roles, Input<std::int32_t> core, Input<std::uint32_t> keys,
                          Input<std::int32_t> sizes, Input<std::int32_t> right, Input<std::int64_t> order) {
    batch.require(program);
    check_roles(batch, roles, core.size());
    check_senses(batch, keys, sizes, learner.width());
    if (right.size() != sizes.size()) throw std::invalid_argument("one sense per predicate is needed");
    for (std::size_t i = 0; i < right.size(); ++i) {
        if (view(right)[i] >= view(sizes)[i]) throw std::invalid_argument("no such sense");
    }
    const nb::gil_scoped_release release;
    return learner.learn_senses(program, batch.batch(), {view(roles), view(core), view(keys), view(sizes)},
                                view(right), view(order));
}

// What is seen of a predicate and a word: length of the path, family, direction, distance. For tests.
std::tuple<std::uint32_t, int, int, std::uint32_t> look_at(Input<Index> heads, Index predicate,
                                                           Index argument) {
    const auto size = static_cast<Index>(heads.size());
    const auto inside = [&](Index word) { return word >= 1 && word <= size; };
    if (!inside(predicate) || !inside(argument)) throw std::invalid_argument("no such word");
    for (const Index head : view(heads)) {
        if (head < 0 || head > size) throw std::invalid_argument("no such head");
    }
    const std::vector<std::uint32_t> values(heads.size(), 2);
    const RoleSentence sentence(values, 1, view(heads), 0);
    Paths paths;
    paths.find(sentence, predicate, {});
    return {paths.length(argument), static_cast<int>(paths.family(argument)),
            argument < predicate ? -1 : argument > predicate, bin_between(argument, predicate)};
}

}  // namespace

void bind_roles(nb::module_& m) {
    nb::class_<RoleProgram>(m, "RoleProgram")
        .def(
            "__init__",
            [](RoleProgram* self, Rows<std::int64_t> addresses, Rows<std::int32_t> atoms,
               Input<std::int32_t> joined, Input<std::int32_t> ends, Input<std::int32_t> along,
               std::uint64_t seed) {
                new (self) RoleProgram(make_program(addresses, atoms, joined, ends, along, seed));
            },
            "addresses"_a, "atoms"_a, "joined"_a, "ends"_a, "along"_a, "seed"_a);
    nb::class_<RoleModel>(m, "RoleModel")
        .def(
            "__init__",
            [](RoleModel* self, const RoleProgram& plain, const RoleProgram& joint, const RoleProgram& sets,
               Input<std::int32_t> core, bool refusing, std::size_t beam) {
                new (self) RoleModel(make_model(plain, joint, sets, core, refusing, beam));
            },
            "plain"_a, "joint"_a, "sets"_a, "core"_a, "refusing"_a, "beam"_a);
    nb::class_<BatchArrays>(m, "RoleBatch")
        .def(
            "__init__",
            [](BatchArrays* self, Rows<std::uint32_t> values, Input<std::int64_t> offsets, Input<Index> heads,
               std::size_t labels, Input<std::int64_t> firsts, Input<Index> predicates,
               Input<std::uint32_t> senses, Input<std::int64_t> bounds, Input<Index> words) {
                BatchArrays arrays{values, offsets, heads, labels, firsts, predicates, senses, bounds, words};
                arrays.check();
                new (self) BatchArrays(std::move(arrays));
            },
            "values"_a, "offsets"_a, "heads"_a, "labels"_a, "firsts"_a, "predicates"_a, "senses"_a,
            "bounds"_a, "words"_a, "Sentences, their predicates, and words with each of these.");
    bind_steps<Kernel>(m);
    bind_steps<CompactKernel>(m);

    nb::class_<RoleLearner> trainer(m, "RoleTrainer");
    trainer.def(nb::init<int, std::size_t, float>(), "bits"_a, "width"_a, "longest_step"_a)
        .def("learn_predicates", &learn_predicates, "program"_a, "batch"_a, "right"_a, "order"_a)
        .def("learn_arguments", &learn_arguments, "program"_a, "batch"_a, "reach"_a, "order"_a)
        .def("learn_roles", &learn_roles, "model"_a, "batch"_a, "roles"_a, "order"_a)
        .def("learn_sets", &learn_sets, "model"_a, "batch"_a, "set_bounds"_a, "roles"_a, "scores"_a,
             "errors"_a, "order"_a)
        .def("learn_senses", &learn_senses, "program"_a, "batch"_a, "roles"_a, "core"_a, "keys"_a, "sizes"_a,
             "right"_a, "order"_a);
    bind_learning(trainer);
    m.def("role_sights", &look_at, "heads"_a, "predicate"_a, "argument"_a);
}
