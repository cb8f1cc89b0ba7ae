// A state: stack, buffer and the arcs built so far.
#pragma once

#include "core/row.hpp"

namespace plait {

// What is known of a node. `head` and `label` are the arcs; the rest is counted from them as they are built,
// because features ask for it at every state. Outermost dependents are by position in the sentence, in
// whatever order they were attached.
struct Node {
    Index head = none;
    Label label = none;
    Index left1 = none, left2 = none;                 // leftmost, second from the left
    Index right1 = none, right2 = none;               // rightmost, second from the right
    Index lefts = 0, rights = 0;                      // how many dependents on either side
    std::uint64_t left_labels = 0, right_labels = 0;  // bit (label mod 64) for every label on that side
};

// The dependent that was attached last by LEFT-ARC and by RIGHT-ARC: where the spines of a node go on.
struct Spines {
    Index left = none, right = none;
};

// Invariants: every node is on the stack, in the buffer, or has a head (in the arc-eager system a word on
// the stack may have one); the two lists are disjoint. Copying is a few block copies, and asked for by name.
class State {
  public:
    State() = default;
    State(State&&) = default;
    State& operator=(State&&) = default;

    void reset(Index words, RootPlace root) {
        row_.reset(words, root);
        nodes_.assign(static_cast<std::size_t>(words) + 1, Node{});
        spines_.clear();
        tags_.clear();
        steps_ = 0;
    }
    // For systems that put words out of order and so cannot tell spines from positions.
    void keep_spines() { spines_.assign(nodes_.size(), Spines{}); }
    void copy_from(const State& other) { *this = other; }

    Index words() const { return static_cast<Index>(nodes_.size()) - 1; }
    const Row& row() const { return row_; }
    std::size_t stack_size() const { return row_.stack_size(); }
    std::size_t buffer_size() const { return row_.buffer_size(); }
    Index stack(std::size_t depth) const { return row_.stack(depth); }
    Index buffer(std::size_t depth) const { return row_.buffer(depth); }
    std::int64_t steps() const { return steps_; }

    const Node& node(Index index) const { return nodes_[static_cast<std::size_t>(index)]; }
    Index head(Index word) const { return node(word).head; }
    Label label(Index word) const { return node(word).label; }
    Index dependents(Index index) const { return node(index).lefts + node(index).rights; }
    const Spines& spines(Index index) const { return spines_[static_cast<std::size_t>(index)]; }
    Spines& spines(Index index) { return spines_[static_cast<std::size_t>(index)]; }

    // The rank of the tag that SHIFT gave to a word; `none` before that, and where tags are not chosen.
    Index tag(Index word) const {
        return tags_.empty() ? none : Index{tags_[static_cast<std::size_t>(word)]} - 1;
    }
    void choose_tag(Index word, Index rank) {
        if (tags_.empty()) tags_.assign(nodes_.size(), 0);
        tags_[static_cast<std::size_t>(word)] = static_cast<std::uint8_t>(rank + 1);
    }

    // The steps transitions are made of. Whether they are permitted is the system's business.
    Row& moving() {
        ++steps_;
        return row_;
    }
    void attach(Index head, Index dependent, Label label) {
        Node& below = nodes_[static_cast<std::size_t>(dependent)];
        Node& above = nodes_[static_cast<std::size_t>(head)];
        below.head = head;
        below.label = label;
        const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::uint32_t>(label) & 63u);
        if (dependent < head) {
            ++above.lefts;
            above.left_labels |= bit;
            if (above.left1 == none || dependent < above.left1) {
                above.left2 = above.left1;
                above.left1 = dependent;
            } else if (above.left2 == none || dependent < above.left2) {
                above.left2 = dependent;
            }
        } else {
            ++above.rights;
            above.right_labels |= bit;
            if (dependent > above.right1) {  // none is smaller than every word
                above.right2 = above.right1;
                above.right1 = dependent;
            } else if (dependent > above.right2) {
                above.right2 = dependent;
            }
        }
    }

  private:
    State(const State&) = default;
    State& operator=(const State&) = default;

    Row row_;
    std::vector<Node> nodes_;
    std::vector<Spines> spines_;      // empty unless asked for
    std::vector<std::uint8_t> tags_;  // rank + 1, or 0; empty until a tag is chosen
    std::int64_t steps_ = 0;
};

// What a transition sees of a state. By default that is the same for all: the top words of the stack and the
// first of the buffer. An arc from deeper down a spine sees its head in the place of the root above it; a
// SHIFT that chooses a tag sees this tag beside the rest.
struct Context {
    Kind side = Kind::shift;
    Index head = none;  // a node that has a head itself
    Index tag = none;   // a rank

    constexpr bool operator==(const Context&) const = default;
};

}  // namespace plait
