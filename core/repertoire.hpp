// The transitions a parser has: their numbers, and which of them a state permits.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "core/features.hpp"
#include "core/systems/eager.hpp"
#include "core/systems/spine.hpp"
#include "core/systems/standard.hpp"
#include "core/systems/swap.hpp"

namespace plait {

// The kind beside SHIFT and the arcs; arc-standard and the spine system have none, and never permit SWAP.
template <typename System>
Kind extra_kind(System) {
    return System::root == RootPlace::after_words ? Kind::reduce : Kind::swap;
}

inline bool is_arc(Kind kind) { return kind == Kind::left_arc || kind == Kind::right_arc; }

// The arc that LEFT-ARC or RIGHT-ARC would build.
struct Arc {
    Index head, dependent;
};
template <typename System>
Arc arc_of(System system, const State& state, Transition transition) {
    if constexpr (reaches_deep<System>) {
        return {system.head(state, transition.kind, transition.depth), system.taken(state, transition.kind)};
    } else {
        constexpr bool in_stack = System::root == RootPlace::under_stack;
        const Index right = in_stack ? state.stack(0) : state.buffer(0);
        const Index left = in_stack ? state.stack(1) : state.stack(0);
        return transition.kind == Kind::left_arc ? Arc{right, left} : Arc{left, right};
    }
}

template <typename System>
bool permits(System system, const State& state, Transition transition, bool single_root) {
    if constexpr (reaches_deep<System>) {
        return system.permits(state, transition, single_root);
    } else {
        return transition.depth == 1 && system.permits(state, transition.kind, single_root);
    }
}

template <typename System>
Context context_of(System system, const State& state, Transition transition) {
    if (transition.depth == 1) return {};
    return {transition.kind, arc_of(system, state, transition).head};
}

struct AnyKind {
    constexpr bool operator()(Kind) const { return true; }
};

// Numbers: SHIFT 0, SWAP or REDUCE 1, then LEFT-ARC and then RIGHT-ARC with the labels they were seen with.
class Repertoire {
  public:
    static constexpr std::size_t absent = static_cast<std::size_t>(-1);

    // `of_root[l]` and `of_words[l]`: may an arc with label l come from the root, from a word?
    Repertoire(std::span<const Label> left, std::span<const Label> right,
               std::span<const std::uint8_t> of_root, std::span<const std::uint8_t> of_words) {
        if (of_words.size() != of_root.size())
            throw std::invalid_argument("the label lists differ in length");
        std::size_t number = 2;
        first_[0] = number;
        for (auto [kind, labels] : {std::pair{Kind::left_arc, left}, {Kind::right_arc, right}}) {
            auto& numbers = numbers_[kind == Kind::right_arc];
            labels_[kind == Kind::right_arc].assign(labels.begin(), labels.end());
            numbers.assign(of_root.size(), absent);
            for (const Label label : labels) {
                const auto at = static_cast<std::size_t>(label);
                if (at >= of_root.size()) throw std::invalid_argument("no such label");
                numbers[at] = number;
                const Numbered choice{{kind, label}, static_cast<std::uint32_t>(number)};
                if (of_root[at]) choices_[kind == Kind::right_arc][1].push_back(choice);
                if (of_words[at]) choices_[kind == Kind::right_arc][0].push_back(choice);
                ++number;
            }
            first_[kind == Kind::right_arc ? 2 : 1] = number;
        }
        size_ = number;
    }

    std::size_t size() const { return size_; }

    // Labels by kind and by the classes of head and dependent, row by row: right (0 or 1), head, dependent,
    // label (Bohnet and Nivre 2012, section 2.2). Class 0 is the root; pairs without a row have all labels.
    // The rows of one kind and head are in the order of dependents. What is kept grows with classes and rows,
    // not with pairs of classes.
    void filter(std::span<const Label> rows, std::size_t classes) {
        if (classes < 1 || classes > 65535) throw std::invalid_argument("too few or too many classes");
        for (auto& heads : filtered_) heads.assign(classes, {});
        for (std::size_t i = 0; i + 3 < rows.size(); i += 4) {
            const bool right = rows[i] != 0;
            for (std::size_t column = 1; column < 4; ++column) {
                const std::size_t most = column < 3 ? classes : label_count();
                if (rows[i + column] < 0 || static_cast<std::size_t>(rows[i + column]) >= most)
                    throw std::invalid_argument("no such class or label in the label filter");
            }
            const Transition transition{right ? Kind::right_arc : Kind::left_arc, rows[i + 3]};
            const auto of_kind = numbers_[right].at(static_cast<std::size_t>(transition.label));
            if (of_kind == absent) throw std::invalid_argument("the filter has a label the kind has not");
            auto& seen = filtered_[right].at(static_cast<std::size_t>(rows[i + 1]));
            if (seen.empty() || seen.back().dependent < rows[i + 2]) seen.push_back({rows[i + 2], {}});
            if (seen.back().dependent != rows[i + 2])
                throw std::invalid_argument("the filter is out of order");
            seen.back().labels.push_back({transition, static_cast<std::uint32_t>(of_kind)});
        }
    }
    bool filters() const { return !filtered_[0].empty(); }
    std::size_t classes() const { return filtered_[0].size(); }

