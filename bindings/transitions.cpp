// Derivations over batches, and single states and oracles to be stepped and asked one by one.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"
#include "bindings/stepped.hpp"
#include "bindings/work.hpp"
#include "core/oracles/costs.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

Deriver make_deriver(int system, int oracle, bool single_root, std::int64_t budget) {
    const auto system_id = to_system(system);
    return Deriver(system_id, to_oracle(oracle, system_id), single_root, budget);
}

// Calls `use` with number and gold tree of every tree of the batch, the GIL released.
template <typename Use>
void for_each_gold(const Forest& forest, const Deriver& deriver, const Cancel* cancel, Use use) {
    const CoreWork work(cancel);
    for (std::size_t i = 0; i < forest.size(); ++i) {
        require_tree(forest.tree(i), i);
        const Gold gold(forest.tree(i));
        if (!deriver.derivable(gold)) {
            throw std::invalid_argument("tree " + std::to_string(i) + " is not derivable in this system");
        }
        use(i, gold);
    }
}

std::tuple<Output<std::uint8_t>, Output<Index>, Output<std::int64_t>, Output<std::uint8_t>> derive(
    Input<Index> heads, Input<std::int64_t> offsets, int system, int oracle, bool single_root,
    std::int64_t budget, const Cancel* cancel) {
    const Forest forest = to_forest(heads, offsets);
    Deriver deriver = make_deriver(system, oracle, single_root, budget);
    std::vector<std::uint8_t> kinds, over_budget(forest.size());
    std::vector<Index> depths;
    std::vector<std::int64_t> bounds{0};
    for_each_gold(forest, deriver, cancel, [&](std::size_t i, const Gold& gold) {
        over_budget[i] = deriver.derive(gold, [&](Transition transition) {
            kinds.push_back(static_cast<std::uint8_t>(transition.kind));
            depths.push_back(transition.depth);
        });
        bounds.push_back(static_cast<std::int64_t>(kinds.size()));
    });
    return std::make_tuple(to_numpy(std::move(kinds)), to_numpy(std::move(depths)),
                           to_numpy(std::move(bounds)), to_numpy(std::move(over_budget)));
}

std::tuple<Output<std::int64_t>, Output<std::int64_t>, Output<std::uint8_t>> count_transitions(
    Input<Index> heads, Input<std::int64_t> offsets, int system, int oracle, bool single_root,
    std::int64_t budget, const Cancel* cancel) {
    const Forest forest = to_forest(heads, offsets);
    Deriver deriver = make_deriver(system, oracle, single_root, budget);
    std::vector<std::int64_t> transitions(forest.size()), swaps(forest.size());
    std::vector<std::uint8_t> over_budget(forest.size());
    for_each_gold(forest, deriver, cancel, [&](std::size_t i, const Gold& gold) {
        over_budget[i] = deriver.derive(gold, [&](Transition transition) {
            ++transitions[i];
            swaps[i] += transition.kind == Kind::swap;
        });
    });
    return std::make_tuple(to_numpy(std::move(transitions)), to_numpy(std::move(swaps)),
                           to_numpy(std::move(over_budget)));
}

Output<std::uint8_t> ambiguous(Input<Index> heads, Input<std::int64_t> offsets, int system, bool single_root,
                               const Cancel* cancel) {
    const Forest forest = to_forest(heads, offsets);
    Deriver deriver = make_deriver(system, static_cast<int>(OracleId::nd_all), single_root, 0);
    std::vector<std::uint8_t> result(forest.size());
    for_each_gold(forest, deriver, cancel,
                  [&](std::size_t i, const Gold& gold) { result[i] = deriver.ambiguous(gold); });
    return to_numpy(std::move(result));
}

