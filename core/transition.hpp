// Transitions are integers: a kind, a label and a depth. What they do is defined by a system (core/systems).
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/tree.hpp"

namespace plait {

using Label = Index;
inline constexpr Index none = -1;  // no node, no head, no label

enum class Kind : std::uint8_t { shift, left_arc, right_arc, swap, reduce };
inline constexpr std::size_t kind_count = 5;

// `depth`: which node of a spine an arc comes from, counted from the root of its tree; always 1 in systems
// whose arcs join roots only. Where tags are chosen while parsing, the `label` of SHIFT is the rank of the
// tag that it gives to the word, among the candidates of that word.
struct Transition {
    Kind kind;
    Label label = none;
    Index depth = 1;

    constexpr bool operator==(const Transition&) const = default;
};

// A small set of kinds, such as those an oracle calls correct.
class KindSet {
  public:
    constexpr KindSet() = default;
    constexpr KindSet(Kind kind) : bits_(bit(kind)) {}

    constexpr void add(Kind kind) { bits_ |= bit(kind); }
    constexpr void remove(Kind kind) { bits_ &= ~bit(kind); }
    constexpr bool has(Kind kind) const { return (bits_ & bit(kind)) != 0; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr int size() const { return std::popcount(bits_); }
    constexpr bool operator==(const KindSet&) const = default;

  private:
    static constexpr std::uint32_t bit(Kind kind) { return 1u << static_cast<unsigned>(kind); }
    std::uint32_t bits_ = 0;
};

// Transitions whatever their label: kinds, and arcs from deeper nodes.
class TransitionSet {
  public:
    TransitionSet(KindSet kinds = {}) : kinds_(kinds) {}
    TransitionSet(Kind kind) : kinds_(kind) {}

    void add(Kind kind, Index depth = 1) {
        if (depth == 1) {
            kinds_.add(kind);
        } else {
            deep_.emplace_back(kind, depth);
        }
    }
    void clear() {
        kinds_ = {};
        deep_.clear();
    }
    bool has(Transition transition) const {
        if (transition.depth == 1) return kinds_.has(transition.kind);
        for (const auto& [kind, depth] : deep_) {
            if (kind == transition.kind && depth == transition.depth) return true;
        }
        return false;
    }
    bool empty() const { return kinds_.empty() && deep_.empty(); }
    std::size_t size() const { return static_cast<std::size_t>(kinds_.size()) + deep_.size(); }
    KindSet kinds() const { return kinds_; }
    const std::vector<std::pair<Kind, Index>>& deep() const { return deep_; }

    // The first in the order LEFT-ARC, RIGHT-ARC, SWAP, REDUCE, SHIFT; of several arcs the shallowest.
    Transition preferred() const {
        for (const Kind kind : {Kind::left_arc, Kind::right_arc, Kind::swap, Kind::reduce}) {
            if (kinds_.has(kind)) return {kind};
            const std::pair<Kind, Index>* first = nullptr;
            for (const auto& arc : deep_) {
                if (arc.first == kind && (first == nullptr || arc.second < first->second)) first = &arc;
            }
            if (first != nullptr) return {kind, none, first->second};
        }
        return {Kind::shift};
    }

  private:
    KindSet kinds_;
    std::vector<std::pair<Kind, Index>> deep_;
};

}  // namespace plait