    // Whether every arc a system may build has a label, so that no search gets stuck.
    template <typename System>
    bool suffices(System) const {
        const std::size_t root_side = System::root == RootPlace::under_stack;
        return !choices_[0][0].empty() && !choices_[1][0].empty() && !choices_[root_side][1].empty();
    }

    // The numbers of LEFT-ARC or of RIGHT-ARC with any label: from the first to before the second.
    std::pair<std::size_t, std::size_t> numbers(Kind kind) const {
        return {first_[kind == Kind::right_arc], first_[kind == Kind::right_arc ? 2 : 1]};
    }

    // Their labels, in this order.
    std::span<const Label> labels(Kind kind) const { return labels_[kind == Kind::right_arc]; }
    std::size_t label_count() const { return numbers_[0].size(); }

    // The number of a transition, or `absent` for a label its kind was never seen with.
    std::size_t number(Transition transition) const {
        if (transition.kind == Kind::shift) return 0;
        if (!is_arc(transition.kind)) return 1;
        return numbers_[transition.kind == Kind::right_arc][static_cast<std::size_t>(transition.label)];
    }

    // Calls `use(transition, number)` for everything permitted at depth 1, in the order of numbers; of arcs
    // only those whose kind is wanted.
    template <typename System, typename Use, typename Wanted = AnyKind>
    void each_permitted(System system, const State& state, const Words& words, bool single_root, Use use,
                        Wanted wanted = {}) const {
        if (system.permits(state, Kind::shift, single_root)) use(Transition{Kind::shift}, std::size_t{0});
        if (system.permits(state, extra_kind(system), single_root)) {
            use(Transition{extra_kind(system)}, std::size_t{1});
        }
        for (const Kind kind : {Kind::left_arc, Kind::right_arc}) {
            if (!system.permits(state, kind, single_root) || !wanted(kind)) continue;
            for (const Numbered& choice : choices(kind, arc_of(system, state, {kind}), state, words)) {
                use(choice.transition, choice.number);
            }
        }
    }
    // The same for the labels of an arc from deeper down a spine.
    template <typename Use>
    void each_label(Kind kind, Index depth, Arc arc, const State& state, const Words& words, Use use) const {
        for (const Numbered& choice : choices(kind, arc, state, words)) {
            use(Transition{kind, choice.transition.label, depth}, choice.number);
        }
    }

  private:
    struct Numbered {
        Transition transition;
        std::uint32_t number;
    };
    struct Seen {
        Label dependent;  // its class
        std::vector<Numbered> labels;
    };

    const std::vector<Numbered>& choices(Kind kind, Arc arc, const State& state, const Words& words) const {
        const bool right = kind == Kind::right_arc;
        if (filters()) {
            const auto& seen = filtered_[right][words.seen_class(state, arc.head)];
            const auto dependent = static_cast<Label>(words.seen_class(state, arc.dependent));
            const auto place = std::ranges::lower_bound(seen, dependent, {}, &Seen::dependent);
            if (place != seen.end() && place->dependent == dependent) return place->labels;
        }
        return choices_[right][arc.head == 0];
    }

    std::size_t size_ = 2, first_[3];
    std::vector<std::size_t> numbers_[2];  // by kind: left, right
    std::vector<Label> labels_[2];
    std::vector<Numbered> choices_[2][2];         // by kind, and by whether the head is the root
    std::vector<std::vector<Seen>> filtered_[2];  // by kind, by the class of the head, in order of dependents
};

}  // namespace plait
