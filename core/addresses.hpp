// Addresses: where to look in a state. Lists of them are data, compiled from names by Python.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/state.hpp"

namespace plait {

// `above`: the head of the head of the arc at depth 0, the head of that at depth 1; for arcs from deeper down
// a spine only. `candidate`: the front of the buffer with the tag that SHIFT would give to it. `guide`: the
// head in the guide's tree.
enum class Place : std::uint8_t {
    stack,
    buffer,
    left1,
    left2,
    right1,
    right2,
    head,
    above,
    candidate,
    guide
};
inline constexpr std::size_t place_count = 10;

// A node: stack, buffer or above at a depth, or the relative of an address before this one.
struct Address {
    Place place;
    std::int32_t argument;  // the depth, or the number of the other address
};

inline constexpr std::int32_t most_depth = 10;  // of an address on stack or buffer

constexpr bool is_base(Place place) {
    return place == Place::stack || place == Place::buffer || place == Place::above ||
           place == Place::candidate;
}

// Relatives are of addresses before them.
inline void check_order(std::span<const Address> addresses) {
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        const auto end = is_base(addresses[i].place) ? most_depth : static_cast<std::int32_t>(i);
        if (addresses[i].argument < 0 || addresses[i].argument >= end) {
            throw std::invalid_argument("no such address");
        }
    }
}

// Stack and buffer as they are.
struct PlainView {
    const State& state;

    Index stack(std::size_t depth) const { return state.stack(depth); }
    Index buffer(std::size_t depth) const { return state.buffer(depth); }
    Index above(std::size_t) const { return none; }
    std::uint64_t depth() const { return 1; }
};

// As an arc from deeper down a spine sees them (Sartorio, Satta and Nivre 2013, Table 1, and the same rule
// for places beyond it): its head stands for the root, and the nodes above the head lie behind it, between
// the head and the rest of the buffer if it is on the right, between the head and the rest of the stack
// otherwise.
class SpineView {
  public:
    SpineView(const State& state, const Context& context) : state_(state), context_(context) {
        for (Index node = state.head(context.head); node != none && count_ < nodes_.size();
             node = state.head(node)) {
            nodes_[count_++] = node;
        }
    }

    Index stack(std::size_t depth) const {
        if (context_.side == Kind::left_arc) return depth == 0 ? context_.head : state_.stack(depth);
        if (depth < 2) return depth == 0 ? state_.stack(0) : context_.head;
        return depth - 2 < count_ ? nodes_[depth - 2] : state_.stack(depth - count_);
    }
    Index buffer(std::size_t depth) const {
        if (context_.side == Kind::right_arc) return state_.buffer(depth);
        return depth < count_ ? nodes_[depth] : state_.buffer(depth - count_);
    }
    Index above(std::size_t depth) const { return depth < count_ ? nodes_[depth] : none; }
    std::uint64_t depth() const { return count_ + 1; }

  private:
    const State& state_;
    const Context& context_;
    std::array<Index, 10> nodes_;  // from the head upwards; no template asks for more
    std::size_t count_ = 0;
};

// The node at an address; `nodes` are those of the addresses before it, `guide_head(word)` a head in the
// guide's tree.
template <typename View, typename GuideHead>
Index locate(const View& view, const State& state, const GuideHead& guide_head, const Address& address,
             std::span<const Index> nodes) {
    if (address.place == Place::stack) return view.stack(static_cast<std::size_t>(address.argument));
    if (address.place == Place::buffer) return view.buffer(static_cast<std::size_t>(address.argument));
    if (address.place == Place::above) return view.above(static_cast<std::size_t>(address.argument));
    if (address.place == Place::candidate) return state.buffer(0);
    const Index from = nodes[static_cast<std::size_t>(address.argument)];
    if (from == none) return none;
    if (address.place == Place::guide) return guide_head(from);
    const Node& node = state.node(from);
    switch (address.place) {
        case Place::left1:
            return node.left1;
        case Place::left2:
            return node.left2;
        case Place::right1:
            return node.right1;
        case Place::right2:
            return node.right2;
        default:
            return node.head;
    }
}

// What a state shows to a scorer from elsewhere: the nodes at some addresses. Those that need words to be
// found, candidates and the guide's heads, are not among them.
class Slots {
  public:
    // `shown`: which of the addresses are slots; the others lead to them.
    Slots(std::vector<Address> addresses, std::vector<std::int32_t> shown)
        : addresses_(std::move(addresses)), shown_(std::move(shown)), nodes_(addresses_.size()) {
        check_order(addresses_);
        for (const Address& address : addresses_) {
            if (address.place == Place::candidate || address.place == Place::guide) {
                throw std::invalid_argument("a slot is a place of the state itself");
            }
        }
        for (const std::int32_t number : shown_) {
            if (number < 0 || static_cast<std::size_t>(number) >= addresses_.size()) {
                throw std::invalid_argument("no such address");
            }
        }
    }

    std::size_t size() const { return shown_.size(); }

    // 0 is the root; `none` where there is no node.
    void find(const State& state, const Context& context, std::span<Index> slots) {
        if (context.head == none) {
            find(PlainView{state}, state, slots);
        } else {
            find(SpineView(state, context), state, slots);
        }
    }

  private:
    template <typename View>
    void find(const View& view, const State& state, std::span<Index> slots) {
        for (std::size_t i = 0; i < addresses_.size(); ++i) {
            nodes_[i] = locate(view, state, [](Index) { return none; }, addresses_[i], nodes_);
        }
        for (std::size_t i = 0; i < shown_.size(); ++i) {
            slots[i] = nodes_[static_cast<std::size_t>(shown_[i])];
        }
    }

    std::vector<Address> addresses_;
    std::vector<std::int32_t> shown_;
    std::vector<Index> nodes_;
};

}  // namespace plait