Output<Index> replay_batch(Input<std::uint8_t> kinds, Input<Index> depths, Input<std::int64_t> bounds,
                           Input<std::int64_t> offsets, int system, bool single_root, const Cancel* cancel) {
    const std::span<const std::uint8_t> all(kinds.data(), kinds.size());
    const std::span<const Index> reaches(depths.data(), depths.size());
    if (reaches.size() != all.size()) throw std::invalid_argument("as many depths as kinds are needed");
    const std::span<const std::int64_t> from(bounds.data(), bounds.size()),
        words(offsets.data(), offsets.size());
    check_offsets(from, all.size());
    if (words.size() != from.size())
        throw std::invalid_argument("as many derivations as sentences are needed");
    check_offsets(words, static_cast<std::size_t>(words.back()));
    std::vector<Index> heads(static_cast<std::size_t>(words.back()));
    const SystemId system_id = to_system(system);
    {
        const CoreWork work(cancel);
        State state;
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            const auto first = static_cast<std::size_t>(from[i]);
            const auto steps = static_cast<std::size_t>(from[i + 1] - from[i]);
            const auto size = static_cast<Index>(words[i + 1] - words[i]);
            const auto illegal = replay(system_id, state, size, all.subspan(first, steps),
                                        reaches.subspan(first, steps), single_root);
            if (illegal) {
                throw std::invalid_argument("derivation " + std::to_string(i) + ": transition " +
                                            std::to_string(*illegal) + " is not permitted");
            }
            for (Index word = 1; word <= size; ++word) {
                heads[static_cast<std::size_t>(words[i] + word - 1)] = state.head(word);
            }
        }
    }
    return to_numpy(std::move(heads));
}

std::vector<int> codes(KindSet kinds) {
    std::vector<int> result;
    for (std::size_t code = 0; code < kind_count; ++code) {
        if (kinds.has(static_cast<Kind>(code))) result.push_back(static_cast<int>(code));
    }
    return result;
}

// The oracles of one tree, asked about single states.
class Teacher {
  public:
    explicit Teacher(Input<Index> heads)
        : heads_(heads.data(), heads.data() + heads.size()), gold_(checked()) {}

    std::vector<int> correct(const SteppedState& at, int oracle) {
        check(at, at.system);
        return codes(correct_in(at, oracle).kinds());
    }
    // Kinds and depths.
    std::vector<std::pair<int, Index>> correct_arcs(const SteppedState& at, int oracle) {
        check(at, at.system);
        const TransitionSet set = correct_in(at, oracle);
        std::vector<std::pair<int, Index>> result;
        for (const int code : codes(set.kinds())) result.emplace_back(code, 1);
        for (const auto& [kind, depth] : set.deep()) result.emplace_back(static_cast<int>(kind), depth);
        return result;
    }
    // Kinds, depths and costs of what a state of a spine system permits but SWAP.
    std::vector<std::tuple<int, Index, Index>> spine_costs(const SteppedState& at) {
        check(at, at.system == SystemId::spine_swap ? at.system : SystemId::spine);
        std::vector<std::tuple<int, Index, Index>> result;
        const auto add = [&](Transition transition, Index cost) {
            result.emplace_back(static_cast<int>(transition.kind), transition.depth, cost);
        };
        if (at.system == SystemId::spine) {
            spine_costs_.each(SpineSystem{}, at.state, gold_, at.single_root, add);
        } else {
            spine_costs_.each(SpineSwapSystem{}, at.state, gold_, at.single_root, add);
        }
        return result;
    }
    std::pair<Index, Index> loss(const SteppedState& at) {
        check(at, SystemId::swap);
        const Loss loss = costs_.loss(at.state, gold_, at.single_root);
        return {loss.at_least, loss.at_most};
    }
    std::map<int, std::pair<Index, Index>> losses(const SteppedState& at) {
        check(at, SystemId::swap);
        std::array<Loss, kind_count> after;
        std::map<int, std::pair<Index, Index>> result;
        for (const int code : codes(costs_.losses(at.state, gold_, at.single_root, after))) {
            const Loss& loss = after[static_cast<std::size_t>(code)];
            result[code] = {loss.at_least, loss.at_most};
        }
        return result;
    }
    std::vector<int> best(const SteppedState& at) {
        check(at, SystemId::swap);
        return codes(costs_.best(at.state, gold_, at.single_root));
    }
    std::map<int, Index> eager_costs(const SteppedState& at) const {
        check(at, SystemId::eager);
        std::array<Index, kind_count> costs;
        std::map<int, Index> result;
        for (const int code : codes(plait::eager_costs(at.state, gold_, at.single_root, costs))) {
            result[code] = costs[static_cast<std::size_t>(code)];
        }
        return result;
    }

