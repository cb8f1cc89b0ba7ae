// The completion model (Bohnet and Kuhn 2012, section 4): the parts of a tree that an arc makes, while a
// derivation builds it. In the swap system a word that has got its head gets no more children, so parts below
// the dependent of a new arc are final at once. Those beside it are not: the head may still get children,
// also between itself and one it has. Such a part is replaced when that happens, and its score with it, so at
// every state the score of the parts is the one that a computation from scratch would find.
#pragma once

#include <vector>

#include "core/cancel.hpp"
#include "core/memory.hpp"
#include "core/parts.hpp"
#include "core/repertoire.hpp"

namespace plait {

// Which kinds of parts are scored: a bit each. One bit more says that an arc without a sibling is a part too,
// one whose sibling is none, as in the graph-based parser.
class PartSet {
  public:
    static constexpr std::uint32_t all = (1u << (part_kinds + 1)) - 1;

    constexpr explicit PartSet(std::uint32_t bits = 0) : bits_(bits) {}
    constexpr bool has(PartKind kind) const { return ((bits_ >> static_cast<unsigned>(kind)) & 1u) != 0; }
    constexpr bool has_no_sibling() const {
        return has(PartKind::sibling) && ((bits_ >> part_kinds) & 1u) != 0;
    }
    constexpr bool empty() const { return bits_ == 0; }

  private:
    std::uint32_t bits_;
};

// Finds parts in what a state has built. Where the head stands right of the dependent everything is mirrored.
class PartFinder {
  public:
    explicit PartFinder(PartSet kinds) : kinds_(kinds) {}

    // The parts of an arc that is about to be built.
    template <typename Use>
    void each_new(const State& state, Arc arc, Use use) {
        dependent_side(state, arc, use);
        siblings_.clear();
        list_children(state, arc.head, siblings_);
        insert_new(arc.dependent);
        head_side(arc.head, arc.dependent, siblings_, use);
    }

    // The parts of other arcs of its head that will be others then: `use(part, label, count)` with the label
    // of that arc and -1 for a part that is no more, 1 for one that is new. To be called after `each_new`.
    template <typename Use>
    void each_changed(const State& state, Arc arc, Use use) {
        if (siblings_.size() < 2) return;
        before_ = siblings_;
        std::erase(before_, arc.dependent);
        for (const Index child : before_) {
            check_cancelled();  // a head of very many words
            old_.clear();
            new_.clear();
            head_side(arc.head, child, before_, [&](const Part& part) { old_.push_back(part); });
            head_side(arc.head, child, siblings_, [&](const Part& part) { new_.push_back(part); });
            const Label label = state.label(child);
            for (const Part& part : old_) {
                if (std::ranges::find(new_, part) == new_.end()) use(part, label, -1);
            }
            for (const Part& part : new_) {
                if (std::ranges::find(old_, part) == old_.end()) use(part, label, 1);
            }
        }
    }

    // All parts of the arc to a word that has its head, from scratch.
    template <typename Use>
    void each_built(const State& state, Index dependent, Use use) {
        const Index head = state.head(dependent);
        dependent_side(state, {head, dependent}, use);
        siblings_.clear();
        list_children(state, head, siblings_);
        head_side(head, dependent, siblings_, use);
    }

  private:
    template <typename Use>
    void dependent_side(const State& state, Arc arc, Use use) {
        const auto [head, dependent] = arc;
        const bool rightwards = head < dependent;
        const Node& node = state.node(dependent);
        if (kinds_.has(PartKind::first)) use(Part{PartKind::first, {head, dependent, none, none}});
        if (node.lefts + node.rights == 0) return;
        children_.clear();
        list_children(state, dependent, children_);
        if (kinds_.has(PartKind::inner)) {
            const Index inner = farthest_inside(children_, head, dependent);
            if (inner != none) use(Part{PartKind::inner, {head, dependent, inner, none}});
        }
        const Index outer = rightwards ? node.right1 : node.left1;
        if (outer != none && kinds_.has(PartKind::outer)) {
            use(Part{PartKind::outer, {head, dependent, outer, none}});
        }
        if (children_.size() > 1 && kinds_.has(PartKind::below)) {
            const std::size_t last = children_.size() - 1;
            use(Part{PartKind::below,
                     {head, dependent, rightwards ? children_[0] : children_[last],
                      rightwards ? children_[1] : children_[last - 1]}});
        }
        if (outer != none && kinds_.has(PartKind::chain)) {
            const Index end = rightwards ? state.node(outer).right1 : state.node(outer).left1;
            if (end != none) use(Part{PartKind::chain, {head, dependent, outer, end}});
        }
    }