  private:
    TransitionSet correct_in(const SteppedState& at, int oracle) const {
        Deriver deriver = make_deriver(static_cast<int>(at.system), oracle, at.single_root, 0);
        if (!deriver.derivable(gold_))
            throw std::invalid_argument("the tree is not derivable in this system");
        return deriver.correct(at.state, gold_);
    }
    void check(const SteppedState& at, SystemId system) const {
        if (at.system != system) throw std::invalid_argument("a state of another system");
        if (at.state.words() != gold_.words()) throw std::invalid_argument("a state of another sentence");
    }
    std::span<const Index> checked() const {
        require_tree(heads_, 0);
        return heads_;
    }

    std::vector<Index> heads_;
    Gold gold_;
    SwapCosts costs_;
    SpineCosts spine_costs_;
};

}  // namespace

void bind_transitions(nb::module_& m) {
    m.def("derive", derive, "heads"_a, "offsets"_a, "system"_a, "oracle"_a, "single_root"_a, "budget"_a,
          "cancel"_a.none() = nb::none(),
          "Kinds and depths of all derivations, where each begins, and which searches were cut short.");
    m.def("count_transitions", count_transitions, "heads"_a, "offsets"_a, "system"_a, "oracle"_a,
          "single_root"_a, "budget"_a, "cancel"_a.none() = nb::none(),
          "Per tree: transitions, swaps, and whether the search was cut short.");
    m.def("ambiguous", ambiguous, "heads"_a, "offsets"_a, "system"_a, "single_root"_a,
          "cancel"_a.none() = nb::none(), "Per tree: whether it has several derivations.");
    m.def("replay", replay_batch, "kinds"_a, "depths"_a, "bounds"_a, "offsets"_a, "system"_a, "single_root"_a,
          "cancel"_a.none() = nb::none(), "The heads that derivations build.");

    nb::class_<SteppedState>(m, "State", "A state of the core, stepped by kind and label numbers.")
        .def(nb::init<Index, int, bool>(), "words"_a, "system"_a, "single_root"_a)
        .def("copy", [](const SteppedState& self) { return SteppedState(self); })
        .def("permits", &SteppedState::permits, "kind"_a, "depth"_a = 1)
        .def("apply", &SteppedState::apply, "kind"_a, "label"_a = none, "depth"_a = 1)
        .def_prop_ro("terminal", &SteppedState::terminal)
        .def_prop_ro("stack",
                     [](const SteppedState& self) {
                         const auto stack = self.state.row().stack();
                         return std::vector<Index>(stack.begin(), stack.end());
                     })
        .def_prop_ro("buffer",
                     [](const SteppedState& self) {
                         const auto buffer = self.state.row().buffer();
                         return std::vector<Index>(buffer.begin(), buffer.end());
                     })
        .def(
            "node",
            [](const SteppedState& self, Index index) {
                if (index < 0 || index > self.state.words()) throw nb::index_error();
                const Node& node = self.state.node(index);
                return std::make_tuple(node.head, node.label, node.left1, node.left2, node.right1,
                                       node.right2, node.lefts, node.rights, node.left_labels,
                                       node.right_labels);
            },
            "index"_a);

    nb::class_<Teacher>(m, "Teacher", "The oracles of one tree, asked about single states.")
        .def(nb::init<Input<Index>>(), "heads"_a)
        .def("correct", &Teacher::correct, "state"_a, "oracle"_a)
        .def("correct_arcs", &Teacher::correct_arcs, "state"_a, "oracle"_a)
        .def("spine_costs", &Teacher::spine_costs, "state"_a)
        .def("loss", &Teacher::loss, "state"_a)
        .def("losses", &Teacher::losses, "state"_a)
        .def("best", &Teacher::best, "state"_a)
        .def("eager_costs", &Teacher::eager_costs, "state"_a);
}