    // `children`: all of the head, in order, the dependent among them.
    template <typename Use>
    void head_side(Index head, Index dependent, const std::vector<Index>& children, Use use) {
        const bool alone = children.size() < 2;
        if (alone && !kinds_.has_no_sibling()) return;
        const bool rightwards = head < dependent;
        if (kinds_.has(PartKind::sibling)) {
            Index nearest = none;
            for (const Index child : children) {
                if (rightwards && head < child && child < dependent) nearest = child;
                if (!rightwards && dependent < child && child < head && nearest == none) nearest = child;
            }
            if (nearest != none || kinds_.has_no_sibling()) {
                use(Part{PartKind::sibling, {head, dependent, nearest, none}});
            }
        }
        if (alone) return;
        const auto nth = [&](std::size_t i) {  // of the others, counted from the far end
            const std::size_t last = children.size() - 1;
            for (std::size_t at = 0; at <= last; ++at) {
                const Index child = children[rightwards ? at : last - at];
                if (child != dependent && i-- == 0) return child;
            }
            return none;
        };
        if (kinds_.has(PartKind::across)) {
            use(Part{PartKind::across, {head, dependent, nth(0), none}});
        }
        if (kinds_.has(PartKind::children) && children.size() > 2) {
            use(Part{PartKind::children, {head, dependent, nth(0), nth(1)}});
        }
    }

    static Index farthest_inside(const std::vector<Index>& children, Index head, Index dependent) {
        Index farthest = none;
        for (const Index child : children) {
            if (head < child && child < dependent && farthest == none) farthest = child;
            if (dependent < child && child < head) farthest = child;
        }
        return farthest;
    }

    static void list_children(const State& state, Index head, std::vector<Index>& children) {
        const Node& node = state.node(head);
        const Index first = node.lefts > 0 ? node.left1 : head + 1;
        const Index last = node.rights > 0 ? node.right1 : head - 1;
        for (Index word = std::max<Index>(first, 1); word <= last; ++word) {
            if (state.head(word) == head) children.push_back(word);
        }
    }

    void insert_new(Index dependent) {
        siblings_.insert(std::ranges::upper_bound(siblings_, dependent), dependent);
    }

    PartSet kinds_;
    std::vector<Index> siblings_, before_, children_;
    std::vector<Part> old_, new_;
};

// Scores of parts for all labels of their arc, remembered.
template <typename Weights>
class PartMemory {
  public:
    PartMemory(const PartProgram& program, const Weights& weights, std::size_t labels)
        : program_(program), weights_(weights), labels_(labels), memory_(labels) {}

    void read(const Words& words) {
        words_ = words;
        memory_.forget();
    }

    // Words of the part have the tags they hold in the state; those around it their best ones, so that a part
    // is known by its own words.
    std::span<const std::uint64_t> extract(const State& state, const Part& part) {
        const auto value = [&](Index word, std::size_t column) {
            const bool inside = words_.joint() && std::ranges::find(part.nodes, word) != part.nodes.end();
            const std::size_t row = inside ? words_.seen_row(state, word) : words_.row(word);
            return words_.values[row * words_.columns + column];
        };
        return std::span(features_).first(program_.extract(part, state.words(), value, features_));
    }

    // Valid until the next call.
    std::span<const float> score(const State& state, const Part& part) {
        std::uint64_t key = part.key();
        if (words_.joint()) {
            for (std::size_t i = 0; i < part.size(); ++i) {
                const Index tag = part.nodes[i] == 0 ? none : state.tag(part.nodes[i]);
                key = join(key, static_cast<std::uint64_t>(std::max<Index>(tag, 0)));
            }
        }
        memory_.make_room(1);
        const auto [sums, is_new] = memory_.find(key);
        if (is_new) weights_.score(extract(state, part), sums, 0, labels_);
        return sums.first(labels_);
    }

  private:
    const PartProgram& program_;
    const Weights& weights_;
    std::size_t labels_;
    Words words_;
    std::array<std::uint64_t, PartProgram::most_features> features_;
    SumMemory<float> memory_;
};

}  // namespace plait
